package server_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"sync"
	"testing"
	"time"

	"caveau/game"
	"caveau/guests"
	"caveau/server"
	"caveau/store/storetest"
	"caveau/wire"
)

// brings is a program of hers, by its token.
func (p *person) brings(name string) (guests.Program, *person) {
	p.t.Helper()
	var made guests.Program
	p.post("/api/programs", `{"name": "`+name+`"}`, http.StatusOK, &made)
	return made, p.h.bearing(made.Token)
}

// bearing is whoever comes with a token.
func (h *house) bearing(token string) *person {
	h.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	transport := &http.Transport{}
	h.t.Cleanup(transport.CloseIdleConnections)
	return &person{t: h.t, h: h, http: &http.Client{Jar: jar, Transport: withToken{transport, token}}}
}

type withToken struct {
	*http.Transport
	token string
}

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return w.Transport.RoundTrip(r)
}

// A program sits down at a table by its token, and everybody sees that it is one: in frames, on the door, in the record.
func TestAProgramPlays(t *testing.T) {
	h := open(t)
	ana := h.as("Ana")
	made, robbie := ana.brings("Robbie")
	if made.Name != "Robbie (bot)" {
		t.Errorf("it is called %q", made.Name)
	}
	var hello struct{ Guest wire.Guest }
	robbie.get("/api/hello", http.StatusOK, &hello)
	if hello.Guest.Name != made.Name || !wire.IsProgram(hello.Guest.ID) {
		t.Errorf("it is %+v", hello.Guest)
	}
	id := ana.makeTable("")
	ana.listen()
	robbie.listen()
	robbie.send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
	robbie.send(`{"id": "2", "do": "sit", "table": "` + id + `", "seat": "B"}`)
	ana.send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
	seated := ana.frame("it sits", func(f wire.Frame) bool { return f.About.Seats[1].Name != "" }).About
	var kept struct {
		Programs []struct {
			Name   string
			Tables []struct{ Table string }
		}
	}
	if ana.get("/api/guest/export", http.StatusOK, &kept); len(kept.Programs) != 1 || len(kept.Programs[0].Tables) != 1 || kept.Programs[0].Tables[0].Table != id {
		t.Errorf("of what is kept of her she is told %+v", kept)
	}
	if b := seated.Seats[1]; b.Name != made.Name || !b.Program || b.Bot != "" || seated.Seats[0].Program {
		t.Errorf("she sees %+v", seated.Seats)
	}
	var card wire.Card
	ana.get("/api/tables/"+id, http.StatusOK, &card)
	if b := card.Seats[1]; b.Name != made.Name || !b.Program || card.Seats[0].Program {
		t.Errorf("on the door stands %+v", card.Seats)
	}
	ana.send(`{"id": "2", "do": "start", "table": "` + id + `"}`)
	for _, p := range []*person{ana, robbie, ana, robbie, ana, robbie} {
		f := p.frame("a turn", func(f wire.Frame) bool { return len(f.Moves) > 0 })
		p.send(`{"id": "m` + string(rune('a'+f.Seq)) + `", "do": "play", "table": "` + id + `", "seat": "` + f.You.String() + `", "seq": ` + string(wire.Message(f.Seq)) + `, "move": "` + f.Moves[0] + `"}`)
	}
	ana.frame("the end", func(f wire.Frame) bool { return f.Outcome != nil })
	var rec struct {
		Players []string
		Table   struct{ Programs []game.Seat }
	}
	ana.get("/api/tables/"+id+"/record", http.StatusOK, &rec)
	if rec.Players[1] != made.Name || len(rec.Table.Programs) != 1 || rec.Table.Programs[0] != 1 {
		t.Errorf("the record has %+v", rec)
	}
}

// What is a person's is none of a program's, and it gets no cookie; whatever cookie it shows beside its token.
func TestProgramsAreNoPeople(t *testing.T) {
	clock := noon()
	h := open(t, func(c *server.Config) { c.Clock = clock })
	ana := h.as("Ana")
	_, robbie := ana.brings("Robbie")
	robbie.http.Jar = ana.http.Jar
	for _, path := range []string{
		"GET /api/guest/export", "DELETE /api/guest", "POST /api/guest", "POST /api/guest/end", "GET /api/passkeys", "POST /api/passkeys/make", "POST /api/passkeys/show",
		"GET /api/programs", "POST /api/programs", "DELETE /api/programs/0", "GET /api/owner/", "POST /api/owner/key", "GET /api/nothing",
	} {
		method, path, _ := strings.Cut(path, " ")
		robbie.refused(robbie.do(method, path, `{"name": "Robbie"}`), http.StatusForbidden, "program")
	}
	clock.now = clock.now.Add(30 * time.Hour) // a person's cookie would be renewed
	if res := robbie.do(http.MethodGet, "/api/hello", ""); len(res.Cookies()) > 0 {
		t.Errorf("it is given %v", res.Cookies())
	}
	robbie.post("/api/tables", `{"game": "toy", "seats": 2}`, http.StatusCreated, nil)
}

