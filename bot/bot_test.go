package bot

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"caveau/game"
)

// A shelf of 64 places, named by one character each, of which nothing is hidden but what is forgotten.
type shelf struct{ kept uint64 }

func (s shelf) Sample(*rand.Rand) int                  { return 0 }
func (s shelf) Shown(game.Aid) any                     { return nil }
func (s shelf) Own(game.Aid) any                       { return nil }
func (s shelf) Forget(kept uint64, _ [][2]uint8) shelf { return shelf{kept} }
func (s shelf) Place(at string) (uint8, bool) {
	if len(at) != 1 {
		return 0, false
	}
	return at[0] - '0', true
}

// seenAt is a seat that looked at these places, one after another.
func seenAt(seed uint64, places string) Seen[shelf] {
	seen := Seen[shelf]{Seed: seed}
	for i := range places {
		seen.Events = append(seen.Events, game.Event{Verb: "open", At: places[i : i+1]}, game.Event{Verb: "turn"})
	}
	return seen
}

// recallOf counts, over many players, how often the first place looked at is still in mind after so many others.
func recallOf(m Memory, others int) (of1000 int) {
	for seed := range uint64(1000) {
		places := "0"
		for i := range others {
			places += string(rune('1' + i%30))
		}
		l := looksOf[int](seenAt(seed, places))
		of1000 += int(l.recalled(m, seed) & 1)
	}
	return of1000
}

func TestAHalfLifeIsWhenOneInTwoIsLeft(t *testing.T) {
	for _, c := range []struct {
		memory      Memory
		others      int
		least, most int
	}{
		{Dozy, 0, 1000, 1000},
		{Dozy, 8, 440, 560},
		{Dozy, 24, 80, 170},
		{Keen, 40, 440, 560},
		{Sharp, 40, 900, 970},
	} {
		if got := recallOf(c.memory, c.others); got < c.least || got > c.most {
			t.Errorf("half-life %v: after %d looks elsewhere %d of 1000 still know, want %d to %d", c.memory, c.others, got, c.least, c.most)
		}
	}
}

func TestWhatIsForgottenStaysForgottenUntilItIsSeenAgain(t *testing.T) {
	for seed := range uint64(200) {
		places, before := "0", uint64(1)
		for i := range 60 {
			places += string(rune('1' + i%30))
			l := looksOf[int](seenAt(seed, places))
			kept := l.recalled(Dozy, seed) & 1
			if kept > before {
				t.Fatalf("seed %d: after %d looks elsewhere it comes back to mind", seed, i+1)
			}
			before = kept
		}
		l := looksOf[int](seenAt(seed, places+"0"))
		if l.recalled(Dozy, seed)&1 == 0 {
			t.Fatalf("seed %d: it was just looked at, and is not in mind", seed)
		}
	}
}

func TestNobodyRecallsWhatHeNeverSaw(t *testing.T) {
	l := looksOf[int](seenAt(1, "012"))
	if kept := l.recalled(Sharp, 1); bits.Len64(kept) > 3 {
		t.Errorf("three places were seen, and %b are known", kept)
	}
}

func TestASureGainComesBeforeAnyWorth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		tries []try
		want  int
	}{
		{[]try{{worth: 9, fails: true}, {worth: 1}, {worth: 7, fails: true}}, 1},
		{[]try{{worth: 1}, {worth: 2}, {worth: 9, fails: true}}, 1},
		{[]try{{worth: 7, fails: true}, {worth: 1, fails: true}, {worth: 9, fails: true}}, 2},
	} {
		if got := best(c.tries, rng); got != c.want {
			t.Errorf("of %+v it takes %d, not %d", c.tries, got, c.want)
		}
	}
}

func TestABotAskedTheSameAnswersTheSame(t *testing.T) {
	said := map[string]int{}
	for seed := range uint64(300) {
		seen := Seen[shelf]{Seed: seed, Moves: []string{"stop", "open a", "open b"}}
		words := Random(seen)
		if words != Random(seen) {
			t.Fatalf("seed %d: asked again it answers otherwise", seed)
		}
		said[words]++
	}
	for _, words := range []string{"stop", "open a", "open b"} {
		if said[words] < 60 {
			t.Errorf("%q was said %d times of 300", words, said[words])
		}
	}
}
