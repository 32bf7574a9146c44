package dawnbot

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"caveau/game"
	"caveau/games/dawn"
)

var worlds = flag.Int("worlds", 40, "at how many tables TestHowFarToLook tries a choice")

// looks are after how many decisions it is judged who is likely to win; the last is the end of the game.
var looks = [...]int{0, 15, 30, horizon, 60, dawn.Rules.MaxMoves}

// A look is what each candidate gains at each table, as it is judged after so many decisions.
type look [][]float64

// How far should one look? Every candidate is followed to the end of the game at the same tables, and judged on the way. Half of the tables are for choosing, as Think
// does; the others tell what that brings in the end, and how far the judge is out (the root of the mean square, without what chance does).
//
//	go test -v -run TestHowFarToLook ./bot/dawnbot -choices 300 -worlds 300 -edition rucola -players 4
func TestHowFarToLook(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 7))
	var found [len(looks)]verdict
	visit(t, *edition, *players, func(p dawn.Position) bool {
		if rng.IntN(7) != 0 {
			return true
		}
		v, moves := p.View(p.Turn()), p.Moves(nil)
		tried := candidates(&v, moves, nil, Rules(&v, moves, rng))
		if len(tried) == 1 {
			return true
		}
		all := followed(&v, tried, rng)
		for i := range looks {
			found[i].add(all[i], all[len(looks)-1])
		}
		return len(found[0].gains) < *choices
	})
	for i, f := range found {
		n := float64(len(f.gains))
		mean, squares := 0.0, 0.0
		for _, g := range f.gains {
			mean += g / n
			squares += g * g / n
		}
		t.Logf("%s, %d players, judged after %5d decisions: out by %4.1f wins of a hundred, %2.0f %% other choices, which promise %4.1f; they bring %.2f ± %.2f a choice",
			*edition, *players, looks[i], 100*math.Sqrt(max(f.off/f.tried, 0)), 100*f.others/n, 100*f.promised/max(f.others, 1),
			100*mean, 258*math.Sqrt((squares-mean*mean)/n))
	}
	if first, far := found[0], found[3]; far.off >= first.off {
		t.Errorf("who looks %d decisions ahead is out by %g, and by %g who looks at once", horizon, far.off, first.off)
	}
}

// followed is what each candidate gains over the first one.
func followed(v *dawn.View, tried []candidate, rng *rand.Rand) (all [len(looks)]look) {
	for range *worlds {
		world, luck := v.Sample(rng), rng.Uint64()
		var usual [len(looks)]float64
		var gains [len(looks)][]float64
		for n, c := range tried {
			for i, worth := range follow(world.Play(c.move, nil), v.Seat(), luck) {
				if n == 0 {
					usual[i] = worth
				}
				gains[i] = append(gains[i], worth-usual[i])
			}
		}
		for i := range all {
			all[i] = append(all[i], gains[i])
		}
	}
	return all
}

// follow is how likely a seat is to win, at each look.
func follow(p dawn.Position, me game.Seat, luck uint64) (worth [len(looks)]float64) {
	rng, moves, i := rand.New(rand.NewPCG(luck, 0)), make([]dawn.Move, 0, 128), 0
	for n := 0; p.Asked() != game.NoSeat && n < dawn.Rules.MaxMoves; n++ {
		for ; n >= looks[i] && p.Begins(); i++ {
			worth[i] = likely(&p, me)
		}
		v := p.View(p.Asked())
		p.Do(Rules(&v, p.Legal(moves[:0]), rng), nil)
	}
	for ; i < len(looks); i++ {
		if p.Winners() != 0 {
			worth[i] = likely(&p, me)
		}
	}
	return worth
}

// A verdict is what comes of a way to look.
type verdict struct {
	tried, off       float64
	others, promised float64
	gains            []float64
}

func (f *verdict) add(judged, ended look) {
	half := len(judged) / 2
	best, most := 0, 0.0
	for n := 1; n < len(judged[0]); n++ {
		mean, err := judged[:half].of(n)
		if mean > most && mean > better*err {
			best, most = n, mean
		}
		end, _ := ended[:half].of(n)
		mean2, _ := judged[half:].of(n)
		end2, _ := ended[half:].of(n)
		f.off += (mean - end) * (mean2 - end2)
		f.tried++
	}
	if best != 0 {
		f.others++
		f.promised += most
	}
	gain, _ := ended[half:].of(best)
	f.gains = append(f.gains, gain)
}

// of is what a candidate gains on the average, and the standard error.
func (l look) of(n int) (mean, err float64) {
	var c candidate
	for _, gains := range l {
		c.n++
		c.sum += gains[n]
		c.squares += gains[n] * gains[n]
	}
	return c.mean(), c.err()
}
