package lab

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"caveau/game"
)

// Players whose strengths are known are found again, each within its interval; who are equal are equal within theirs.
func TestStrengthsAreFoundAgain(t *testing.T) {
	strengths := map[string]float64{"a": 0, "b": 0, "c": 6, "d": -5}
	names, rng := []string{"a", "b", "c", "d"}, rand.New(rand.NewPCG(4, 4))
	missed := 0
	for range 10 {
		var rows []Row
		for deal := range 500 {
			for sitting := range 3 {
				rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
				r := Row{Deal: deal, Sitting: sitting, Bots: slices.Clone(names[:3])}
				r.Winners = []game.Seat{drawWinner(r.Bots, strengths, rng)}
				rows = append(rows, r)
			}
		}
		bots := []string{"a", "b", "c", "d"}
		found := ratings(bots, 0, rows)
		for i, bot := range bots {
			if e := found[i]; strengths[bot] < e.Low || strengths[bot] > e.High || e.High-e.Low > 8 {
				t.Logf("%s is %v, and found to be %.1f, %.1f to %.1f", bot, strengths[bot], e.Value, e.Low, e.High)
				missed++
			}
		}
		if found[0] != (Estimate{}) || found[2].Low <= found[1].High || found[1].Low <= found[3].High {
			t.Errorf("they are told apart as %v", found)
		}
	}
	if missed > 1 {
		t.Errorf("%d of 30 intervals of 99 %% miss", missed)
	}
}

// drawWinner: each wins as often as e to the power of his strength, measured in what three of them vary by together.
func drawWinner(bots []string, strengths map[string]float64, rng *rand.Rand) game.Seat {
	c, total := math.Sqrt(float64(len(bots)))*25/6, 0.0
	for _, bot := range bots {
		total += math.Exp(strengths[bot] / c)
	}
	at := rng.Float64() * total
	for s, bot := range bots {
		if at -= math.Exp(strengths[bot] / c); at < 0 {
			return game.Seat(s)
		}
	}
	panic(fmt.Sprint("nobody of ", bots))
}
