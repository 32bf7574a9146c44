package server

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"

	"golang.org/x/time/rate"

	"caveau/address"
	"caveau/limit"
	"caveau/lobby"
	"caveau/match/runner"
	"caveau/reply"
	"caveau/wire"
)

// Limits are how much may be asked for. Those that are zero are the usual ones.
type Limits struct {
	Commands limit.Rate // on one connection, before it is slowed down
	Flood    int        // how many of them in a row may be slowed down, before the connection is closed

	Said     limit.Share // commands on all connections, before they are slowed down
	Requests limit.Share // to the API, connections too
	Tables   limit.Share // that are made
	Imports  limit.Share // tables that are made from a record
	Guests   limit.Rate  // who get a name for the first time, at one address
	Bytes    limit.Rate  // over HTTP, both ways, to one address

	Sockets int // connections at once, of everybody
}

// usual are good for forty people behind one address, who come at the same time and play at ten tables.
var usual = Limits{
	Commands: limit.Rate{AtOnce: 60, PerSecond: 20}, Flood: 200,
	Said:     limit.Share{Address: limit.Rate{AtOnce: 1000, PerSecond: 300}, Guest: limit.Rate{AtOnce: 200, PerSecond: 60}},
	Requests: limit.Share{Address: limit.Rate{AtOnce: 600, PerSecond: 60}, Guest: limit.Rate{AtOnce: 100, PerSecond: 20}},
	Tables:   limit.Share{Address: limit.Rate{AtOnce: 120, PerSecond: 1.0 / 15}, Guest: limit.Rate{AtOnce: 30, PerSecond: 1.0 / 60}},
	Imports:  limit.Share{Address: limit.Rate{AtOnce: 60, PerSecond: 1.0 / 15}, Guest: limit.Rate{AtOnce: 30, PerSecond: 1.0 / 30}},
	Guests:   limit.Rate{AtOnce: 120, PerSecond: 1.0 / 15},
	Bytes:    limit.Rate{AtOnce: 96 << 20, PerSecond: 4 << 20},
	Sockets:  15_000,
}

// boundless is what nobody reaches, open a share of it.
var (
	boundless = limit.Rate{AtOnce: 1e9, PerSecond: 1e9}
	open      = limit.Share{Address: boundless, Guest: boundless}
)

// NoLimits are those of a house that is measured: everybody may ask for as much as he likes.
var NoLimits = Limits{
	Commands: boundless, Flood: 1e9, Said: open, Requests: open, Tables: open,
	Imports: open, Guests: boundless, Bytes: boundless, Sockets: 1e9,
}

func (l Limits) orUsual() Limits {
	if l.Flood == 0 {
		l.Flood = usual.Flood
	}
	if l.Sockets == 0 {
		l.Sockets = usual.Sockets
	}
	for _, r := range []struct{ ours, usual *limit.Rate }{
		{&l.Commands, &usual.Commands}, {&l.Guests, &usual.Guests}, {&l.Bytes, &usual.Bytes},
		{&l.Said.Address, &usual.Said.Address}, {&l.Said.Guest, &usual.Said.Guest},
		{&l.Requests.Address, &usual.Requests.Address}, {&l.Requests.Guest, &usual.Requests.Guest},
		{&l.Tables.Address, &usual.Tables.Address}, {&l.Tables.Guest, &usual.Tables.Guest},
		{&l.Imports.Address, &usual.Imports.Address}, {&l.Imports.Guest, &usual.Imports.Guest},
	} {
		if *r.ours == (limit.Rate{}) {
			*r.ours = *r.usual
		}
	}
	return l
}

// socketPart is the part of the connections still free that one address may have: of an empty house three hundred.
const socketPart = 50

// Spent is what visitors have asked for lately, and counts at all nodes of a house: of what was made the others hear soon and surely, of how fast somebody asks and of
// how many connections he has what a node sees of those who take the most.
type spent struct {
	said, requests limit.Shared
	bytes          *limit.Buckets
	sockets        *limit.Places
	made           map[string]limit.Shared
}

// What is made, by the names that nodes have for it.
const (
	aTable   = "table"
	anImport = "import" // a table from a record, or a game of a device
	aGuest   = "guest"
)

func newSpent(l Limits) spent {
	return spent{
		said: limit.NewShared(l.Said), requests: limit.NewShared(l.Requests), bytes: limit.NewBuckets(l.Bytes), sockets: limit.NewPlaces(l.Sockets, socketPart),
		made: map[string]limit.Shared{aTable: limit.NewShared(l.Tables), anImport: limit.NewShared(l.Imports), aGuest: {Address: limit.NewBuckets(l.Guests)}},
	}
}

// Others are the other nodes of a house. What is spent at one of them is soon known to all.
type Others interface {
	Spent(what, address, guest string)
	HearSpent(func(what, address, guest string))
}

// count has the nodes of the house tell each other how fast somebody asks, and what he holds.
func (s *Server) count() {
	for what, b := range map[string]*limit.Buckets{
		"asks from": s.spent.requests.Address, "asks": s.spent.requests.Guest, "says from": s.spent.said.Address, "says": s.spent.said.Guest, "bytes from": s.spent.bytes,
	} {
		s.Lobby.Count(what, b.Count(s.Clock.Now))
	}
	s.Lobby.Count("ways", s.guests.Ways())
	s.Lobby.Count("lines from", s.spent.sockets.Addresses())
	s.Lobby.Count("lines", s.spent.sockets.Guests())
}

