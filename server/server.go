// Package server is the house's door: a little HTTP to get in, one WebSocket for everything that happens at tables, and
// the client's files. It speaks docs/protocol.md, and knows neither a game nor a database.
package server

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"caveau/address"
	"caveau/guests"
	"caveau/limit"
	"caveau/lobby"
	"caveau/match/runner"
	"caveau/metrics"
	"caveau/reply"
	"caveau/static"
)

// Protocol is the version of docs/protocol.md that this server speaks.
const Protocol = 3

// A Config is all that a server is handed.
type Config struct {
	Lobby   *lobby.Lobby
	Keeper  guests.Keeper
	Secret  []byte                      // signs the guests' cookies; kept over restarts, or everybody is a stranger
	Older   [][]byte                    // have signed cookies before it, which are good still
	Origin  string                      // the address that others reach, for links: http://192.168.1.7:8080
	Client  fs.FS                       // the built client, nil if it was not built
	Ready   func(context.Context) error // whether the log can be reached
	Clock   runner.Clock                // nil: the lobby's, by which all nodes go
	Random  io.Reader                   // unguessable, for the ids of guests
	Limits  Limits
	Push    []byte          // the house's key for push services; nil: nobody is told anything whose page is closed
	Proxies address.Proxies // the addresses that may say, in X-Forwarded-For, whose request they pass on
	Hosts   []string        // the names by which this machine may be asked for, besides its addresses and that of Origin
	Owner   Owner           // nil: nobody has a page, and everybody may come
	Others  Others          // nil: the house has one node
	Slog    *slog.Logger
	Version string
}

// A Server answers requests. Close it after the http.Server that it answers for was shut down.
type Server struct {
	Config
	origin   *url.URL
	names    address.Names // by which the house may be asked for
	guests   *guests.Book
	handler  http.Handler
	spent    spent
	told     limit.Once
	attempts *limit.Lines
	answers  metrics.Counts // by their codes

	ctx      context.Context // ends with the server
	stop     context.CancelFunc
	sockets  sockets
	watching sync.WaitGroup
}

