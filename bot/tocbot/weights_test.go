package tocbot

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"caveau/game"
	"caveau/games/toctoc"
)

var fit = flag.Int("fit", 60, "fit the weights to so many games of rules against rules: 8000 for those that the bot has")

// fitted are the weights that a player's strength is a sum of; the points stand before them, and count one.
func (w *weights) fitted() []*float64 {
	return []*float64{&w.music, &w.child, &w.childLast, &w.taxi, &w.taxiLast, &w.vamp, &w.vampLast}
}

const (
	terms = 1 + 7 // in such a sum
	lead  = terms
	more  = terms + 1
)

// A sample is a table before a knock: what each player's strength is made of, and who won.
type sample struct {
	players int
	each    float64 // cards left for each player
	terms   [mostPlayers][terms]float64
	won     [mostPlayers]float64
}

// TestWeights prints weights fitted to games of rules among themselves: those with which who is stronger has won as often as
// is said (a conditional logit, by gradient ascent). Copied into chances.go they are the weights of the next time.
func TestWeights(t *testing.T) {
	var samples []sample
	for g := range *fit {
		samples = append(samples, observed(t, g)...)
	}
	w, likelihood := ascend(samples, min(3000, 5**fit))
	none := 0.0 // the likelihood where all are as strong
	for i := range samples {
		none -= math.Log(float64(samples[i].players)) / float64(len(samples))
	}
	if likelihood < none+0.05 {
		t.Errorf("log likelihood %.4f each, and %.4f without any weight: they say nothing of who wins", likelihood, none)
	}
	t.Logf("%d samples, log likelihood %.4f each", len(samples), likelihood)
	for i, name := range []string{"points", "music", "child", "childLast", "taxi", "taxiLast", "vamp", "vampLast", "lead", "leadMore"} {
		t.Logf("%-10s %.2f", name, w[i])
	}
}

// observed plays a game, and looks at one turn in four.
func observed(t *testing.T, seed int) (samples []sample) {
	dice := rand.New(rand.NewPCG(uint64(seed), 3))
	p, err := toctoc.Rules.Deal(game.Setup{Players: 3 + seed%3, First: game.NoSeat}, dice)
	if err != nil {
		t.Fatal(err)
	}
	for p.Turn() != game.NoSeat {
		v := p.View(p.Turn())
		if v.Door() == game.NoSeat && dice.IntN(4) == 0 {
			samples = append(samples, sampled(&v, p))
		}
		p = p.Play(usual.move(&v, dice.Float64()), nil)
	}
	for i := range samples {
		for _, s := range p.Outcome().Winners.List() {
			samples[i].won[s] = 1 / float64(p.Outcome().Winners.Len())
		}
	}
	return samples
}

func sampled(v *toctoc.View, p toctoc.Position) (x sample) {
	s := usual.look(v)
	x.players, x.each = s.players, float64(s.unplayed.all())/float64(s.players)
	for o := range game.Seat(s.players) {
		var held hand
		for _, c := range p.Held(o) {
			held[c]++
		}
		x.terms[o] = s.termsOf(v.Party(o), &held, s.turns(o))
	}
	return x
}

// termsOf is what a strength is made of: each weight is tried alone.
func (s *sight) termsOf(guests toctoc.Party, held *hand, turns float64) (of [terms]float64) {
	one := *s
	one.perPoint = 1
	for i := range of {
		one.weights = &weights{}
		if i > 0 {
			*one.fitted()[i-1] = 1
		}
		f := one.fear(held, turns)
		if of[i] = one.strength(guests, &f); i > 0 {
			of[i] -= of[0]
		}
	}
	return of
}

// ascend climbs to the likeliest weights, by Adam (Kingma and Ba 2015) with its usual constants.
func ascend(samples []sample, steps int) (w [terms + 2]float64, likelihood float64) {
	var first, second [terms + 2]float64
	dice := rand.New(rand.NewPCG(1, 4))
	w[0], w[lead], w[more] = 1, 1, 1
	const batch = 4000
	for step := 1; step <= steps; step++ {
		var slope [terms + 2]float64
		for range batch {
			samples[dice.IntN(len(samples))].slope(&w, &slope)
		}
		for i := 1; i < len(w); i++ {
			g := slope[i] / batch
			first[i] = 0.9*first[i] + 0.1*g
			second[i] = 0.999*second[i] + 0.001*g*g
			rate := 0.01 * (1 - float64(step)/float64(steps))
			w[i] += rate * first[i] / (1 - math.Pow(0.9, float64(step))) / (math.Sqrt(second[i]/(1-math.Pow(0.999, float64(step)))) + 1e-8)
		}
	}
	for i := range samples {
		likelihood += samples[i].slope(&w, new([terms + 2]float64)) / float64(len(samples))
	}
	return w, likelihood
}

// slope adds how the likelihood of who won grows with each weight, and is its logarithm.
func (x *sample) slope(w, slope *[terms + 2]float64) (likelihood float64) {
	scale := w[lead] + w[more]*x.each
	var strength, power [mostPlayers]float64
	all := 0.0
	for o := range x.players {
		for i, term := range x.terms[o] {
			strength[o] += w[i] * term / scale
		}
		power[o] = math.Exp(strength[o])
		all += power[o]
	}
	for o := range x.players {
		chance := power[o] / all
		likelihood += x.won[o] * math.Log(chance)
		missed := (x.won[o] - chance) / scale
		for i, term := range x.terms[o] {
			slope[i] += missed * term
		}
		slope[lead] -= missed * strength[o]
		slope[more] -= missed * strength[o] * x.each
	}
	return likelihood
}
