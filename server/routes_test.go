package server_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"caveau/fact"
	"caveau/guests"
	"caveau/limit"
	"caveau/server"
	"caveau/store/storetest"
	"caveau/wire"
)

// routes are all on which something is asked of the house, as its sources write them: whoever adds one has it walked here too.
func routes(t *testing.T) []string {
	t.Helper()
	all := []string{"POST /api/owner/enter"} // which its package knows without a method
	named := regexp.MustCompile(`^[A-Z]+ /\S*$`)
	for _, pattern := range []string{"*.go", "../owner/*.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no sources (%v)", pattern, err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if text, err := strconv.Unquote(n.Value); err == nil && named.MatchString(text) {
						all = append(all, text)
					}
				case *ast.CallExpr: // a route of all methods is told from a path by what is done with it
					handles, ok := n.Fun.(*ast.SelectorExpr)
					if !ok || !strings.HasPrefix(handles.Sel.Name, "Handle") || len(n.Args) == 0 {
						return true
					}
					if lit, ok := n.Args[0].(*ast.BasicLit); ok && strings.HasPrefix(lit.Value, `"/`) {
						all = append(all, strings.Trim(lit.Value, `"`))
					}
				}
				return true
			})
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// bodies are what somebody says who means it, by the route; on all others he says {}.
var bodies = map[string]string{
	"POST /api/guest":          `{"name": "Eve", "invitation": "NAME"}`,
	"POST /api/guest/way":      `{"table": "NAME"}`,
	"POST /api/guest/way/take": `{"code": "NAME"}`,
	"POST /api/passkeys":       `{"name": "NAME", "made": {}}`,
	"POST /api/passkeys/show":  `{"id": "NAME"}`,
	"POST /api/programs":       `{"name": "Robbie"}`,
	"POST /api/notices":        notice,
	"DELETE /api/notices":      `{"endpoint": "https://push.example/NAME"}`,
	"POST /api/tables":         `{"game": "toy", "seats": 2, "first": "A", "sit": true}`,
	"POST /api/tables/played":  gameOfDevice,
	"POST /api/owner/enter":    `{"key": "NAME"}`,
}

// endings are the routes after which a guest is somebody else.
var endings = []string{"DELETE /api/guest", "POST /api/guest/end"}

// A request is asked on a route. The name stands wherever the route has a part that is not always the same, and in the body.
type request struct {
	route, name, query string
	from, host         string // "" are good ones
	method             string // "" is the route's
	header             []string
	body               io.Reader // nil is what somebody says who means it
}

// asks is how a request is answered.
func (h *house) asks(q request) *http.Response {
	method, path, ok := strings.Cut(q.route, " ")
	if !ok {
		method, path = http.MethodGet, q.route
	}
	if strings.HasSuffix(path, "/") {
		path += "{rest}"
	}
	path = parts.ReplaceAllLiteralString(path, q.name)
	body := strings.ReplaceAll(cmp.Or(bodies[q.route], "{}"), "NAME", q.name)
	if method == http.MethodGet {
		body = ""
	}
	if q.body == nil {
		q.body = strings.NewReader(body)
	}
	r := httptest.NewRequest(cmp.Or(q.method, method), path+q.query, q.body)
	r.Host, r.RemoteAddr = cmp.Or(q.host, "192.168.1.7:8080"), cmp.Or(q.from, "192.0.2.1")+":4711"
	for i := 0; i < len(q.header); i += 2 {
		r.Header.Set(q.header[i], q.header[i+1])
	}
	w := httptest.NewRecorder()
	h.server.ServeHTTP(w, r)
	return w.Result()
}

var parts = regexp.MustCompile(`{[a-z]+}`)

