package dawn

import (
	"math/rand/v2"
	"testing"

	"caveau/game"
)

// Rats are never in the reserve (S3), so everyone knows of a grave that was closed from it: there is no rat here. No
// sample may forget that, in any edition.
func TestNoSampleHidesARatUnderALidFromTheReserve(t *testing.T) {
	for _, edition := range Rules.Editions {
		looked := 0
		for seed := range uint64(30) {
			rng := rand.New(rand.NewPCG(seed, 3))
			setup := game.Setup{Edition: edition.Name, Players: 2 + int(seed%5), First: game.NoSeat}
			p, err := deal(setup, rng)
			if err != nil {
				t.Fatal(err)
			}
			looked += lookUnderLidsFromTheReserve(t, p, rng)
		}
		if looked < 1000 {
			t.Errorf("%s: only %d lids were looked under", edition.Name, looked)
		}
	}
}

func lookUnderLidsFromTheReserve(t *testing.T, p Position, rng *rand.Rand) (looked int) {
	t.Helper()
	var fromReserve Graves // closed from the reserve, and not seen since
	for n := 0; !p.Outcome().Over; n++ {
		moves := p.Moves(nil)
		before := p
		p = p.Play(moves[rng.IntN(len(moves))], nil)
		for g := range Grave(numGraves) {
			if before.lid.at(g) == Rat && p.lid.at(g) != Rat {
				fromReserve = fromReserve.with(g)
			}
		}
		fromReserve &^= p.seen
		if fromReserve == 0 || n%16 != 0 {
			continue
		}
		for range 10 {
			sample := p.View(game.Watcher).Sample(rng)
			for g, rest := fromReserve.pop(); g < numGraves; g, rest = rest.pop() {
				looked++
				if sample.lid.at(g) == Rat {
					t.Fatalf("after %d moves a sample has a rat on %s, which was closed from the reserve", n+1, g)
				}
			}
		}
	}
	return looked
}