// A token is good until it is revoked, then its connections end; whoever had one before in its place has nothing of it.
func TestATokenIsRevoked(t *testing.T) {
	h := open(t)
	ana, ben := h.as("Ana"), h.as("Ben")
	first, robbie := ana.brings("Robbie")
	second, robin := ana.brings("Robin")
	var list []guests.Program
	ana.get("/api/programs", http.StatusOK, &list)
	if len(list) != 2 || list[0] != (guests.Program{ID: first.ID, Name: first.Name}) || list[1] != (guests.Program{ID: second.ID, Name: second.Name}) {
		t.Errorf("she has %+v", list)
	}
	robbie.listen().alive()
	robin.listen().alive()
	ben.answered(ben.do(http.MethodDelete, "/api/programs/"+first.ID, ""), http.StatusNoContent, nil)
	robbie.alive()
	ana.answered(ana.do(http.MethodDelete, "/api/programs/"+first.ID, ""), http.StatusNoContent, nil)
	robbie.closed(4001, "ended")
	robin.alive()
	for range 2 {
		for _, path := range []string{"/api/hello", "/api/tables", "/ws?protocol=3"} {
			robbie.refused(robbie.do(http.MethodGet, path, ""), http.StatusUnauthorized, "no_guest")
		}
		if again, _ := ana.brings("Robbie"); again.ID != first.ID || again.Token == first.Token {
			t.Errorf("in its place is %+v", again)
		}
		ana.answered(ana.do(http.MethodDelete, "/api/programs/"+first.ID, ""), http.StatusNoContent, nil)
	}
	ana.answered(ana.do(http.MethodDelete, "/api/guest", ""), http.StatusNoContent, nil)
	robin.closed(4001, "ended")
	robin.refused(robin.do(http.MethodGet, "/api/hello", ""), http.StatusUnauthorized, "no_guest")
}

// After a restart a token is as good as before; one that the house has not marked, or has as something else, is none. Other ways to show who
// one is, of a proxy, do not count.
func TestTokensThatAreNone(t *testing.T) {
	m := storetest.Memory()
	before := openWith(t, m, m)
	ana := before.as("Ana")
	made, _ := ana.brings("Robbie")
	said := new(journal)
	h := openWith(t, m, m, written(said))
	h.bearing(made.Token).get("/api/hello", http.StatusOK, nil)
	badge := `{"id":"program-0","name":"Robbie (bot)","since":1,"round":1}`
	for _, token := range []string{"", "x", made.Token + "x", made.Token[1:], marked("guest, since", badge), strings.Replace(marked("program", badge), ".", ".A", 1), marked("program", `{}`)} {
		p := h.bearing(token)
		var said wire.Error
		p.get("/api/hello", http.StatusUnauthorized, &said)
		if said.Code != "no_guest" || len(token) > 9 && strings.Contains(said.Message, token) {
			t.Errorf("%q is refused with %+v", token, said)
		}
		if conn, _, err := p.dial("?protocol=3"); err == nil {
			conn.CloseNow()
			t.Errorf("%q is let in", token)
		}
	}
	if log := said.String(); !strings.Contains(log, "a token with another mark than ours") || strings.Contains(log, made.Token[:20]) {
		t.Errorf("the log says %s", log)
	}
	nobody := h.as("")
	for _, key := range []string{"token", "access_token", "bearer"} { // an address is written down, and sent on
		hello := struct{ Guest *wire.Guest }{}
		if nobody.get("/api/hello?"+key+"="+made.Token, http.StatusOK, &hello); hello.Guest != nil {
			t.Errorf("by its address a request is that of %+v", hello.Guest)
		}
	}
	nobody.answered(nobody.do(http.MethodGet, "/api/hello", "", "Authorization", "Basic YW5hOmFuYQ=="), http.StatusOK, nil)
}

