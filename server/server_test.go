package server_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"caveau/fact"
	"caveau/guests"
	"caveau/limit"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/record"
	"caveau/server"
	"caveau/store/storetest"
	"caveau/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A house is a server that others can reach, with the toy on its shelf.
type house struct {
	t      *testing.T
	url    string
	server *server.Server
}

func open(t *testing.T, change ...func(*server.Config)) *house {
	t.Helper()
	m := storetest.Memory()
	return openWith(t, m, m, change...)
}

// openWith opens it over that log.
func openWith(t *testing.T, log fact.Log, keeper guests.Keeper, change ...func(*server.Config)) *house {
	t.Helper()
	s := indoors(t, log, keeper, change...)
	web := httptest.NewServer(s)
	t.Cleanup(func() {
		s.Close()
		web.Close()
	})
	return &house{t, web.URL, s}
}

// indoors is a house's server, which nobody reaches yet. Whoever has it closes it.
func indoors(t *testing.T, log fact.Log, keeper guests.Keeper, change ...func(*server.Config)) *server.Server {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	found, err := lobby.Open(t.Context(), lobby.Config{
		Log: log, Shelf: matchtest.Shelf{}, Clock: matchtest.Clock{}, Rand: matchtest.Rand(1), Slog: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { found.Close() })
	c := server.Config{
		Lobby: found, Keeper: keeper, Secret: []byte("a secret of the tests"), Origin: "http://192.168.1.7:8080", Random: rand.Reader, Version: "test",
		Client: fstest.MapFS{
			"index.html":      {Data: []byte("<!doctype html><head></head>" + strings.Repeat("the client ", 50))},
			"assets/app-1.js": {Data: []byte("export {}")},
		},
		Ready: func(context.Context) error { return nil }, Clock: matchtest.Clock{}, Slog: quiet,
	}
	for _, f := range change {
		f(&c)
	}
	s, err := server.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A person is somebody with a cookie jar and, once he listens, a socket.
type person struct {
	t    *testing.T
	h    *house
	http *http.Client
	conn *websocket.Conn

	about *wire.About // what was told of the table last
}

// as is a person who has said his name; with none, one who has not.
func (h *house) as(name string) *person {
	h.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	transport := &http.Transport{}
	p := &person{t: h.t, h: h, http: &http.Client{Jar: jar, Transport: transport}}
	h.t.Cleanup(transport.CloseIdleConnections)
	if name != "" {
		p.post("/api/guest", `{"name": "`+name+`"}`, http.StatusOK, nil)
	}
	return p
}

func (p *person) do(method, path, body string, header ...string) *http.Response {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.h.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := p.http.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	data, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil {
		p.t.Fatal(err)
	}
	res.Body = io.NopCloser(bytes.NewReader(data))
	if said := res.Header; strings.HasPrefix(said.Get("Content-Type"), "application/json") && said.Get("Cache-Control") != "no-store" {
		p.t.Errorf("%s %s: the answer may be kept: %q", method, path, said.Get("Cache-Control"))
	}
	return res
}

func (p *person) answered(res *http.Response, status int, into any) {
	p.t.Helper()
	data, err := io.ReadAll(res.Body)
	if err == nil && into != nil {
		err = json.Unmarshal(data, into)
	}
	if res.StatusCode != status || err != nil {
		p.t.Fatalf("%s %s was answered %s %s (%v), want %d", res.Request.Method, res.Request.URL.Path, res.Status, data, err, status)
	}
}

func (p *person) post(path, body string, status int, into any) {
	p.t.Helper()
	p.answered(p.do(http.MethodPost, path, body), status, into)
}

func (p *person) get(path string, status int, into any) {
	p.t.Helper()
	p.answered(p.do(http.MethodGet, path, ""), status, into)
}

// refused checks the code of an error.
func (p *person) refused(res *http.Response, status int, code string) {
	p.t.Helper()
	var e wire.Error
	p.answered(res, status, &e)
	if e.Code != code || e.Message == "" {
		p.t.Errorf("%s %s was refused with %+v, want %s", res.Request.Method, res.Request.URL.Path, e, code)
	}
}

// makeTable makes a table of two with Ana on A, and answers with its name.
func (p *person) makeTable(more string) string {
	p.t.Helper()
	var made struct{ Table, Link string }
	p.post("/api/tables", `{"game": "toy", "seats": 2, "first": "A", "sit": true, "botTime": [0, 0]`+more+`}`, http.StatusCreated, &made)
	if made.Link != "http://192.168.1.7:8080/t/"+made.Table {
		p.t.Errorf("the link is %s", made.Link)
	}
	return made.Table
}

// dial opens the socket.
func (p *person) dial(query string, header ...string) (*websocket.Conn, *http.Response, error) {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return websocket.Dial(p.t.Context(), p.h.url+"/ws"+query, &websocket.DialOptions{HTTPClient: p.http, HTTPHeader: h})
}

func (p *person) listen() *person {
	p.t.Helper()
	conn, _, err := p.dial("?protocol=3")
	if err != nil {
		p.t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	p.conn = conn
	p.t.Cleanup(func() { conn.CloseNow() })
	return p
}

// A message is anything that a server says.
type message struct {
	Re    string
	OK    bool
	Seq   int
	Error *wire.Error
	Table string
	Frame *wire.Frame
	Lobby []wire.Card
	Alive bool
}

func (p *person) send(text string) {
	p.t.Helper()
	if err := p.conn.Write(p.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		p.t.Fatal(err)
	}
}

// hear reads messages until one is as wanted.
func (p *person) hear(what string, wanted func(message) bool) message {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 20*time.Second)
	defer cancel()
	for {
		_, data, err := p.conn.Read(ctx)
		if err != nil {
			p.t.Fatalf("waiting for %s: %v", what, err)
		}
		var m message
		if err := json.Unmarshal(data, &m); err != nil {
			p.t.Fatalf("%s: %v", data, err)
		}
		if m.Frame != nil { // what is not said of the table is as it was
			m.Frame.About = cmp.Or(m.Frame.About, p.about)
			p.about = m.Frame.About
		}
		if wanted(m) {
			return m
		}
	}
}

func (p *person) frame(what string, wanted func(wire.Frame) bool) wire.Frame {
	p.t.Helper()
	return *p.hear(what, func(m message) bool { return m.Frame != nil && wanted(*m.Frame) }).Frame
}

// error waits for an error, and checks its code.
func (p *person) error(code string) {
	p.t.Helper()
	if m := p.hear("an error", func(m message) bool { return m.Error != nil }); m.Error.Code != code || m.Error.Message == "" {
		p.t.Errorf("the error is %+v, want %s", m.Error, code)
	}
}

// alive checks that the connection still answers.
func (p *person) alive() {
	p.t.Helper()
	p.send(`{"id": "alive", "do": "ping"}`)
	p.hear("an answer", func(m message) bool { return m.Re == "alive" && m.OK })
}

// closed waits for the end of the connection, and checks its reason.
func (p *person) closed(code websocket.StatusCode, reason string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 20*time.Second)
	defer cancel()
	for {
		_, _, err := p.conn.Read(ctx)
		if err == nil {
			continue
		}
		if websocket.CloseStatus(err) != code || !strings.Contains(err.Error(), reason) {
			p.t.Errorf("the connection ended with %v, want %d %s", err, code, reason)
		}
		return
	}
}

// TestExample follows docs/protocol.md to the end of a game.
func TestExample(t *testing.T) {
	h := open(t)
	ana := h.as("Ana")
	id := ana.makeTable(`, "bots": ["remembering:keen"]`)
	ana.get("/api/tables/"+id, http.StatusOK, nil)
	ana.refused(ana.do(http.MethodGet, "/api/tables/"+id+"/record", ""), http.StatusConflict, "not_started")
	ana.listen()
	ana.send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
	ana.frame("the table", func(f wire.Frame) bool { return f.About.State == "open" && f.You == 0 })
	ana.send(`{"id": "2", "do": "start", "table": "` + id + `"}`)
	for {
		f := ana.frame("her turn", func(f wire.Frame) bool { return f.About.State == "over" || len(f.Moves) > 0 })
		if f.About.State == "over" {
			break
		}
		ana.refused(ana.do(http.MethodGet, "/api/tables/"+id+"/record", ""), http.StatusConflict, "running")
		ana.refused(ana.do(http.MethodGet, "/api/tables/"+id+"/story", ""), http.StatusConflict, "running")
		var advice struct{ Move string }
		ana.get("/api/tables/"+id+"/advice", http.StatusOK, &advice)
		if !slices.Contains(f.Moves, advice.Move) {
			t.Errorf("the advice is %q, of %q", advice.Move, f.Moves)
		}
		h.as("Eve").refused(h.as("Eve").do(http.MethodGet, "/api/tables/"+id+"/advice", ""), http.StatusConflict, "not_your_seat")
		play, err := json.Marshal(map[string]any{"id": "p" + string(rune('a'+f.Seq)), "do": "play", "table": id, "seat": f.You, "seq": f.Seq, "move": f.Moves[0]})
		if err != nil {
			t.Fatal(err)
		}
		ana.send(string(play))
	}
	var rec struct {
		Format  string
		Players []string
		Moves   []string
		Table   struct {
			Bots map[string]struct{ Bot string }
		}
	}
	ana.get("/api/tables/"+id+"/record", http.StatusOK, &rec)
	if rec.Format != "caveau/1" || len(rec.Moves) != 6 || rec.Table.Bots["B"].Bot != "remembering:keen" {
		t.Errorf("the record is %+v", rec)
	}
	ana.refused(ana.do(http.MethodGet, "/api/tables/"+id+"/advice", ""), http.StatusConflict, "not_started")
	var story record.Story
	ana.get("/api/tables/"+id+"/story", http.StatusOK, &story)
	if n := len(story.Turns); n == 0 || story.Turns[n-1].Ply != 6 || len(story.Did) != 2 {
		t.Errorf("the story is %+v", story)
	}
}

// Everything that is wrong on the wire gets an error with a code, and the connection lives.
func TestBadInput(t *testing.T) {
	h := open(t)
	ana := h.as("Ana")
	id := ana.makeTable("")
	ana.listen()
	for text, code := range map[string]string{
		`hello`:                                "bad_json",
		`{"id": "1", "do": "play", "seq": ""}`: "bad_json",
		`[]`:                                   "bad_json",
		`{"id": 7, "do": "ping"}`:              "bad_json",
		`{"do": "ping"}`:                       "bad_command",
		`{"id": "` + strings.Repeat("x", 65) + `", "do": "ping"}`:                      "bad_command",
		`{"id": "1", "do": "fly", "table": "` + id + `"}`:                              "bad_command",
		`{"id": "1", "do": "watch", "table": "nowhere"}`:                               "no_table",
		`{"id": "1", "do": "sit", "table": "` + id + `", "seat": "F"}`:                 "no_seat",
		`{"id": "1", "do": "play", "table": "` + id + `", "seat": "A", "move": "x"}`:   "not_started",
		`{"id": "1", "do": "ping", "move": "` + strings.Repeat("x", 5000) + `"}`:       "too_long",
		`{"id": "1", "do": "bot", "table": "` + id + `", "seat": "A", "bot": "first"}`: "seat_taken",
		`{"id": "1", "do": "start", "table": "` + id + `"}`:                            "not_full",
		`{"id": "1", "do": "rematch", "table": "` + id + `"}`:                          "not_started",
		"\xff\xfe":                              "bad_json",
		`{"id": "1", "do": "ping"} {"id": "2"}`: "bad_json",
	} {
		ana.send(text)
		ana.error(code)
		ana.alive()
	}
}

// Moves that are not allowed are refused with the reason and the paragraph; for an older position they are late, and the
// newest frame follows; a seat that is another's stays his.
func TestBadMoves(t *testing.T) {
	h := open(t)
	ana, ben := h.as("Ana"), h.as("Ben")
	id := ana.makeTable("")
	ana.listen()
	ben.listen()
	ana.send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
	ben.send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
	ben.send(`{"id": "2", "do": "sit", "table": "` + id + `", "seat": "B"}`)
	ana.frame("Ben", func(f wire.Frame) bool { return f.About.Seats[1].Name == "Ben" })
	ana.send(`{"id": "2", "do": "start", "table": "` + id + `"}`)
	seq := ana.frame("the deal", func(f wire.Frame) bool { return f.About.State == "running" }).Seq
	say := func(p *person, seat, move string, seq int) {
		data, err := json.Marshal(wire.Command{ID: "m" + move, Do: "play", Table: wire.ID(id), Seat: seat, Seq: seq, Move: move})
		if err != nil {
			t.Fatal(err)
		}
		p.send(string(data))
	}
	say(ana, "A", "fly", seq)
	ana.error("not_a_move")
	say(ana, "B", "keep", seq)
	ana.error("not_your_seat")
	say(ben, "B", "keep", seq)
	if m := ben.hear("a refusal", func(m message) bool { return m.Error != nil }); m.Error.Code != "not_asked" || m.Error.Rule != "1" {
		t.Errorf("Ben is refused with %+v", m.Error)
	}
	say(ana, "A", "show", seq)
	ana.hear("an answer", func(m message) bool { return m.OK && m.Seq == seq+1 })
	say(ana, "A", "show", seq) // the same command again
	ana.hear("the same answer", func(m message) bool { return m.OK && m.Seq == seq+1 })
	say(ana, "A", "keep", seq)
	ana.error("late")
	if f := ana.frame("the newest frame", func(wire.Frame) bool { return true }); f.Seq != seq+1 {
		t.Errorf("after a late move came frame %d, want %d", f.Seq, seq+1)
	}
}

// Who floods is slowed down, then told, then cut off with a reason; and is gone.
func TestFlood(t *testing.T) {
	h := open(t, func(c *server.Config) {
		c.Limits = server.Limits{Commands: limit.Rate{AtOnce: 1, PerSecond: 1000}, Flood: 3}
	})
	ana, ben := h.as("Ana"), h.as("Ben").listen()
	id := ana.makeTable("")
	ben.send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
	ana.listen().send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
	isThere := func(so bool) func(wire.Frame) bool {
		return func(f wire.Frame) bool { return f.About != nil && f.About.Seats[0].Here == so }
	}
	ben.frame("Ana is there", isThere(true))
	for range 200 {
		if ana.conn.Write(t.Context(), websocket.MessageText, []byte(`{"id": "1", "do": "ping"}`)) != nil {
			break
		}
	}
	ana.error("flood")
	ana.closed(websocket.StatusPolicyViolation, "flood")
	ben.frame("Ana has gone", isThere(false))
}

// Whoever has to wait because many speak at his address does not flood, however long they do.
func TestACrowdIsNoFlood(t *testing.T) {
	h := open(t, func(c *server.Config) {
		c.Limits = server.Limits{Commands: limit.Rate{AtOnce: 100, PerSecond: 1000}, Flood: 3}
		c.Limits.Said.Address = limit.Rate{AtOnce: 1, PerSecond: 100}
	})
	ana, ben := h.as("Ana").listen(), h.as("Ben").listen()
	for range 20 {
		ana.send(`{"id": "1", "do": "ping"}`)
		ben.send(`{"id": "1", "do": "ping"}`)
	}
	ana.alive()
	ben.alive()
}

// A message that is far too long ends the connection; it is not read to its end, so the reason may be lost on the way.
func TestFarTooLong(t *testing.T) {
	ana := open(t).as("Ana").listen()
	if ana.conn.Write(t.Context(), websocket.MessageText, make([]byte, 100_000)) != nil {
		return
	}
	if _, _, err := ana.conn.Read(t.Context()); err == nil {
		t.Error("the connection lives")
	}
}

// An old client is told to load the page again.
func TestReload(t *testing.T) {
	h := open(t)
	for _, query := range []string{"", "?protocol=0", "?protocol=1", "?protocol=2"} {
		p := h.as("")
		conn, _, err := p.dial(query)
		if err != nil {
			t.Fatal(err)
		}
		p.conn = conn
		p.error("reload")
		p.closed(4000, "reload")
	}
}

// Somebody without a name may watch, and do nothing else; so may somebody whose cookie is not ours.
func TestStrangers(t *testing.T) {
	h := open(t)
	id := h.as("Ana").makeTable("")
	eve := h.as("")
	eve.refused(eve.do(http.MethodPost, "/api/tables", `{"game": "toy", "seats": 2}`), http.StatusUnauthorized, "no_guest")
	mallory := h.as("Mallory")
	at, err := url.Parse(h.url)
	if err != nil {
		t.Fatal(err)
	}
	cookie := mallory.http.Jar.Cookies(at)[0]
	forged := strings.Replace(cookie.Value, cookie.Value[:4], "AAAA", 1)
	mallory.http.Jar.SetCookies(at, []*http.Cookie{{Name: cookie.Name, Value: forged}})
	for _, p := range []*person{eve, mallory} {
		p.listen()
		p.send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
		p.frame("the table", func(f wire.Frame) bool { return f.You > 5 })
		p.send(`{"id": "2", "do": "sit", "table": "` + id + `", "seat": "B"}`)
		p.error("no_guest")
	}
}

// What is wrong with a request is said.
func TestBadRequests(t *testing.T) {
	ana := open(t).as("Ana")
	for _, x := range []struct {
		method, path, body string
		status             int
		code               string
	}{
		{"POST", "/api/guest", `{"name": ""}`, 400, "bad_name"},
		{"POST", "/api/guest", `{"name": "` + strings.Repeat("x", 25) + `"}`, 400, "bad_name"},
		{"POST", "/api/guest", `{"name": "a\u0007b"}`, 400, "bad_name"},
		{"POST", "/api/guest", `Ana`, 400, "bad_request"},
		{"POST", "/api/tables", `{"game": "chess"}`, 400, "bad_request"},
		{"POST", "/api/tables", `{"game": "toy", "seets": 2}`, 400, "bad_request"},
		{"POST", "/api/tables", `{"game": "toy", "seats": 2} {}`, 400, "bad_request"},
		{"POST", "/api/tables", `{"game": "` + strings.Repeat("x", 5000) + `"}`, 400, "bad_request"},
		{"POST", "/api/tables", `{"game": "` + strings.Repeat("x", 128<<10) + `"}`, 413, "too_long"},
		{"POST", "/api/guest", `{"name": "` + strings.Repeat("x", 5000) + `"}`, 413, "too_long"},
		{"POST", "/api/tables", `{"record": {"format": "caveau/1"}}`, 400, "bad_request"},
		{"GET", "/api/tables/nowhere", "", 404, "no_table"},
		{"GET", "/api/tables/nowhere/qr.svg", "", 404, "no_table"},
		{"GET", "/api/tables/nowhere/record", "", 404, "no_table"},
		{"GET", "/api/nothing", "", 404, "bad_request"},
		{"DELETE", "/api/tables", "", 404, "bad_request"},
	} {
		ana.refused(ana.do(x.method, x.path, x.body), x.status, x.code)
	}
}

// Nobody posts without end.
func TestTooMany(t *testing.T) {
	ana := open(t, func(c *server.Config) { c.Limits.Requests.Guest = limit.Rate{AtOnce: 5, PerSecond: 1} }).as("Ana")
	for range 10 {
		if res := ana.do(http.MethodPost, "/api/guest", `{"name": "Ana"}`); res.StatusCode != http.StatusOK {
			ana.refused(res, http.StatusTooManyRequests, "too_many")
			return
		}
	}
	t.Error("ten posts at once were let through")
}

// A guest keeps his id when he takes another name, and hello knows him.
func TestGuest(t *testing.T) {
	ana := open(t).as("Ana")
	var first, second, none struct {
		Protocol int
		Origin   string
		Bots     []string
		Guest    *wire.Guest
	}
	ana.get("/api/hello", http.StatusOK, &first)
	ana.post("/api/guest", `{"name": "  Ana   Maria "}`, http.StatusOK, nil)
	ana.get("/api/hello", http.StatusOK, &second)
	if first.Guest.ID != second.Guest.ID || second.Guest.Name != "Ana Maria" || first.Protocol != 3 || len(first.Bots) == 0 {
		t.Errorf("hello says %+v, then %+v", first, second)
	}
	ana.h.as("").get("/api/hello", http.StatusOK, &none)
	if none.Guest != nil || none.Origin != "http://192.168.1.7:8080" {
		t.Errorf("hello says %+v to a stranger", none)
	}
}

// What a stranger is told at first hangs on nobody's tables.
func TestHelloSaysNothingOfTables(t *testing.T) {
	h := open(t)
	hello := func() string {
		res := h.as("").do(http.MethodGet, "/api/hello", "")
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before, ana := hello(), h.as("Ana")
	id := ana.makeTable("")
	ana.listen()
	ana.send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
	ana.send(`{"id": "2", "do": "bot", "table": "` + id + `", "seat": "B", "bot": "first"}`)
	ana.send(`{"id": "3", "do": "start", "table": "` + id + `"}`)
	ana.frame("the game", func(f wire.Frame) bool { return f.About != nil && f.About.State == "running" })
	if after := hello(); before != after {
		t.Errorf("a stranger is told\n%s\nand before\n%s", after, before)
	}
}

// Whoever has himself erased is nobody again; the game that he sits at goes on without his name.
func TestErased(t *testing.T) {
	h := open(t)
	ana, ben := h.as("Anastasia"), h.as("Ben")
	table := ana.makeTable("")
	ben.listen()
	ben.send(`{"id": "1", "do": "watch", "table": "` + table + `"}`)
	ben.hear("Anastasia on A", func(m message) bool { return m.Frame != nil && ben.about.Seats[0].Name == "Anastasia" })
	ana.post("/api/guest", `{"name": "Annabella"}`, http.StatusOK, nil)
	ben.hear("Annabella on A", func(m message) bool { return m.Frame != nil && ben.about.Seats[0].Name == "Annabella" })
	res := ana.do(http.MethodDelete, "/api/guest", "")
	if c := res.Header.Get("Set-Cookie"); res.StatusCode != http.StatusNoContent || !strings.Contains(c, "caveau_guest=;") || !strings.Contains(c, "Max-Age=0") {
		t.Errorf("the answer is %s, with the cookie %s", res.Status, c)
	}
	ben.hear("somebody on A", func(m message) bool {
		return m.Frame != nil && ben.about.Seats[0].Name == "" && ben.about.Seats[0].Nameless && ben.about.Host == ""
	})
	var hello struct{ Guest *wire.Guest }
	ana.get("/api/hello", http.StatusOK, &hello)
	if hello.Guest != nil {
		t.Errorf("hello says %+v", hello.Guest)
	}
	if res := ana.do(http.MethodDelete, "/api/guest", ""); res.StatusCode != http.StatusNoContent { // nobody stays nobody
		t.Errorf("a second time the answer is %s", res.Status)
	}
	res = ben.do(http.MethodDelete, "/api/guest", "", "Origin", "https://evil.example")
	ben.refused(res, http.StatusForbidden, "bad_request")
}

// A name that cannot be noted is not acknowledged, nor is whoever bears it given a cookie.
func TestTheLogFailsForAName(t *testing.T) {
	log := &matchtest.Flaky{Log: storetest.Memory()}
	h := openWith(t, log, storetest.Memory())
	ana, ben := h.as("Ana"), h.as("")
	log.Fail(func(wire.ID, fact.Entry) matchtest.Fault { return matchtest.Fault{Err: errors.New("the disk is full")} })
	for _, res := range []*http.Response{
		ana.do(http.MethodPost, "/api/guest", `{"name": "Anna"}`), ben.do(http.MethodPost, "/api/guest", `{"name": "Ben"}`), ana.do(http.MethodDelete, "/api/guest", ""),
	} {
		if ana.refused(res, http.StatusServiceUnavailable, "storage"); res.Header.Get("Set-Cookie") != "" {
			t.Errorf("there is the cookie %s", res.Header.Get("Set-Cookie"))
		}
	}
}

// The lobby lists what is to be listed, to requests and sockets alike.
func TestLobby(t *testing.T) {
	ana := open(t).as("Ana")
	ana.makeTable("")
	listed := ana.makeTable(`, "listed": true`)
	var cards []wire.Card
	ana.get("/api/tables", http.StatusOK, &cards)
	if len(cards) != 1 || string(cards[0].Table) != listed {
		t.Errorf("the tables are %+v", cards)
	}
	ana.listen()
	ana.send(`{"id": "1", "do": "lobby"}`)
	ana.hear("the list", func(m message) bool { return len(m.Lobby) == 1 })
	ana.makeTable(`, "listed": true`)
	ana.hear("the longer list", func(m message) bool { return len(m.Lobby) == 2 })
}

// Whoever sits at tables, or is their host, finds them again, whether they are listed or not; nobody else does.
func TestMine(t *testing.T) {
	h := open(t)
	ana, ben := h.as("Ana"), h.as("Ben")
	mine := func(p *person) (said []string) {
		var tables []wire.Mine
		p.get("/api/tables/mine", http.StatusOK, &tables)
		for _, m := range tables {
			said = append(said, fmt.Sprintf("%s's, %s: %s is asked, he sits on %s", m.Host, m.State, m.Turn, m.You))
			if m.Since.Before(m.Made) {
				t.Errorf("%s is so since %s, and was made at %s", m.Table, m.Since, m.Made)
			}
		}
		return said
	}
	id := ana.makeTable("")
	left := ana.makeTable(`, "listed": true`)
	if got := mine(ben); got != nil {
		t.Errorf("Ben, who sits nowhere, finds %q", got)
	}
	nobody := h.as("")
	nobody.refused(nobody.do(http.MethodGet, "/api/tables/mine", ""), http.StatusUnauthorized, "no_guest")

	ben.listen()
	ben.send(`{"id": "1", "do": "sit", "table": "` + id + `", "seat": "B"}`)
	ben.send(`{"id": "3", "do": "sit", "table": "` + left + `", "seat": "B"}`)
	ben.send(`{"id": "4", "do": "leave", "table": "` + left + `"}`)
	ben.hear("that he has left", func(m message) bool { return m.Re == "4" && m.OK }) // it is none of his any more
	ana.listen()
	ana.send(`{"id": "1", "do": "start", "table": "` + id + `"}`)
	ana.hear("that it has begun", func(m message) bool { return m.Re == "1" && m.OK })
	if got, want := mine(ben), []string{"Ana's, running: A is asked, he sits on B"}; !slices.Equal(got, want) {
		t.Errorf("Ben finds %q, want %q", got, want)
	}
	if got := mine(ana); len(got) != 2 {
		t.Errorf("Ana finds %q", got)
	}
	ana.send(`{"id": "2", "do": "break", "table": "` + id + `"}`)
	proposed := ana.hear("that it is proposed", func(m message) bool { return m.Re == "2" && m.OK })
	ben.send(fmt.Sprintf(`{"id": "2", "do": "agree", "table": "%s", "seq": %d}`, id, proposed.Seq))
	ben.hear("that he agrees", func(m message) bool { return m.Re == "2" && m.OK })
	ana.send(`{"id": "3", "do": "watch", "table": "` + id + `"}`)
	ana.hear("that it is over", func(m message) bool { return m.Frame != nil && m.Frame.About != nil && m.Frame.About.State == "over" })
	if got := mine(ben); got != nil {
		t.Errorf("after the end Ben finds %q", got)
	}
}

// Where a table's link is shown by another program, it says who invites to what, in the language of whoever made the table; in the words
// of nobody, whatever he calls himself. Nobody learns so that there is a table which is not there.
func TestPreview(t *testing.T) {
	h := open(t)
	page := func(id string) string {
		data, err := io.ReadAll(h.as("").do(http.MethodGet, "/t/"+id, "").Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	id := h.as(`Ana \"&\" <b>`).makeTable(`, "language": "fr"`)
	said := page(id)
	for _, want := range []string{
		`<meta property="og:title" content="Ana &#34;&amp;&#34; &lt;b&gt; t’invite à Le Jouet">`, `content="Places libres : 1. Pas besoin de compte."`,
		`content="http://192.168.1.7:8080/t/` + id + `"`, `content="http://192.168.1.7:8080/invitation.jpg"`, "the client",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%s is not in %s", want, said)
		}
	}
	ben := h.as("Ben")
	full := ben.makeTable("")
	eve := h.as("Eve").listen()
	eve.send(`{"id": "1", "do": "sit", "table": "` + full + `", "seat": "B"}`)
	eve.hear("that she sits", func(m message) bool { return m.Re == "1" && m.OK })
	if said := page(full); !strings.Contains(said, "Ben invites you to Toy") || !strings.Contains(said, "Everybody is here") {
		t.Errorf("the page of a full table is %s", said)
	}
	if kept := ben.do(http.MethodGet, "/t/"+full, "").Header.Get("Cache-Control"); kept != "no-store" {
		t.Errorf("it is kept for the next who asks: %q", kept)
	}
	cleo := h.as("Cleo").listen()
	over := cleo.makeTable(`, "bots": ["first"]`)
	for n, do := range []string{"watch", "start", "break"} {
		cleo.send(fmt.Sprintf(`{"id": "%d", "do": %q, "table": %q}`, n, do, over))
		cleo.hear("that it is done", func(m message) bool { return m.Re == fmt.Sprint(n) && m.OK })
	}
	for _, name := range []string{"Cleo", "Dora"} { // what is over goes on being hers, by the name that she has
		cleo.do(http.MethodPost, "/api/guest", `{"name": "`+name+`"}`)
		if said := page(over); !strings.Contains(said, name) || name == "Dora" && strings.Contains(said, "Cleo") {
			t.Errorf("she is called %s, and the page of her table is %s", name, said)
		}
	}
	cleo.do(http.MethodDelete, "/api/guest", "")
	if said := page(over); strings.Contains(said, "Dora") {
		t.Errorf("she is forgotten, and the page of her table is %s", said)
	}
	if said := page("nowhere"); strings.Contains(said, "og:") || !strings.Contains(said, "the client") {
		t.Errorf("the page of no table is %s", said)
	}
}

// The page, its files, and what stands in their headers.
func TestPage(t *testing.T) {
	h := open(t)
	ana := h.as("")
	for path, cache := range map[string]string{
		"/": "no-cache", "/t/k3x": "no-cache", "/rules": "no-cache", "/rules/rucola": "no-cache", "/assets/app-1.js": "public, max-age=31536000, immutable",
	} {
		res := ana.do(http.MethodGet, path, "")
		if res.StatusCode != http.StatusOK || res.Header.Get("Cache-Control") != cache {
			t.Errorf("%s: %s, %s", path, res.Status, res.Header.Get("Cache-Control"))
		}
		if again := ana.do(http.MethodGet, path, "", "If-None-Match", res.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s again: %s", path, again.Status)
		}
	}
	packed := ana.do(http.MethodGet, "/", "", "Accept-Encoding", "gzip")
	if packed.Header.Get("Content-Encoding") != "gzip" || packed.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("the page comes as %v", packed.Header)
	}
	if res := ana.do(http.MethodGet, "/../server.go", ""); res.StatusCode != http.StatusNotFound {
		t.Errorf("what is no file: %s", res.Status)
	}
	for kind, want := range map[string]string{"text/html,*/*": "the client", "*/*": "404 page not found"} {
		res := ana.do(http.MethodGet, "/no/such/page", "", "Accept", kind)
		data, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusNotFound || !strings.Contains(string(data), want) {
			t.Errorf("a page that is not there, asked for as %s: %s: %s, %v", kind, res.Status, data, err)
		}
	}
}

// Whoever asks whether the house lives, and whether it can write, is told that and nothing more.
func TestHealth(t *testing.T) {
	var fault error
	ana := open(t, func(c *server.Config) {
		c.Ready = func(context.Context) error { return fault }
	}).as("")
	for _, x := range []struct {
		fault  error
		path   string
		status int
		word   string
	}{
		{nil, "/healthz", http.StatusOK, "ok\n"}, {nil, "/readyz", http.StatusOK, "ok\n"},
		{errors.New("/srv/caveau.db is full"), "/healthz", http.StatusOK, "ok\n"},
		{errors.New("/srv/caveau.db is full"), "/readyz", http.StatusServiceUnavailable, "unready\n"},
	} {
		fault = x.fault
		res := ana.do(http.MethodGet, x.path, "")
		if data, err := io.ReadAll(res.Body); err != nil || res.StatusCode != x.status || string(data) != x.word {
			t.Errorf("%s is answered %s, %q (%v)", x.path, res.Status, data, err)
		}
	}
}

// What every answer says to browsers, whatever was asked for; a house that is reached by https says more.
func TestHeaders(t *testing.T) {
	all := map[string]string{
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex",
		"Cross-Origin-Resource-Policy": "same-origin", "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
	}
	secure := map[string]string{"Cross-Origin-Opener-Policy": "same-origin", "Strict-Transport-Security": "max-age=31536000"}
	for _, origin := range []string{"http://192.168.1.7:8080", "https://games.example.org"} {
		h := open(t, func(c *server.Config) { c.Origin = origin })
		for _, path := range []string{"/", "/verify", "/replay/k3x", "/assets/app-1.js", "/api/hello", "/no/such/page", "/api/none", "/ws"} {
			got := h.asked(http.MethodGet, path, "192.168.1.7:8080").Header
			for name, want := range all {
				if got.Get(name) != want {
					t.Errorf("%s%s: %s is %q, want %q", origin, path, name, got.Get(name), want)
				}
			}
			for name, want := range secure {
				if strings.HasPrefix(origin, "http:") {
					want = ""
				}
				if got.Get(name) != want {
					t.Errorf("%s%s: %s is %q, want %q", origin, path, name, got.Get(name), want)
				}
			}
			if got.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s lets pages elsewhere read it", path)
			}
			if strings.HasPrefix(path, "/api/") && got.Get("Cache-Control") != "no-store" {
				t.Errorf("%s may be kept: %q", path, got.Get("Cache-Control"))
			}
			policy := got.Get("Content-Security-Policy")
			for _, part := range []string{"default-src 'none';", "style-src 'self';", "frame-ancestors 'none'", "base-uri 'none';"} {
				if !strings.Contains(policy, part) {
					t.Errorf("%s: the policy %s lacks %s", path, policy, part)
				}
			}
			engine := path == "/verify" || path == "/replay/k3x" // these alone run the engine
			if strings.Contains(policy, "wasm-unsafe-eval") != engine || strings.Contains(policy, "require-trusted-types-for 'script'") == engine ||
				strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "*") {
				t.Errorf("%s: the policy is %s", path, policy)
			}
		}
	}
}

