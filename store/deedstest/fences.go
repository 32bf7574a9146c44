package deedstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"caveau/fact"
	"caveau/wire"
)

// Nobody need have a table that rests, or is over; one that was left in the middle was idle, also where the log has a rest of before.
func resting(t *testing.T, join func() Node) {
	here, there := join(), join()
	for _, law := range []struct {
		id          wire.ID
		rests, over bool
		left        fact.Left
		idle        bool
	}{
		{"rests", true, false, fact.Rests, false},
		{"is woken", true, false, fact.Stopped, true},
		{"rests, and cannot be read", true, false, fact.Unread, false},
		{"cannot be read", false, false, fact.Unread, true},
		{"is left", false, false, fact.Stopped, true},
		{"is over", false, true, fact.Rests, false},
		{"is over, and is left", false, true, fact.Stopped, false},
	} {
		add(t, here, law.id, entry(1))
		term := take(t, here, law.id)
		if law.rests {
			must(t, here.Rest(t.Context(), law.id, fact.Rest{Seq: 1, Until: start, Since: start}))
		}
		if law.over {
			add(t, here, law.id, last(2))
		}
		must(t, here.Give(t.Context(), law.id, term, law.left))
		if idle, err := there.Idle(t.Context(), law.id, take(t, there, law.id)); err != nil || law.idle != (idle > 0) {
			t.Errorf("%s: nobody had it for %v (%v)", law.id, idle, err)
		}
	}
}

// A Node is one of several in a house, with its deeds and its log.
type Node struct {
	fact.Shared
	fact.Log
}

// Fences examines the logs of nodes that write to one house, which has no table yet. They join it with a lease that lasts.
func Fences(t *testing.T, house func(t *testing.T) (join func() Node)) {
	for _, law := range []struct {
		name string
		test func(t *testing.T, join func() Node)
	}{
		{"an epoch that has ended", epochEnded},
		{"rest and delete", wantDeeds},
		{"where a table stands", wherever},
		{"what rests is not idle", resting},
		{"what was looked at is due", lookedAt},
		{"one number", oneNumber},
		{"tables founded at once", foundedAtOnce},
		{"outages of all", outagesOfAll},
		{"an outage noted at once", outageAtOnce},
	} {
		t.Run(law.name, func(t *testing.T) { law.test(t, house(t)) })
	}
}

var start = time.Date(2026, 11, 23, 20, 0, 0, 1, time.UTC)

func entry(seq int) fact.Entry {
	return fact.Entry{Seq: seq, At: start.Add(time.Duration(seq) * time.Second), Data: json.RawMessage("{}")}
}

func last(seq int) fact.Entry {
	e := entry(seq)
	e.Over = true
	return e
}

func add(t *testing.T, n Node, id wire.ID, entries ...fact.Entry) {
	t.Helper()
	for _, e := range entries {
		must(t, n.Append(t.Context(), id, e))
	}
}

