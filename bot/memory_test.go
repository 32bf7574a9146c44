package bot

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"caveau/game"
)

// A street of 64 houses, named by one character each; one's neighbours are near.
func house(e game.Event) (uint8, bool) {
	if len(e.At) != 1 {
		return 0, false
	}
	return e.At[0] - '0', true
}

func nextDoor(place uint8) uint64 { return 1<<place<<1 | 1<<place>>1 }

// looking is what somebody is told who looks at these houses, one after another.
func looking(at string) (events []game.Event) {
	for i := range at {
		events = append(events, game.Event{Verb: "open", At: at[i : i+1]}, game.Event{Verb: "turn"})
	}
	return events
}

func recalled(m Memory, at string, seed uint64) Recall {
	return m.Recall(looking(at), house, nextDoor, seed)
}

// elsewhere is so many looks, at thirty other houses in turn.
func elsewhere(looks int) (at string) {
	for i := range looks {
		at += string(rune('2' + i%30))
	}
	return at
}

// still is how many of a thousand people still know what is at house 0.
func still(m Memory, at string) (of1000 int) {
	for seed := range uint64(1000) {
		of1000 += int(recalled(m, at, seed).Right() & 1)
	}
	return of1000
}

func TestAMemoryFadesByAPower(t *testing.T) {
	for _, c := range []struct {
		about       string
		memory      Memory
		at          string
		least, most int
	}{
		{"what was looked at last", 20, "0", 1000, 1000},
		{"the half-life", 20, "0" + elsewhere(19), 440, 560},
		{"a better memory", 100, "0" + elsewhere(19), 900, 960},
		{"four half-lives: one in 1 + 4^(0.5/0.3)", 20, "0" + elsewhere(79), 60, 120},
		{"sixteen: an exponential would have lost it", 20, "0" + elsewhere(319), 3, 25},
		{"twice is as good as four times as long", 20, "00" + elsewhere(78), 440, 560},
		{"four times, sixteen times as long", 20, "0000" + elsewhere(316), 440, 560},
		{"twice in a row", 20, "00" + elsewhere(38), 710, 800},
		{"twice, a while apart, which is better", 20, "0" + elsewhere(19) + "0" + elsewhere(19), 820, 910},
		{"a perfect one", Perfect, "0" + elsewhere(319), 1000, 1000},
	} {
		if got := still(c.memory, c.at); got < c.least || got > c.most {
			t.Errorf("%s: %d of 1000 still know, want %d to %d", c.about, got, c.least, c.most)
		}
	}
}

func TestFourPlacesAreBeforeOnesEyes(t *testing.T) {
	for seed := range uint64(200) {
		right := recalled(0.01, "0123456", seed).Right()
		if right != 0b1111000 {
			t.Fatalf("seed %d: who remembers hardly anything has %b in mind, not the last four", seed, right)
		}
	}
}

func TestWhatIsLostIsLostUntilItIsSeenAgain(t *testing.T) {
	for seed := range uint64(200) {
		before := uint64(1)
		for looks := range 60 {
			right := recalled(8, "0"+elsewhere(looks), seed).Right() & 1
			if right > before {
				t.Fatalf("seed %d: after %d looks elsewhere it comes back to mind", seed, looks)
			}
			before = right
		}
		if recalled(8, "0"+elsewhere(60)+"0", seed).Right()&1 == 0 {
			t.Fatalf("seed %d: it was just looked at, and is not in mind", seed)
		}
	}
}

func TestAMemoryIsMisplacedOnlyWhereNothingElseIs(t *testing.T) {
	misplaced := 0
	for seed := range uint64(500) {
		r := recalled(10, elsewhere(30)+elsewhere(30), seed)
		for i, pair := range r.Mixed {
			misplaced++
			from, to := pair[0], pair[1]
			switch {
			case r.Known[to] != r.Known[from] && !slices.ContainsFunc(r.Mixed, func(other [2]uint8) bool { return other[1] == from }):
				t.Fatalf("seed %d: what he takes for the place of %d he does not take for as well known", seed, from)
			case nextDoor(from)>>to&1 == 0:
				t.Fatalf("seed %d: what was at %d is remembered at %d, which is not near", seed, from, to)
			case r.Looked>>from&1 == 0:
				t.Fatalf("seed %d: what was at %d is remembered elsewhere, and nobody looked there", seed, from)
			case r.Kept>>to&1 == 0 || r.Right()>>to&1 == 1:
				t.Fatalf("seed %d: he does not believe that he knows what is at %d", seed, to)
			case slices.ContainsFunc(r.Mixed[:i], func(other [2]uint8) bool { return other[1] == to }):
				t.Fatalf("seed %d: two memories are at %d", seed, to)
			}
		}
	}
	if misplaced < 200 || misplaced > 1000 {
		t.Errorf("%d of 15,000 memories are misplaced", misplaced)
	}
}

// What others probably know is what of a thousand people as many do know who remember as well.
func TestOthersForgetAsHeDoes(t *testing.T) {
	for _, at := range []string{"0" + elsewhere(3), "0" + elsewhere(5), "0" + elsewhere(19), "00" + elsewhere(38), "0" + elsewhere(79)} {
		know := still(20, at)
		if likely := 1000 * recalled(20, at, 1).Known[0]; math.Abs(likely-float64(know)) > 50 {
			t.Errorf("after %d looks others probably know it %.0f times of 1000, and do %d times", len(at), likely, know)
		}
	}
	if known := recalled(20, elsewhere(30), 1).Known[0]; known != 0 {
		t.Errorf("where nobody looked something is known with a chance of %.2f", known)
	}
	if known := recalled(Perfect, elsewhere(30), 1).Known; known != nil {
		t.Errorf("nobody forgets anything, and it is said how much: %.2f", known)
	}
}

func TestNobodyRecallsWhatHeNeverSaw(t *testing.T) {
	for seed := range uint64(200) {
		r := recalled(30, "456", seed)
		if r.Looked != 0b1110000 || r.Right()&^r.Looked != 0 || r.Lost()&^r.Looked != 0 {
			t.Fatalf("three places were seen: %+v", r)
		}
		if bits.OnesCount64(r.Lost())+bits.OnesCount64(r.Right()) != 3 {
			t.Fatalf("three places were seen, and they are neither known nor lost: %+v", r)
		}
	}
}
