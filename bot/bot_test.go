package bot

import (
	"math/rand/v2"
	"testing"
)

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
		seen := Seen[int]{Seed: seed, Moves: []string{"stop", "open a", "open b"}}
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
