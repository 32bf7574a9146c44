package toctoc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"caveau/game"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(1, seed)) }

// BenchmarkPlayout/PLAYERS plays random games to the end from the deal. ns/decision is the figure to watch.
func BenchmarkPlayout(b *testing.B) {
	for players := minPlayers; players <= maxPlayers; players++ {
		b.Run(fmt.Sprint(players), func(b *testing.B) {
			benchmarkPlayout(b, game.Setup{Players: players, First: game.NoSeat})
		})
	}
}

func benchmarkPlayout(b *testing.B, setup game.Setup) {
	rng := newRand(2)
	var deals [64]Position
	for i := range deals {
		deals[i], _ = deal(setup, rng)
	}
	moves := make([]Move, 0, 32)
	decisions := 0
	b.ReportAllocs()
	for b.Loop() {
		p := deals[decisions%len(deals)]
		for p.Turn() != game.NoSeat {
			moves = p.Moves(moves[:0])
			p = p.Play(moves[rng.Uint64N(uint64(len(moves)))], nil)
			decisions++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(decisions), "ns/decision")
	b.ReportMetric(float64(decisions)/float64(b.N), "decisions/op")
}
