package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"caveau/bus"
	"caveau/fact"
	"caveau/guests"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/server"
	"caveau/store/storetest"
	"caveau/wire"
)

// copied is another browser with the same cookies: a thief's, or a forgotten one.
func (b *browser) copied() *browser { return &browser{b.t, b.h, maps.Clone(b.cookies)} }

func (b *browser) is(want string) {
	b.t.Helper()
	if name := b.hello(); name != want {
		b.t.Errorf("he is %q, want %q", name, want)
	}
}

func (b *browser) ends(body string) {
	b.t.Helper()
	if res := b.do(http.MethodPost, "/api/guest/end", body); res.StatusCode != http.StatusNoContent {
		b.t.Errorf("the end of a session is answered %s", res.Status)
	}
}

// over opens houses one after the other over one keeper, on a calendar.
func over(t *testing.T, keeper guests.Keeper) (again func() *house, clock *calendar) {
	clock = &calendar{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	return func() *house {
		return openWith(t, storetest.Memory(), keeper, func(c *server.Config) { c.Clock = clock })
	}, clock
}

// A session that was ended is of no use to anybody, whoever has copied the cookie or had it renewed; after a restart neither.
func TestASessionIsEnded(t *testing.T) {
	again, clock := over(t, storetest.Memory())
	ana := again().called("Ana")
	thief := ana.copied()
	clock.now = clock.now.Add(30 * time.Hour)
	thief.is("Ana")
	if ana.cookies["caveau_guest"].Value == thief.cookies["caveau_guest"].Value {
		t.Error("his cookie was not renewed")
	}
	spare, kept := ana.copied(), thief.copied()
	ana.ends(`{}`)
	if len(ana.cookies) != 0 {
		t.Errorf("she still has %v", ana.cookies)
	}
	for range 2 {
		spare.is("")
		thief.is("")
		if res := thief.do(http.MethodPost, "/api/tables", `{"game": "toy", "seats": 2}`); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("he makes a table: %s", res.Status)
		}
		thief.h = again()
		spare.h = thief.h
	}
	ana.is("")
	ana.ends(`{}`)                                  // nobody stays it
	clock.now = clock.now.Add(179 * 24 * time.Hour) // her own cookie is too old by now, the one that was renewed is not
	kept.h = thief.h
	ben := kept.h.called("Ben")
	ben.ends(`{}`) // and what is needed no longer is swept
	kept.is("")
}

// Who ends all others goes on, and they do not.
func TestOtherSessionsAreEnded(t *testing.T) {
	again, clock := over(t, storetest.Memory())
	ana, ben := again().called("Ana"), again().called("Ben")
	before := ana.copied()
	for range 2 {
		thief := ana.copied()
		ana.ends(`{"others": true}`)
		thief.is("")
		before.is("")
		ana.is("Ana")
		ben.is("Ben")
	}
	clock.now = clock.now.Add(30 * time.Hour)
	ana.is("Ana") // and has a new cookie
	ana.h = again()
	ana.is("Ana")
}

// What others may keep on its way, and hand to whoever asks next, gives nobody a cookie, however old his is.
func TestNoCookieOnWhatIsKeptOnItsWay(t *testing.T) {
	again, clock := over(t, storetest.Memory())
	ana := again().called("Ana")
	clock.now = clock.now.Add(30 * time.Hour)
	kept := 0
	for _, path := range []string{"/assets/app-1.js", "/", "/t/k3x", "/api/hello"} {
		header := ana.do(http.MethodGet, path, "").Header
		if header.Get("Cache-Control") == "no-store" {
			continue
		}
		if kept++; header.Get("Set-Cookie") != "" {
			t.Errorf("%s (%s) gives a cookie", path, header.Get("Cache-Control"))
		}
	}
	if kept == 0 {
		t.Error("nothing is kept")
	}
}

// Who has herself erased is gone from all her browsers.
func TestErasedEverywhere(t *testing.T) {
	again, _ := over(t, storetest.Memory())
	ana := again().called("Ana")
	other := ana.copied()
	ana.do(http.MethodDelete, "/api/guest", "")
	other.is("")
}

// A pen that is stuck writes no names.
type stuckPen struct {
	fact.Log
	stuck bool
}

