package server_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"caveau/address"
	"caveau/fact"
	"caveau/limit"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/server"
	"caveau/store/storetest"
	"caveau/wire"
)

// behindProxy is a house behind a proxy on the same machine, which it trusts.
func behindProxy(t *testing.T) *house {
	t.Helper()
	return open(t, trusting(t, "127.0.0.1, ::1"))
}

func trusting(t *testing.T, list string) func(*server.Config) {
	t.Helper()
	proxies, err := address.ParseProxies(list)
	if err != nil {
		t.Fatal(err)
	}
	return func(c *server.Config) { c.Proxies = proxies }
}

// at moves somebody to another address, behind the proxy.
func (p *person) at(address string) *person {
	p.http.Transport = passedOn{p.http.Transport, address}
	return p
}

// passedOn is what a proxy passes on.
type passedOn struct {
	http.RoundTripper
	address string
}

func (p passedOn) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("X-Forwarded-For", p.address)
	return p.RoundTripper.RoundTrip(r)
}

// Whom a request is counted for: a proxy is believed if it is trusted, and nobody else.
func TestIdentify(t *testing.T) {
	s := open(t, trusting(t, "127.0.0.1, 10.1.0.0/16, fd00::7")).server
	for _, x := range []struct{ remote, forwarded, want string }{
		{"203.0.113.9:4711", "", "203.0.113.9"},
		{"203.0.113.9:4711", "198.51.100.1", "203.0.113.9"}, // anybody can write that
		{"127.0.0.1:4711", "", "127.0.0.1"},
		{"127.0.0.1:4711", "198.51.100.1", "198.51.100.1"},
		{"127.0.0.1:4711", "8.8.8.8, 198.51.100.1", "198.51.100.1"}, // the first of them, anybody can have written
		{"127.0.0.1:4711", "8.8.8.8, 198.51.100.1, 10.1.2.3", "198.51.100.1"},
		{"127.0.0.1:4711", "8.8.8.8, 198.51.100.1, 10.2.2.3", "10.2.2.3"},
		{"127.0.0.1:4711", "8.8.8.8, nonsense", "127.0.0.1"},
		{"127.0.0.1:4711", "198.51.100.1:5000", "198.51.100.1"},
		{"[fd00::7]:4711", "[2001:db8:1:2:3::4]:5000", "2001:db8:1:2::/64"},
		{"[2001:db8:1:2::1]:4711", "", "2001:db8:1:2::/64"}, // all of a household's addresses are one
		{"[2001:db8:1:2:ffff::1]:4711", "", "2001:db8:1:2::/64"},
		{"[2001:db8:1:3::1]:4711", "", "2001:db8:1:3::/64"},
		{"[fe80::1%eth0]:4711", "", "fe80::/64"},
		{"[::ffff:203.0.113.9]:4711", "", "203.0.113.9"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = x.remote
		if x.forwarded != "" {
			r.Header.Set("X-Forwarded-For", x.forwarded)
		}
		if got := s.Identify(r); got != (lobby.Visitor{From: x.want}) {
			t.Errorf("from %s for %q comes %+v, want %s", x.remote, x.forwarded, got, x.want)
		}
	}
}

func TestProxiesThatAreNone(t *testing.T) {
	for _, list := range []string{"localhost", "10.0.0.0/40", "127.0.0.1,nginx"} {
		if p, err := address.ParseProxies(list); err == nil || !strings.Contains(err.Error(), "address") {
			t.Errorf("%q became %v (%v)", list, p, err)
		}
	}
}

// Who stands behind a proxy that nobody has named is told so, once.
func TestAProxyThatIsNotTrusted(t *testing.T) {
	var said strings.Builder
	h := open(t, func(c *server.Config) { c.Slog = slog.New(slog.NewTextHandler(&said, nil)) })
	ana := h.as("").at("198.51.100.1")
	for range 3 {
		ana.get("/api/hello", http.StatusOK, nil)
	}
	if n := strings.Count(said.String(), "--trust-proxy"); n != 1 {
		t.Errorf("it was said %d times: %s", n, &said)
	}
}

// Forty people come to a game library at the same time, behind one address, and play at ten tables, each two games, as fast as they
// can. Meanwhile somebody elsewhere asks for all that he can get. None of the forty is refused anything.
func TestFortyPeopleBehindOneAddress(t *testing.T) {
	h := behindProxy(t)
	end := make(chan struct{})
	var all, others sync.WaitGroup
	for i := range 4 {
		others.Go(func() { h.as("").at(fmt.Sprintf("203.0.113.%d", i)).asksForAll(end) })
	}
	for table := range 10 {
		all.Go(func() {
			people := make([]*person, 4)
			for i := range people {
				people[i] = h.as("").at("192.0.2.1")
				people[i].get("/", http.StatusOK, nil)
				people[i].get("/api/hello", http.StatusOK, nil)
				people[i].post("/api/guest", fmt.Sprintf(`{"name": "Person %d %d"}`, table, i), http.StatusOK, nil)
				people[i].listen()
			}
			for range 2 {
				playTogether(t, people)
			}
		})
	}
	all.Wait()
	close(end)
	others.Wait()
}

// asksForAll makes guests, tables and connections, until the end.
func (p *person) asksForAll(end chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-end:
			return
		default:
		}
		p.do(http.MethodPost, "/api/guest", `{"name": "Eve"}`)
		p.do(http.MethodPost, "/api/tables", `{"game": "toy", "seats": 2, "sit": true}`)
		if n%10 > 0 {
			continue
		}
		if conn, _, err := p.dial("?protocol=3"); err == nil {
			p.t.Cleanup(func() { conn.CloseNow() })
		}
	}
}