// A program has a name that no person may have; there are ten of a guest at most, and those who are nobody bring none.
func TestProgramsThatAreNotMade(t *testing.T) {
	h := open(t)
	ana, nobody := h.as("Ana"), h.as("")
	nobody.refused(nobody.do(http.MethodPost, "/api/programs", `{"name": "Robbie"}`), http.StatusUnauthorized, "no_guest")
	nobody.refused(nobody.do(http.MethodGet, "/api/programs", ""), http.StatusUnauthorized, "no_guest")
	nobody.refused(nobody.do(http.MethodDelete, "/api/programs/0", ""), http.StatusUnauthorized, "no_guest")
	for body, code := range map[string]string{
		`{}`: "bad_name", `{"name": ""}`: "bad_name", `{"name": "Bot"}`: "bad_name", `{"name": "A name that is long"}`: "bad_name",
		`[]`: "bad_request", `{"name": "X", "seat": "A"}`: "bad_request",
	} {
		ana.refused(ana.do(http.MethodPost, "/api/programs", body), http.StatusBadRequest, code)
	}
	ana.refused(ana.do(http.MethodDelete, "/api/programs/10", ""), http.StatusBadRequest, "bad_request")
	ana.refused(ana.do(http.MethodPost, "/api/guest", `{"name": "Robbie (bot)"}`), http.StatusBadRequest, "bad_name")
	ana.refused(ana.do(http.MethodPost, "/api/programs", `{"name": "X"}`, "Origin", "https://evil.example"), http.StatusForbidden, "bad_request")
	for range 10 {
		ana.brings("A name that's long")
	}
	ana.refused(ana.do(http.MethodPost, "/api/programs", `{"name": "Robbie"}`), http.StatusTooManyRequests, "too_many")
}

// Nobody asks a program whether it agrees, nor anybody whether it is to go.
func TestProgramsAreNotAsked(t *testing.T) {
	h := open(t)
	ana := h.as("Ana")
	_, robbie := ana.brings("Robbie")
	var made struct{ Table string }
	ana.post("/api/tables", `{"game": "toy", "seats": 2, "first": "A", "sit": true}`, http.StatusCreated, &made)
	at := `", "table": "` + made.Table + `"`
	robbie.listen()
	robbie.send(`{"id": "1", "do": "watch` + at + `}`)
	robbie.send(`{"id": "2", "do": "sit` + at + `, "seat": "B"}`)
	ana.listen()
	ana.send(`{"id": "1", "do": "watch` + at + `}`)
	ana.frame("it sits", func(f wire.Frame) bool { return f.About.Seats[1].Here })
	ana.send(`{"id": "2", "do": "start` + at + `}`)
	ana.frame("her turn", func(f wire.Frame) bool { return len(f.Moves) > 0 })
	ana.send(`{"id": "3", "do": "free` + at + `, "seat": "B"}`)
	ana.frame("it is gone", func(f wire.Frame) bool { return f.About.Seats[1].Standin })
	robbie.send(`{"id": "3", "do": "sit` + at + `, "seat": "B"}`)
	asked := ana.frame("it wants to come back", func(f wire.Frame) bool { return f.About.Proposal != nil }).About.Proposal
	if asked.Do != "sit" || len(asked.Asked) != 1 || asked.Asked[0] != 0 {
		t.Errorf("asked is %+v", asked)
	}
	ana.send(`{"id": "4", "do": "agree` + at + `, "seq": ` + string(wire.Message(asked.Seq)) + `}`)
	ana.frame("it is back", func(f wire.Frame) bool { return !f.About.Seats[1].Standin })
	ana.send(`{"id": "5", "do": "break` + at + `}`)
	ana.frame("the end", func(f wire.Frame) bool { return f.Outcome != nil && f.Outcome.Why == "broken" })
}

// Whoever comes after a program that was removed is another: it has none of its seats, and old tables do not call it.
func TestOneProgramAfterTheOther(t *testing.T) {
	h := open(t)
	ana, ben := h.as("Ana"), h.as("Ben")
	first, robbie := ana.brings("Robbie")
	id := ben.makeTable("")
	robbie.listen()
	robbie.send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
	robbie.send(`{"id": "2", "do": "sit", "table": "` + id + `", "seat": "B"}`)
	robbie.frame("it sits", func(f wire.Frame) bool { return f.You == 1 })
	ana.answered(ana.do(http.MethodDelete, "/api/programs/"+first.ID, ""), http.StatusNoContent, nil)
	second, robin := ana.brings("Robin")
	if second.ID != first.ID {
		t.Fatalf("it is in place %s, and not in %s", second.ID, first.ID)
	}
	var card wire.Card
	ben.get("/api/tables/"+id, http.StatusOK, &card)
	if b := card.Seats[1]; b.Name != "" || !b.Nameless {
		t.Errorf("on its seat is %+v", b)
	}
	robin.listen()
	robin.send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
	if f := robin.frame("the table", func(wire.Frame) bool { return true }); f.You == 1 {
		t.Error("the next one sits there")
	}
}