func (p *stuckPen) Name(ctx context.Context, guest, name string) error {
	if p.stuck {
		return errors.New("the disk is full")
	}
	return p.Log.Name(ctx, guest, name)
}

// Whose name cannot be taken away is who she was, and can try again: whoever had no session any more could not.
func TestErasedAtLast(t *testing.T) {
	log := &stuckPen{Log: storetest.Memory()}
	h := openWith(t, log, storetest.Memory(), func(c *server.Config) { c.Origin = public })
	ana := h.called("Ana")
	id := ana.guest().ID
	log.stuck = true
	if res := ana.do(http.MethodDelete, "/api/guest", ""); res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("what cannot be done is answered %s", res.Status)
	}
	ana.is("Ana")
	log.stuck = false
	if res := ana.do(http.MethodDelete, "/api/guest", ""); res.StatusCode != http.StatusNoContent {
		t.Errorf("then it is answered %s", res.Status)
	}
	if names, err := log.Names(t.Context(), id); err != nil || names[id] != "" {
		t.Errorf("she is called %q (%v)", names[id], err)
	}
}

// A pen that waits writes that name when it is told to, and may not say so.
type pen struct {
	fact.Log
	name   string
	writes chan bool
	lost   bool
}

func (p *pen) Name(ctx context.Context, guest, name string) error {
	if name == "" || name != p.name {
		return p.Log.Name(ctx, guest, name)
	}
	<-p.writes
	err := p.Log.Name(ctx, guest, name)
	if p.lost {
		err = errors.New("the answer was lost")
	}
	return err
}

// Who has herself erased while another of her browsers has her called otherwise has no name afterwards, which nobody could take back.
func TestErasedWhileRenamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &pen{Log: storetest.Memory(), writes: make(chan bool)}
		s := indoors(t, log, storetest.Memory())
		h := &house{t: t, server: s}
		ana := h.cookie("192.0.2.1")
		var hello struct{ Guest wire.Guest }
		if err := json.NewDecoder(h.asks(request{route: "GET /api/hello", header: ana}).Body).Decode(&hello); err != nil || hello.Guest.ID == "" {
			t.Fatalf("she is %+v (%v)", hello, err)
		}
		log.name = "Zoe"
		var browsers sync.WaitGroup
		browsers.Go(func() {
			h.asks(request{route: "POST /api/guest", header: ana, body: strings.NewReader(`{"name": "Zoe"}`)})
		})
		synctest.Wait()
		browsers.Go(func() { h.asks(request{route: "DELETE /api/guest", header: ana}) })
		synctest.Wait()
		close(log.writes)
		browsers.Wait()
		if names, err := log.Names(t.Context(), hello.Guest.ID); err != nil || names[hello.Guest.ID] != "" {
			t.Errorf("she is called %q (%v)", names[hello.Guest.ID], err)
		}
		s.Close()
	})
}

// A crowded keeper has something done by way of another node before all sessions of a guest end; or else they do not.
type crowded struct {
	guests.Keeper
	before func()
	fails  error
}

func (c *crowded) EndAll(ctx context.Context, by guests.Badge, back guests.Way) (int, error) {
	if do := c.before; do != nil {
		c.before = nil
		do()
	}
	if c.fails != nil {
		return 0, c.fails
	}
	return c.Keeper.EndAll(ctx, by, back)
}

// Who ends all others at one of her browsers, and at the same moment at another by way of another node, goes on at the one that was earlier: the other has ended by then, and
// might be in somebody else's hands. Nor does it go on when she has been turned out, or erased, or has signed out there.
func TestOtherSessionsAreEndedAtTwoNodes(t *testing.T) {
	for what, before := range map[string]struct {
		do func(tablet *browser, store guests.Keeper)
		is string
	}{
		"ends the others too": {func(tablet *browser, _ guests.Keeper) { tablet.ends(`{"others": true}`) }, "Ana"},
		"signs out":           {func(tablet *browser, _ guests.Keeper) { tablet.ends(`{}`) }, ""},
		"is turned out": {func(tablet *browser, store guests.Keeper) {
			if err := store.Forget(t.Context(), tablet.guest().ID); err != nil {
				t.Error(err)
			}
		}, ""},
	} {
		store, clock := storetest.Memory(), noon()
		keeper := &crowded{Keeper: store}
		one := openWith(t, store, keeper, func(c *server.Config) { c.Origin, c.Clock = public, clock })
		other := inPublic(t, store, clock, io.Discard)
		ana := one.called("Ana")
		tablet := ana.copied()
		tablet.h = other
		keeper.before = func() { before.do(tablet, store) }
		t.Log("meanwhile she", what)
		try := "a try of hers, or of somebody else"
		ana.ends(`{"others": true, "try": "` + try + `"}`)
		ana.is("")
		tablet.is(before.is)
		if name := one.called("Ben").takes(try); name != "" {
			t.Errorf("by that try somebody is %q", name)
		}
	}
}

