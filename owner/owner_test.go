package owner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"caveau/bus"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/owner"
	"caveau/server"
	"caveau/store/memory"
	"caveau/store/storetest"
	"caveau/wire"
)

// A house is one that others can reach, with the toy on its shelf and an owner.
type house struct {
	t     *testing.T
	url   string
	log   storetest.Store
	notes *notes
	lobby *lobby.Lobby
	said  *log
	now   func() time.Time
	close func()
}

const secret = "a secret of the tests"

// notes are a store's, in memory; they can be full, unreadable, and slow.
type notes struct {
	memory.Notes
	full  bool
	blind bool
	slow  chan chan struct{} // if there is one: hears that something is to be written, and by what that may go on
}

func (n *notes) Note(ctx context.Context, name string) (string, error) {
	if n.blind {
		return "", errors.New("the disk cannot be read")
	}
	return n.Notes.Note(ctx, name)
}

func (n *notes) Change(ctx context.Context, name string, change func(string) (string, error)) error {
	if n.slow != nil {
		goOn := make(chan struct{})
		n.slow <- goOn
		<-goOn
	}
	return n.Notes.Change(ctx, name, func(value string) (string, error) {
		value, err := change(value)
		if err == nil && n.full {
			err = errors.New("the disk is full")
		}
		return value, err
	})
}

// log is the log of the house.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(data)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func open(t *testing.T, change ...func(*owner.Config)) *house {
	t.Helper()
	h := &house{t: t, log: storetest.Memory(), notes: new(notes), said: new(log), now: time.Now}
	h.open(change...)
	t.Cleanup(func() { h.close() })
	return h
}

// restart opens it again, over the same log and the same notes.
func (h *house) restart(change ...func(*owner.Config)) {
	h.close()
	h.open(change...)
}