// cookie is that of a new guest who comes from an address.
func (h *house) cookie(from string) []string {
	h.t.Helper()
	res := h.asks(request{route: "POST /api/guest", from: from})
	all := res.Cookies()
	if len(all) != 1 {
		h.t.Fatalf("a new guest is answered %s, with the cookies %v", res.Status, all)
	}
	return []string{"Cookie", all[0].Name + "=" + all[0].Value}
}

// Endless is what somebody says who does not come to an end. It counts what was heard of it.
type endless struct{ heard int }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	e.heard += len(b)
	if e.heard > 8<<20 {
		return 0, io.ErrUnexpectedEOF
	}
	return len(b), nil
}

// Whoever speaks without end is not heard out on any route, whatever he asks for.
func TestNobodyIsHeardWithoutEnd(t *testing.T) {
	h := inPublic(t, storetest.Memory(), noon(), io.Discard)
	for _, route := range routes(t) {
		says := new(endless)
		h.asks(request{route: route, name: "x", method: http.MethodPost, host: "games.example.org", header: h.cookie("192.0.2.1"), body: says})
		if says.heard > 256<<10 {
			t.Errorf("on %s %d bytes are heard", route, says.heard)
		}
	}
}

// What is told about tables and people is kept by nobody on the way: whoever asks next may be somebody else.
func TestNothingIsKeptOnTheWay(t *testing.T) {
	h := inPublic(t, storetest.Memory(), noon(), io.Discard)
	table := h.table("192.0.2.1")
	for _, route := range routes(t) {
		if !strings.Contains(route, "/api/") {
			continue
		}
		for _, header := range [][]string{nil, h.cookie("192.0.2.1")} {
			res := h.asks(request{route: route, name: table, header: header})
			if keep := res.Header.Get("Cache-Control"); res.StatusCode != http.StatusNoContent && keep != "no-store" {
				t.Errorf("%s is answered %s, to be kept as %q", route, res.Status, keep)
			}
		}
	}
}

// No frame is compressed, whatever a browser offers: how small something becomes beside what was said before tells what it is.
func TestNoFrameIsCompressed(t *testing.T) {
	ana := open(t).as("Ana")
	conn, res, err := ana.dial("?protocol=3", "Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	if got := res.Header.Get("Sec-WebSocket-Extensions"); got != "" {
		t.Errorf("it is agreed on %q", got)
	}
}

// free are the routes on which everybody is answered as often as he asks: nothing is looked up there but what the house has in its hands, and bytes
// count elsewhere. The page of a table is among them: he who asks too much has it without what stands in the log.
var free = []string{
	"GET /healthz", "/", "GET /t/{table}",
	"GET /t/{table}/screen", "GET /i/{invitation}", "GET /replay/{table}", "GET /rules", "GET /rules/{book}", "GET /verify", "GET /games", "GET /privacy",
	"GET /owner", "GET /move", "GET /here", "GET /here/{table}", "GET /here/{table}/replay", "GET /learn", "GET /learn/{lesson}",
}

// A busy store counts what is looked up in it for those who ask; and whether a session has ended by itself, as that is asked before it is known whose
// limit is reached.
type busy struct {
	storetest.Store
	n, ended atomic.Int64
}

func (b *busy) Ended(ctx context.Context, guest, session string) (bool, int, error) {
	b.ended.Add(1)
	return b.Store.Ended(ctx, guest, session)
}

func (b *busy) Entries(ctx context.Context, id wire.ID, after int) ([]fact.Entry, error) {
	b.n.Add(1)
	return b.Store.Entries(ctx, id, after)
}

func (b *busy) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	b.n.Add(1)
	return b.Store.Append(ctx, id, e)
}

func (b *busy) Names(ctx context.Context, guests ...string) (map[string]string, error) {
	b.n.Add(1)
	return b.Store.Names(ctx, guests...)
}

func (b *busy) Name(ctx context.Context, guest, name string) error {
	b.n.Add(1)
	return b.Store.Name(ctx, guest, name)
}

