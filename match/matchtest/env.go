package matchtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/slots"
	"caveau/table"
	"caveau/wire"
)

// Shelf has the toy on it, or the revised toy, and bots of every character.
type Shelf struct{ Revised bool }

// The bots of the toy: five that play, two of them after some thought, and four that do not behave.
var bots = map[string]slots.Bot{
	"remembering:keen": bot(func(_ context.Context, s table.Seen) string {
		rng := rand.New(rand.NewPCG(s.Seed, uint64(len(s.Events))))
		return s.Moves[rng.IntN(len(s.Moves))]
	}),
	"first":       bot(func(_ context.Context, s table.Seen) string { return s.Moves[0] }),
	slots.Adviser: bot(func(_ context.Context, s table.Seen) string { return s.Moves[0] }),
	"echo": bot(func(_ context.Context, s table.Seen) string { // shows if somebody has, as far as it was told
		if slices.ContainsFunc(s.Events, func(e game.Event) bool { return e.Verb == "show" }) && slices.Contains(s.Moves, "show") {
			return "show"
		}
		return "keep"
	}),
	"pensive":  bot(func(_ context.Context, s table.Seen) string { time.Sleep(Thought); return s.Moves[0] }),
	"brooding": bot(func(_ context.Context, s table.Seen) string { time.Sleep(Thought); return s.Moves[len(s.Moves)-1] }),
	"mad":      bot(func(context.Context, table.Seen) string { return "fly" }),
	"frail":    bot(func(_ context.Context, seen table.Seen) string { panic(fmt.Sprint("frail: ", seen)) }),
	"slow":     bot(func(ctx context.Context, _ table.Seen) string { <-ctx.Done(); return "show" }),
	"lost":     bot(func(context.Context, table.Seen) string { time.Sleep(Lost); return "show" }),
}

// Thought is how long the pensive bot thinks.
const Thought = 800 * time.Millisecond

// Lost is how long the bot of that name does not come back, whatever it is told.
const Lost = 10 * time.Minute

type bot func(context.Context, table.Seen) string

func (b bot) Move(ctx context.Context, seen table.Seen) string { return b(ctx, seen) }

// Game is the toy.
func (s Shelf) Game(name string) (game.Game, bool) {
	if s.Revised {
		return RevisedToy, name == "toy"
	}
	return Toy, name == "toy"
}

// Games is the toy.
func (s Shelf) Games() []game.Info {
	toy, _ := s.Game("toy")
	return []game.Info{toy.Info()}
}

// Bot is the bot of that name.
func (Shelf) Bot(_, name string) (slots.Bot, bool) { b, ok := bots[name]; return b, ok }

// Bots are the names of all bots.
func (Shelf) Bots(string) []string {
	return []string{"first", "remembering:keen", "echo", "mad", "frail", "slow", "lost", "pensive", "brooding"}
}

// Clock is the time of package time: inside a bubble of testing/synctest it is virtual.
type Clock struct{}

// Now is the bubble's time.
func (Clock) Now() time.Time { return time.Now() }

// Timer is a timer of the bubble.
func (Clock) Timer(d time.Duration) (<-chan time.Time, func() bool) {
	t := time.NewTimer(d)
	return t.C, t.Stop
}

// Rand makes sources of chance that follow from one seed.
func Rand(seed uint64) func() *rand.Rand {
	var mu sync.Mutex
	n := uint64(0)
	return func() *rand.Rand {
		mu.Lock()
		defer mu.Unlock()
		n++
		return rand.New(rand.NewPCG(seed, n))
	}
}

// Flaky is a log on which something goes wrong when Fail says so.
type Flaky struct {
	fact.Log
	mu   sync.Mutex
	fail func(wire.ID, fact.Entry) Fault
}

// A Fault is what goes wrong with one entry.
type Fault struct {
	Err  error // what Append returns
	Kept bool  // the entry is in the log all the same: the answer was lost, not the entry
}

// Fail has every Append and every Name from now on ask fail first, one at a time. A name is an entry of no table, with it as its data.
func (f *Flaky) Fail(fail func(wire.ID, fact.Entry) Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail = fail
}

// Append appends, unless something goes wrong.
func (f *Flaky) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	fault := f.fault(id, e)
	if fault.Err == nil || fault.Kept {
		if err := f.Log.Append(ctx, id, e); err != nil {
			return err
		}
	}
	return fault.Err
}

// Name notes a name, unless something goes wrong.
func (f *Flaky) Name(ctx context.Context, guest, name string) error {
	fault := f.fault("", fact.Entry{Data: []byte(name)})
	if fault.Err == nil || fault.Kept {
		if err := f.Log.Name(ctx, guest, name); err != nil {
			return err
		}
	}
	return fault.Err
}

// Introduce notes a name of whom there is none, unless something goes wrong.
func (f *Flaky) Introduce(ctx context.Context, guest, name string) error {
	fault := f.fault("", fact.Entry{Data: []byte(name)})
	if fault.Err == nil || fault.Kept {
		if err := f.Log.Introduce(ctx, guest, name); err != nil {
			return err
		}
	}
	return fault.Err
}

func (f *Flaky) fault(id wire.ID, e fact.Entry) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail == nil {
		return Fault{}
	}
	return f.fail(id, e)
}
