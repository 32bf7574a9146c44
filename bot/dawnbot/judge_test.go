package dawnbot

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"caveau/game"
	"caveau/games/dawn"
)

var fit = flag.Int("fit", 40, "fit the judge to so many games at each size of table: 3000 for the weights that he has")

// A sample is how everybody stood when a turn began, and who won.
type sample struct {
	players int
	stands  [game.MaxSeats]stand
	won     [game.MaxSeats]float64
}

// Who stands better wins more often, and as much more often as the weights say: they are printed as they are fitted best (a conditional logit, by Newton's
// method), for judge.go. What the judge says is worth more than to know nothing but how many play.
//
//	go test -v -run TestJudge ./bot/dawnbot -fit 3000
func TestJudge(t *testing.T) {
	for _, at := range []struct {
		name     string
		editions []string
		weights  *stand
	}{{"by day", []string{"2004", "2017"}, &day}, {"by night", []string{"rucola"}, &night}} {
		t.Run(at.name, func(t *testing.T) {
			var samples []sample
			for _, edition := range at.editions {
				for _, players := range []int{2, 3, 4, 6} {
					for n := range *fit {
						samples = append(samples, observed(t, edition, players, n)...)
					}
				}
			}
			fitted, none := fittest(samples), loss(samples, &stand{})
			t.Logf("%d turns; lost (minus the logarithm) %.4f by the judge, %.4f by what is fitted, %.4f by nothing: %.2f",
				len(samples), loss(samples, at.weights), loss(samples, &fitted), none, fitted)
			if got := loss(samples, at.weights); got > none-0.1 {
				t.Errorf("the judge loses %.3f a turn, and %.3f who knows nothing", got, none)
			}
		})
	}
}

// observed plays a game, in one of two with some moves that the rules do not say, and looks at one turn in four.
func observed(t *testing.T, edition string, players, n int) (samples []sample) {
	rng := rand.New(rand.NewPCG(uint64(n), 6))
	p, err := dawn.Rules.Deal(game.Setup{Edition: edition, Players: players, First: game.NoSeat}, rng)
	if err != nil {
		t.Fatal(err)
	}
	others := n % 2 * rng.IntN(10)
	for made := 0; p.Asked() != game.NoSeat && made < dawn.Rules.MaxMoves; made++ {
		if p.Begins() && rng.IntN(4) == 0 {
			samples = append(samples, sample{players: players, stands: standing(&p)})
		}
		v, moves := p.View(p.Asked()), p.Moves(nil)
		move := Rules(&v, moves, rng)
		if rng.IntN(100) < others {
			some := candidates(&v, moves, nil, move)
			move = some[rng.IntN(len(some))].move
		}
		p.Do(move, nil)
	}
	for i := range samples {
		for _, s := range p.Winners().List() {
			samples[i].won[s] = 1 / float64(p.Winners().Len())
		}
	}
	return samples
}

// shares are how likely each is to win.
func (x *sample) shares(weights *stand) (shares [game.MaxSeats]float64) {
	sum := 0.0
	for s := range x.players {
		shares[s] = math.Exp(x.stands[s].sum(weights))
		sum += shares[s]
	}
	for s := range x.players {
		shares[s] /= sum
	}
	return shares
}

func loss(samples []sample, weights *stand) (loss float64) {
	for i := range samples {
		shares := samples[i].shares(weights)
		for s := range samples[i].players {
			loss -= samples[i].won[s] * math.Log(shares[s]) / float64(len(samples))
		}
	}
	return loss
}

// fittest are the weights that lose least.
func fittest(samples []sample) (w stand) {
	for range 8 {
		var slope stand
		var bend [stands]stand
		for i := range samples {
			samples[i].climb(&w, &slope, &bend)
		}
		for i := range bend {
			bend[i][i] += 1 // what never differs stays nought
		}
		step := solve(bend, slope)
		for i := range w {
			w[i] += step[i]
		}
	}
	return w
}

// climb adds how much less is lost with more of each weight, and how that bends.
func (x *sample) climb(w, slope *stand, bend *[stands]stand) {
	shares := x.shares(w)
	var mean stand
	for s := range x.players {
		for i, f := range x.stands[s] {
			mean[i] += shares[s] * f
		}
	}
	for s := range x.players {
		off := x.stands[s]
		for i := range off {
			off[i] -= mean[i]
			slope[i] += x.won[s] * off[i]
		}
		for i, f := range off {
			for j, g := range off {
				bend[i][j] += shares[s] * f * g
			}
		}
	}
}

// solve solves linear equations, by Gauss.
func solve(a [stands]stand, b stand) stand {
	for i := range a {
		for j := range a {
			if j == i {
				continue
			}
			by := a[j][i] / a[i][i]
			for k := range a {
				a[j][k] -= by * a[i][k]
			}
			b[j] -= by * b[i]
		}
	}
	for i := range b {
		b[i] /= a[i][i]
	}
	return b
}