func (b *busy) Tables(ctx context.Context, guest string) ([]guests.Table, error) {
	b.n.Add(1)
	return b.Store.Tables(ctx, guest)
}

func (b *busy) Way(ctx context.Context, sum []byte, now time.Time) (guests.Way, bool, error) {
	b.n.Add(1)
	return b.Store.Way(ctx, sum, now)
}

func (b *busy) Passkeys(ctx context.Context, guest string) ([]guests.Passkey, error) {
	b.n.Add(1)
	return b.Store.Passkeys(ctx, guest)
}

func (b *busy) Subscriptions(ctx context.Context, guest string) ([]guests.Subscription, error) {
	b.n.Add(1)
	return b.Store.Subscriptions(ctx, guest)
}

// It is the owner of its house too, whom nobody is.
func (b *busy) Invited() bool { return false }

func (b *busy) Redeem(_ context.Context, _, _ string, do func() error) error { b.n.Add(1); return do() }

func (b *busy) Answer(w http.ResponseWriter, _ *http.Request, _ bool) bool {
	b.n.Add(1)
	w.WriteHeader(http.StatusUnauthorized)
	return true
}

func (b *busy) ready(context.Context) error { b.n.Add(1); return nil }

// few is how often somebody may ask at once in what follows, and then no more.
const few = 3

// Whoever asks faster than he may, for what is there or what is not, has nothing more looked up, by whichever route; and is told so, but where
// he asks for a mere page. Another is answered as ever.
func TestNothingIsLookedUpBeyondTheLimit(t *testing.T) {
	all := routes(t)
	for _, route := range free {
		if !slices.Contains(all, route) {
			t.Errorf("%s is no route any more", route)
		}
	}
	rate := limit.Rate{AtOnce: few, PerSecond: 1e-6}
	for _, route := range all {
		t.Run(route, func(t *testing.T) {
			t.Run("a stranger", func(t *testing.T) {
				h, log := atWork(t, limit.Share{Address: rate})
				none := func() []string { return nil }
				askTooMuch(t, h, log, route, func(int) string { return "203.0.113.9" }, none(), "192.0.2.7", none())
			})
			t.Run("a guest", func(t *testing.T) {
				if slices.Contains(endings, route) {
					return
				}
				h, log := atWork(t, limit.Share{Guest: rate})
				ana, ben := h.cookie("198.51.100.1"), h.cookie("198.51.100.1")
				askTooMuch(t, h, log, route, func(n int) string { return fmt.Sprintf("203.0.113.%d", n) }, ana, "203.0.113.0", ben)
			})
		})
	}
}

// Whoever asks from one address faster than he may is not even looked up himself, by whichever route.
func TestNobodyIsLookedUpBeyondTheLimit(t *testing.T) {
	for _, route := range routes(t) {
		t.Run(route, func(t *testing.T) {
			h, log := atWork(t, limit.Share{Address: limit.Rate{AtOnce: few, PerSecond: 1e-6}})
			ana := h.cookie("198.51.100.1")
			ask := func(n int) { h.asks(request{route: route, name: fmt.Sprintf("nowhere%d", n), header: ana}) }
			for n := range few {
				ask(n)
			}
			before := log.ended.Load()
			for n := range 5 * few {
				ask(n)
			}
			if more := log.ended.Load() - before; more > 0 {
				t.Errorf("of somebody who asks too much it is looked up %d times whether his session has ended", more)
			}
		})
	}
}

// atWork is a house that counts what is looked up in it.
func atWork(t *testing.T, requests limit.Share) (*house, *busy) {
	t.Helper()
	log := &busy{Store: storetest.Memory()}
	return openWith(t, log, log, func(c *server.Config) { c.Limits.Requests, c.Owner, c.Ready = requests, log, log.ready }), log
}