func (h *house) open(change ...func(*owner.Config)) {
	h.t.Helper()
	said := slog.New(slog.NewTextHandler(h.said, nil))
	tables, err := lobby.Open(h.t.Context(), lobby.Config{Log: h.log, Shelf: matchtest.Shelf{}, Clock: matchtest.Clock{}, Rand: matchtest.Rand(1), Slog: said})
	if err != nil {
		h.t.Fatal(err)
	}
	h.lobby = tables
	c := owner.Config{
		Secret: []byte(secret), Notes: h.notes, Lobby: tables, Now: func() time.Time { return h.now() }, Random: rand.NewChaCha8([32]byte{1}),
		Origin: "http://192.168.1.7:8080/", Sockets: func() int { return 3 }, Version: "test", Slog: said,
	}
	var door *server.Server
	c.TurnOut = func(ctx context.Context, guest string) error { return door.TurnOut(ctx, guest) }
	for _, f := range change {
		f(&c)
	}
	who, err := owner.New(h.t.Context(), c)
	if err != nil {
		h.t.Fatal(err)
	}
	door, err = server.New(server.Config{
		Lobby: tables, Keeper: h.log, Secret: []byte(secret), Origin: c.Origin, Random: rand.NewChaCha8([32]byte{2}), Version: "test", Owner: who,
		Client: fstest.MapFS{"index.html": {Data: []byte("<head></head>")}}, Ready: func(context.Context) error { return nil }, Clock: matchtest.Clock{}, Slog: said,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	web := httptest.NewServer(door)
	h.url = web.URL
	h.close = func() {
		door.Close()
		web.Close()
		tables.Close()
	}
}

// A person is somebody at a browser.
type person struct {
	h     *house
	http  *http.Client
	token string // a program's
	told  string // the newest answer
}

// somebody has no name.
func (h *house) somebody() *person {
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	transport := &http.Transport{}
	h.t.Cleanup(transport.CloseIdleConnections)
	return &person{h: h, http: &http.Client{Jar: jar, Transport: transport}}
}

func (h *house) guest(name string) *person {
	p := h.somebody()
	p.ask("POST", "/api/guest", `{"name": "`+name+`"}`, http.StatusOK, nil)
	return p
}

// owner is whoever came with a key of now.
func (h *house) owner() *person {
	p := h.somebody()
	p.ask("POST", "/api/owner/enter", `{"key": "`+owner.Key([]byte(secret), h.now())+`"}`, http.StatusNoContent, nil)
	return p
}

// ask asks for something, and answers with the code of the refusal, if it is one.
func (p *person) ask(method, path, body string, status int, into any) (code string) {
	p.h.t.Helper()
	r, err := http.NewRequestWithContext(p.h.t.Context(), method, p.h.url+path, strings.NewReader(body))
	if err != nil {
		p.h.t.Fatal(err)
	}
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	res, err := p.http.Do(r)
	if err != nil {
		p.h.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	p.told = string(text)
	if err == nil && into != nil {
		err = json.Unmarshal(text, into)
	}
	if res.StatusCode != status || err != nil {
		p.h.t.Fatalf("%s %s was answered %s %s (%v), want %d", method, path, res.Status, text, err, status)
	}
	var refused struct{ Code string }
	json.Unmarshal(text, &refused) // what is no refusal has no code
	return refused.Code
}

// table makes one with its maker on A.
func (p *person) table(more string) string {
	p.h.t.Helper()
	var made struct{ Table string }
	p.ask("POST", "/api/tables", `{"game": "toy", "seats": 2, "sit": true`+more+`}`, http.StatusCreated, &made)
	return made.Table
}

// told is what the owner's page is told.
type told struct {
	Tables  map[string]int
	Sockets int
	Invited bool
	Forced  bool

	Invitations []struct {
		N    int
		For  string
		Link string
		Good bool
		Used int
	}
}

func (p *person) house() (h told) {
	p.h.t.Helper()
	p.ask("GET", "/api/owner/house", "", http.StatusOK, &h)
	return h
}

// sights are the tables as the owner sees them.
type sights struct {
	All    int
	Tables []sight
}

type sight struct {
	Table, State, Host, HostID, Code string
	Listed                           bool
	Guests                           []string
	Seats                            []struct{ Name string }
}

func (p *person) tables(from int) (s sights) {
	p.h.t.Helper()
	p.ask("GET", fmt.Sprintf("/api/owner/tables?from=%d", from), "", http.StatusOK, &s)
	return s
}

// A key opens the page once, and not for long; none but ours does.
func TestOwnersKeys(t *testing.T) {
	h := open(t)
	h.restart(func(c *owner.Config) { c.Older = [][]byte{[]byte("a secret of before")} })
	now := time.Now()
	h.now = func() time.Time { return now }
	good := owner.Key([]byte(secret), now)
	early := owner.Key([]byte(secret), now.Add(50*time.Second)) // the machine at which it was made is a little fast
	body := func(key string) string { return `{"key": "` + key + `"}` }
	for what, key := range map[string]string{
		"none":              "",
		"no mark":           strings.Split(good, ".")[0],
		"another mark":      good[:len(good)-1] + "_",
		"another house's":   owner.Key([]byte("another secret"), now),
		"of before":         owner.Key([]byte("a secret of before"), now), // which was changed since it is in wrong hands, perhaps
		"too old":           owner.Key([]byte(secret), now.Add(-owner.KeyTime)),
		"not yet made":      owner.Key([]byte(secret), now.Add(2*time.Minute)),
		"of another moment": strings.Split(owner.Key([]byte(secret), now.Add(time.Second)), ".")[0] + "." + strings.Split(good, ".")[1],
	} {
		if code := h.somebody().ask("POST", "/api/owner/enter", body(key), http.StatusUnauthorized, nil); code != "no_owner" {
			t.Errorf("%s: a key is refused with %q", what, code)
		}
	}
	if n := strings.Count(h.said.String(), `what="the owner's page"`); n == 0 || strings.Contains(h.said.String(), good) {
		t.Errorf("of wrong keys the log has %d lines: %s", n, h.said)
	}
	h.notes.full = true
	h.somebody().ask("POST", "/api/owner/enter", body(good), http.StatusServiceUnavailable, nil)
	h.notes.full = false
	ada := h.somebody()
	ada.ask("POST", "/api/owner/enter", body(good), http.StatusNoContent, nil)
	ada.house()
	h.somebody().ask("POST", "/api/owner/enter", body(good), http.StatusUnauthorized, nil)
	h.restart()
	h.somebody().ask("POST", "/api/owner/enter", body(good), http.StatusUnauthorized, nil)
	h.somebody().ask("POST", "/api/owner/enter", body(early), http.StatusNoContent, nil)
	now = now.Add(-30 * 24 * time.Hour) // the clock had been wrong
	h.owner().house()
}

// Nobody else is answered anything there; and he is let out by his own word, after twelve hours, and by another key of the house.
func TestNobodyElseIsTheOwner(t *testing.T) {
	h := open(t)
	ana := h.guest("Ana")
	id := ana.table("")
	for _, who := range []*person{h.somebody(), ana} {
		for _, r := range [][2]string{
			{"GET", "/api/owner/house"}, {"PUT", "/api/owner/house"}, {"GET", "/api/owner/tables"}, {"GET", "/api/owner/tables/" + id},
			{"POST", "/api/owner/tables/" + id + "/close"}, {"POST", "/api/owner/tables/" + id + "/unlist"}, {"POST", "/api/owner/tables/" + id + "/out"},
			{"POST", "/api/owner/guests/x/nameless"}, {"POST", "/api/owner/guests/x/out"}, {"POST", "/api/owner/invitations"},
			{"DELETE", "/api/owner/invitations/1"}, {"GET", "/api/owner/invitations/1/qr.svg"}, {"POST", "/api/owner/leave"}, {"GET", "/api/owner/nothing"},
		} {
			if code := who.ask(r[0], r[1], `{"guest": "x"}`, http.StatusUnauthorized, nil); code != "no_owner" {
				t.Errorf("%s %s is refused with %q", r[0], r[1], code)
			}
		}
	}
	ada := h.owner()
	if ada.tables(0).All != 1 {
		t.Error("the table is not there any more")
	}
	at, err := url.Parse(h.url)
	if err != nil {
		t.Fatal(err)
	}
	kept := ada.http.Jar.Cookies(at) // by whoever was at her browser
	ada.ask("POST", "/api/owner/leave", "", http.StatusNoContent, nil)
	ada.ask("GET", "/api/owner/house", "", http.StatusUnauthorized, nil)
	if n := strings.Count(h.said.String(), `what="the owner's page"`); n != 0 {
		t.Errorf("who only asks is written down as somebody who tries the doors: %d", n)
	}
	eve := h.somebody()
	eve.http.Jar.SetCookies(at, kept)
	eve.ask("GET", "/api/owner/house", "", http.StatusUnauthorized, nil)
	if n := strings.Count(h.said.String(), `what="the owner's page"`); n != 1 {
		t.Errorf("of a cookie that is good for nothing the log has %d lines", n)
	}
	ada = h.owner()
	later := time.Now().Add(12 * time.Hour)
	h.now = func() time.Time { return later }
	ada.ask("GET", "/api/owner/house", "", http.StatusUnauthorized, nil)
	ada = h.owner()
	h.restart()
	ada.house()
	if text := fmt.Sprint(h.notes.All()); strings.Contains(text, ada.http.Jar.Cookies(at)[0].Value) {
		t.Errorf("what opens his page is noted: %s", text)
	}
	h.restart(func(c *owner.Config) { c.Secret = []byte("another key") })
	ada.ask("GET", "/api/owner/house", "", http.StatusUnauthorized, nil)
}

// His cookie is for this house alone, and for no script; when he has gone it is for nothing, whoever has it.
func TestOwnersCookie(t *testing.T) {
	h := open(t)
	for secure, want := range map[bool]string{
		false: "caveau_owner=[word]; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict",
		true:  "__Host-caveau_owner=[word]; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict",
	} {
		o, err := owner.New(t.Context(), owner.Config{Secret: []byte(secret), Notes: h.notes, Lobby: h.lobby, Now: time.Now, Random: rand.NewChaCha8([32]byte{1}), Slog: slog.New(slog.DiscardHandler), Sockets: func() int { return 0 }})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		o.Answer(w, httptest.NewRequest("POST", "/api/owner/enter", strings.NewReader(`{"key": "`+owner.Key([]byte(secret), time.Now())+`"}`)), secure)
		got := w.Header().Get("Set-Cookie")
		if _, rest, _ := strings.Cut(got, "="); len(rest) > 43 {
			got = strings.Replace(got, rest[:43], "[word]", 1)
		}
		if got != want {
			t.Errorf("the cookie is %q, want %q", got, want)
		}
		for _, x := range []struct {
			method, path string
			status       int
		}{{"GET", "house", http.StatusOK}, {"POST", "leave", http.StatusNoContent}, {"GET", "house", http.StatusUnauthorized}} {
			r := httptest.NewRequest(x.method, "/api/owner/"+x.path, nil)
			r.AddCookie(w.Result().Cookies()[0])
			answer := httptest.NewRecorder()
			o.Answer(answer, r, secure)
			if answer.Code != x.status {
				t.Errorf("%s (by https: %t) is answered %d, want %d", x.path, secure, answer.Code, x.status)
			}
		}
	}
}

// He sees all tables, a page at a time, and moderates them.
func TestTheOwnerModerates(t *testing.T) {
	h := open(t)
	ana, ben := h.guest("Ana"), h.guest("Ben")
	shown, hidden := ana.table(`, "listed": true`), ben.table("")
	for range 20 {
		ana.table("")
	}
	ada := h.owner()
	first, second := ada.tables(0), ada.tables(20)
	if first.All != 22 || len(first.Tables) != 20 || len(second.Tables) != 2 || first.Tables[0].Table != shown || first.Tables[1].Table != hidden {
		t.Fatalf("he sees %d tables, %d and %d: %+v", first.All, len(first.Tables), len(second.Tables), first)
	}
	one := first.Tables[1]
	if one.Host != "Ben" || one.HostID == "" || one.Guests[0] != one.HostID || one.Seats[0].Name != "Ben" || one.State != "open" {
		t.Errorf("he sees %+v", one)
	}
	if now := ada.house(); now.Tables["open"] != 22 || now.Sockets != 3 {
		t.Errorf("the house is %+v", now)
	}

	ada.ask("POST", "/api/owner/tables/"+shown+"/unlist", "", http.StatusNoContent, nil)
	var listed []any
	if ana.ask("GET", "/api/tables", "", http.StatusOK, &listed); len(listed) > 0 {
		t.Errorf("it is listed: %v", listed)
	}
	ada.ask("POST", "/api/owner/guests/"+one.HostID+"/nameless", "", http.StatusNoContent, nil)
	if one := ada.tables(0).Tables[1]; one.Host != "" || one.Seats[0].Name != "" || one.Guests[0] != one.HostID {
		t.Errorf("his name is taken away, and he sees %+v", one)
	}
	var hello struct{ Guest *struct{ ID string } }
	if ben.ask("GET", "/api/hello", "", http.StatusOK, &hello); hello.Guest != nil { // he is asked for another
		t.Errorf("Ben is greeted as %+v", hello)
	}
	ben.ask("POST", "/api/guest", `{"name": "Benno"}`, http.StatusOK, nil)
	if one := ada.tables(0).Tables[1]; one.Host != "Benno" {
		t.Errorf("he has another name, and is %+v", one)
	}
	ada.ask("POST", "/api/owner/tables/"+hidden+"/out", `{"guest": "`+one.HostID+`"}`, http.StatusNoContent, nil)
	if one := ada.tables(0).Tables[1]; one.Guests[0] != "" {
		t.Errorf("he is turned out, and sits there: %+v", one)
	}
	if code := ada.ask("POST", "/api/owner/tables/"+hidden+"/out", `{"guest": "`+one.HostID+`"}`, http.StatusNotFound, nil); code != "no_seat" {
		t.Errorf("who sits nowhere is turned out: %s", code)
	}
	ada.ask("POST", "/api/owner/guests/"+one.HostID+"/out", "", http.StatusNoContent, nil)
	if code := ben.ask("POST", "/api/tables", `{"game": "toy", "seats": 2}`, http.StatusUnauthorized, nil); code != "no_guest" {
		t.Errorf("he is turned out of the house, and refused with %q", code)
	}
	ada.ask("POST", "/api/owner/tables/"+hidden+"/close", "", http.StatusNoContent, nil)
	var closed sight
	if ada.ask("GET", "/api/owner/tables/"+hidden, "", http.StatusOK, &closed); closed.State != "over" || ada.tables(0).All != 21 {
		t.Errorf("it is closed, and is %+v", closed)
	}
	ada.ask("POST", "/api/owner/tables/"+hidden+"/close", "", http.StatusNoContent, nil) // whoever has not heard the answer says it again
	ada.ask("GET", "/api/owner/tables/nowhere", "", http.StatusNotFound, nil)
	ada.ask("GET", "/api/owner/tables?from=x", "", http.StatusBadRequest, nil)
	ada.ask("POST", "/api/owner/guests/"+strings.Repeat("x", 65)+"/nameless", "", http.StatusBadRequest, nil)

	said := h.said.String()
	for what, times := range map[string]int{"come in": 1, "take a table from the list": 1, "take a name away": 1, "turn a guest out of a table": 1, "turn a guest out of the house": 1, "close a table": 2} {
		if strings.Count(said, `msg="the owner" did="`+what+`"`) != times {
			t.Errorf("the log does not say, %d times, that he did %s: %s", times, what, said)
		}
	}
	if strings.Contains(said, "Ben") {
		t.Errorf("the log has a name: %s", said)
	}
}

// A house for invited people only: strangers read the rules, and no more; whoever had a name stays; an invitation lets in as many as it
// says, for as long as it says, until it is taken back.
func TestInvitedPeopleOnly(t *testing.T) {
	h := open(t)
	ana, eve := h.guest("Ana"), h.somebody()
	id := ana.table(`, "listed": true`)
	ada := h.owner()
	watching := eve.dial(t)
	ada.ask("PUT", "/api/owner/house", `{"invited": true}`, http.StatusNoContent, nil)
	soon, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, _, err := watching.Read(soon); err == nil || soon.Err() != nil {
		t.Fatalf("a stranger who listened was not sent away (%v)", err)
	}

	// invites tells whether the page of Ana's table says that she invites.
	invites := func(who *person) bool {
		t.Helper()
		res, err := who.http.Get(h.url + "/t/" + id)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("the page is answered %s, %v", res.Status, err)
		}
		return strings.Contains(string(text), " invites you to ")
	}
	if !invites(ana) {
		t.Error("the page of her own table does not say whose it is")
	}
	uninvited := func(who *person) {
		t.Helper()
		if invites(who) {
			t.Error("the page of a table tells a stranger whose it is")
		}
		for _, path := range []string{"/api/tables", "/api/tables/" + id, "/api/tables/" + id + "/qr.svg", "/api/tables/" + id + "/record", "/ws?protocol=3", "/ws?protocol=3&guest=none"} {
			if code := who.ask("GET", path, "", http.StatusForbidden, nil); code != "uninvited" {
				t.Errorf("GET %s is refused with %q", path, code)
			}
		}
		if code := who.ask("POST", "/api/guest", `{"name": "Eve"}`, http.StatusForbidden, nil); code != "uninvited" {
			t.Errorf("a name is refused with %q", code)
		}
		var hello struct{ Uninvited bool }
		if who.ask("GET", "/api/hello", "", http.StatusOK, &hello); !hello.Uninvited {
			t.Error("he is greeted as if he were invited")
		}
	}
	uninvited(eve)
	ana.ask("GET", "/api/tables/"+id, "", http.StatusOK, nil)
	ana.dial(t).CloseNow()
	big := ana.screen(t) // is nobody's, and she has opened it
	for _, say := range []string{`{"id": "1", "do": "watch", "table": "` + id + `"}`, `{"id": "2", "do": "close", "table": "` + id + `"}`} {
		if err := big.Write(t.Context(), websocket.MessageText, []byte(say)); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{`"ok":true`, `"watchers":1`, `"no_guest"`} {
		if _, text, err := big.Read(t.Context()); err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), `"you"`) {
			t.Errorf("a big screen is told %s, and not %s (%v)", text, want, err)
		}
	}
	ana.ask("POST", "/api/guest", `{"name": "Anna"}`, http.StatusOK, nil)

	var made struct {
		N    int
		Link string
	}
	ada.ask("POST", "/api/owner/invitations", `{"for": "Aunt Eve", "days": 7, "times": 1}`, http.StatusCreated, &made)
	code, ours := strings.CutPrefix(made.Link, "http://192.168.1.7:8080/i/")
	if !ours || len(code) < 20 {
		t.Fatalf("the link is %s", made.Link)
	}
	for name, note := range h.notes.All() { // whoever has a copy of it is not invited
		if secret := strings.SplitN(code, "-", 2)[1]; strings.Contains(note, secret) {
			t.Errorf("the database has the invitation's link in %q: %s", name, note)
		}
	}
	refused := map[string]bool{} // in which words
	come := func(who *person, code string, status int) {
		t.Helper()
		who.ask("POST", "/api/guest", `{"name": "Eve", "invitation": "`+code+`"}`, status, nil)
		if status == http.StatusForbidden && code != "" {
			refused[who.told] = true
		}
	}
	for _, wrong := range []string{"", "1", "1-", code + "x", code[:len(code)-1], "2" + code[1:], "0" + code} {
		come(eve, wrong, http.StatusForbidden)
	}
	come(eve, code, http.StatusOK)
	eve.ask("GET", "/api/tables/"+id, "", http.StatusOK, nil)
	eve.dial(t).CloseNow()
	come(h.somebody(), code, http.StatusForbidden) // it was for one
	if all := ada.house().Invitations; len(all) != 1 || all[0].Used != 1 || all[0].Good || all[0].Link != made.Link || all[0].For != "Aunt Eve" {
		t.Errorf("he sees the invitations %+v", all)
	}

	ada.ask("POST", "/api/owner/invitations", `{"days": 7, "times": 0}`, http.StatusCreated, &made)
	ada.ask("GET", fmt.Sprintf("/api/owner/invitations/%d/qr.svg", made.N), "", http.StatusOK, nil)
	h.restart() // all of it is kept
	code = strings.TrimPrefix(made.Link, "http://192.168.1.7:8080/i/")
	come(h.somebody(), code, http.StatusOK)
	come(h.somebody(), code, http.StatusOK)
	h.restart(func(c *owner.Config) { c.Secret = []byte("another key") })
	come(h.somebody(), code, http.StatusForbidden)
	h.restart(func(c *owner.Config) { c.Secret, c.Older = []byte("another key"), [][]byte{c.Secret} })
	come(h.somebody(), code, http.StatusOK)
	h.restart()
	ada = h.owner()
	h.notes.full = true
	come(h.somebody(), code, http.StatusServiceUnavailable)
	h.notes.full = false
	last, now := time.Now().AddDate(0, 0, 7).Add(-time.Minute), h.now
	h.now = func() time.Time { return last }
	come(h.somebody(), code, http.StatusOK)
	h.now = func() time.Time { return last.Add(time.Minute) }
	come(h.somebody(), code, http.StatusForbidden)
	h.now = now
	ada.ask("DELETE", fmt.Sprintf("/api/owner/invitations/%d", made.N), "", http.StatusNoContent, nil)
	come(h.somebody(), code, http.StatusForbidden)
	ada.ask("GET", fmt.Sprintf("/api/owner/invitations/%d/qr.svg", made.N), "", http.StatusNotFound, nil)
	if len(refused) != 1 {
		t.Errorf("invitations that are none, of before, used up or taken back are told apart: %v", refused)
	}
	uninvited(h.somebody())
	var seen sight
	ada.ask("GET", "/api/owner/tables/"+eve.table(""), "", http.StatusOK, &seen)
	hers := eve.screen(t)
	ada.ask("POST", "/api/owner/guests/"+seen.HostID+"/out", "", http.StatusNoContent, nil)
	uninvited(eve) // whatever cookie she has kept
	if _, _, err := hers.Read(t.Context()); websocket.CloseStatus(err) != 4001 {
		t.Errorf("the big screen that she has opened is told %v", err)
	}

	ada.ask("PUT", "/api/owner/house", `{"invited": false}`, http.StatusNoContent, nil)
	h.guest("Max")
	h.restart(func(c *owner.Config) { c.Invited = true })
	uninvited(h.somebody())
	if now := h.owner().house(); !now.Invited || !now.Forced {
		t.Errorf("the house was started for invited people, and is %+v", now)
	}
	if strings.Contains(h.said.String(), code) {
		t.Errorf("the log has an invitation: %s", h.said)
	}
}

// Whoever was the last to come by an invitation, and has heard no answer, comes in by it when he tries again, though another one was made meanwhile.
func TestTheLastOfAnInvitationTriesAgain(t *testing.T) {
	h := open(t, func(c *owner.Config) { c.Invited = true })
	ada := h.owner()
	var made struct{ Link string }
	ada.ask("POST", "/api/owner/invitations", `{"days": 7, "times": 1}`, http.StatusCreated, &made)
	code := strings.TrimPrefix(made.Link, "http://192.168.1.7:8080/i/")
	for range 2 {
		h.somebody().ask("POST", "/api/guest", `{"name": "Eve", "try": "0123456789abcdefghijkl", "invitation": "`+code+`"}`, http.StatusOK, nil)
		ada.ask("POST", "/api/owner/invitations", `{"days": 7, "times": 1}`, http.StatusCreated, nil)
	}
	h.somebody().ask("POST", "/api/guest", `{"name": "Max", "try": "another try, another guest", "invitation": "`+code+`"}`, http.StatusForbidden, nil)
}

func (p *person) dial(t *testing.T) *websocket.Conn { return p.opens(t, "") }

// screen is a page on a big screen that he has opened: it asks as nobody.
func (p *person) screen(t *testing.T) *websocket.Conn { return p.opens(t, "&guest=none") }

func (p *person) opens(t *testing.T, as string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), p.h.url+"/ws?protocol=3"+as, &websocket.DialOptions{HTTPClient: p.http})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	return conn
}