// Where nothing could be ended nobody comes by that try, and not when all are ended later: its session would be of a round that comes, and would outlast that.
func TestATryThatEndedNothing(t *testing.T) {
	keeper := &crowded{Keeper: storetest.Memory(), fails: errUnheard}
	h := openWith(t, storetest.Memory(), keeper)
	ana, try := h.called("Ana"), "a try of hers, or of somebody else"
	if res := ana.do(http.MethodPost, "/api/guest/end", `{"others": true, "try": "`+try+`"}`); res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("the end of nothing is answered %s", res.Status)
	}
	for range 2 {
		if name := h.called("Ben").takes(try); name != "" {
			t.Errorf("by that try somebody is %q", name)
		}
		keeper.fails = nil
		ana.ends(`{"others": true}`)
		ana.is("Ana")
	}
}

// An eraser waits before a guest is forgotten.
type eraser struct {
	guests.Keeper
	before func()
}

func (e *eraser) Forget(ctx context.Context, guest string) error {
	if e.before != nil {
		e.before()
	}
	return e.Keeper.Forget(ctx, guest)
}

// So it is where she is called otherwise by way of another node, which knows nothing of that: whether her name is written when she has been forgotten, or a moment before.
func TestErasedWhileRenamedAtAnotherNode(t *testing.T) {
	for n := range 4 {
		early, lost := n%2 > 0, n > 1
		synctest.Test(t, func(t *testing.T) {
			store := storetest.Memory()
			log := &pen{Log: store, name: "Zoe", writes: make(chan bool), lost: lost}
			keeper := &eraser{Keeper: store}
			one, other := indoors(t, log, store), indoors(t, store, keeper)
			here, there := &house{t: t, server: one}, &house{t: t, server: other}
			ana := here.cookie("192.0.2.1")
			var hello struct{ Guest wire.Guest }
			if err := json.NewDecoder(here.asks(request{route: "GET /api/hello", header: ana}).Body).Decode(&hello); err != nil || hello.Guest.ID == "" {
				t.Fatalf("she is %+v (%v)", hello, err)
			}
			var browsers sync.WaitGroup
			browsers.Go(func() {
				here.asks(request{route: "POST /api/guest", header: ana, body: strings.NewReader(`{"name": "Zoe"}`)})
			})
			synctest.Wait()
			if early {
				keeper.before = func() {
					close(log.writes)
					browsers.Wait()
				}
			}
			there.asks(request{route: "DELETE /api/guest", header: ana})
			if !early {
				close(log.writes)
				browsers.Wait()
			}
			if names, err := store.Names(t.Context(), hello.Guest.ID); err != nil || names[hello.Guest.ID] != "" {
				t.Errorf("early: %t, lost: %t; she is called %q (%v)", early, lost, names[hello.Guest.ID], err)
			}
			one.Close()
			other.Close()
		})
	}
}

// A cookie of before names no session: with it all of its guest end, and after its exchange that one alone.
func TestTheEndOfACookieOfBefore(t *testing.T) {
	again, _ := over(t, storetest.Memory())
	old := map[string]*http.Cookie{"caveau_guest": {Value: marked("caveau_guest", `{"id":"0123","name":"Ana"}`)}}
	ana := &browser{t, again(), maps.Clone(old)}
	new := ana.copied()
	new.is("Ana")
	ana.ends(`{}`)
	new.is("")
	(&browser{t, ana.h, maps.Clone(old)}).is("")
}

// On another of her devices she has the name that she has now.
func TestRenamedOnAnotherDevice(t *testing.T) {
	ana := open(t).called("Ana")
	tablet := ana.copied()
	ana.do(http.MethodPost, "/api/guest", `{"name": "Annabella"}`)
	last := tablet.cookies["caveau_guest"]
	tablet.is("Annabella")
	if tablet.cookies["caveau_guest"] == last {
		t.Error("her cookie still has the old name")
	}
}

