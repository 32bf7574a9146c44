package lobby_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/store/storetest"
	"caveau/table"
	"caveau/wire"
)

// rests tells until when a table rests, by the log; "" if it does not.
func (h *house) rests(id wire.ID) string {
	h.t.Helper()
	r, rests, err := h.log.Resting(h.t.Context(), id)
	switch {
	case err != nil:
		h.t.Fatal(err)
	case rests:
		return r.Until.Sub(start).String()
	}
	return ""
}

// counts says which numbers of tables those who watch over the house see.
func (h *house) counts(want map[string]int) {
	h.t.Helper()
	if c := h.lobby.Counts(); !maps.Equal(c.Tables, want) {
		h.t.Errorf("tables are counted as %v, not %v", c.Tables, want)
	}
}

// start is when a bubble's time begins.
var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Somebody without a name who looks in and goes has nothing to do with since when those who play are away.
func TestAStrangerLooksInMeanwhile(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.AwayTime = 3600
		id := h.make(setup)
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.client.Close()
		ben.client.Close()
		for range 2 {
			time.Sleep(20 * time.Minute)
			stranger := &person{t: t, client: h.lobby.Connect(lobby.Visitor{}, func() {}), table: id}
			stranger.ok(wire.Command{Do: "watch"})
			stranger.client.Close()
		}
		time.Sleep(2 * time.Minute)
		if until := h.rests(id); until != "1h0m0s" {
			t.Errorf("the table rests until %q", until)
		}
	})
}

// A running table that nobody watches and that has nothing to do rests, and is woken in time: whoever has patience with
// each other is not played for before it has run out, over restarts too.
func TestARunningTableRests(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.AwayTime = 3600
		id := h.make(setup)
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.play("keep")
		ana.client.Close()
		time.Sleep(10 * time.Minute)
		if until := h.rests(id); until != "" {
			t.Errorf("Ben watches, and the table rests until %s", until)
		}
		h.counts(map[string]int{table.Running: 1})
		ben.client.Close() // at 10 minutes
		time.Sleep(2 * time.Minute)
		if until := h.rests(id); until != "1h0m0s" { // Ana is away then
			t.Errorf("nobody watches, and the table rests until %q", until)
		}
		h.counts(map[string]int{lobby.Resting: 1})
		if c, err := h.lobby.Card(t.Context(), id); err != nil || c.State != table.Running || c.Made.IsZero() {
			t.Errorf("the table is %s, %v", c.State, err)
		}
		h.counts(map[string]int{lobby.Resting: 1}) // a stranger's look at its door does not wake it
		if err := h.lobby.Look(t.Context(), id, func(*table.Table, wire.Card) {}); err != nil {
			t.Error(err)
		}
		h.counts(map[string]int{table.Running: 1})
		time.Sleep(2 * time.Minute)
		if until := h.rests(id); until != "1h10m0s" { // what is known now is that both have been gone since Ben went
			t.Errorf("after that the table rests until %q", until)
		}
		h.restart() // at 14 minutes; from now on nobody was away before
		time.Sleep(time.Minute)
		if until := h.rests(id); until != "1h10m0s" {
			t.Errorf("after a restart the table rests until %q", until)
		}
		time.Sleep(58 * time.Minute) // to 73 minutes: it was woken at 70, and rests until both are away
		if until := h.rests(id); until != "1h14m0s" {
			t.Errorf("when the first rest has ended the table rests until %q", until)
		}
		time.Sleep(3 * time.Minute) // two bots play it to its end
		eve := h.as("Eve", id)
		eve.mustBe("over", game.NoSeat)
		if until := h.rests(id); until != "" {
			t.Errorf("the game is over, and the table rests until %s", until)
		}
	})
}

// However often a table is looked at by others and rests again, those who have gone have been gone since they went: neither for longer, nor not as long.
func TestATableRestsAgainAndAgain(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.AwayTime = 3600
		time.Sleep(20 * time.Minute) // the house has been open for a while
		id := h.make(setup)
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		time.Sleep(10 * time.Minute)
		ana.client.Close()
		ben.client.Close()
		for range 4 {
			time.Sleep(3 * time.Minute)
			if until := h.rests(id); until != "1h30m0s" {
				t.Errorf("the table rests until %q", until)
			}
			if err := h.lobby.Look(t.Context(), id, func(*table.Table, wire.Card) {}); err != nil {
				t.Error(err)
			}
		}
	})
}