func TestBadInvitations(t *testing.T) {
	ada := open(t).owner()
	for _, body := range []string{
		`{}`, `{"days": 0}`, `{"days": 367}`, `{"days": 1, "times": -1}`, `{"days": 1, "times": 1001}`, `[]`,
		`{"days": 1, "for": "` + strings.Repeat("x", 41) + `"}`, `{"days": 1, "until": "tomorrow"}`,
	} {
		if code := ada.ask("POST", "/api/owner/invitations", body, http.StatusBadRequest, nil); code != "bad_request" {
			t.Errorf("%s is refused with %q", body, code)
		}
	}
	for range 200 {
		ada.ask("POST", "/api/owner/invitations", `{"days": 1}`, http.StatusCreated, nil)
	}
	ada.ask("POST", "/api/owner/invitations", `{"days": 1}`, http.StatusServiceUnavailable, nil)
}

// Each invitation has a number of its own, and none has that of one that was taken back: its link would be good again. Its code for cameras is drawn for the owner alone,
// and kept nowhere.
func TestInvitationsHaveNumbers(t *testing.T) {
	h := open(t)
	ada := h.owner()
	invite := func() (n int, link string) {
		t.Helper()
		var made struct {
			N    int
			Link string
		}
		ada.ask("POST", "/api/owner/invitations", `{"days": 1}`, http.StatusCreated, &made)
		return made.N, made.Link
	}
	first, one := invite()
	second, two := invite()
	ada.ask("DELETE", fmt.Sprint("/api/owner/invitations/", second), "", http.StatusNoContent, nil)
	third, three := invite()
	if first != 1 || second != 2 || third != 3 || one == two || two == three || one == three {
		t.Errorf("they are %d %s, %d %s and %d %s", first, one, second, two, third, three)
	}
	res, err := ada.http.Get(h.url + "/api/owner/invitations/3/qr.svg")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	if res.Header.Get("Content-Type") != "image/svg+xml" || res.Header.Get("Cache-Control") != "no-store" || strings.Count(string(text), "<svg") != 1 {
		t.Errorf("a code is answered %s with %v", res.Status, res.Header)
	}
	for _, n := range []string{"2", "4", "x"} {
		if code := ada.ask("GET", "/api/owner/invitations/"+n+"/qr.svg", "", http.StatusNotFound, nil); code != "bad_request" {
			t.Errorf("number %s is refused with %q", n, code)
		}
	}
	if text := h.said.String(); !strings.Contains(text, "did=invite invitation=3") || strings.Contains(text, strings.TrimPrefix(three, h.url)) {
		t.Errorf("the log says %s", text)
	}
}

