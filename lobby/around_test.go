package lobby_test

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"caveau/bus"
	"caveau/fact"
	"caveau/lobby"
	"caveau/lobby/daybook"
	"caveau/match/matchtest"
	"caveau/wire"
)

// A table that a node has awake no other tries to wake, however long that goes on, or speaks of. When that node closes another wakes it.
func TestATableIsWokenWhereNobodyHasIt(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		setup := toy(2, "first")
		setup.AwayTime = 3600
		id := here.make(setup)
		ana := here.as("Ana", id)
		time.Sleep(10 * daybook.Pulse)
		synctest.Wait()
		if owner := n.deeds.owns(id); owner != "here" || n.deeds.vain > 0 {
			t.Errorf("the table is owned by %q, and was asked for in vain %d times", owner, n.deeds.vain)
		}
		ana.client.Close()
		here.lobby.Close()
		time.Sleep(daybook.Pulse + time.Second)
		synctest.Wait()
		if owner := n.deeds.owns(id); owner != "there" {
			t.Errorf("when its node has closed the table is owned by %q", owner)
		}
		if n.said.Len() > 0 {
			t.Errorf("the nodes say\n%s", &n.said)
		}
	})
}

// Every node knows how many tables are not over, and has a place taken for each, whoever has made it and wherever it ends.
func TestTablesAreCountedAcrossNodes(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		mustCount := func(what string, unfinished int, tables ...map[string]int) {
			t.Helper()
			time.Sleep(daybook.Pulse + time.Second)
			synctest.Wait()
			for i, h := range []*house{here, there} {
				if got := h.lobby.Counts().Tables; !maps.Equal(got, tables[i]) {
					t.Errorf("%s: node %d counts %v, want %v", what, i, got, tables[i])
				}
				free := 0
				for n.rooms[i].Take(fmt.Sprint("address ", free), "") {
					free++
				}
				for k := range free {
					n.rooms[i].Give(fmt.Sprint("address ", k), "")
				}
				if free != room-unfinished {
					t.Errorf("%s: node %d has room for %d tables", what, i, free)
				}
			}
		}
		type is = map[string]int
		setup := toy(2, "first")
		setup.AwayTime = 3600
		first, second := here.make(setup), there.make(setup)
		ana, again := here.as("Ana", first), there.as("Ana", second)
		ana.ok(wire.Command{Do: "start"})
		again.ok(wire.Command{Do: "start"})
		mustCount("two are played at", 2, is{"running": 1}, is{"running": 1})
		page, _, err := there.lobby.Unfinished(t.Context(), 0, 9)
		if err != nil || len(page) != 2 || !page[0].Awake || !page[1].Awake {
			t.Errorf("whoever runs the house sees %+v (%v)", page, err)
		}
		ana.client.Close()
		again.client.Close()
		time.Sleep(3 * time.Minute)
		mustCount("they rest", 2, is{lobby.Resting: 2}, is{lobby.Resting: 2})
		for _, id := range []wire.ID{first, second} {
			if err := here.lobby.CloseTable(t.Context(), id); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(3 * time.Minute)
		mustCount("they are over", 0, is{}, is{})
	})
}

// A table that is made while all are counted is none that has ended: it has its place, and is woken when its node has died.
func TestATableIsMadeAsAllAreCounted(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		synctest.Wait() // they have been counted once
		made := func() { here.make(toy(2)) }
		n.sides[0].then.Store(&made)
		time.Sleep(daybook.Pulse + time.Second)
		synctest.Wait()
		if n.sides[0].then.Load() != nil {
			t.Error("nothing was made")
		}
		n.mustHaveMade(1)
	})
}

// mustHaveMade checks that so many places of the first are taken.
func (n *nodes) mustHaveMade(tables int) {
	free := 0
	for n.rooms[0].Take(fmt.Sprint("address ", free), "") {
		free++
	}
	if free != room-tables {
		n.t.Errorf("there is room for %d tables, not %d", free, room-tables)
	}
}

// A table that is counted before whoever makes it hears that it is made has one place all the same.
func TestATableIsCountedBeforeItsMakerKnows(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		n.sides[0].late.Store(int64(2 * daybook.Pulse))
		here.make(toy(2))
		n.mustHaveMade(1)
	})
}

// An asked log counts what it is asked for.
type asked struct {
	fact.Log
	n atomic.Int64
}

func (a *asked) Due(ctx context.Context, by time.Time) ([]wire.ID, error) {
	a.n.Add(1)
	return a.Log.Due(ctx, by)
}