// Whoever's name was taken from him by somebody else is asked for another, and is who he was.
func TestANameThatWasTakenAway(t *testing.T) {
	var tables *lobby.Lobby
	ana := open(t, func(c *server.Config) { tables = c.Lobby }).called("Anastasia")
	id := ana.guest().ID
	if err := tables.Rename(t.Context(), wire.Guest{ID: id}); err != nil {
		t.Fatal(err)
	}
	ana.is("")
	ana.do(http.MethodPost, "/api/guest", `{"name": "Ana"}`)
	if who := ana.guest(); who != (wire.Guest{ID: id, Name: "Ana"}) {
		t.Errorf("she is %v, and was %s", who, id)
	}
}

// The connections of a session end with it, those of others stay.
func TestConnectionsEndWithTheirSession(t *testing.T) {
	h := open(t)
	ana, ben := h.as("Ana"), h.as("Ben").listen()
	for _, end := range []func(){
		func() { ana.post("/api/guest/end", `{"others": true}`, http.StatusNoContent, nil) }, // she goes on as somebody new
		func() { ana.post("/api/guest/end", `{}`, http.StatusNoContent, nil) },
	} {
		ana.listen().alive()
		end()
		ana.closed(4001, "ended")
	}
	ana.post("/api/guest", `{"name": "Ana"}`, http.StatusOK, nil)
	ana.listen().alive()
	ana.answered(ana.do(http.MethodDelete, "/api/guest", ""), http.StatusNoContent, nil)
	ana.closed(4001, "ended")
	ben.alive()
}

// unheard is a keeper whose answers are lost: what it is told is done.
type unheard struct{ guests.Keeper }

func (u unheard) End(ctx context.Context, guest, session string, now, until time.Time) (first bool, err error) {
	_, err = u.Keeper.End(ctx, guest, session, now, until)
	return false, errors.Join(err, errUnheard)
}

func (u unheard) EndAll(ctx context.Context, by guests.Badge, back guests.Way) (int, error) {
	_, err := u.Keeper.EndAll(ctx, by, back)
	return 0, errors.Join(err, errUnheard)
}

func (u unheard) Forget(ctx context.Context, guest string) error {
	return errors.Join(u.Keeper.Forget(ctx, guest), errUnheard)
}

var errUnheard = errors.New("the answer was lost")

// Where nobody can say whether a session has ended, and it has, its connections have too: whoever says so again is nobody, and could end none.
func TestConnectionsEndWithASessionWhoseEndIsUnheard(t *testing.T) {
	h := openWith(t, storetest.Memory(), unheard{storetest.Memory()})
	for _, end := range []func(*person) *http.Response{
		func(p *person) *http.Response { return p.do(http.MethodPost, "/api/guest/end", `{}`) },
		func(p *person) *http.Response { return p.do(http.MethodPost, "/api/guest/end", `{"others": true}`) },
		func(p *person) *http.Response { return p.do(http.MethodDelete, "/api/guest", "") },
	} {
		ana := h.as("Ana").listen()
		ana.refused(end(ana), http.StatusServiceUnavailable, "storage")
		ana.closed(4001, "ended")
	}
}

// hasty ends every session once it was asked for, and before the answer is of any use.
type hasty struct {
	guests.Keeper
	all bool
}

func (h *hasty) Ended(ctx context.Context, guest, session string) (ended bool, round int, err error) {
	ended, round, err = h.Keeper.Ended(ctx, guest, session)
	if h.all {
		_, err = h.EndAll(ctx, guests.Badge{Guest: wire.Guest{ID: guest}, Session: session, Round: round}, guests.Way{})
	}
	return ended, round, err
}

// A session that ends in the middle of a handshake has no connection.
func TestASessionEndsInTheHandshake(t *testing.T) {
	keeper := &hasty{Keeper: storetest.Memory()}
	ana := openWith(t, storetest.Memory(), keeper).as("Ana")
	keeper.all = true
	ana.listen().closed(4001, "ended")
}

// slowly is a keeper that says late what it has read, the second time that it is asked: after the handshake, for somebody who connects.
type slowly struct {
	guests.Keeper
	asked   atomic.Int32
	read    chan struct{} // closed when it has read that
	answers chan struct{} // closed when it is to say so
}