// The owner has as many devices as he likes, up to twenty; and nobody is he while it cannot be read who is.
func TestTheOwnerHasManyDevices(t *testing.T) {
	h := open(t)
	var all []*person
	now := time.Now()
	for i := range 25 {
		h.now = func() time.Time { return now.Add(time.Duration(i) * time.Millisecond) } // each key is newer than the one before
		all = append(all, h.owner())
		if i == 19 {
			for _, ada := range all {
				ada.house()
			}
		}
	}
	all[24].house()
	h.notes.blind = true
	if code := all[24].ask("GET", "/api/owner/tables", "", http.StatusServiceUnavailable, nil); code != wire.CodeStorage {
		t.Errorf("she is refused with %q", code)
	}
	if text := h.said.String(); !strings.Contains(text, "cannot be read what the owner has said") {
		t.Errorf("the log says %s", text)
	}
}

// Whoever runs the house takes a program's name, and it is none any more; so nothing is left of it when its guest goes.
func TestAProgramWithoutAName(t *testing.T) {
	h := open(t)
	ana, robbie := h.guest("Ana"), h.somebody()
	var made struct{ Token string }
	ana.ask("POST", "/api/programs", `{"name": "Robbie"}`, http.StatusOK, &made)
	robbie.token = made.Token
	id := robbie.table("")
	ada := h.owner()
	var seen sight
	ada.ask("GET", "/api/owner/tables/"+id, "", http.StatusOK, &seen)
	ada.ask("POST", "/api/owner/guests/"+seen.HostID+"/nameless", "", http.StatusNoContent, nil)
	robbie.ask("GET", "/api/hello", "", http.StatusUnauthorized, nil)
	ana.ask("DELETE", "/api/guest", "", http.StatusNoContent, nil)
	robbie.ask("GET", "/api/hello", "", http.StatusUnauthorized, nil)
}

