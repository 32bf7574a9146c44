package gametest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"caveau/game"
)

// Playouts measures random games from the deal to the end, for every edition and number of players; a benchmark of a
// game is nothing but this. ns/decision is the figure to watch: it counts listing the moves, choosing one and playing it.
func Playouts[P game.Position[P, M, V], M game.Move, V game.View[P]](b *testing.B, rules game.Rules[P]) {
	for _, edition := range rules.Editions {
		for players := edition.MinSeats; players <= edition.MaxSeats; players++ {
			name := fmt.Sprint(players)
			if edition.Name != "" {
				name = edition.Name + "/" + name
			}
			setup := game.Setup{Edition: edition.Name, Players: players, First: game.NoSeat}
			b.Run(name, func(b *testing.B) { playouts(b, rules, setup) })
		}
	}
}

func playouts[P game.Position[P, M, V], M game.Move, V game.View[P]](b *testing.B, rules game.Rules[P], setup game.Setup) {
	rng := rand.New(rand.NewPCG(1, 2))
	var deals [64]P
	for i := range deals {
		deal, err := rules.Deal(setup, rng)
		if err != nil {
			b.Fatal(err)
		}
		deals[i] = deal
	}
	moves := make([]M, 0, 256)
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