// A log that cannot be read for a while, and then for a long while again, keeps no table from being woken: what was tried in vain before
// it could be read does not count, and nobody gives up.
func TestATableIsWokenHoweverOftenItCouldNotBeRead(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.lobby.Close()
		h.log.Log = unreadableNow{h.log.Log, map[time.Duration]time.Duration{time.Hour: 35 * time.Second, 70 * time.Minute: 4 * time.Minute}} // when it is woken
		h.open()
		setup := toy(2)
		setup.AwayTime = 3600
		id := h.make(setup)
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.client.Close()
		time.Sleep(10 * time.Minute)
		ben.client.Close() // the table rests until Ana is away, and then until Ben is
		time.Sleep(80 * time.Minute)
		entries, err := h.log.Log.Entries(t.Context(), id, 0)
		if err != nil || !entries[len(entries)-1].Over {
			t.Errorf("nobody has played on: %v, %v", entries, err)
		}
	})
}

// unreadableNow is a log that cannot be read for a while from some moments on.
type unreadableNow struct {
	fact.Log
	from map[time.Duration]time.Duration
}

func (u unreadableNow) Entries(ctx context.Context, id wire.ID, after int) ([]fact.Entry, error) {
	for from, lasts := range u.from {
		if d := time.Since(start) - from; d >= 0 && d < lasts {
			return nil, errors.New("the disk is busy")
		}
	}
	return u.Log.Entries(ctx, id, after)
}

// Whoever was at a table whose rules broke has been there until then, though nothing was written since it rested; he has as long to come back as ever.
func TestWhoWasThereWhenATableBroke(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.AwayTime = 600
		id := h.make(setup)
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.client.Close()
		ben.client.Close()
		time.Sleep(9 * time.Minute)
		ana = h.as("Ana", id)
		h.as("Ben", id)
		time.Sleep(9 * time.Minute)
		h.log.Fail(func(wire.ID, fact.Entry) matchtest.Fault { panic("a bug") })
		ana.refused("storage", wire.Command{Do: "play", Seat: "A", Seq: ana.frame.Seq, Move: "keep"})
		h.log.Fail(nil)
		h.as("Ben", id) // he is the first who comes again
		time.Sleep(9 * time.Minute)
		h.as("Ana", id).mustBe("running", game.Seat(0))
	})
}

// Whoever comes back to a table that rests finds it as it was, and ends its rest with the first move.
func TestAMoveEndsARest(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.AwayTime, setup.MoveTime = 3600, 3000
		id := h.make(setup)
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.client.Close()
		ben.client.Close()
		time.Sleep(20 * time.Minute)
		if until := h.rests(id); until != "50m0s" { // then Ana's time is up
			t.Errorf("the table rests until %q", until)
		}
		ana = h.as("Ana", id)
		if c := ana.frame.Clock; c == nil || c.Left != 1_800_000 {
			t.Errorf("after 20 of 50 minutes the clock is %+v", c)
		}
		ana.play("keep")
		if until := h.rests(id); until != "" {
			t.Errorf("Ana has moved, and the table rests until %s", until)
		}
		h.restart()
		ben = h.as("Ben", id)
		ben.mustBe("running", seatB)
	})
}

// jumping is a clock that can be put forward, as it is for a process that was stopped.
type jumping struct {
	matchtest.Clock
	by *atomic.Int64
}

func (c jumping) Now() time.Time { return c.Clock.Now().Add(time.Duration(c.by.Load())) }

// A process that was stopped for ten minutes, or a machine that slept, takes no time from anybody.
func TestAStoppedProcessTakesNoTime(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.lobby.Close()
		clock := jumping{by: new(atomic.Int64)}
		opened, err := lobby.Open(t.Context(), lobby.Config{
			Log: storetest.Memory(), Shelf: matchtest.Shelf{}, Clock: clock, Rand: matchtest.Rand(1), Slog: slog.New(slog.NewTextHandler(&h.said, nil)),
		})
		if err != nil {
			t.Fatal(err)
		}
		h.lobby = opened
		setup := toy(2)
		setup.MoveTime, setup.AwayTime = 60, 90
		id := h.make(setup)
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ben.client.Close()
		time.Sleep(45 * time.Second)
		clock.by.Store(int64(10 * time.Minute))
		time.Sleep(10 * time.Second) // of which three are for browsers to find the way back, and up to ten nobody knows of
		ana.mustBe("running", seatA)
		ana.mustHear("away", 0)
		time.Sleep(20 * time.Second)
		ana.mustBe("running", seatB) // her time is up
		ana.mustHear("timeout", 1)
		ana.mustHear("away", 0)
		time.Sleep(40 * time.Second)
		ana.mustHear("away", 1)
		if said := h.said.String(); strings.Contains(said, "ERROR") {
			t.Error(said)
		}
	})
}

