package storetest

import (
	"context"
	"errors"
	"slices"
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
	must(t, node.Give(t.Context(), "a", first)) // which is over
	must(t, node.Renew(t.Context(), time.Hour))
	wantFree(t, node)
	must(t, node.Give(t.Context(), "b", take(t, node, "b")))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, taken := node.Take(gone, "a")
	_, swept := node.Sweep(gone)
	for what, err := range map[string]error{"take": taken, "give": node.Give(gone, "a", first), "renew": node.Renew(gone, time.Hour), "sweep": swept} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the context's error", what, err)
		}
	}
}

// Nodes examines the deeds of several in one house with tables a, b and c, which join it with a lease that lasts.
func Nodes(t *testing.T, house func(t *testing.T) (join func() fact.Deeds)) {
	for _, law := range []struct {
		name string
		test func(t *testing.T, join func() fact.Deeds)
	}{
		{"one", func(t *testing.T, join func() fact.Deeds) { Deeds(t, join()) }},
		{"another's", anothers},
		{"swept", swept},
		{"taken at once", takenAtOnce},
	} {
		t.Run(law.name, func(t *testing.T) { law.test(t, house(t)) })
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
func anothers(t *testing.T, join func() fact.Deeds) {
	here, there := join(), join()
	old, now := take(t, here, "a"), take(t, here, "a")
	must(t, here.Give(t.Context(), "a", old))
	must(t, there.Give(t.Context(), "b", now))
	for _, id := range []wire.ID{"a", "nowhere", "n\x00", "\xff"} {
		if term := take(t, there, id); term != 0 {
			t.Errorf("%q is another's, or not there, and is taken for the term %d", id, term)
		}
	}
	must(t, here.Give(t.Context(), "a", now))
	if term := take(t, there, "a"); term <= now {
		t.Errorf("a table that was given back is taken for the term %d, after %d", term, now)
	}
	must(t, here.Give(t.Context(), "a", now)) // once more, too late
	if term := take(t, here, "a"); term != 0 {
		t.Errorf("a term is ended by whoever had the one before: %d", term)
	}
}

// A lease that is over is not renewed, and costs nothing before it is swept. From then on that node has no table, takes none, gives none back and renews
// nothing; and nobody else has lost any.
func swept(t *testing.T, join func() fact.Deeds) {
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
	wantFree(t, here, "a", "b")
	wantFree(t, there)
	before := take(t, here, "a")
	if before <= terms["a"] {
		t.Errorf("a table that was swept is taken for the term %d, after %d", before, terms["a"])
	}
	_, taken := late.Take(t.Context(), "b")
	for what, err := range map[string]error{"take": taken, "give": late.Give(t.Context(), "a", before), "renew": late.Renew(t.Context(), time.Hour)} {
		if !errors.Is(err, fact.ErrEpoch) {
			t.Errorf("%s, by a node whose epoch has ended: %v", what, err)
		}
	}
	if a, b, c := take(t, there, "a"), take(t, there, "b"), take(t, there, "c"); a != 0 || b == 0 || c != 0 {
		t.Errorf("then another takes them for the terms %d, %d and %d", a, b, c)
	}
}

// Of many that take one table at once one has it, again and again.
func takenAtOnce(t *testing.T, join func() fact.Deeds) {
	nodes := make([]fact.Deeds, 6)
	for i := range nodes {
		nodes[i] = join()
	}
	for range 10 {
		var owners atomic.Int64
		terms := make([]int64, len(nodes))
		together(len(nodes), func(i int) {
			term, err := nodes[i].Take(t.Context(), "a")
			if err != nil {
				t.Error(err)
			}
			if terms[i] = term; term > 0 {
				owners.Add(1)
			}
		})
		if n := owners.Load(); n != 1 {
			t.Errorf("%d nodes own a table", n)
		}
		for i, term := range terms {
			must(t, nodes[i].Give(t.Context(), "a", term))
		}
	}
}