// Nothing is done by a method that it is not for, and nothing is echoed.
func TestMethods(t *testing.T) {
	h := open(t)
	for request, want := range map[string]int{
		"TRACE /": http.StatusMethodNotAllowed, "PUT /": http.StatusMethodNotAllowed, "POST /t/k3x": http.StatusMethodNotAllowed,
		"DELETE /healthz": http.StatusMethodNotAllowed, "TRACE /api/hello": http.StatusNotFound, "POST /api/hello": http.StatusNotFound,
	} {
		method, path, _ := strings.Cut(request, " ")
		if res := h.asked(method, path, "localhost", "X-Secret", "echo"); res.StatusCode != want || res.Header.Get("X-Secret") != "" {
			t.Errorf("%s is answered %s", request, res.Status)
		}
	}
}

// Where the client was not built, a plain page says what to do in three languages.
func TestUnbuilt(t *testing.T) {
	ana := open(t, func(c *server.Config) { c.Client = nil }).as("")
	data, err := io.ReadAll(ana.do(http.MethodGet, "/t/k3x", "").Body)
	if err != nil || strings.Count(string(data), "make build") != 3 {
		t.Errorf("%s, %v", data, err)
	}
}

// The link of a table as a picture that a phone can read.
func TestQR(t *testing.T) {
	ana := open(t).as("Ana")
	id := ana.makeTable("")
	res := ana.do(http.MethodGet, "/api/tables/"+id+"/qr.svg", "")
	data, err := io.ReadAll(res.Body)
	if err != nil || res.Header.Get("Content-Type") != "image/svg+xml" || !bytes.HasPrefix(data, []byte("<svg")) {
		t.Errorf("%s, %v", data, err)
	}
}

// A server that stops says so, and leaves nothing behind.
func TestStop(t *testing.T) {
	h := open(t)
	ana := h.as("Ana").listen()
	ana.alive()
	go h.server.Close()
	ana.closed(websocket.StatusGoingAway, "stopping")
}

// What is no address of a server is refused.
func TestOriginsThatAreNone(t *testing.T) {
	for _, bad := range []string{"", "games.example.org", "ftp://games.example.org", "http://games.example.org/caveau"} {
		if _, err := server.New(server.Config{Origin: bad}); err == nil {
			t.Errorf("%q was taken as an address", bad)
		}
	}
}