// playTogether has the first make a table, all sit down, and a game played to its end.
func playTogether(t *testing.T, people []*person) {
	var made struct{ Table string }
	plan := fmt.Sprintf(`{"game": "toy", "seats": %d, "first": "A", "sit": true}`, len(people))
	people[0].post("/api/tables", plan, http.StatusCreated, &made)
	said := 0
	say := func(p *person, do string, more string) {
		said++
		re := fmt.Sprint(made.Table, said)
		p.send(fmt.Sprintf(`{"id": %q, "do": %q, "table": %q%s}`, re, do, made.Table, more))
		if m := p.hear("an answer", func(m message) bool { return m.Re == re }); !m.OK {
			t.Errorf("%s was refused: %+v", do, m.Error)
		}
	}
	for i, p := range people {
		say(p, "watch", "")
		if i > 0 {
			say(p, "sit", fmt.Sprintf(`, "seat": %q`, string(rune('A'+i))))
		}
	}
	say(people[0], "start", "")
	for turn := 0; ; turn++ {
		p := people[turn%len(people)]
		f := p.hear("his turn, or the end", func(m message) bool {
			return m.Table == made.Table && m.Frame != nil && (len(m.Frame.Moves) > 0 || m.Frame.About.State == "over")
		}).Frame
		if f.About.State == "over" {
			return
		}
		words, err := json.Marshal(f.Moves[0])
		if err != nil {
			t.Error(err)
		}
		say(p, "play", fmt.Sprintf(`, "seat": %q, "seq": %d, "move": %s`, string(rune('A'+turn%len(people))), f.Seq, words))
	}
}

// One address with as many names as it likes does not take all connections, and neither do a hundred.
func TestOneAddressDoesNotTakeAllConnections(t *testing.T) {
	h := open(t, trusting(t, "127.0.0.1, ::1"), func(c *server.Config) { c.Limits.Sockets = 200 })
	connect := func(address string) (n int) {
		for {
			p := h.as("").at(address)
			p.do(http.MethodPost, "/api/guest", `{"name": "Eve"}`)
			conn, _, err := p.dial("?protocol=3")
			if err != nil {
				return n
			}
			t.Cleanup(func() { conn.CloseNow() })
			n++
		}
	}
	if n := connect("203.0.113.0"); n < 2 || n > 4 {
		t.Errorf("one address has %d of 200 connections", n)
	}
	for i := range 100 {
		connect(fmt.Sprintf("203.0.113.%d", i+1))
	}
	h.as("Ana").at("192.0.2.1").listen().alive()
}

