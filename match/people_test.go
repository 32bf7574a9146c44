package match_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"caveau/game"
	"caveau/match"
	"caveau/match/matchtest"
	"caveau/store/storetest"
)

// A house is one server's lobby in a test, in virtual time.
type house struct {
	t     *testing.T
	log   *matchtest.Flaky
	lobby *match.Lobby
	seed  uint64
	shelf matchtest.Shelf
	said  bytes.Buffer // the server's own log
}

// inHouse runs a test in a bubble of virtual time, with an empty log.
func inHouse(t *testing.T, test func(t *testing.T, h *house)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &house{t: t, log: &matchtest.Flaky{Log: storetest.Memory()}}
		h.open()
		defer func() { h.lobby.Close() }() // whichever is open then
		test(t, h)
	})
}

func (h *house) open() {
	h.t.Helper()
	h.seed++
	lobby, err := match.Open(h.t.Context(), match.Config{
		Log: h.log, Shelf: h.shelf, Clock: matchtest.Clock{}, Rand: matchtest.Rand(h.seed), Slog: slog.New(slog.NewTextHandler(&h.said, nil)),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.lobby = lobby
}

// restart is a crash and a new process on the same log.
func (h *house) restart() {
	h.lobby.Close()
	h.open()
}

// toy is the usual set-up of these tests: bots move at once.
func toy(seats int, bots ...string) match.Setup {
	return match.Setup{Game: "toy", Seats: seats, Bots: bots, Sit: true, First: "A", BotTime: &[2]int{0, 0}}
}

// make makes a table; Ana is the host.
func (h *house) make(s match.Setup) match.ID {
	h.t.Helper()
	id, err := h.lobby.Make(h.t.Context(), guest("Ana"), s)
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

func guest(name string) match.Guest { return match.Guest{ID: "id of " + name, Name: name} }

// A person is somebody at a browser: one connection, and what it was told.
type person struct {
	t      *testing.T
	name   string
	client *match.Client
	table  match.ID
	frame  match.Frame // the newest
	frames []match.Frame
	said   []told // answers
	lobby  []match.Card
}

type told struct {
	Re    string
	OK    bool
	Seq   int
	Error match.Error
	Table match.ID
	Frame *match.Frame
	Lobby []match.Card
}

// as opens a browser for somebody; he watches the table.
func (h *house) as(name string, table match.ID) *person {
	h.t.Helper()
	p := &person{t: h.t, name: name, client: h.lobby.Connect(guest(name)), table: table}
	p.ok(match.Command{Do: "watch"})
	return p
}

// say says a command and reads the answer.
func (p *person) say(c match.Command) told {
	p.t.Helper()
	if c.ID == "" {
		c.ID = p.name + time.Now().String() + string(rune('a'+len(p.said)))
	}
	if c.Table == "" {
		c.Table = p.table
	}
	p.read()
	before := len(p.said)
	p.client.Do(p.t.Context(), c)
	p.read()
	if len(p.said) != before+1 || p.said[before].Re != c.ID {
		p.t.Fatalf("%s said %+v and was answered %+v", p.name, c, p.said[before:])
	}
	return p.said[before]
}

func (p *person) ok(c match.Command) told {
	p.t.Helper()
	a := p.say(c)
	if !a.OK {
		p.t.Fatalf("%s said %+v and was refused: %v", p.name, c, a.Error)
	}
	return a
}

func (p *person) refused(code string, c match.Command) {
	p.t.Helper()
	if a := p.say(c); a.OK || a.Error.Code != code {
		p.t.Fatalf("%s said %+v: %+v, want %s", p.name, c, a, code)
	}
}

// play says a move for the newest frame.
func (p *person) play(words string) told {
	p.t.Helper()
	p.read()
	return p.say(match.Command{Do: "play", Seat: p.frame.You.String(), Seq: p.frame.Seq, Move: words})
}

// read takes everything that the person was told so far, when everything that happens by itself has happened.
func (p *person) read() {
	p.t.Helper()
	synctest.Wait()
	for {
		select {
		case data := <-p.client.Out():
			p.hear(data)
		default:
			return
		}
	}
}

func (p *person) hear(data []byte) {
	p.t.Helper()
	var m told
	if err := json.Unmarshal(data, &m); err != nil {
		p.t.Fatalf("%s was told %s: %v", p.name, data, err)
	}
	switch {
	case m.Frame != nil:
		if m.Frame.Seq < p.frame.Seq {
			p.t.Errorf("%s was told frame %d after %d", p.name, m.Frame.Seq, p.frame.Seq)
		}
		p.frame = *m.Frame
		p.frames = append(p.frames, p.frame)
	case m.Lobby != nil:
		p.lobby = m.Lobby
	default:
		p.said = append(p.said, m)
	}
}

// heard are the verbs of all that he was told so far.
func (p *person) heard() (verbs []string) {
	p.read()
	for _, f := range p.frames {
		for _, e := range f.Events {
			verbs = append(verbs, e.Verb)
		}
	}
	return verbs
}

func (p *person) mustHear(verb string, times int) {
	p.t.Helper()
	verbs := p.heard()
	if n := len(slices.DeleteFunc(slices.Clone(verbs), func(v string) bool { return v != verb })); n != times {
		p.t.Errorf("%s heard %d times %s, want %d: %v", p.name, n, verb, times, verbs)
	}
}

// mustBe checks who is asked and in which state the table is.
func (p *person) mustBe(state string, turn game.Seat) {
	p.t.Helper()
	p.read()
	if p.frame.State != state || p.frame.Turn != turn {
		p.t.Fatalf("%s sees %s, asked %q; want %s, %q", p.name, p.frame.State, p.frame.Turn, state, turn)
	}
}

// finish plays the game to its end with whatever is the first move of whoever of these is asked.
func finish(people ...*person) {
	for range 100 {
		for _, p := range people {
			p.read()
			if len(p.frame.Moves) > 0 {
				p.ok(match.Command{Do: "play", Seat: p.frame.You.String(), Seq: p.frame.Seq, Move: p.frame.Moves[0]})
			}
		}
	}
}
