// Package deedstest examines who owns which table: fact.Deeds, of one node and of several.
package deedstest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"caveau/fact"
	"caveau/wire"
)

// Deeds examines those of one node, with tables a, b and c in its log.
func Deeds(t *testing.T, node fact.Deeds) {
	first := take(t, node, "a")
	if again := take(t, node, "a"); first <= 0 || again <= first {
		t.Errorf("a table is taken for the terms %d and %d", first, again)
	}
	must(t, node.Give(t.Context(), "a", first, fact.Stopped)) // which is over
	must(t, node.Renew(t.Context(), time.Hour))
	wantFree(t, node)
	must(t, node.Give(t.Context(), "b", take(t, node, "b"), fact.Stopped))
	wantSpeaks(t, "one node", node, wire.Speaks)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, taken := node.Take(gone, "a")
	_, swept := node.Sweep(gone)
	_, asked := node.Speaks(gone)
	for what, err := range map[string]error{"take": taken, "give": node.Give(gone, "a", first, fact.Stopped), "renew": node.Renew(gone, time.Hour), "sweep": swept, "speaks": asked} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the context's error", what, err)
		}
	}
}

// Nodes examines the deeds of several in one house with tables a, b and c, of one entry each, which join it with a lease that lasts.
func Nodes(t *testing.T, house func(t *testing.T) (log fact.Log, join func() fact.Shared)) {
	for _, law := range []struct {
		name string
		test func(t *testing.T, log fact.Log, join func() fact.Shared)
	}{
		{"one", func(t *testing.T, _ fact.Log, join func() fact.Shared) { Deeds(t, join()) }},
		{"another's", anothers},
		{"swept", swept},
		{"confirmed", confirmed},
		{"taken", taken},
		{"living", living},
		{"one clock", oneClock},
		{"idle", idle},
		{"idle, and not read", unread},
		{"taken at once", takenAtOnce},
	} {
		t.Run(law.name, func(t *testing.T) {
			log, join := house(t)
			law.test(t, log, join)
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func take(t *testing.T, node fact.Deeds, id wire.ID) int64 {
	t.Helper()
	term, err := node.Take(t.Context(), id)
	must(t, err)
	return term
}

func wantFree(t *testing.T, node fact.Deeds, want ...wire.ID) {
	t.Helper()
	got, err := node.Sweep(t.Context())
	if slices.Sort(got); err != nil || !slices.Equal(got, want) {
		t.Errorf("swept are %v (%v), want %v", got, err, want)
	}
}

// What one node owns no other does, until it is given back for the term that it is owned for. What is not there is nobody's.
func anothers(t *testing.T, _ fact.Log, join func() fact.Shared) {
	here, there := join(), join()
	old, now := take(t, here, "a"), take(t, here, "a")
	must(t, here.Give(t.Context(), "a", old, fact.Stopped))
	must(t, there.Give(t.Context(), "b", now, fact.Stopped))
	for _, id := range []wire.ID{"a", "nowhere", "n\x00", "\xff"} {
		if term := take(t, there, id); term != 0 {
			t.Errorf("%q is another's, or not there, and is taken for the term %d", id, term)
		}
	}
	must(t, here.Give(t.Context(), "a", now, fact.Stopped))
	if term := take(t, there, "a"); term <= now {
		t.Errorf("a table that was given back is taken for the term %d, after %d", term, now)
	}
	must(t, here.Give(t.Context(), "a", now, fact.Stopped)) // once more, too late
	if term := take(t, here, "a"); term != 0 {
		t.Errorf("a term is ended by whoever had the one before: %d", term)
	}
}

// A lease that is over is not renewed, and costs nothing before it is swept. From then on that node has no table, takes none, gives none back and renews
// nothing; and nobody else has lost any.
func swept(t *testing.T, _ fact.Log, join func() fact.Shared) {
	late, here, there := join(), join(), join()
	terms := map[wire.ID]int64{"a": take(t, late, "a"), "b": take(t, late, "b")}
	take(t, here, "c")
	must(t, late.Renew(t.Context(), time.Hour))
	wantFree(t, here)
	must(t, late.Renew(t.Context(), 0)) // it is over now
	if err := late.Renew(t.Context(), time.Hour); !errors.Is(err, fact.ErrEpoch) {
		t.Errorf("a lease that is over is renewed: %v", err)
	}
	if term := take(t, here, "a"); term != 0 {
		t.Errorf("a table is taken before it is swept, for the term %d", term)
	}
	wantFree(t, late) // it could not take what it set free
	wantFree(t, here, "a", "b")
	wantFree(t, there)
	before := take(t, here, "a")
	if before <= terms["a"] {
		t.Errorf("a table that was swept is taken for the term %d, after %d", before, terms["a"])
	}
	_, taken := late.Take(t.Context(), "b")
	_, asked := late.Speaks(t.Context())
	for what, err := range map[string]error{"take": taken, "give": late.Give(t.Context(), "a", before, fact.Stopped), "renew": late.Renew(t.Context(), time.Hour), "speaks": asked} {
		if !errors.Is(err, fact.ErrEpoch) {
			t.Errorf("%s, by a node whose epoch has ended: %v", what, err)
		}
	}
	if a, b, c := take(t, there, "a"), take(t, there, "b"), take(t, there, "c"); a != 0 || b == 0 || c != 0 {
		t.Errorf("then another takes them for the terms %d, %d and %d", a, b, c)
	}
}

// Who asks for a table of his is told the last entry that the log has, whoever has written it; and nothing of one that is another's, or was given back, or was
// lost with its term or its epoch.
func confirmed(t *testing.T, log fact.Log, join func() fact.Shared) {
	here, there := join(), join()
	want := func(what string, node fact.Shared, id wire.ID, term int64, last int) {
		t.Helper()
		if got, err := node.Confirm(t.Context(), id, term); err != nil || got != last {
			t.Errorf("%s the last entry of %q is %d (%v), want %d", what, id, got, err, last)
		}
	}
	a, b := take(t, here, "a"), take(t, here, "b")
	want("at first", here, "a", a, 1)
	must(t, log.Append(t.Context(), "a", fact.Entry{Seq: 2, At: time.Now(), Data: json.RawMessage("{}")}))
	want("after another", here, "a", a, 2)
	want("elsewhere", here, "b", b, 1)
	want("for another's term", here, "b", a, 0)
	want("to another", there, "a", a, 0)
	want("of nobody's", here, "c", b, 0)
	for _, id := range []wire.ID{"nowhere", "n\x00", "\xff"} {
		want("where nothing is", here, id, a, 0)
	}
	must(t, here.Give(t.Context(), "b", b, fact.Stopped))
	want("given back", here, "b", b, 0)
	now := take(t, here, "a")
	want("for an old term", here, "a", a, 0)
	want("for the new one", here, "a", now, 2)
	must(t, here.Renew(t.Context(), 0))
	want("before it is swept", here, "a", now, 2)
	wantFree(t, there, "a")
	want("when it is", here, "a", now, 0)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := here.Confirm(gone, "a", now); !errors.Is(err, context.Canceled) {
		t.Errorf("confirm: %v, want the context's error", err)
	}
}

// Every node knows which tables others own: also one whose lease is over, until it is swept.
func taken(t *testing.T, _ fact.Log, join func() fact.Shared) {
	here, there := join(), join()
	want := func(node fact.Shared, want ...wire.ID) {
		t.Helper()
		if got, err := node.Taken(t.Context()); err != nil || !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("taken are %v (%v), want %v", got, err, want)
		}
	}
	want(here)
	take(t, here, "a")
	b := take(t, there, "b")
	want(here, "b")
	want(there, "a")
	must(t, there.Give(t.Context(), "b", b, fact.Stopped))
	must(t, here.Renew(t.Context(), 0))
	want(here)
	want(there, "a")
	wantFree(t, there, "a")
	want(there)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := there.Taken(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("taken: %v, want the context's error", err)
	}
}

// Whoever takes a table is told for how long nobody had it, since its node died or gave it back, and whoever takes it later is not.
func idle(t *testing.T, _ fact.Log, join func() fact.Shared) {
	here, there := join(), join()
	want := func(what string, id wire.ID, term int64, least, most time.Duration) {
		t.Helper()
		for range 2 { // an answer may be lost
			if idle, err := there.Idle(t.Context(), id, term); err != nil || idle < least || idle > most {
				t.Errorf("%s: nobody had it for %v (%v)", what, idle, err)
			}
		}
	}
	want("nobody ever had it", "c", take(t, there, "c"), 0, 0)
	want("no name", "\x00", 1, 0, 0)
	must(t, here.Give(t.Context(), "a", take(t, here, "a"), fact.Stopped))
	want("it was given back", "a", take(t, there, "a"), 1, time.Minute)
	again := take(t, there, "a")
	want("it is taken again", "a", again, 0, 0)
	must(t, there.Give(t.Context(), "a", again, fact.Stopped))
	_, err := here.Idle(t.Context(), "a", take(t, here, "a")) // as whoever has it does
	must(t, err)
	must(t, here.Renew(t.Context(), 0))
	wantFree(t, there, "a")
	want("its node has died", "a", take(t, there, "a"), fact.LeaseTime, time.Minute)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := there.Idle(gone, "a", again); !errors.Is(err, context.Canceled) {
		t.Errorf("idle: %v, want the context's error", err)
	}
}

// Nobody has a table yet that was taken, and whose node could not read it or has died before: it is still as long that nobody had it. Whoever has had it begins anew.
func unread(t *testing.T, _ fact.Log, join func() fact.Shared) {
	here, there, last := join(), join(), join()
	take(t, here, "a")
	must(t, here.Renew(t.Context(), -time.Hour))
	wantFree(t, there, "a")
	term := take(t, there, "a")
	want := func(what string, least, most time.Duration) {
		t.Helper()
		if idle, err := last.Idle(t.Context(), "a", term); err != nil || idle < least || idle > most {
			t.Errorf("%s: nobody had it for %v (%v)", what, idle, err)
		}
	}
	must(t, there.Give(t.Context(), "a", term, fact.Unread)) // before it has asked
	term = take(t, there, "a")
	want("after whoever could not read it", time.Hour, 2*time.Hour)
	must(t, there.Give(t.Context(), "a", term, fact.Unread))
	term = take(t, there, "a")
	must(t, there.Renew(t.Context(), 0))
	wantFree(t, last, "a")
	term = take(t, last, "a")
	want("after whoever asked, and one who died before", time.Hour, 2*time.Hour)
	must(t, last.Give(t.Context(), "a", term, fact.Stopped))
	term = take(t, last, "a")
	want("after whoever had it", 1, time.Hour)
}

// Who has renewed his lease lives, as every node sees it, until that is over; and whom he hears they see too.
func living(t *testing.T, _ fact.Log, join func() fact.Shared) {
	here, there := join(), join()
	want := func(n int) (all []int64) {
		t.Helper()
		for _, node := range []fact.Shared{here, there} {
			got, err := node.Living(t.Context(), time.Minute)
			all = nil
			for _, n := range got {
				all = append(all, n.Number)
			}
			if slices.Sort(all); err != nil || len(all) != n {
				t.Errorf("living are %v (%v), want %d", got, err, n)
			}
		}
		return all
	}
	want(0) // they open, with an hour for that
	must(t, here.Renew(t.Context(), time.Minute))
	first := want(1)
	must(t, there.Renew(t.Context(), time.Minute))
	both := want(2)
	must(t, here.Renew(t.Context(), 0))
	if last := want(1); !slices.Equal(slices.Sorted(slices.Values(append(first, last...))), both) {
		t.Errorf("living were %v, %v and %v", first, both, last)
	}
	for _, hears := range [][]int64{{7, 1 << 40, 3}, {}} {
		must(t, there.Renew(t.Context(), time.Minute, hears...))
		if got, err := here.Living(t.Context(), time.Minute); err != nil || len(got) != 1 || !slices.Equal(got[0].Hears, hears) {
			t.Errorf("who hears %v is said to be %v (%v)", hears, got, err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := there.Living(gone, time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("living: %v, want the context's error", err)
	}
}

// All nodes are told the same time, and it goes on.
func oneClock(t *testing.T, _ fact.Log, join func() fact.Shared) {
	nodes, last := []fact.Shared{join(), join()}, time.Time{}
	for i := range 4 {
		now, err := nodes[i%2].Now(t.Context())
		if err != nil || !now.After(last) || i > 0 && now.Sub(last) > time.Minute {
			t.Errorf("after %v it is %v (%v)", last, now, err)
		}
		last = now
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := nodes[0].Now(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("the time: %v, want the context's error", err)
	}
}

// Of many that take one table at once one has it, again and again.
func takenAtOnce(t *testing.T, _ fact.Log, join func() fact.Shared) {
	nodes := make([]fact.Shared, 6)
	for i := range nodes {
		nodes[i] = join()
	}
	for range 10 {
		var owners atomic.Int64
		terms := make([]int64, len(nodes))
		var taking sync.WaitGroup
		for i, node := range nodes {
			taking.Go(func() {
				term, err := node.Take(t.Context(), "a")
				if err != nil {
					t.Error(err)
				}
				if terms[i] = term; term > 0 {
					owners.Add(1)
				}
			})
		}
		taking.Wait()
		if n := owners.Load(); n != 1 {
			t.Errorf("%d nodes own a table", n)
		}
		for i, term := range terms {
			must(t, nodes[i].Give(t.Context(), "a", term, fact.Stopped))
		}
	}
}
