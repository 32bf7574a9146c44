package lab

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"caveau/game"
)

// What a game changes is what Weng and Lin derive it from: the mean goes up the slope of the logarithm of the chance of what
// happened, the variance down with its curve. Here both are measured on that chance itself, which is a short formula.
func TestRatingsFollowTheSlope(t *testing.T) {
	for _, x := range []struct {
		all  []rating
		game result
	}{
		{[]rating{{25, 69}, {25, 69}}, result{[]int{0, 1}, []bool{true, false}}},
		{[]rating{{25, 69}, {31, 4}, {20, 30}}, result{[]int{2, 0, 1}, []bool{true, false, false}}},
		{[]rating{{25, 69}, {31, 4}, {20, 30}, {28, 9}}, result{[]int{0, 1, 2, 3}, []bool{false, true, true, false}}}, // together
		{[]rating{{25, 69}, {31, 4}}, result{[]int{0, 1, 0, 1, 1}, []bool{false, true, false, false, false}}},         // several chairs
		{[]rating{{25, 69}, {31, 4}, {20, 30}}, result{[]int{0, 1, 2}, []bool{false, false, false}}},                  // nobody wins
	} {
		c := 0.0
		for _, who := range x.game.who {
			c += x.all[who].variance + beta*beta
		}
		c = math.Sqrt(c)
		// chance is the logarithm of the chance that those have won who have, where one player is so much stronger.
		chance := func(player int, more float64) (sum float64) {
			total, winners := 0.0, 0.0
			strength := func(who int) float64 { return (x.all[who].mean + more*one(who == player)) / c }
			for i, who := range x.game.who {
				total += math.Exp(strength(who))
				winners += one(x.game.won[i])
			}
			for i, who := range x.game.who {
				switch {
				case winners == 0:
					sum += (strength(who) - math.Log(total)) / float64(len(x.game.who))
				case x.game.won[i]:
					sum += (strength(who) - math.Log(total)) / winners
				}
			}
			return sum
		}
		after := slices.Clone(x.all)
		rate(after, x.game)
		for i, before := range x.all {
			const d = 1e-3
			slope := (chance(i, d) - chance(i, -d)) / (2 * d)
			curve := (chance(i, d) - 2*chance(i, 0) + chance(i, -d)) / (d * d)
			mean, variance := before.mean+before.variance*slope, before.variance*(1+before.variance*curve)
			if math.Abs(after[i].mean-mean) > 1e-5 || math.Abs(after[i].variance-variance) > 1e-3 {
				t.Errorf("%v: player %d is %+v, and by slope and curve %v, %v", x.game, i, after[i], mean, variance)
			}
		}
	}
}

// The first game of two, who know nothing of each other, in figures that one can work out on paper: c = √(2σ² + 2β²), half of σ²/c up
// and down, and a quarter of (σ²/c)² off the variance.
func TestTheFirstGame(t *testing.T) {
	all := rated(2, [][]result{{{[]int{0, 1}, []bool{true, false}}}})
	for i, want := range []rating{{27.6352, 62.5}, {22.3648, 62.5}} {
		if math.Abs(all[i].mean-want.mean) > 1e-4 || math.Abs(all[i].variance-want.variance) > 1e-6 {
			t.Errorf("player %d is %+v, not %+v", i, all[i], want)
		}
	}
}

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
	c, total := math.Sqrt(float64(len(bots)))*beta, 0.0
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
