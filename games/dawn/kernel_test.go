package dawn

import (
	"math/rand/v2"
	"testing"

	"caveau/game"
)

// BenchmarkKernel has the questions that the kernel's shape was settled by (docs/adr/0001-values.md): what a playout
// costs with concrete types, where BenchmarkPlayout reaches the rules through type parameters, and without copies; and what a view costs, to
// build and as the key of a map.
func BenchmarkKernel(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	p, err := deal(game.Setup{Edition: "2004", Players: 4, First: game.NoSeat}, rng)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("concrete", func(b *testing.B) {
		moves, decisions := make([]Move, 0, 128), 0
		b.ReportAllocs()
		for b.Loop() {
			for q := p; q.Turn() != game.NoSeat; decisions++ {
				moves = q.Moves(moves[:0])
				q = q.Play(moves[rng.Uint64N(uint64(len(moves)))], nil)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(decisions), "ns/decision")
	})
	b.Run("in place", func(b *testing.B) {
		moves, decisions := make([]Move, 0, 128), 0
		b.ReportAllocs()
		for b.Loop() {
			q := p
			for ; q.Asked() != game.NoSeat; decisions++ {
				moves = q.Legal(moves[:0])
				q.Do(moves[rng.Uint64N(uint64(len(moves)))], nil)
			}
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
