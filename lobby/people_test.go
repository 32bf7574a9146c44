package lobby_test

import (
	"bytes"
	"caveau/lobby"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caveau/game"
	"caveau/limit"
	"caveau/match/matchtest"
	"caveau/store/storetest"
)

// A house is one server's lobby in a test, in virtual time.
type house struct {
	t     *testing.T
	log   *matchtest.Flaky
	lobby *lobby.Lobby
	seed  uint64
	shelf matchtest.Shelf
	keep  time.Duration // what was played; 0: for ever
	room  *limit.Places // nil: for everybody
	said  journal       // the server's own log
	calls calls         // of those who do not look
}

// A journal may be written by several houses at once.
type journal struct {
	mu sync.Mutex
	bytes.Buffer
}

func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.Buffer.Write(line)
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
	opened, err := lobby.Open(h.t.Context(), lobby.Config{
		Log: h.log, Shelf: h.shelf, Clock: matchtest.Clock{}, Rand: matchtest.Rand(h.seed), Tables: h.room, Untouched: time.Hour, KeepPlayed: h.keep, Call: h.calls.hear,
		Slog: slog.New(slog.NewTextHandler(&h.said, nil)),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.lobby = opened
}

// restart is a crash and a new process on the same log.
func (h *house) restart() {
	h.lobby.Close()
	h.open()
}

// toy is the usual set-up of these tests: bots move at once.
func toy(seats int, bots ...string) terms.Setup {
	return terms.Setup{Game: "toy", Seats: seats, Bots: bots, Sit: true, First: "A", BotTime: &[2]int{0, 0}}
}

// make makes a table; Ana is the host.
func (h *house) make(s terms.Setup) wire.ID {
	h.t.Helper()
	id, err := h.lobby.Make(h.t.Context(), visitor("Ana"), s)
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

func visitor(name string) lobby.Visitor { return lobby.Visitor{Guest: guest(name)} }

func guest(name string) wire.Guest { return wire.Guest{ID: "id of " + name, Name: name} }

// A person is somebody at a browser: one connection, and what it was told.
type person struct {
	t      *testing.T
	name   string
	client *lobby.Session
	table  wire.ID
	frame  frame // the newest
	frames []frame
	said   []told // answers
	lobby  []wire.Card
	talk   []string // phrases, each as it came
	bytes  []byte   // all of it
}

type told struct {
	Re    string
	OK    bool
	Seq   int
	Error wire.Error
	Table wire.ID
	Frame *wire.Frame
	Lobby []wire.Card

	Phrase json.RawMessage
}

// A frame is one with what was told before about the table, as a client keeps it.
type frame struct {
	wire.Frame
	State    string
	Setup    wire.Terms
	Seats    []wire.Chair
	Watchers int
	Seal     *wire.Seal
	Next     wire.ID
	Host     string
	Proposal *wire.Proposal
	Outcome  struct {
		Over    bool
		Winners []game.Seat
		Why     string
	}
}

// after is the frame that a client has after another.
func (f frame) after(before frame) frame {
	if a := f.About; a != nil {
		f.State, f.Setup, f.Seats, f.Watchers, f.Seal, f.Next = a.State, a.Setup, a.Seats, a.Watchers, a.Seal, a.Next
		f.Host, f.Proposal = a.Host, a.Proposal
	} else {
		f.State, f.Setup, f.Seats, f.Watchers, f.Seal, f.Next = before.State, before.Setup, before.Seats, before.Watchers, before.Seal, before.Next
		f.Host, f.Proposal = before.Host, before.Proposal
	}
	f.Outcome.Over = f.State == table.Over
	if o := f.Frame.Outcome; o != nil {
		f.Outcome.Winners, f.Outcome.Why = o.Winners, o.Why
	}
	return f
}

// as opens a browser for somebody; he watches the table.
func (h *house) as(name string, id wire.ID) *person {
	h.t.Helper()
	p := &person{t: h.t, name: name, client: h.lobby.Connect(visitor(name), func() {}), table: id}
	p.ok(wire.Command{Do: "watch"})
	return p
}

// say says a command and reads the answer.
func (p *person) say(c wire.Command) told {
	p.t.Helper()
	if c.ID == "" {
		c.ID = p.name + time.Now().String() + string(rune('a'+len(p.said)))
	}
	if c.Table == "" {
		c.Table = p.table
	}
	p.read()
	before := len(p.said)
	p.client.Do(c)
	p.read()
	if len(p.said) != before+1 || p.said[before].Re != c.ID {
		p.t.Fatalf("%s said %+v and was answered %+v", p.name, c, p.said[before:])
	}
	return p.said[before]
}

func (p *person) ok(c wire.Command) told {
	p.t.Helper()
	a := p.say(c)
	if !a.OK {
		p.t.Fatalf("%s said %+v and was refused: %v", p.name, c, a.Error)
	}
	return a
}

func (p *person) refused(code string, c wire.Command) {
	p.t.Helper()
	if a := p.say(c); a.OK || a.Error.Code != code {
		p.t.Fatalf("%s said %+v: %+v, want %s", p.name, c, a, code)
	}
}

// play says a move for the newest frame.
func (p *person) play(words string) told {
	p.t.Helper()
	p.read()
	return p.say(wire.Command{Do: "play", Seat: p.frame.You.String(), Seq: p.frame.Seq, Move: words})
}

// read takes everything that the person was told so far, when everything that happens by itself has happened.
func (p *person) read() {
	p.t.Helper()
	synctest.Wait()
	for {
		messages, _ := p.client.Take(nil)
		if len(messages) == 0 {
			return
		}
		for _, m := range messages {
			p.hear(m.Text)
		}
	}
}

func (p *person) hear(data []byte) {
	p.t.Helper()
	p.bytes = append(p.bytes, data...)
	var m told
	if err := json.Unmarshal(data, &m); err != nil {
		p.t.Fatalf("%s was told %s: %v", p.name, data, err)
	}
	switch {
	case m.Frame != nil:
		if m.Frame.Seq < p.frame.Seq {
			p.t.Errorf("%s was told frame %d after %d", p.name, m.Frame.Seq, p.frame.Seq)
		}
		p.frame = frame{Frame: *m.Frame}.after(p.frame)
		p.frames = append(p.frames, p.frame)
	case m.Lobby != nil:
		p.lobby = m.Lobby
	case m.Phrase != nil:
		p.talk = append(p.talk, string(data))
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
				p.ok(wire.Command{Do: "play", Seat: p.frame.You.String(), Seq: p.frame.Seq, Move: p.frame.Moves[0]})
			}
		}
	}
}