// While something is written for the owner, the house goes on and lets nobody wait: who is barred is known.
func TestNobodyWaitsForTheOwnersNotes(t *testing.T) {
	h := open(t)
	ada := h.owner()
	h.notes.slow = make(chan chan struct{})
	var setting sync.WaitGroup
	setting.Go(func() { ada.ask("PUT", "/api/owner/house", `{"invited": true}`, http.StatusNoContent, nil) })
	goOn := <-h.notes.slow
	var hello struct{ Uninvited bool }
	h.somebody().ask("GET", "/api/hello", "", http.StatusOK, &hello)
	if hello.Uninvited {
		t.Error("strangers are barred before that is written")
	}
	close(goOn)
	setting.Wait()
	h.somebody().ask("GET", "/api/hello", "", http.StatusOK, &hello)
	if !hello.Uninvited {
		t.Error("strangers are not barred afterwards")
	}
}

func comes() error { return nil }

// A house whose key is another than before says so, once; not where the one of before stands behind it, nor at the first start.
func TestAnotherKeyThanBefore(t *testing.T) {
	h := open(t) // with the key of the tests
	for _, c := range []struct {
		keys []string
		says bool
	}{{[]string{secret}, false}, {[]string{"new", secret}, false}, {[]string{"new"}, false}, {[]string{secret}, true}, {[]string{secret}, false}, {[]string{secret, "new"}, false}} {
		var said strings.Builder
		keys := make([][]byte, len(c.keys))
		for i, key := range c.keys {
			keys[i] = []byte(key)
		}
		if _, err := owner.New(t.Context(), owner.Config{
			Secret: keys[0], Older: keys[1:], Notes: h.notes, Lobby: h.lobby, Now: time.Now, Random: rand.NewChaCha8([32]byte{3}), Slog: slog.New(slog.NewTextHandler(&said, nil)),
		}); err != nil {
			t.Fatal(err)
		}
		if says := strings.Contains(said.String(), "with another key before"); says != c.says {
			t.Errorf("opened with %q it says %q", c.keys, said.String())
		}
	}
}