// Who has made many tables waits, and so does an address from which many new people came; others go on.
func TestTooMuch(t *testing.T) {
	few := limit.Rate{AtOnce: 3, PerSecond: 0.001}
	h := open(t, trusting(t, "127.0.0.1, ::1"), func(c *server.Config) {
		c.Limits.Tables.Guest, c.Limits.Imports.Guest, c.Limits.Guests = few, few, few
	})
	ana, ben := h.as("").at("192.0.2.1"), h.as("").at("192.0.2.1")
	for _, p := range []*person{ana, ben} {
		p.post("/api/guest", `{"name": "Ana"}`, http.StatusOK, nil)
	}
	for range 3 {
		ana.makeTable("")
	}
	ana.refused(ana.do(http.MethodPost, "/api/tables", `{"game": "toy", "seats": 2}`), http.StatusTooManyRequests, "too_many")
	ben.makeTable("")
	imported := `{"record": {"format": "caveau/1"}}`
	for range 3 {
		ben.refused(ben.do(http.MethodPost, "/api/tables", imported), http.StatusBadRequest, "bad_request")
	}
	for _, path := range []string{"/api/tables", "/api/tables/played"} {
		res := ben.do(http.MethodPost, path, imported)
		if ben.refused(res, http.StatusTooManyRequests, "too_many"); res.Header.Get("Retry-After") != "60" {
			t.Errorf("%s does not say when he may ask again", path)
		}
	}
	cleo := h.as("").at("192.0.2.1")
	cleo.post("/api/guest", `{"name": "Cleo"}`, http.StatusOK, nil)
	dan := h.as("").at("192.0.2.1")
	dan.refused(dan.do(http.MethodPost, "/api/guest", `{"name": "Dan"}`), http.StatusTooManyRequests, "too_many")
	ana.refused(ana.do(http.MethodPost, "/api/programs", `{"name": "Robbie"}`), http.StatusTooManyRequests, "too_many")
	eve := h.as("").at("192.0.2.2")
	eve.post("/api/guest", `{"name": "Eve"}`, http.StatusOK, nil)
}

// What the house could not write counts for nobody: when it can again all get in who have tried meanwhile, again and again, at one address.
func TestWhatCouldNotBeWrittenIsNotTooMuch(t *testing.T) {
	few := limit.Rate{AtOnce: 2, PerSecond: 0.001}
	log := &matchtest.Flaky{Log: storetest.Memory()}
	h := openWith(t, log, storetest.Memory(), func(c *server.Config) {
		c.Limits.Tables.Guest, c.Limits.Imports.Guest, c.Limits.Guests = few, few, few
	})
	ana, ben := h.as(""), h.as("")
	ana.post("/api/guest", `{"name": "Ana"}`, http.StatusOK, nil)
	log.Fail(func(wire.ID, fact.Entry) matchtest.Fault { return matchtest.Fault{Err: errors.New("the disk is full")} })
	for range 5 {
		ana.refused(ana.do(http.MethodPost, "/api/tables", `{"game": "toy", "seats": 2}`), http.StatusServiceUnavailable, "storage")
		ben.refused(ben.do(http.MethodPost, "/api/guest", `{"name": "Ben"}`), http.StatusServiceUnavailable, "storage")
	}
	log.Fail(nil)
	for range 2 {
		ana.makeTable("")
	}
	ana.refused(ana.do(http.MethodPost, "/api/tables", `{"game": "toy", "seats": 2}`), http.StatusTooManyRequests, "too_many")
	ben.post("/api/guest", `{"name": "Ben"}`, http.StatusOK, nil)
	cleo := h.as("")
	cleo.refused(cleo.do(http.MethodPost, "/api/guest", `{"name": "Cleo"}`), http.StatusTooManyRequests, "too_many")
}

// Who has loaded too much waits until it is paid for; whoever is elsewhere does not.
func TestTooManyBytes(t *testing.T) {
	h := open(t, trusting(t, "127.0.0.1, ::1"), func(c *server.Config) { c.Limits.Bytes = limit.Rate{AtOnce: 200, PerSecond: 1} })
	ana := h.as("").at("192.0.2.1")
	for n := 0; ana.do(http.MethodGet, "/", "").StatusCode != http.StatusTooManyRequests; n++ {
		if n > 10 {
			t.Fatal("so much is no more than two hundred bytes")
		}
	}
	h.as("").at("192.0.2.2").get("/", http.StatusOK, nil)
}

// A patient clock notes for how long somebody is to wait who has said much, and lets him wait no longer.
type patient struct {
	matchtest.Clock
	waits chan time.Duration
}

func (p patient) Timer(d time.Duration) (<-chan time.Time, func() bool) {
	if d < time.Hour {
		return p.Clock.Timer(d)
	}
	p.waits <- d
	return p.Clock.Timer(0)
}

