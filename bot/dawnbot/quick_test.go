package dawnbot

import (
	"math/rand/v2"
	"testing"

	"caveau/game"
	"caveau/games/dawn"
)

// glancing is somebody who plays as everyone does at a table that one imagines.
func glancing(v *dawn.View, moves []dawn.Move, rng *rand.Rand) dawn.Move {
	t := table{position: v.Sample(rng), luck: luck(rng.Uint64())}
	for s := range t.known {
		t.known[s] = ^dawn.Graves(0)
	}
	return t.glance(t.Asked())
}

func TestGlances(t *testing.T) {
	each(t, func(t *testing.T, edition string, players int) {
		all := play(t, edition, players, 300*players, glancing, Rules)
		t.Logf("%.1f %%", all.share())
		all = play(t, edition, players, 300, glancing, glancing)
		t.Logf("stopped %d moves %d", all.stopped, all.moves/all.games)
	})
}

func BenchmarkGlance(b *testing.B) {
	for _, edition := range dawn.Rules.Editions {
		b.Run(edition.Name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			moves := 0
			for b.Loop() {
				p := newGame(edition.Name, 4, uint64(b.N))
				t := table{position: p, luck: luck(rng.Uint64())}
				for s, what := t.Asked(); what != dawn.ChooseNothing; s, what = t.Asked() {
					for s := range t.known {
						t.known[s] = ^dawn.Graves(0)
					}
					t.Do(t.glance(s, what), nil)
					moves++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(moves), "ns/decision")
		})
	}
}

func newGame(edition string, players int, seed uint64) dawn.Position {
	p, err := dawn.Rules.Deal(game.Setup{Edition: edition, Players: players, First: game.NoSeat}, rand.New(rand.NewPCG(seed, 2)))
	if err != nil {
		panic(err)
	}
	return p
}