// Two that run one house, as several nodes do, let in as many as an invitation says, not counting who could not come, and a key opens the page of one of them.
func TestWhatIsNotedIsNotedForAllNodes(t *testing.T) {
	h := open(t)
	said := slog.New(slog.NewTextHandler(h.said, nil))
	node := func() *owner.Owner {
		o, err := owner.New(t.Context(), owner.Config{Secret: []byte(secret), Notes: h.notes, Lobby: h.lobby, Now: time.Now, Random: rand.NewChaCha8([32]byte{3}), Slog: said})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	a, b := node(), node()
	var made struct{ Link string }
	h.owner().ask("POST", "/api/owner/invitations", `{"days": 7, "times": 1}`, http.StatusCreated, &made)
	_, code, _ := strings.Cut(made.Link, "/i/")
	broken := errors.New("he cannot be given a name")
	if err := a.Redeem(t.Context(), code, "ana", func() error { return broken }); err != broken {
		t.Errorf("who could not come is told %v", err)
	}
	for _, o := range []*owner.Owner{a, a, b} { // she hears no answer, and comes again
		if err := o.Redeem(t.Context(), code, "ana", comes); err != nil {
			t.Errorf("who was invited is told %v", err)
		}
	}
	if err := b.Redeem(t.Context(), code, "ben", comes); wire.AsError(err).Code != wire.CodeUninvited {
		t.Errorf("the second one, elsewhere, is told %v", err)
	}
	h.owner().ask("POST", "/api/owner/invitations", `{"days": 7, "times": 1}`, http.StatusCreated, &made)
	_, code, _ = strings.Cut(made.Link, "/i/")
	h.notes.slow = make(chan chan struct{})
	answers := make(chan error)
	var goOn [2]chan struct{}
	for i, o := range []*owner.Owner{a, b} { // at the same moment: both know that it is good for one
		go func() { answers <- o.Redeem(t.Context(), code, []string{"cleo", "dan"}[i], comes) }()
		goOn[i] = <-h.notes.slow
	}
	h.notes.slow = nil
	let := 0
	for i := range goOn {
		close(goOn[i])
		if err := <-answers; err == nil {
			let++
		} else if wire.AsError(err).Code != wire.CodeUninvited {
			t.Errorf("one of two who come at the same moment is told %v", err)
		}
	}
	if let != 1 {
		t.Errorf("an invitation for one lets in %d who come at the same moment", let)
	}
	key := owner.Key([]byte(secret), time.Now())
	for i, o := range []*owner.Owner{a, b} {
		w := httptest.NewRecorder()
		o.Answer(w, httptest.NewRequest("POST", "/api/owner/enter", strings.NewReader(`{"key": "`+key+`"}`)), false)
		if want := []int{http.StatusNoContent, http.StatusUnauthorized}[i]; w.Code != want {
			t.Errorf("with the key at node %d one is answered %d, want %d", i, w.Code, want)
		}
	}
}

// What the owner says at one node holds at all: whom the house lets in soon, and what his page shows whenever he looks.
func TestTheOwnerOfAllNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, home, noted := storetest.Memory(), new(bus.Home), new(notes)
		quiet := slog.New(slog.DiscardHandler)
		open := func(node int64) *owner.Owner {
			tables, err := lobby.Open(t.Context(), lobby.Config{
				Log: log, Bus: home, Node: node, Shelf: matchtest.Shelf{}, Clock: matchtest.Clock{}, Rand: matchtest.Rand(uint64(node)), Slog: quiet,
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(tables.Close)
			o, err := owner.New(t.Context(), owner.Config{
				Secret: []byte(secret), Notes: noted, Lobby: tables, Now: time.Now, Random: rand.NewChaCha8([32]byte{byte(node)}), Sockets: func() int { return 0 }, Slog: quiet,
			})
			if err != nil {
				t.Fatal(err)
			}
			return o
		}
		here, there := open(1), open(2)
		ask := func(o *owner.Owner, method, path, body, cookie string) *httptest.ResponseRecorder {
			w, r := httptest.NewRecorder(), httptest.NewRequest(method, path, strings.NewReader(body))
			r.Header.Set("Cookie", cookie)
			o.Answer(w, r, false)
			return w
		}
		enter := func(o *owner.Owner) (cookie string) {
			time.Sleep(time.Second) // every key is newer
			w := ask(o, "POST", "/api/owner/enter", `{"key": "`+owner.Key([]byte(secret), time.Now())+`"}`, "")
			cookie, _, _ = strings.Cut(w.Header().Get("Set-Cookie"), ";")
			return cookie
		}
		ada := enter(here)
		for _, invited := range []bool{true, false} {
			if w := ask(here, "PUT", "/api/owner/house", fmt.Sprintf(`{"invited": %t}`, invited), ada); w.Code != http.StatusNoContent {
				t.Fatalf("the house is set: %d", w.Code)
			}
			if w := ask(there, "GET", "/api/owner/house", "", ada); !strings.Contains(w.Body.String(), fmt.Sprintf(`"invited":%t`, invited)) {
				t.Errorf("his page says %s", w.Body)
			}
		}
		ask(here, "PUT", "/api/owner/house", `{"invited": true}`, ada)
		time.Sleep(2 * bus.Beat)
		synctest.Wait()
		if !there.Invited() {
			t.Error("the other node lets everybody in")
		}
		ask(there, "POST", "/api/owner/leave", "", ada)
		if w := ask(here, "GET", "/api/owner/house", "", ada); w.Code != http.StatusUnauthorized {
			t.Errorf("he has left at one node, and the other answers %d", w.Code)
		}
	})
}

// The clock of a machine is two days ahead of the house's. A key that was made there opens the page there; invitations and sessions of other nodes are as good there as anywhere, and none of
// them ends because something is done there.
func TestAMachineWhoseClockIsAhead(t *testing.T) {
	h := open(t)
	ada := h.owner()
	var made struct{ Link string }
	ada.ask("POST", "/api/owner/invitations", `{"days": 1}`, http.StatusCreated, &made)
	ahead := func() time.Time { return h.now().AddDate(0, 0, 2) }
	h.restart(func(c *owner.Config) { c.Wall = ahead })
	there := h.somebody()
	there.ask("POST", "/api/owner/enter", `{"key": "`+owner.Key([]byte(secret), ahead())+`"}`, http.StatusNoContent, nil)
	there.ask("POST", "/api/owner/invitations", `{"days": 1}`, http.StatusCreated, nil)
	var all struct {
		Invitations []struct {
			Link string
			Good bool
		}
	}
	ada.ask("GET", "/api/owner/house", "", http.StatusOK, &all)
	if len(all.Invitations) != 2 || all.Invitations[0].Link != made.Link || !all.Invitations[0].Good {
		t.Errorf("then there are %+v", all.Invitations)
	}
}
