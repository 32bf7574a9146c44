package dawn

import (
	"math/rand/v2"
	"testing"

	"caveau/game"
)

// BenchmarkSample is one imagined table, in the middle of a game of four, of somebody who knows all that was shown, and of somebody who forgot
// every other grave.
func BenchmarkSample(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, edition := range editionNames {
		p, err := deal(game.Setup{Edition: edition, Players: 4, First: game.NoSeat}, rng)
		if err != nil {
			b.Fatal(err)
		}
		for range 100 {
			moves := p.Moves(nil)
			p = p.Play(moves[rng.IntN(len(moves))], nil)
		}
		v := p.View(0)
		b.Run(edition, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = v.Sample(rng)
			}
		})
	}
}