func wantError(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

func wantEntries(t *testing.T, n Node, id wire.ID, want int) {
	t.Helper()
	all, err := n.Entries(t.Context(), id, 0)
	if err != nil || len(all) != want {
		t.Errorf("%s has %d entries (%v), want %d", id, len(all), err, want)
	}
	for i, e := range all {
		if e.Seq != i+1 {
			t.Errorf("entry %d of %s is called %d", i+1, id, e.Seq)
		}
	}
}

// rested is a note for a table with so many entries.
func rested(seq int) fact.Rest {
	return fact.Rest{Seq: seq, Until: start.Add(time.Hour), Since: start}
}

// sweep ends the lease of a node, and its epoch, by another.
func sweep(t *testing.T, late, here Node, free ...wire.ID) {
	t.Helper()
	must(t, late.Renew(t.Context(), 0))
	wantFree(t, here, free...)
}

// A node whose epoch has ended writes nothing, whatever it owned, and is told why; nobody else is the worse for it.
func epochEnded(t *testing.T, join func() Node) {
	late, here := join(), join()
	ctx := t.Context()
	add(t, late, "a", entry(1))
	add(t, late, "over", last(1))
	must(t, late.Alive(ctx, start))
	must(t, late.Name(ctx, "ana", "Ana"))
	take(t, late, "a")
	take(t, late, "over")
	add(t, late, "a", entry(2))
	sweep(t, late, here, "a", "over")
	for range 2 {
		for what, err := range map[string]error{
			"append": late.Append(ctx, "a", entry(3)), "found": late.Append(ctx, "b", entry(1)), "rest": late.Rest(ctx, "a", rested(2)), "delete": late.Delete(ctx, "over"),
			"alive": late.Alive(ctx, start.Add(time.Hour)), "woke": late.Woke(ctx, start.Add(time.Hour)), "name": late.Name(ctx, "ana", "Ben"),
		} {
			wantError(t, what, err, fact.ErrEpoch)
		}
		wantEntries(t, late, "a", 2)
		wantEntries(t, here, "b", 0)
		wantEntries(t, here, "over", 1)
		if _, rests, err := here.Resting(ctx, "a"); rests || err != nil {
			t.Errorf("it rests: %v (%v)", rests, err)
		}
		if at, err := here.LastAlive(ctx); err != nil || !at.Equal(entry(2).At) {
			t.Errorf("the house was alive at %v (%v)", at, err)
		}
		if names, err := here.Names(ctx, "ana"); err != nil || names["ana"] != "Ana" {
			t.Errorf("they are called %v (%v)", names, err)
		}
		if all, err := here.Outages(ctx, time.Time{}); len(all) > 0 || err != nil {
			t.Errorf("there are outages: %v (%v)", all, err)
		}
	}
	take(t, here, "a")
	add(t, here, "a", entry(3))
	must(t, here.Delete(ctx, "over"))
	wantEntries(t, late, "a", 3) // which may read
}

// A table rests, and is deleted, by whoever has it. What nobody has may be deleted by anybody, and is nobody's then.
func wantDeeds(t *testing.T, join func() Node) {
	here, there := join(), join()
	ctx := t.Context()
	add(t, here, "a", entry(1))
	wantError(t, "rest of nobody's", here.Rest(ctx, "a", rested(1)), fact.ErrAnothers)
	term := take(t, here, "a")
	wantError(t, "rest of another's", there.Rest(ctx, "a", rested(1)), fact.ErrAnothers)
	must(t, here.Rest(ctx, "a", rested(1)))
	wantError(t, "rest after another entry", here.Rest(ctx, "a", rested(2)), fact.ErrConflict)
	add(t, here, "a", last(2))
	wantError(t, "delete of another's", there.Delete(ctx, "a"), fact.ErrAnothers)
	wantEntries(t, there, "a", 2)
	must(t, here.Give(ctx, "a", term, fact.Stopped))
	must(t, there.Delete(ctx, "a"))
	wantError(t, "delete of what is gone", here.Delete(ctx, "a"), fact.ErrConflict)
	wantEntries(t, here, "a", 0)
	add(t, here, "a", entry(1)) // made anew
	if take(t, here, "a") == 0 {
		t.Error("a table that was deleted is still somebody's")
	}
	add(t, here, "b", last(1))
	take(t, here, "b")
	must(t, here.Delete(ctx, "b")) // his own
	add(t, there, "b", last(1))
	if take(t, there, "b") == 0 {
		t.Error("a table that was deleted is still its owner's")
	}
}

// Who takes a table goes on from where it stands, whoever had it meanwhile; and so does who writes to one that nobody has.
func wherever(t *testing.T, join func() Node) {
	nodes := []Node{join(), join(), join()}
	add(t, nodes[0], "a", entry(1))
	for seq := 2; seq < 20; seq += 2 {
		n := nodes[seq/2%len(nodes)]
		term := take(t, n, "a")
		wantError(t, "what is there", n.Append(t.Context(), "a", entry(seq-1)), fact.ErrConflict)
		add(t, n, "a", entry(seq), entry(seq+1))
		if seq%3 == 0 {
			must(t, n.Rest(t.Context(), "a", rested(seq+1)))
		}
		must(t, n.Give(t.Context(), "a", term, fact.Stopped))
	}
	wantEntries(t, nodes[0], "a", 19)
	for seq := 1; seq < 10; seq++ {
		add(t, nodes[seq%len(nodes)], "b", entry(seq))
	}
}

// Of several nodes that write one number of a table one does; and whoever has the table goes on all the same.
func oneNumber(t *testing.T, join func() Node) {
	nodes := []Node{join(), join(), join()}
	add(t, nodes[0], "a", entry(1))
	take(t, nodes[0], "a")
	for seq := 2; seq < 12; seq++ {
		var writing sync.WaitGroup
		errs := make([]error, len(nodes))
		for i, n := range nodes {
			writing.Go(func() { errs[i] = n.Append(t.Context(), "a", entry(seq)) })
		}
		writing.Wait()
		written := 0
		for _, err := range errs {
			if err == nil {
				written++
			} else {
				wantError(t, "another", err, fact.ErrConflict)
			}
		}
		if written != 1 {
			t.Errorf("entry %d is written %d times", seq, written)
		}
	}
	wantEntries(t, nodes[1], "a", 11)
}

// Each table that is founded has its entries for itself.
func foundedAtOnce(t *testing.T, join func() Node) {
	nodes := []Node{join(), join()}
	name := func(node, n int) wire.ID { return wire.ID(fmt.Sprint(node, " makes ", n)) }
	var founding sync.WaitGroup
	for i, node := range nodes {
		founding.Go(func() {
			for n := range 20 {
				for seq := 1; seq <= 3; seq++ {
					if err := node.Append(t.Context(), name(i, n), entry(seq)); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	founding.Wait()
	for i := range nodes {
		for n := range 20 {
			wantEntries(t, nodes[1-i], name(i, n), 3)
		}
	}
}

// A house is closed while no node is open: the first one that opens notes it. What a node has said before it was swept is not forgotten.
func outagesOfAll(t *testing.T, join func() Node) {
	ctx := t.Context()
	minute := func(n int) time.Time { return start.Add(time.Duration(n) * time.Minute) }
	want := func(times ...int) {
		t.Helper()
		all, err := join().Outages(ctx, time.Time{})
		if err != nil || len(all)*2 != len(times) {
			t.Fatalf("the outages are %v (%v), want the minutes %v", all, err, times)
		}
		for i, o := range all {
			if !o.From.Equal(minute(times[2*i])) || !o.To.Equal(minute(times[2*i+1])) {
				t.Errorf("the outages are %v, want the minutes %v", all, times)
			}
		}
	}
	first, second := join(), join()
	must(t, first.Woke(ctx, minute(0)))
	must(t, second.Woke(ctx, minute(1)))
	must(t, first.Alive(ctx, minute(10)))
	must(t, second.Alive(ctx, minute(9)))
	want()
	sweep(t, second, first)
	must(t, first.Alive(ctx, minute(11)))
	third := join()
	must(t, third.Woke(ctx, minute(20))) // the first one lives
	want()
	sweep(t, third, first)
	sweep(t, first, first)
	again := join()
	if at, err := again.LastAlive(ctx); err != nil || !at.Equal(minute(20)) {
		t.Errorf("the house was alive at %v (%v)", at, err)
	}
	must(t, again.Woke(ctx, minute(30)))
	want(20, 30)
	must(t, join().Woke(ctx, minute(40)))
	want(20, 30)
}

// Of several nodes that open at once one notes for how long the house was closed.
func outageAtOnce(t *testing.T, join func() Node) {
	ctx := t.Context()
	before := join()
	must(t, before.Woke(ctx, start))
	sweep(t, before, before)
	nodes := []Node{join(), join(), join(), join()}
	var opening sync.WaitGroup
	for i, n := range nodes {
		opening.Go(func() {
			if err := n.Woke(ctx, start.Add(time.Hour+time.Duration(i)*time.Second)); err != nil {
				t.Error(err)
			}
		})
	}
	opening.Wait()
	all, err := nodes[0].Outages(ctx, time.Time{})
	if err != nil || len(all) != 1 || !all[0].From.Equal(start) {
		t.Errorf("the outages are %v (%v)", all, err)
	}
}

// A table that was awake when its node closed or died is due, though it had rested before somebody looked: until somebody has it. One that rests, or is over, is not.
func lookedAt(t *testing.T, join func() Node) {
	here, there := join(), join()
	want := func(what string, want ...wire.ID) {
		t.Helper()
		due, err := there.Due(t.Context(), start.Add(time.Hour))
		if slices.Sort(due); err != nil || !slices.Equal(due, want) {
			t.Errorf("%s: due are %v (%v), want %v", what, due, err, want)
		}
	}
	add(t, here, "a", entry(1))
	add(t, here, "b", entry(1), last(2))
	take(t, here, "b")
	take(t, here, "a")
	want("one waits", "a")
	must(t, here.Rest(t.Context(), "a", fact.Rest{Seq: 1, Until: start.Add(48 * time.Hour)}))
	want("it rests")
	term := take(t, here, "a")
	must(t, here.Give(t.Context(), "a", term, fact.Stopped))
	want("it was looked at, and its node has closed", "a")
	term = take(t, there, "a")
	want("another has it")
	_, err := there.Idle(t.Context(), "a", term)
	must(t, err)
	must(t, there.Give(t.Context(), "a", term, fact.Rests))
	want("it rests again")
	take(t, here, "a")
	must(t, here.Renew(t.Context(), 0))
	_, err = there.Sweep(t.Context())
	must(t, err)
	want("it was looked at, and its node has died", "a")
}
