package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caveau/game"
	"caveau/slots"
	"caveau/table"
)

// A story is a game of which everything is written down beforehand: each move turns a leaf.
type story []leaf

type leaf struct {
	turn     game.Seat
	standing game.Scores
	events   []game.Event // of the move that led here
	winners  game.Seats
}

// Of three seats, A leads and is overtaken; what happens to others is a touch, what somebody does with himself is none.
var tale = story{
	{turn: 2, standing: game.Scores{0, 0, 0}},
	{turn: 2, standing: game.Scores{3, 0, 0}, events: []game.Event{{Seat: 2, Verb: "give", To: 0, What: "ring", Secret: game.EverySeat(1).With(2)}}},
	{turn: 0, standing: game.Scores{3, 3, 0}, events: []game.Event{{Seat: 1, Verb: "rest", To: game.NoSeat}, {Seat: 0, Verb: "turn", To: game.NoSeat}}},
	{turn: 0, standing: game.Scores{3, 3, 1}, events: []game.Event{{Seat: 0, Verb: "find", To: 0}}}, // himself
	{turn: 0, standing: game.Scores{4, 3, 1}, events: []game.Event{{Seat: 0, Verb: "rest", To: game.NoSeat}}},
	{turn: 1, standing: game.Scores{4, 5, 1}, events: []game.Event{{Seat: 1, Verb: "turn", To: game.NoSeat}, {Seat: 0, Verb: "give", To: 1}}},
	{turn: game.NoSeat, standing: game.Scores{4, 5, 6}, events: []game.Event{{Seat: 2, Verb: "win", To: game.NoSeat}}, winners: game.Seats(0).With(2)},
}

func (t story) Info() game.Info {
	return game.Info{Name: "tale", Editions: []game.Edition{{MinSeats: 3, MaxSeats: 3}}, MaxMoves: 100}
}
func (t story) Deal(game.Setup, game.Chance) (game.State, error)     { return at{t, 0}, nil }
func (t story) Read(game.Setup, json.RawMessage) (game.State, error) { panic("nobody reads it") }
func (t story) Game(name string) (game.Game, bool)                   { return t, name == "tale" }
func (t story) Games() []game.Info                                   { return []game.Info{t.Info()} }
func (t story) Bots(string) []string                                 { return []string{"reader"} }
func (t story) Bot(_, name string) (slots.Bot, bool) {
	return reader(name), name == "reader" || name == "dreamer"
}

// An at is a story open at a page.
type at struct {
	story
	n int
}

func (a at) Turn() game.Seat             { return a.story[a.n].turn }
func (a at) Moves() []string             { return []string{"on", "back"} }
func (a at) Standing() game.Scores       { return a.story[a.n].standing }
func (a at) Asks() game.Question         { return game.Question{} }
func (a at) View(s game.Seat) any        { return s }
func (a at) Shown(game.Aid) any          { return nil }
func (a at) Own(game.Seat, game.Aid) any { return nil }
func (a at) Dump() any                   { return nil }
func (a at) Revealed() any               { return nil }
func (a at) Check() error                { return nil }
func (a at) Outcome() game.Outcome {
	w := a.story[a.n].winners
	return game.Outcome{Over: w != 0, Winners: w}
}
func (a at) Play(_ game.Seat, words string) (game.State, []game.Event, error) {
	if words != "on" {
		return a, nil, game.Refusal{Code: "no", Rule: "ch. 1"}
	}
	return at{a.story, a.n + 1}, a.story[a.n+1].events, nil
}

// Deal is in the way of the story's own.
func (a at) Deal() any { return nil }

// A reader reads on; a dreamer falls asleep where he has been told more than three things.
type reader string

func (r reader) Move(_ context.Context, seen table.Seen) string {
	if r == "dreamer" && len(seen.Events) > 3 {
		return "snore"
	}
	return "on"
}

// play is the only game of an experiment with that table.
func play(t *testing.T, is Table) (Row, error) {
	t.Helper()
	p, err := Experiment{Deals: 1, Tables: []Table{is}}.plan(tale)
	if err != nil {
		t.Fatal(err)
	}
	return p.play(t.Context(), 0)
}

func TestARowIsWhatHappened(t *testing.T) {
	r, err := play(t, Table{Game: "tale", Bots: []string{"reader"}})
	if err != nil {
		t.Fatal(err)
	}
	r.Experiment = "-"
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	// A was ahead alone, then B, then C: two changes; that B drew level with A in between is none. When three of the six moves
	// were made A and B were ahead together. C had been four behind.
	want := `{"experiment":"-","n":0,"deal":0,"sitting":0,"game":"tale","bots":["reader","reader","reader"],"first":"C","last":"B","over":true,` +
		`"winners":["C"],"standing":[4,5,6],"moves":6,"turns":3,"leads":2,"behind":4,"halfway":["A","B"],"touches":2,` +
		`"verbs":{"find":1,"give":2,"rest":2,"turn":2,"win":1}}`
	if string(text) != want {
		t.Errorf("the row is\n%s\nand should be\n%s", text, want)
	}
}