// New makes a server. It fails where the origin is no address, or the client's files cannot be read.
func New(c Config) (*Server, error) {
	origin, err := url.Parse(c.Origin)
	if err != nil || origin.Host == "" || origin.Scheme != "http" && origin.Scheme != "https" || strings.Trim(origin.Path, "/") != "" {
		return nil, fmt.Errorf("%q is no address of a server: give one such as https://games.example.org", c.Origin)
	}
	origin.Host, origin.Path = address.Host(origin.Host, origin.Scheme), ""
	c.Origin = origin.Scheme + "://" + origin.Host
	c.Limits, c.Clock = c.Limits.orUsual(), cmp.Or(c.Clock, c.Lobby.Clock())
	client, err := static.New(c.Client)
	if err != nil {
		return nil, err
	}
	s := &Server{Config: c, origin: origin, names: address.NewNames(origin.Host, c.Hosts), spent: newSpent(c.Limits), attempts: limit.NewLines(linesOfKind, linesOfAddress)}
	s.guests, err = guests.New(guests.Config{
		Keeper: c.Keeper, Origin: origin, Secret: c.Secret, Older: c.Older, Random: c.Random, Now: c.Clock.Now, Secure: s.isSecure, Called: c.Lobby.Called, Rename: c.Lobby.Rename, Ended: func(ctx context.Context, guest string) { s.endSockets(ctx, guest); c.Lobby.Changed(guest) }, Note: s.Slog.Info, Rooms: c.Lobby, Push: c.Push,
	})
	if err != nil {
		return nil, err
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.sockets.open = make(map[*socket]int)
	c.Lobby.Heed(s.endSockets)
	if c.Others != nil {
		c.Others.HearSpent(s.madeElsewhere)
		s.count()
	}
	s.handler = s.routes(client)
	s.watching.Go(s.watch)
	return s, nil
}

func (s *Server) routes(client *static.Files) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/hello", s.hello)
	mux.HandleFunc("POST /api/guest", s.guest)
	mux.HandleFunc("DELETE /api/guest", s.erase)
	mux.HandleFunc("POST /api/guest/end", s.end)
	mux.HandleFunc("POST /api/guest/way", s.forms(s.guests.MakeWay))
	mux.HandleFunc("POST /api/guest/way/take", s.forms(s.guests.TakeWay))
	mux.HandleFunc("GET /api/guest/export", s.forms(s.guests.Export))
	mux.HandleFunc("GET /api/passkeys", s.forms(s.guests.Passkeys))
	mux.HandleFunc("POST /api/passkeys", s.forms(s.guests.Make))
	mux.HandleFunc("POST /api/passkeys/make", s.forms(s.guests.AskToMake))
	mux.HandleFunc("POST /api/passkeys/ask", s.forms(s.guests.AskToShow))
	mux.HandleFunc("POST /api/passkeys/show", s.forms(s.guests.Show))
	mux.HandleFunc("DELETE /api/passkeys/{passkey}", s.forms(s.guests.RemovePasskey))
	mux.HandleFunc("GET /api/programs", s.forms(s.guests.Programs))
	mux.HandleFunc("POST /api/programs", s.newcomers(s.forms(s.guests.MakeProgram)))
	mux.HandleFunc("DELETE /api/programs/{program}", s.forms(s.guests.RemoveProgram))
	mux.HandleFunc("GET /api/notices", s.forms(s.guests.Notices))
	mux.HandleFunc("POST /api/notices", s.forms(s.guests.AddNotice))
	mux.HandleFunc("DELETE /api/notices", s.forms(s.guests.RemoveNotice))
	mux.HandleFunc("GET /api/tables", s.tables)
	mux.HandleFunc("POST /api/tables", s.makeTable)
	mux.HandleFunc("GET /api/tables/mine", s.forms(s.guests.Mine))
	mux.HandleFunc("GET /api/tables/played", s.forms(s.guests.Played))
	mux.HandleFunc("POST /api/tables/played", s.keepGame)
	mux.HandleFunc("DELETE /api/tables/played/{table}", s.forms(s.guests.ForgetTable))
	mux.HandleFunc("GET /api/tables/{table}", s.card)
	mux.HandleFunc("GET /api/tables/{table}/qr.svg", s.qr)
	mux.HandleFunc("GET /api/tables/{table}/record", s.record)
	mux.HandleFunc("GET /api/tables/{table}/story", s.story)
	mux.HandleFunc("GET /api/tables/{table}/advice", s.advice)
	mux.HandleFunc("/api/owner/", s.owner)
	mux.HandleFunc("GET /healthz", s.health)
	mux.HandleFunc("GET /readyz", s.ready)
	mux.HandleFunc("GET /ws", s.socket)
	mux.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) {
		reply.Refuse(w, http.StatusNotFound, "bad_request", "there is nothing of that name and method; see docs/protocol.md")
	})
	mux.HandleFunc("GET /t/{table}", s.tablePage(client))
	for _, page := range []string{"GET /rules", "GET /rules/{book}", "GET /verify", "GET /replay/{table}", "GET /games", "GET /privacy", "GET /owner", "GET /i/{invitation}", "GET /t/{table}/screen", "GET /move", "GET /here", "GET /here/{table}", "GET /here/{table}/replay", "GET /learn", "GET /learn/{lesson}"} {
		mux.HandleFunc(page, client.Index)
	}
	mux.HandleFunc("/", client.Serve)

	return s.headers(s.hosted(s.admitted(s.guarded(s.bearing(s.invited(mux))))))
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close closes all sockets, with a reason, and waits for them.
func (s *Server) Close() {
	s.stop()
	s.sockets.mu.Lock()
	for c := range s.sockets.open {
		go c.stop()
	}
	s.sockets.mu.Unlock()
	s.sockets.all.Wait()
	s.watching.Wait()
}

// The page may load its own files and talk to its own server, and nothing else; no script and no style stands in a page or is made of
// text. HTML is made of text by Svelte alone, of what it compiled.
const (
	policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; " +
		"connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	trusted = "; require-trusted-types-for 'script'; trusted-types svelte-trusted-html caveau-files"
)

// policyOf is the policy of a page. The pages where deals are checked and games are replayed, and no others, run the engine, by a script that
// they name themselves; links load each as a page of its own. The page on which people play without a network has a worker that runs it.
func policyOf(path string) string {
	if path == "/verify" || path == "/pocket.js" || strings.HasPrefix(path, "/replay/") {
		return strings.Replace(policy, "script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", 1)
	}
	return policy + trusted
}

func (s *Server) headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policyOf(r.URL.Path))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin") // the link of a table is for those who were given it
		h.Set("X-Robots-Tag", "noindex")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
		if s.origin.Scheme == "https" {
			// At home, without https, browsers ignore these and complain on the console.
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}
