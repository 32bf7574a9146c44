package rating

import (
	"math"
	"slices"
	"testing"
)

// What a game changes is what Weng and Lin derive it from: the mean goes up the slope of the logarithm of the chance of what
// happened, the variance down with its curve. Here both are measured on that chance itself, which is a short formula.
func TestRatingsFollowTheSlope(t *testing.T) {
	for _, x := range []struct {
		all  []Rating
		game Result
	}{
		{[]Rating{{25, 69}, {25, 69}}, Result{[]int{0, 1}, []bool{true, false}}},
		{[]Rating{{25, 69}, {31, 4}, {20, 30}}, Result{[]int{2, 0, 1}, []bool{true, false, false}}},
		{[]Rating{{25, 69}, {31, 4}, {20, 30}, {28, 9}}, Result{[]int{0, 1, 2, 3}, []bool{false, true, true, false}}}, // together
		{[]Rating{{25, 69}, {31, 4}}, Result{[]int{0, 1, 0, 1, 1}, []bool{false, true, false, false, false}}},         // several chairs
		{[]Rating{{25, 69}, {31, 4}, {20, 30}}, Result{[]int{0, 1, 2}, []bool{false, false, false}}},                  // nobody wins
	} {
		c := 0.0
		for _, who := range x.game.Who {
			c += x.all[who].Variance + beta*beta
		}
		c = math.Sqrt(c)
		// chance is the logarithm of the chance that those have won who have, where one player is so much stronger.
		chance := func(player int, more float64) (sum float64) {
			total, winners := 0.0, 0.0
			strength := func(who int) float64 {
				if who == player {
					return (x.all[who].Mean + more) / c
				}
				return x.all[who].Mean / c
			}
			for i, who := range x.game.Who {
				total += math.Exp(strength(who))
				if x.game.Won[i] {
					winners++
				}
			}
			for i, who := range x.game.Who {
				switch {
				case winners == 0:
					sum += (strength(who) - math.Log(total)) / float64(len(x.game.Who))
				case x.game.Won[i]:
					sum += (strength(who) - math.Log(total)) / winners
				}
			}
			return sum
		}
		after := slices.Clone(x.all)
		x.game.Rate(after)
		for i, before := range x.all {
			const d = 1e-3
			slope := (chance(i, d) - chance(i, -d)) / (2 * d)
			curve := (chance(i, d) - 2*chance(i, 0) + chance(i, -d)) / (d * d)
			mean, variance := before.Mean+before.Variance*slope, before.Variance*(1+before.Variance*curve)
			if math.Abs(after[i].Mean-mean) > 1e-5 || math.Abs(after[i].Variance-variance) > 1e-3 {
				t.Errorf("%v: player %d is %+v, and by slope and curve %v, %v", x.game, i, after[i], mean, variance)
			}
		}
	}
}

// The first game of two, who know nothing of each other, in figures that one can work out on paper: c = √(2σ² + 2β²), half of σ²/c up
// and down, and a quarter of (σ²/c)² off the variance.
func TestTheFirstGame(t *testing.T) {
	all := []Rating{First(), First()}
	Result{[]int{0, 1}, []bool{true, false}}.Rate(all)
	for i, want := range []Rating{{27.6352, 62.5}, {22.3648, 62.5}} {
		if math.Abs(all[i].Mean-want.Mean) > 1e-4 || math.Abs(all[i].Variance-want.Variance) > 1e-6 {
			t.Errorf("player %d is %+v, not %+v", i, all[i], want)
		}
	}
}