// Nor does one that cannot note at once that it was stopped, twice.
func TestAnOutageThatCannotBeNotedTakesNoTime(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		clock, log, ana, ben := h.jumps()
		ana.ok(wire.Command{Do: "start"})
		time.Sleep(30 * time.Second)
		log.fails.Store(true)
		for range 2 {
			clock.by.Add(int64(10 * time.Minute))
			ben.ok(wire.Command{Do: "watch"}) // the table looks at the clock
			time.Sleep(9 * time.Second)
			ana.mustBe("running", seatA)
			ana.mustHear("timeout", 0)
		}
		log.fails.Store(false)
		time.Sleep(30 * time.Second) // while it could not be noted she loses nothing either
		ana.mustBe("running", seatA)
		time.Sleep(30 * time.Second)
		ana.mustBe("running", seatB)
		ana.mustHear("timeout", 1)
	})
}

// Whose clock begins when it is noted that the house was stopped, and cannot be read, has all his time.
func TestATurnThatBeginsBeforeAnOutageCanBeRead(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		clock, log, ana, ben := h.jumps()
		log.unread.Store(true)
		clock.by.Add(int64(10 * time.Minute))
		time.Sleep(55 * time.Second)
		ana.ok(wire.Command{Do: "start"})
		time.Sleep(20 * time.Second)
		log.unread.Store(false)
		time.Sleep(30 * time.Second)
		ben.ok(wire.Command{Do: "watch"}) // the table looks at the clock
		time.Sleep(time.Second)
		ana.mustBe("running", seatA)
		ana.mustHear("timeout", 0)
		time.Sleep(45 * time.Second)
		ana.mustBe("running", seatB)
		ana.mustHear("timeout", 1)
	})
}

// Whose time is up just when the house is stopped has what is left of it as the house notes that, though somebody thinks for her already.
func TestAnOutageWhileABotThinksForHer(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		clock, _, ana, ben := h.jumps()
		time.Sleep(5 * time.Second)
		ana.ok(wire.Command{Do: "start"})
		time.Sleep(60*time.Second + 100*time.Millisecond)
		clock.by.Add(int64(10 * time.Minute)) // since the last pulse, some seconds ago
		ben.ok(wire.Command{Do: "watch"})     // the table looks at the clock
		time.Sleep(2 * time.Second)
		ana.mustBe("running", seatA)
		ana.mustHear("timeout", 0)
		time.Sleep(10 * time.Second)
		ana.mustBe("running", seatB)
		ana.mustHear("timeout", 1)
	})
}

// jumps opens the house anew, with a clock that jumps and a log that notes no outage when it is told to. Two sit there, who have a minute for each move.
func (h *house) jumps() (clock jumping, log *unwaking, ana, ben *person) {
	h.t.Helper()
	h.lobby.Close()
	clock, log = jumping{by: new(atomic.Int64)}, &unwaking{Log: storetest.Memory()}
	opened, err := lobby.Open(h.t.Context(), lobby.Config{
		Log: log, Shelf: matchtest.Shelf{}, Clock: clock, Rand: matchtest.Rand(1), Call: h.calls.hear, Slog: slog.New(slog.NewTextHandler(&h.said, nil)),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.lobby = opened
	setup := toy(2)
	setup.MoveTime = 60
	id := h.make(setup)
	ana, ben = h.as("Ana", id), h.as("Ben", id)
	ben.ok(wire.Command{Do: "sit", Seat: "B"})
	return clock, log, ana, ben
}

// unwaking is a log that does not take it, while it fails, that the house was stopped, or cannot say so.
type unwaking struct {
	fact.Log
	fails, unread atomic.Bool
}

func (u *unwaking) Outages(ctx context.Context, after time.Time) ([]fact.Outage, error) {
	if u.unread.Load() {
		return nil, errors.New("the disk is slow")
	}
	return u.Log.Outages(ctx, after)
}

func (u *unwaking) Woke(ctx context.Context, at time.Time) error {
	if u.fails.Load() {
		return errors.New("the disk is full")
	}
	return u.Log.Woke(ctx, at)
}

// The house was stopped for a while, and the disk is full when it goes on: the outage is noted when there is room again.
func TestAnOutageIsNotedWhenItCanBe(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.lobby.Close()
		stopped := start.Add(time.Hour)
		h.log.Log = fullOnWaking{h.log.Log, stopped}
		h.open()
		time.Sleep(time.Until(stopped) + 2*time.Minute)
		all, err := h.log.Outages(t.Context(), start)
		if err != nil || len(all) == 0 || all[len(all)-1].To.Before(stopped.Add(full)) || all[len(all)-1].From.After(stopped) {
			t.Errorf("the log has %v, %v; the house was stopped at %v", all, err, stopped)
		}
	})
}