func (s *slowly) Ended(ctx context.Context, guest, session string) (ended bool, round int, err error) {
	ended, round, err = s.Keeper.Ended(ctx, guest, session)
	if s.asked.Add(1) == 2 {
		close(s.read)
		<-s.answers
	}
	return ended, round, err
}

// A session that ends while it is looked up for somebody who has just connected takes his connection with it, though what was read is that it lasts.
func TestASessionEndsWhileAConnectionIsLookedUp(t *testing.T) {
	keeper := &slowly{Keeper: storetest.Memory(), read: make(chan struct{}), answers: make(chan struct{})}
	ana := openWith(t, storetest.Memory(), keeper).as("Ana")
	keeper.asked.Store(0)
	page := ana.listen()
	<-keeper.read
	if res := page.do(http.MethodPost, "/api/guest/end", `{}`); res.StatusCode != http.StatusNoContent {
		t.Fatalf("to end one's session is answered with %d", res.StatusCode)
	}
	close(keeper.answers)
	page.closed(4001, "ended")
}

// mute is a keeper that cannot be read.
type mute struct {
	guests.Keeper
	err error
	of  string // only of that guest; "" for all
}

func (m *mute) Ended(ctx context.Context, guest, session string) (bool, int, error) {
	if m.err != nil && (m.of == "" || m.of == guest) {
		return false, 0, m.err
	}
	return m.Keeper.Ended(ctx, guest, session)
}

// As long as nobody knows whether a session has ended, it is of no use; who has none, and the page, are none the worse.
func TestNobodyKnowsWhoHasGone(t *testing.T) {
	keeper := &mute{Keeper: storetest.Memory()}
	h := openWith(t, storetest.Memory(), keeper)
	ana, nobody := h.as("Ana"), h.as("")
	keeper.err = errors.New("the disk is gone")
	ana.refused(ana.do(http.MethodGet, "/api/hello", ""), http.StatusServiceUnavailable, "storage")
	if _, res, err := ana.dial("?protocol=3"); err == nil || res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("her connection: %v", err)
	}
	if res := ana.do(http.MethodGet, "/", ""); res.StatusCode != http.StatusOK {
		t.Errorf("the page is answered %s", res.Status)
	}
	nobody.get("/api/hello", http.StatusOK, nil)
}

// A failing keeper can be read so many times, and then no more.
type failing struct {
	guests.Keeper
	left atomic.Int32
}

func (k *failing) Ended(ctx context.Context, guest, session string) (bool, int, error) {
	if k.left.Add(-1) < 0 {
		return false, 0, errors.New("the disk is gone")
	}
	return k.Keeper.Ended(ctx, guest, session)
}

// So whoever has a connection by then comes again: his session may have ended.
func TestNobodyKnowsWhoIsToGo(t *testing.T) {
	keeper := &failing{Keeper: storetest.Memory()}
	keeper.left.Store(100)
	ana := openWith(t, storetest.Memory(), keeper).as("Ana")
	keeper.left.Store(1) // for who she is
	ana.listen().closed(1013, "try again")
}