// What is said by all connections at an address counts for each of them, and so does what one guest says by all of his: then he waits, and is heard. Who is elsewhere
// does not wait.
func TestManyConnectionsSayNoMoreThanOne(t *testing.T) {
	for of, share := range map[string]limit.Share{
		"one address": {Address: limit.Rate{AtOnce: 6, PerSecond: 1e-4}, Guest: limit.Rate{AtOnce: 100, PerSecond: 1}},
		"one guest":   {Address: limit.Rate{AtOnce: 100, PerSecond: 1}, Guest: limit.Rate{AtOnce: 6, PerSecond: 1e-4}},
	} {
		t.Run(of, func(t *testing.T) {
			clock := patient{waits: make(chan time.Duration, 100)}
			h := open(t, trusting(t, "127.0.0.1, ::1"), func(c *server.Config) { c.Limits.Said, c.Clock = share, clock })
			ana := h.as("Ana").at("192.0.2.1")
			pages := []*person{ana.listen(), {t: t, h: h, http: ana.http}}
			if of == "one address" {
				pages[1] = h.as("Ben").at("192.0.2.1")
			}
			pages[1].listen()
			for range 3 {
				for _, p := range pages {
					p.alive()
				}
			}
			if len(clock.waits) > 0 {
				t.Errorf("somebody waits %s who has not said too much", <-clock.waits)
			}
			pages[1].alive()
			if len(clock.waits) != 1 {
				t.Errorf("%d wait who have said too much", len(clock.waits))
			}
			h.as("Eve").at("192.0.2.2").listen().alive()
			if len(clock.waits) != 1 {
				t.Error("somebody elsewhere waits for them")
			}
		})
	}
}

// A village is the nodes of a house that hear at once what is spent at one of them.
type village struct {
	said []string
	hear []func(what, address, guest string)
}

// neighbour is one of them.
type neighbour struct {
	*village
	number int
}

func (n neighbour) Spent(what, address, guest string) {
	n.village.said = append(n.village.said, address)
	for i, hear := range n.hear {
		if i != n.number {
			hear(what, address, guest)
		}
	}
}

func (n neighbour) HearSpent(hear func(what, address, guest string)) {
	n.village.hear = append(n.village.hear, hear)
}

// What came from an address at one node counts at the others, and none of them is told the address: nobody else knows whose it is.
func TestTheSameAddressAtAllNodes(t *testing.T) {
	v := &village{}
	node := func(number int, secret string) *house {
		return open(t, trusting(t, "127.0.0.1, ::1"), func(c *server.Config) {
			c.Others, c.Secret = neighbour{v, number}, []byte(secret)
			c.Limits.Guests = limit.Rate{AtOnce: 1, PerSecond: 1e-6}
		})
	}
	comes := func(h *house, address string, want int) {
		h.as("").at(address).post("/api/guest", `{"name": "Ana"}`, want, nil)
	}
	one, two, foreign := node(0, "a secret"), node(1, "a secret"), node(2, "another")
	comes(one, "192.0.2.1", http.StatusOK)
	comes(two, "192.0.2.1", http.StatusTooManyRequests)
	comes(two, "192.0.2.2", http.StatusOK)
	comes(foreign, "192.0.2.1", http.StatusOK) // whoever has another key cannot tell
	if len(v.said) != 3 || strings.Contains(strings.Join(v.said, " "), "192.0.2") {
		t.Errorf("the others are told of %q", v.said)
	}
}

// Whoever takes long to ask, or to hear the answer, gets nothing back that he has had since he began.
func TestWhoTakesLongGetsNothingBack(t *testing.T) {
	for what, limits := range map[string]server.Limits{
		"asks":  {Requests: limit.Share{Guest: limit.Rate{AtOnce: 3, PerSecond: 0.1}}},
		"bytes": {Bytes: limit.Rate{AtOnce: 4000, PerSecond: 100}},
	} {
		clock, s := noon(), storetest.Memory()
		h := openWith(t, s, s, func(c *server.Config) { c.Origin, c.Clock, c.Limits = public, clock, limits })
		ana := h.called("Ana")
		clock.now = clock.now.Add(time.Minute)
		slow := &slowBody{begun: make(chan bool), rest: make(chan bool), text: strings.NewReader(`{"name": "Anna"}`)}
		r := httptest.NewRequest(http.MethodPost, public+"/api/guest", slow)
		for name, c := range ana.cookies {
			r.AddCookie(&http.Cookie{Name: name, Value: c.Value})
		}
		ended := make(chan bool)
		go func() {
			h.server.ServeHTTP(httptest.NewRecorder(), r)
			close(ended)
		}()
		<-slow.begun
		clock.now = clock.now.Add(time.Minute)
		asks := func() int { return ana.do(http.MethodGet, "/api/hello", "").StatusCode }
		if what == "asks" {
			asks()
			asks()
		} else {
			for range 100 {
				if asks() == http.StatusTooManyRequests {
					break
				}
			}
		}
		close(slow.rest)
		if <-ended; asks() != http.StatusTooManyRequests {
			t.Errorf("%s: she has had what she may have, and is given more because something that she began before is over", what)
		}
	}
}
