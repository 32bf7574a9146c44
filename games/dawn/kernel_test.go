package dawn

import (
	"math/rand/v2"
	"testing"

	"caveau/game"
)

// These are the questions that the kernel's shape was settled by (docs/adr/0001-values.md): what a playout costs that
// reaches the rules through type parameters, against one with concrete types; and what a view costs as the key of a map.

func playout[P game.Position[P, M, V], M game.Move, V game.View[P]](_ game.Rules[P], p P, moves []M, rng *rand.Rand) (decisions int, _ []M) {
	for p.Turn() != game.NoSeat {
		moves = p.Moves(moves[:0])
		p = p.Play(moves[rng.Uint64N(uint64(len(moves)))], nil)
		decisions++
	}
	return decisions, moves
}

func BenchmarkKernel(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	p, err := deal(game.Setup{Edition: "2004", Players: 4, First: game.NoSeat}, rng)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("generic", func(b *testing.B) {
		moves, decisions, n := make([]Move, 0, 128), 0, 0
		b.ReportAllocs()
		for b.Loop() {
			n, moves = playout(Rules, p, moves, rng)
			decisions += n
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(decisions), "ns/decision")
	})
	b.Run("view", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = p.View(game.Watcher)
		}
	})
	b.Run("view as key", func(b *testing.B) {
		seen := map[View]int{}
		q := p
		for i := range 1000 {
			q = q.Play(q.Moves(nil)[0], nil)
			seen[q.View(0)] = i
			if q.Turn() == game.NoSeat {
				q = p
			}
		}
		v := p.View(0)
		b.ReportAllocs()
		for b.Loop() {
			_ = seen[v]
		}
	})
}