// A house that closes before it could note an outage does not say that it was open all the time: the next one notes it.
func TestAnOutageIsNotForgottenByWhoeverCloses(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		stopped := start.Add(time.Hour)
		h.lobby.Close()
		h.log.Log = fullOnWaking{h.log.Log, stopped}
		h.open()
		time.Sleep(time.Until(stopped) + full + time.Second) // there is room again, and it is not asked yet
		h.lobby.Close()
		h.open()
		all, err := h.log.Outages(t.Context(), start)
		if err != nil || len(all) == 0 || all[len(all)-1].To.Before(stopped.Add(full)) || all[len(all)-1].From.After(stopped) {
			t.Errorf("the log has %v, %v; the house was stopped at %v, and closed when there was room", all, err, stopped)
		}
	})
}

// So it is where the log takes everything but that.
func TestAnOutageThatCannotBeNotedIsNotForgotten(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		log := unwoken{slowOnce{h.log.Log, new(atomic.Int64)}, new(atomic.Bool)}
		h.lobby.Close()
		h.log.Log = log
		log.wakes.Store(true)
		h.open()
		time.Sleep(time.Hour)
		log.wakes.Store(false)
		log.takes.Store(int64(time.Minute))
		stopped := time.Now()
		time.Sleep(3 * time.Minute)
		h.lobby.Close()
		log.wakes.Store(true)
		h.open()
		all, err := h.log.Outages(t.Context(), start)
		if err != nil || len(all) == 0 || all[len(all)-1].To.Before(stopped.Add(time.Minute)) || all[len(all)-1].From.After(stopped.Add(pulses)) {
			t.Errorf("the log has %v, %v; the house stood still at %v for a minute", all, err, stopped)
		}
	})
}

// An unwoken log takes no outage until it does.
type unwoken struct {
	slowOnce
	wakes *atomic.Bool
}

func (u unwoken) Woke(ctx context.Context, at time.Time) error {
	if !u.wakes.Load() {
		return errors.New("the disk is full")
	}
	return u.slowOnce.Woke(ctx, at)
}

// slowOnce is a log that takes so long, once, to note that the house is open.
type slowOnce struct {
	fact.Log
	takes *atomic.Int64
}

func (s slowOnce) Alive(ctx context.Context, at time.Time) error {
	time.Sleep(time.Duration(s.takes.Swap(0)))
	return s.Log.Alive(ctx, at)
}

// What somebody finds while the log is slow is one outage: when the log answers at last, nobody takes the house for older than it was known to be.
func TestAnOutageIsFoundOnce(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.lobby.Close()
		takes := new(atomic.Int64)
		h.log.Log = slowOnce{h.log.Log, takes}
		h.open()
		ana := h.as("Ana", h.make(toy(2)))
		takes.Store(int64(40 * time.Second))
		time.Sleep(pulses + 35*time.Second) // the log has been slow for thirty-five seconds at the most
		for range 20 {
			ana.ok(wire.Command{Do: "watch"})
			time.Sleep(time.Second)
		}
		all, err := h.log.Outages(t.Context(), start)
		if err != nil || len(all) != 1 {
			t.Errorf("the log has %v, %v", all, err)
		}
	})
}

// fullOnWaking is a log that takes forty seconds to say that it is full, and has room again later.
type fullOnWaking struct {
	fact.Log
	at time.Time
}

// pulses is how often a house says that it is open.
const pulses = 10 * time.Second

// full is for how long it has no room; a pulse comes five seconds later.
const full = 55 * time.Second

func (f fullOnWaking) Alive(ctx context.Context, at time.Time) error {
	if d := time.Since(f.at); d >= 0 && d < full {
		if d < pulses {
			time.Sleep(40 * time.Second)
		}
		return errors.New("the disk is full")
	}
	return f.Log.Alive(ctx, at)
}

func (f fullOnWaking) Woke(ctx context.Context, at time.Time) error {
	if d := time.Since(f.at); d >= 0 && d < full {
		return errors.New("the disk is full")
	}
	return f.Log.Woke(ctx, at)
}