// askTooMuch has somebody ask too much, and then somebody else ask once.
func askTooMuch(t *testing.T, h *house, log *busy, route string, from func(n int) string, who []string, elsewhere string, other []string) {
	t.Helper()
	ask := func(from string, who []string, name, method string) (refused bool, looked int64) {
		before := log.n.Load()
		res := h.asks(request{route: route, name: name, from: from, header: who, method: method})
		return res.StatusCode == http.StatusTooManyRequests, log.n.Load() - before
	}
	first := int64(0)
	for n := range few {
		refused, looked := ask(from(n), who, fmt.Sprintf("nowhere%d", n), "")
		if refused {
			t.Fatalf("request %d is one too many", n)
		}
		if n == 0 {
			first = looked
		}
	}
	for n := few; n < 5*few; n++ {
		method := ""
		if n%2 == 1 && strings.HasPrefix(route, "GET ") {
			method = http.MethodHead
		}
		refused, looked := ask(from(n), who, fmt.Sprintf("nowhere%d", n), method)
		if looked > 0 {
			t.Fatalf("by request %d, of %d that he may ask, %d things more are looked up", n, few, looked)
		}
		if want := !slices.Contains(free, route); refused != want {
			t.Fatalf("request %d is one too many: %t, want %t; if all may ask for that as fast as they like, it is one of the free", n, refused, want)
		}
	}
	if refused, looked := ask(elsewhere, other, "elsewhere", ""); refused || looked != first {
		t.Errorf("somebody else is refused: %t, and %d things are looked up for him, and %d for the first", refused, looked, first)
	}
}

// The page of a table that is there says what its link is told by as often as somebody may ask, and is the bare page after that; whoever is elsewhere,
// or somebody else, sees it still.
func TestThePageOfATableIsNotReadOverAndOver(t *testing.T) {
	rate := limit.Rate{AtOnce: few, PerSecond: 1e-6}
	for name, share := range map[string]limit.Share{"a stranger": {Address: rate}, "a guest": {Guest: rate}} {
		t.Run(name, func(t *testing.T) {
			h := open(t, trusting(t, "127.0.0.1, ::1"), func(c *server.Config) { c.Limits.Requests = share })
			host := h.as("").at("192.0.2.1")
			host.post("/api/guest", `{"name": "Ana"}`, http.StatusOK, nil)
			id := host.makeTable("")
			told := func(from string, who []string) bool {
				res := h.asks(request{route: "GET /t/{table}", name: id, from: from, header: who})
				page, err := io.ReadAll(res.Body)
				if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(page), "the client") {
					t.Fatalf("the page is answered %s: %s, %v", res.Status, page, err)
				}
				return strings.Contains(string(page), "og:title")
			}
			var eve, ben []string
			at := func(int) string { return "203.0.113.9" }
			if share.Guest != (limit.Rate{}) {
				eve, ben = h.cookie("198.51.100.1"), h.cookie("198.51.100.1")
				at = func(n int) string { return fmt.Sprintf("203.0.113.%d", n) }
			}
			for n := range 5 * few {
				if got := told(at(n), eve); got != (n < few) {
					t.Fatalf("request %d, of %d that may be asked, is told of the table: %t", n, few, got)
				}
			}
			if !told("203.0.113.0", ben) && ben != nil || !told("192.0.2.7", ben) {
				t.Error("somebody else is told nothing")
			}
		})
	}
}