func TestAGameIsStoppedWhereTheTableSays(t *testing.T) {
	r, err := play(t, Table{Game: "tale", Bots: []string{"reader"}, Moves: 4})
	if err != nil || r.Over || r.Moves != 4 || len(r.Winners) != 0 || r.Behind != 0 || !slices.Equal(r.Halfway, []game.Seat{0, 1}) {
		t.Errorf("stopped after four moves it is %+v, %v", r, err)
	}
}

func TestABotThatSaysNoMoveIsNamed(t *testing.T) {
	_, err := play(t, Table{Game: "tale", Bots: []string{"reader", "reader", "dreamer"}})
	if err != nil {
		t.Errorf("the dreamer is asked while he is awake, and %v", err)
	}
	_, err = play(t, Table{Game: "tale", Bots: []string{"dreamer", "reader"}})
	if err == nil || !strings.Contains(err.Error(), `game 0, move 4: dreamer in seat A says "snore": not allowed`) {
		t.Errorf("the dreamer sleeps, and %v", err)
	}
}

// Whoever was interrupted in the middle of a game has no row of it: a bot that is to be quick says something else.
func TestAGameThatIsInterruptedHasNoRow(t *testing.T) {
	p, err := Experiment{Deals: 1, Tables: []Table{{Game: "tale", Bots: []string{"reader"}}}}.plan(tale)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if r, err := p.play(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted it is %+v, %v", r, err)
	}
}

// A listener keeps what it was asked.
type listener struct {
	story
	asked map[string][]table.Seen // by seat
}

func (l *listener) Bot(string, string) (slots.Bot, bool) { return l, true }

func (l *listener) Move(_ context.Context, seen table.Seen) string {
	l.asked[seen.Seat.String()] = append(l.asked[seen.Seat.String()], seen)
	return "on"
}

// A bot is asked as at a table: with what its seat sees and was told, and with chance of its own, the same at each move. Another
// deal has other chance, and another seed.
func TestABotIsAskedWhatItsSeatKnows(t *testing.T) {
	seeds := map[uint64]string{}
	for _, experiment := range []Experiment{{Seed: 1, Deals: 2}, {Seed: 2, Deals: 1}} {
		for deal := range experiment.Deals {
			l := &listener{tale, map[string][]table.Seen{}}
			experiment.Tables = []Table{{Game: "tale", Bots: []string{"listener"}}}
			p, err := experiment.plan(l)
			if err == nil {
				_, err = p.play(t.Context(), deal)
			}
			if err != nil {
				t.Fatal(err)
			}
			for seat, asked := range l.asked {
				who := fmt.Sprintf("seat %s of deal %d, seed %d", seat, deal, experiment.Seed)
				for _, seen := range asked {
					if seen.Seed != asked[0].Seed || seen.View != seen.Seat || !slices.Equal(seen.Moves, []string{"on", "back"}) {
						t.Errorf("%s is asked %+v", who, seen)
					}
					if len(seen.Events) > 0 && (seen.Events[0].What == "ring") != (seat != "B") {
						t.Errorf("%s is told %+v", who, seen.Events[0])
					}
				}
				if other, twice := seeds[asked[0].Seed]; twice {
					t.Errorf("%s has the chance of %s", who, other)
				}
				seeds[asked[0].Seed] = who
			}
			if len(l.asked) != 3 || len(l.asked["B"][0].Events) != 7 {
				t.Errorf("asked were %v", l.asked)
			}
		}
	}
}

type revised struct{ story }

func (r revised) Game(string) (game.Game, bool) { return r, true }

func (r revised) Info() game.Info {
	info := r.story.Info()
	info.Revision++
	return info
}

// By corrected rules it is another experiment: rows from before are not gone on with.
func TestARevisionIsAnotherExperiment(t *testing.T) {
	e := Experiment{Deals: 1, Tables: []Table{{Game: "tale", Bots: []string{"reader"}}}}
	before, err := e.plan(tale)
	if err != nil {
		t.Fatal(err)
	}
	if after, err := e.plan(revised{tale}); err != nil || after.digest == before.digest {
		t.Errorf("before the correction it is %s, and then %s, %v", before.digest, after.digest, err)
	}
}