// Who is turned out while he says something has said nothing, however long he takes to say it: he gets no token, no passkey and no other name.
func TestWhatIsSaidTooLate(t *testing.T) {
	for path, body := range map[string]string{
		"/api/programs": `{"name": "Robbie"}`, "/api/guest": `{"name": "Somebody else"}`, "/api/tables": `{"game": "toy", "seats": 2}`, "/api/passkeys": "",
	} {
		s := storetest.Memory()
		h, d := inPublic(t, s, noon(), io.Discard), newDevice(t)
		eve := h.called("Eve")
		id := eve.guest().ID
		if path == "/api/passkeys" {
			options, _ := eve.posts("/api/passkeys/make", "")
			body = `{"name": "Telephone", "made": ` + d.makes(options) + `}`
		}
		slow := &slowBody{begun: make(chan bool), rest: make(chan bool), text: strings.NewReader(body)}
		r := httptest.NewRequest(http.MethodPost, public+path, slow)
		for name, c := range eve.cookies {
			r.AddCookie(&http.Cookie{Name: name, Value: c.Value})
		}
		w, done := httptest.NewRecorder(), make(chan bool)
		go func() {
			h.server.ServeHTTP(w, r)
			close(done)
		}()
		<-slow.begun
		if err := h.server.TurnOut(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		close(slow.rest)
		<-done
		if w.Code != http.StatusUnauthorized && path != "/api/guest" {
			t.Errorf("POST %s is answered %d %s", path, w.Code, w.Body)
		}
		names, err := s.Names(t.Context(), id)
		if all, unread := s.Passkeys(t.Context(), id); err != nil || unread != nil || len(all) > 0 || names[id] != "Eve" {
			t.Errorf("POST %s: she is %v, with passkeys %v (%v, %v)", path, names, all, err, unread)
		}
	}
}

// A slowBody does not come before the rest is called for.
type slowBody struct {
	begun, rest chan bool
	once        sync.Once
	text        io.Reader
}

func (s *slowBody) Read(data []byte) (int, error) {
	s.once.Do(func() { close(s.begun) })
	<-s.rest
	return s.text.Read(data)
}

// late is a keeper whose answer has become wrong by the time that it is heard.
type late struct {
	guests.Keeper
	then func() // what happens meanwhile, once
}

func (l *late) Ended(ctx context.Context, guest, session string) (ended bool, round int, err error) {
	ended, round, err = l.Keeper.Ended(ctx, guest, session)
	if then := l.then; then != nil {
		l.then = nil
		then()
	}
	return ended, round, err
}

// Nobody is given what outlasts his session because it lasted a moment ago.
func TestTurnedOutInTheSameMoment(t *testing.T) {
	keeper := &late{Keeper: storetest.Memory()}
	h, d := openWith(t, storetest.Memory(), keeper, func(c *server.Config) { c.Origin = public }), newDevice(t)
	for _, path := range []string{"/api/programs", "/api/passkeys"} {
		eve := h.called("Eve")
		id := eve.guest().ID
		options, _ := eve.posts("/api/passkeys/make", "")
		body := map[string]string{"/api/programs": `{"name": "Robbie"}`, "/api/passkeys": `{"name": "Telephone", "made": ` + d.makes(options) + `}`}[path]
		keeper.then = func() {
			if err := h.server.TurnOut(t.Context(), id); err != nil {
				t.Error(err)
			}
		}
		if _, code := eve.posts(path, body); code != "no_guest" {
			t.Errorf("POST %s is refused with %q", path, code)
		}
		if all, err := keeper.Passkeys(t.Context(), id); err != nil || len(all) > 0 {
			t.Errorf("POST %s: she has %v (%v)", path, all, err)
		}
	}
}

// Whoever ends all other sessions of his, and hears no answer, comes back by what his page called its try: once, in five minutes, and not where all have ended since. A thief does not.
func TestAnAnswerIsLostToWhoEndsAllOthers(t *testing.T) {
	const try = "0123456789abcdef0123456789abcdef"
	again, clock := over(t, storetest.Memory())
	h := again()
	ends := func() (ana, hers *browser) {
		ana = h.called("Ana")
		hers = ana.copied() // her browser, to which no cookie comes
		ana.ends(`{"others": true, "try": "` + try + `"}`)
		hers.is("")
		return ana, hers
	}
	ana, hers := ends()
	if code := hers.takes("0123456789abcdef0123456789abcdee"); code != "" {
		t.Errorf("by another try she is %q", code)
	}
	if name := hers.takes(try); name != "Ana" {
		t.Errorf("she comes back as %q", name)
	}
	hers.is("Ana")
	if id := hers.guest().ID; id != ana.guest().ID {
		t.Errorf("she comes back as %s, and was %s", id, ana.guest().ID)
	}
	if name := h.nobody().takes(try); name != "" {
		t.Errorf("by the same try somebody else is %q", name)
	}
	ana, hers = ends()
	ana.ends(`{"others": true}`)
	if name := hers.takes(try); name != "" {
		t.Errorf("all have ended since, and she comes back as %q", name)
	}
	_, hers = ends()
	clock.now = clock.now.Add(6 * time.Minute)
	if name := hers.takes(try); name != "" {
		t.Errorf("six minutes later she comes back as %q", name)
	}
	ana = h.called("Ana")
	hers = ana.copied()
	ana.ends(`{"others": true, "try": "1"}`)
	if name := hers.takes("1"); name != "" {
		t.Errorf("by a try that everybody can guess somebody is %q", name)
	}
}

// With a cookie whose session has ended nobody uses up what its guest may ask for.
func TestAnEndedSessionTakesNothing(t *testing.T) {
	clock := noon()
	h := open(t, trusting(t, "127.0.0.1, ::1"), func(c *server.Config) { c.Clock = clock })
	ana := h.as("Ana").at("198.51.100.1")
	at, err := url.Parse(h.url)
	if err != nil {
		t.Fatal(err)
	}
	thief := h.as("").at("203.0.113.1")
	thief.http.Jar.SetCookies(at, ana.http.Jar.Cookies(at))
	ana.post("/api/guest/end", `{"others": true}`, http.StatusNoContent, nil)
	stolen := thief.http.Jar.Cookies(at)
	for range 200 {
		thief.http.Jar.SetCookies(at, stolen)
		thief.get("/api/tables", http.StatusOK, nil)
	}
	ana.get("/api/hello", http.StatusOK, nil)
}

// A session that is ended at one node is ended at all: whoever is connected elsewhere is told so.
func TestASessionEndsAtAllNodes(t *testing.T) {
	log, home, quiet := storetest.Memory(), new(bus.Home), slog.New(slog.DiscardHandler)
	heard := make(chan string, 10)
	open := func(node int64) *house {
		tables, err := lobby.Open(t.Context(), lobby.Config{
			Log: log, Bus: home, Node: node, Shelf: matchtest.Shelf{}, Clock: matchtest.Clock{}, Rand: matchtest.Rand(uint64(node)), Slog: quiet,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(tables.Close)
		tables.Heed(func(_ context.Context, guest string) { heard <- guest })
		return openWith(t, storetest.Memory(), log, func(c *server.Config) { c.Lobby = tables })
	}
	here, there := open(1), open(2)
	ana, ben := here.as("Ana"), here.as("Ben")
	for range 2 {
		<-heard // what they are called
	}
	anas := (&person{t: t, h: there, http: ana.http}).listen()
	bens := (&person{t: t, h: there, http: ben.http}).listen()
	ana.post("/api/guest/end", `{}`, http.StatusNoContent, nil)
	anas.closed(4001, "ended")
	bens.alive()
}

// A link to another device is good at a node whose machine shows another time, for as long as where it was made.
func TestALinkIsGoodWhereTheClockIsWrong(t *testing.T) {
	log := storetest.Memory()
	open := func(node int64, ahead time.Duration) *house {
		tables, err := lobby.Open(t.Context(), lobby.Config{
			Log: log, Deeds: new(oneOfMany), Node: node, Shelf: matchtest.Shelf{}, Clock: fast{ahead: ahead}, Rand: matchtest.Rand(uint64(node)), Slog: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(tables.Close)
		return openWith(t, log, log, func(c *server.Config) { c.Lobby, c.Clock = tables, nil })
	}
	here := open(1, 0)
	for _, ahead := range []time.Duration{-time.Hour, time.Hour} {
		there := open(2, ahead)
		ana := here.called("Ana")
		ben := there.nobody()
		if name := ben.asksWay(ana.way()); name != "Ana" {
			t.Errorf("where the clock is wrong by %s it leads to %q", ahead, name)
		}
	}
}

// fast is a clock that shows a time that has not come yet.
type fast struct {
	matchtest.Clock
	ahead time.Duration
}

func (c fast) Now() time.Time { return c.Clock.Now().Add(c.ahead) }

// Whose session was ended at another node, and nobody here heard so, is found out by the pings that his connection has; who has another stays.
func TestASessionWhoseEndNobodyHeard(t *testing.T) {
	keeper := storetest.Memory()
	h := openWith(t, storetest.Memory(), keeper, func(c *server.Config) { c.Clock, c.Lobby = &hurried{}, shared(t) })
	ana, ben := h.as("Ana").listen(), h.as("Ben").listen()
	var hello struct{ Guest wire.Guest }
	ana.get("/api/hello", http.StatusOK, &hello)
	if _, err := keeper.EndAll(t.Context(), guests.Badge{Guest: hello.Guest}, guests.Way{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for err := error(nil); err == nil; {
		_, _, err = ana.conn.Read(ctx)
	}
	if ctx.Err() != nil {
		t.Error("she has a line yet, twenty seconds later")
	}
	ben.alive()
}