// quicker is a keeper by which somebody else makes a program in the same place just before, by way of another node.
type quicker struct {
	guests.Keeper
	once sync.Once
}

func (q *quicker) MakeProgram(ctx context.Context, place string, round int, program wire.Guest, by guests.Badge) (first bool, err error) {
	q.once.Do(func() {
		program.Name = "Other"
		_, err = q.Keeper.MakeProgram(ctx, place, round, program, by)
	})
	if err != nil {
		return false, err
	}
	return q.Keeper.MakeProgram(ctx, place, round, program, by)
}

// Of two programs that somebody makes at the same moment by way of two nodes each has a place, a name and a token of its own.
func TestTwoProgramsAtOnce(t *testing.T) {
	store := storetest.Memory()
	h := openWith(t, store, &quicker{Keeper: store})
	made, robbie := h.as("Ana").brings("Robbie")
	var hello struct{ Guest wire.Guest }
	robbie.get("/api/hello", http.StatusOK, &hello)
	if made.ID != "1" || hello.Guest.Name != made.Name {
		t.Errorf("where the first place was taken meanwhile there is %+v, and by its token %+v", made, hello.Guest)
	}
}

// slow is a keeper that is asked for a program's place for the eleventh time, which is when all ten were asked whether they are free, when something has been done elsewhere.
type slow struct {
	guests.Keeper
	asked     int
	meanwhile func()
}

func (s *slow) Ended(ctx context.Context, guest, session string) (bool, int, error) {
	if wire.IsProgram(guest) && session == "" {
		if s.asked++; s.asked == 11 {
			s.meanwhile()
		}
	}
	return s.Keeper.Ended(ctx, guest, session)
}

// Nor is one revoked that was made by way of another node while a place was looked for.
func TestAProgramThatIsMadeMeanwhile(t *testing.T) {
	store := storetest.Memory()
	keeper := &slow{Keeper: store}
	ana := openWith(t, store, keeper).as("Ana")
	elsewhere := &person{t: t, h: openWith(t, store, store), http: ana.http}
	var other *person
	keeper.meanwhile = func() { _, other = elsewhere.brings("Other") }
	made, _ := ana.brings("Robbie")
	var hello struct{ Guest wire.Guest }
	other.get("/api/hello", http.StatusOK, &hello)
	if made.ID != "1" || hello.Guest.Name != "Other (bot)" {
		t.Errorf("where the first place was taken meanwhile there is %+v, and by its token %+v", made, hello.Guest)
	}
}

// A grudging keeper does not forget programs.
type grudging struct {
	guests.Keeper
	err error
}

func (g *grudging) Forget(ctx context.Context, guest string) error {
	if wire.IsProgram(guest) && g.err != nil {
		return g.err
	}
	return g.Keeper.Forget(ctx, guest)
}

// Whoever has herself erased, and whose programs cannot be forgotten just then, can try again, and then they are.
func TestErasedWithHerPrograms(t *testing.T) {
	store := storetest.Memory()
	keeper := &grudging{store, errors.New("the disk is full")}
	h := openWith(t, store, keeper)
	ana := h.as("Ana")
	_, robbie := ana.brings("Robbie")
	ana.refused(ana.do(http.MethodDelete, "/api/guest", ""), http.StatusServiceUnavailable, "storage")
	keeper.err = nil
	ana.answered(ana.do(http.MethodDelete, "/api/guest", ""), http.StatusNoContent, nil)
	robbie.refused(robbie.do(http.MethodGet, "/api/hello", ""), http.StatusUnauthorized, "no_guest")
}

// A token that was revoked says nothing more, not even in the time that its connection has to say goodbye.
func TestARevokedTokenIsSilent(t *testing.T) {
	h := open(t)
	ana := h.as("Ana")
	id := ana.makeTable("")
	for range 20 { // now and then it is heard at the very moment
		made, robbie := ana.brings("Robbie")
		robbie.listen().alive()
		ana.answered(ana.do(http.MethodDelete, "/api/programs/"+made.ID, ""), http.StatusNoContent, nil)
		robbie.send(`{"id": "2", "do": "sit", "table": "` + id + `", "seat": "B"}`)
		robbie.closed(4001, "ended")
		var card wire.Card
		ana.get("/api/tables/"+id, http.StatusOK, &card)
		if b := card.Seats[1]; b.Program || b.Nameless {
			t.Fatalf("it has sat down: %+v", b)
		}
	}
}
