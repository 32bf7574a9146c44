package deedstest

import (
	"strings"
	"testing"

	"caveau/fact"
	"caveau/wire"
)

// Versions examines a house that is upgraded node by node (ADR 20), and has no table yet. Its nodes join it as of a version, with a lease that lasts; calm has it be a while since the
// last of them was ended.
func Versions(t *testing.T, house func(t *testing.T) (join func(speaks int) (Node, error), calm func())) {
	for _, law := range []struct {
		name string
		test func(t *testing.T, join func(speaks int) (Node, error), calm func())
	}{
		{"the least of all", leastOfAll},
		{"never falls", neverFalls},
	} {
		t.Run(law.name, func(t *testing.T) {
			join, calm := house(t)
			law.test(t, join, calm)
		})
	}
}

func wantSpeaks(t *testing.T, when string, node fact.Deeds, want int) {
	t.Helper()
	if got, err := node.Speaks(t.Context()); err != nil || got != want {
		t.Errorf("%s: the house speaks %d (%v), want %d", when, got, err, want)
	}
}

func joined(t *testing.T, join func(int) (Node, error), speaks int) Node {
	t.Helper()
	n, err := join(speaks)
	must(t, err)
	return n
}

// What an older node could not read is not written while there is one, whether it lives or has only not been swept; and then it is.
func leastOfAll(t *testing.T, join func(int) (Node, error), calm func()) {
	older, newer := joined(t, join, wire.Speaks), joined(t, join, wire.Speaks+2)
	wantSpeaks(t, "with an older node", newer, wire.Speaks)
	wantSpeaks(t, "to an older node", older, wire.Speaks)
	later := entry(1)
	later.Needs = wire.Speaks + 1
	refused := func(n Node) {
		t.Helper()
		wantError(t, "what an older node could not read", n.Append(t.Context(), "a", later), wire.ErrNotYet)
		wantEntries(t, n, "a", 0)
	}
	refused(newer)
	must(t, older.Renew(t.Context(), 0))
	wantSpeaks(t, "before an older node is swept", newer, wire.Speaks)
	refused(newer)
	middle := joined(t, join, wire.Speaks+1)
	wantFree(t, newer)
	wantSpeaks(t, "when it has just been", newer, wire.Speaks) // it may come back
	refused(newer)
	calm()
	refused(newer) // who has not asked
	wantSpeaks(t, "a while later", newer, wire.Speaks+1)
	add(t, newer, "a", later)
	wantSpeaks(t, "at another", middle, wire.Speaks+1)
	add(t, middle, "b", later)
	later.Needs++
	later.Seq++
	wantError(t, "what the one in the middle could not read", newer.Append(t.Context(), "a", later), wire.ErrNotYet)
	add(t, newer, "a", entry(2)) // and what all know is written at any time
}

// Who speaks less than the house is told so and does not join it, also where none of those lives by whom it rose.
func neverFalls(t *testing.T, join func(int) (Node, error), calm func()) {
	newer := joined(t, join, wire.Speaks+1)
	wantSpeaks(t, "alone", newer, wire.Speaks+1)
	refused := func() {
		t.Helper()
		_, err := join(wire.Speaks)
		if err == nil || !strings.Contains(err.Error(), "start the newer program here") {
			t.Errorf("an older node joins: %v", err)
		}
	}
	refused()
	newest := joined(t, join, wire.Speaks+2)
	wantSpeaks(t, "with a newer one", newest, wire.Speaks+1)
	must(t, newer.Renew(t.Context(), 0))
	must(t, newest.Renew(t.Context(), 0))
	refused()
	again := joined(t, join, wire.Speaks+1)
	wantFree(t, again)
	calm()
	wantSpeaks(t, "when others have gone", again, wire.Speaks+1)
}