// may tells whether somebody may have one more made.
func (s *Server) may(what string, v lobby.Visitor) bool {
	from, guest := whose(what, v)
	if !s.spent.made[what].Allow(from, guest, s.Clock.Now()) {
		return false
	}
	if s.Others != nil {
		s.Others.Spent(what, from, guest)
	}
	return true
}

// unmade gives back what was taken for what could not be written: nobody can help that, and who tries again is not to wait for it afterwards. Other nodes count it.
func (s *Server) unmade(what string, v lobby.Visitor, err error) {
	named := what == aGuest && v.Guest.ID != "" // and has taken nothing
	if err != nil && wire.AsError(err).Code == wire.CodeStorage && !named {
		from, guest := whose(what, v)
		s.spent.made[what].Give(from, guest, s.Clock.Now())
	}
}

// whose is as whose something counts that is made.
func whose(what string, v lobby.Visitor) (from, guest string) {
	if what == aGuest {
		return v.From, "" // he counts as whoever he is to be
	}
	return v.From, v.Guest.ID
}

// madeElsewhere is that somebody had something made at another node; of what only a later version makes this one knows nothing.
func (s *Server) madeElsewhere(what, from, guest string) {
	if of, known := s.spent.made[what]; known {
		of.Spend(from, guest, s.Clock.Now())
	}
}

// admitted identifies whoever asks, once, and keeps him from asking for too much. Nobody is shut out for long.
func (s *Server) admitted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, now := s.identify(r), s.Clock.Now
		s.warnOfProxy(r)
		asks := strings.HasPrefix(r.URL.Path, "/api/") || r.URL.Path == "/ws" || r.URL.Path == "/readyz"
		if s.spent.bytes.Owes(v.From, now()) || asks && !s.spent.requests.Address.Allow(v.From, now()) {
			s.tooMany(w, r, v.Visitor, "not so fast: try again in a second", "1")
			return
		}
		if asks {
			if err := hearOut(r); err != nil {
				reply.Refuse(w, http.StatusBadRequest, "bad_request", "the body broke off")
				return
			}
			var err error
			if v, err = s.known(r, v); err != nil {
				s.unkept(w, r, "it cannot be read whether a session has ended", err)
				return
			}
			if v.Guest.ID != "" && !s.spent.requests.Guest.Allow(v.Guest.ID, now()) { // what is no session of his any more takes nothing of his
				s.tooMany(w, r, v.Visitor, "not so fast: try again in a second", "1")
				return
			}
		}
		if r.URL.Path == "/ws" {
			next.ServeHTTP(w, with(r, v)) // a connection counts for itself
			return
		}
		counts := &counting{ResponseWriter: w}
		next.ServeHTTP(counts, with(r, v))
		s.spent.bytes.Spend(v.From, counts.n+int(max(0, r.ContentLength)), now())
	})
}

// hearOut reads all that somebody says before it is asked who he still is: a body may take as long as he likes to come, and his session may
// end meanwhile. What is longer than anything that is read is cut there, and refused as too long by whoever reads it.
func hearOut(r *http.Request) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, longestSetup+1))
	r.Body = io.NopCloser(bytes.NewReader(body))
	return err
}

func (s *Server) tooMany(w http.ResponseWriter, r *http.Request, v lobby.Visitor, message, after string) {
	s.attempt(tooMuch, s.from(r), "guest", v.Guest.ID)
	w.Header().Set("Retry-After", after)
	reply.Refuse(w, http.StatusTooManyRequests, wire.CodeTooMany, message)
}

// counting counts the bytes of an answer.
type counting struct {
	http.ResponseWriter
	n int
}

func (c *counting) Write(data []byte) (int, error) {
	n, err := c.ResponseWriter.Write(data)
	c.n += n
	return n, err
}

// Unwrap is for http.ResponseController.
func (c *counting) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// warnOfProxy says once what everybody will suffer from who is behind a proxy that is not known as one.
func (s *Server) warnOfProxy(r *http.Request) {
	if r.Header.Get(address.Forwarded) == "" || s.Proxies.Trust(address.Parse(r.RemoteAddr)) {
		return
	}
	if s.told.First("proxy", "") {
		s.Slog.Warn("requests come through a proxy that is not trusted, so all who are behind it count as one; if it is yours, "+
			"name it with --trust-proxy", "proxy", address.Parse(r.RemoteAddr))
	}
}

// A limiter limits how fast one connection may speak: it is slowed down first, and flooding if it goes on.
type limiter struct {
	clock   runner.Clock
	bucket  *rate.Limiter
	flood   int
	slowed  int // messages in a row that had to wait
	all     limit.Shared
	visitor lobby.Visitor
}

func (s *Server) newLimiter(v lobby.Visitor) *limiter {
	l := s.Limits
	return &limiter{
		clock: s.Clock, bucket: rate.NewLimiter(rate.Limit(l.Commands.PerSecond), l.Commands.AtOnce), flood: l.Flood, all: s.spent.said, visitor: v,
	}
}

// next waits until the connection may speak again; false if it floods or ctx ends. Whoever waits for others at his address
// does not flood.
func (p *limiter) next(ctx context.Context) bool {
	now := p.clock.Now()
	wait := p.bucket.ReserveN(now, 1).DelayFrom(now)
	if p.slowed++; wait == 0 {
		p.slowed = 0
	}
	if p.slowed > p.flood {
		return false
	}
	if wait = max(wait, p.all.Wait(p.visitor.From, p.visitor.Guest.ID, now)); wait == 0 {
		return true
	}
	over, stop := p.clock.Timer(wait)
	defer stop()
	select {
	case <-over:
		return true
	case <-ctx.Done():
		return false
	}
}