// Whoever's session has ended is answered as somebody is who never had one, whatever he asks for, in a house for invited people too.
func TestAnEndedSessionIsAnsweredAsNobody(t *testing.T) {
	drawn := regexp.MustCompile(`[0-9a-f]{32}|[\w-]{43}`) // an id, or what a key is to sign
	for _, x := range []struct {
		origin  string
		invited bool
	}{{}, {invited: true}, {origin: "https://games.example.org"}} {
		shown, from := 0, func(c *server.Config) { c.Origin = cmp.Or(x.origin, c.Origin) }
		for _, route := range routes(t) {
			m := storetest.Memory()
			open := indoors(t, m, m, from)
			h := &house{t: t, server: open}
			cookie := h.cookie("192.0.2.1")
			var made struct{ Table string }
			if err := json.NewDecoder(h.asks(request{route: "POST /api/tables", header: cookie}).Body).Decode(&made); err != nil {
				t.Fatal(err)
			}
			if res := h.asks(request{route: "POST /api/guest/end", header: cookie}); res.StatusCode != http.StatusNoContent || made.Table == "" {
				t.Fatalf("table %q is made, and the session's end is answered %s", made.Table, res.Status)
			}
			open.Close()
			var answers []string
			for _, header := range [][]string{cookie, nil} {
				s := indoors(t, m, m, from, owned(t, x.invited))
				h := &house{t: t, server: s}
				res := h.asks(request{route: route, name: made.Table, header: header})
				body, err := io.ReadAll(res.Body)
				if err != nil {
					t.Fatal(err)
				}
				s.Close()
				answers = append(answers, res.Status+" "+res.Header.Get("Content-Type")+"\n"+drawn.ReplaceAllString(string(body), "…"))
			}
			if strings.Contains(answers[1], made.Table) {
				shown++
			}
			if answers[0] != answers[1] {
				t.Errorf("%s (%+v) is answered\n%.900s\nand to somebody without a cookie\n%.900s", route, x, answers[0], answers[1])
			}
		}
		if !x.invited && shown == 0 {
			t.Error("nobody is shown the table on any route, which shows little")
		}
	}
}

// Whatever somebody asks for by the names of what is another's, it stays as it is: her tables, kept games, programs, and browsers that want to be told.
func TestNobodyTouchesWhatIsAnothers(t *testing.T) {
	all := routes(t)
	m := storetest.Memory()
	s := indoors(t, m, m, func(c *server.Config) { c.Clock, c.Limits, c.Push = noon(), server.NoLimits, []byte{4, 1, 255} }, owned(t, false))
	defer s.Close()
	h := &house{t: t, server: s}
	ana := h.cookie("198.51.100.1")
	makes := func(route string) (made struct{ ID, Table string }) {
		t.Helper()
		body := strings.Replace(cmp.Or(bodies[route], "{}"), "push.example/1", "push.example/anas", 1)
		res := h.asks(request{route: route, header: ana, body: strings.NewReader(body)})
		if err := json.NewDecoder(res.Body).Decode(&made); err != nil && err != io.EOF || res.StatusCode >= 300 {
			t.Fatalf("%s is answered %s (%v)", route, res.Status, err)
		}
		return made
	}
	makes("POST /api/notices")
	names := []string{"anas", makes("POST /api/tables").Table, makes("POST /api/tables/played").Table, makes("POST /api/programs").ID}
	hers := func() map[string]string {
		got := make(map[string]string)
		for _, route := range all {
			for _, name := range names {
				if !strings.HasPrefix(route, "GET ") {
					continue
				}
				res := h.asks(request{route: route, name: name, header: ana})
				body, err := io.ReadAll(res.Body)
				if err != nil {
					t.Fatal(err)
				}
				if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(string(body), name) }) {
					got[route+" "+name] = string(body)
				}
			}
		}
		return got
	}
	before := hers()
	for i, who := range []string{"another guest", "a stranger"} {
		for _, route := range all {
			for _, name := range names {
				q := request{route: route, name: name, from: fmt.Sprint("203.0.113.", i+1)}
				if who == "another guest" {
					q.header = h.cookie(q.from)
				}
				h.asks(q)
			}
		}
		after := hers()
		for what, was := range before {
			if after[what] != was {
				t.Errorf("%s has asked for all, and %s, which was\n%.300s, is\n%.300s", who, what, was, after[what])
			}
		}
	}
	for _, name := range names {
		if !strings.Contains(fmt.Sprint(before), name) {
			t.Errorf("she is shown %q nowhere", name)
		}
	}
}