func (a *asked) Entries(ctx context.Context, id wire.ID, after int) ([]fact.Entry, error) {
	a.n.Add(1)
	return a.Log.Entries(ctx, id, after)
}

func (a *asked) Names(ctx context.Context, guests ...string) (map[string]string, error) {
	a.n.Add(1)
	return a.Log.Names(ctx, guests...)
}

// A house that is alone asks its log for nothing of what others would have done, though there are signs out, and names on them.
func TestAHouseAloneAsksNothing(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.lobby.Close()
		log := &asked{Log: h.log.Log}
		h.log = &matchtest.Flaky{Log: log}
		h.open()
		h.as("Cid", h.make(inTheLobby()))
		h.looker("Eve")
		time.Sleep(time.Second)
		synctest.Wait()
		before := log.n.Load()
		time.Sleep(10 * daybook.Pulse)
		synctest.Wait()
		if n := log.n.Load() - before; n > 0 {
			t.Errorf("it asks %d times", n)
		}
	})
}

// Whoever heeds what changes is told once of whom another node says so, and with every pulse to look at what the house has noted. A house alone tells nobody anything.
func TestWhoHeedsIsTold(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		var mu sync.Mutex
		told := map[string]int{}
		for name, l := range map[string]*lobby.Lobby{"here": here.lobby, "there": there.lobby, "alone": n.lobby} {
			l.Heed(func(_ context.Context, guest string) {
				mu.Lock()
				defer mu.Unlock()
				told[name+" "+guest]++
			})
		}
		time.Sleep(time.Second)
		for _, l := range []*lobby.Lobby{here.lobby, n.lobby} {
			l.Changed("ana")
		}
		time.Sleep(2 * bus.Beat)
		synctest.Wait()
		want := map[string]int{"there ana": 1}
		mu.Lock()
		if delete(told, "here "); told["there "] > 0 { // as it was opened, perhaps
			delete(told, "there ")
		}
		if !maps.Equal(told, want) {
			t.Errorf("told are %v, want %v", told, want)
		}
		clear(told)
		mu.Unlock()
		time.Sleep(3 * daybook.Pulse)
		synctest.Wait()
		if want = map[string]int{"here ": 3, "there ": 3}; !maps.Equal(told, want) {
			t.Errorf("then told are %v, want %v", told, want)
		}
	})
}

// Whoever looks at a table by another node than its owner's is there, and is not called; also where the owner dies. When he looks away he is, once.
func TestWhoLooksFromAnotherNodeIsNotCalled(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		id := here.make(toy(2))
		ana, ben := there.as("Ana", id), there.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		time.Sleep(time.Minute)
		n.calls.were(t)
		n.sides[0].mute.Store(true)
		n.sides[0].dead.Store(true)
		n.deeds.end("here")
		time.Sleep(time.Minute)
		if owner := n.deeds.owns(id); owner != "there" {
			t.Errorf("the table is owned by %q", owner)
		}
		n.calls.were(t)
		third := n.node("third")
		defer third.lobby.Close()
		far := third.as("Ana", id)
		ana.client.Close()
		time.Sleep(time.Minute)
		n.calls.were(t)
		ben.client.Close()
		if a := far.later(wire.Command{Do: "play", Seat: "A", Seq: far.frame.Seq, Move: "keep"}, 5*time.Second); !a.OK {
			t.Fatalf("Ana's move: %+v", a)
		}
		time.Sleep(time.Minute)
		n.calls.were(t, "3m10s Ben turn 8 of toy")
	})
}

// The sign of a table that sleeps hangs on where the log cannot be read for a while.
func TestASignThatCannotBeLookedAtHangsOn(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		setup := toy(2)
		setup.Listed, setup.AwayTime, setup.MoveTime = true, 3600, 7200
		id := here.make(setup)
		ana, ben := here.as("Ana", id), here.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.client.Close()
		ben.client.Close()
		time.Sleep(5 * time.Minute)
		if owner, cards := n.deeds.owns(id), here.lobby.Cards(); owner != "" || len(cards) != 1 {
			t.Fatalf("the table is owned by %q, and there hang %v", owner, cards)
		}
		for _, side := range n.sides {
			side.blind.Store(true)
		}
		time.Sleep(10 * daybook.Pulse)
		for _, side := range n.sides {
			side.blind.Store(false)
		}
		for _, h := range []*house{here, there} {
			if cards := h.lobby.Cards(); len(cards) != 1 {
				t.Errorf("there hang %v", cards)
			}
		}
	})
}
