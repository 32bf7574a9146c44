package duel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A deal that is played from every chair, and what one bot wins of it on the average.
var deals = map[string]struct {
	fair float64
	won  func(rng *rand.Rand) float64
}{
	"every game by itself": {0.25, func(rng *rand.Rand) float64 { return one(rng.Float64() < 0.25) }},
	"four games of a deal": {0.25, func(rng *rand.Rand) (won float64) {
		for range 4 {
			won += one(rng.Float64() < 0.25) / 4
		}
		return won
	}},
	"cards decide, not bots":    {0.5, func(rng *rand.Rand) float64 { return 0.5 + (one(rng.Float64() < 0.1)-one(rng.Float64() < 0.1))/2 }},
	"a rare win, and a big one": {1. / 6, func(rng *rand.Rand) float64 { return one(rng.Float64() < 1./6) }},
}

func one(so bool) float64 {
	if so {
		return 1
	}
	return 0
}

// Where nobody is better, no more than one of a hundred is told to be, though one looks after each of two thousand deals. Who looks so
// often at an ordinary interval of 99 % is wrong ten times as often: so this test notices.
func TestEqualsAreNotToldApart(t *testing.T) {
	const times, most = 1000, 2000
	for name, deal := range deals {
		rng := rand.New(rand.NewPCG(1, 1))
		falsely, naively := 0, 0
		for range times {
			list := make([]float64, most)
			for i := range list {
				list[i] = deal.won(rng)
			}
			more, less, _ := told(deal.fair, list)
			falsely += int(one(more || less))
			naively += int(one(ordinary(deal.fair, list)))
		}
		t.Logf("%s: %d of %d, and %d by ordinary intervals", name, falsely, times, naively)
		if falsely > times/100+8 {
			t.Errorf("%s: equals were told apart in %d of %d cases", name, falsely, times)
		}
		if naively < times/20 {
			t.Errorf("%s: ordinary intervals were wrong in %d of %d cases only: what is tested here?", name, naively, times)
		}
	}
}

// ordinary tells whether a normal interval misses the share at any look after the thirtieth deal.
func ordinary(share float64, list []float64) bool {
	sum, squares := 0.0, 0.0
	for i, won := range list {
		sum, squares = sum+won, squares+won*won
		n := float64(i + 1)
		mean := sum / n
		if i >= 30 && math.Abs(mean-share) > 2.576*math.Sqrt((squares/n-mean*mean)/n) {
			return true
		}
	}
	return false
}

// What differs is told apart, soon if it differs much, and for what it is.
func TestWhatDiffersIsToldApart(t *testing.T) {
	for _, x := range []struct {
		share         float64
		within, found int
	}{{0.45, 150, 90}, {0.35, 600, 90}, {0.29, 4000, 90}, {0.15, 500, 90}} {
		rng := rand.New(rand.NewPCG(2, 2))
		right, sum := 0, 0
		for range 100 {
			list := make([]float64, x.within)
			for i := range list {
				list[i] = one(rng.Float64() < x.share)
			}
			more, less, after := told(0.25, list)
			sum += after
			if more && x.share > 0.25 || less && x.share < 0.25 {
				right++
			}
		}
		t.Logf("%.2f: %d of 100 within %d deals, after %d on the average", x.share, right, x.within, sum/100)
		if right < x.found {
			t.Errorf("that %.2f is not a quarter was told within %d deals in %d cases of 100", x.share, x.within, right)
		}
	}
}

// The interval holds the truth in 99 cases of a hundred, whenever one looks, and it says the same as the bets: who is told apart from his share
// does not have it in there.
func TestIntervals(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	missed, width := 0, 0.0
	for range 500 {
		share := 0.1 + 0.8*rng.Float64()
		list := make([]float64, 300)
		for i := range list {
			list[i] = one(rng.Float64() < share)
		}
		low, high := interval(list)
		missed += int(one(share < low || share > high))
		width += (high - low) / 500
		for _, said := range []float64{share - 0.1, share, share + 0.05} {
			more, less, _ := told(said, list)
			if more != (said <= low) || less != (said >= high) {
				t.Errorf("of %.4f it is told that the share is more: %v, or less: %v; but it is between %.4f and %.4f", said, more, less, low, high)
			}
		}
	}
	t.Logf("%d of 500 miss, and they are %.3f wide on the average", missed, width)
	if missed > 12 || width > 0.25 {
		t.Errorf("of 500 intervals %d miss, and they are %.3f wide", missed, width)
	}
	if low, high := interval(nil); low != 0 || high != 1 {
		t.Errorf("without a deal the share is between %v and %v", low, high)
	}
}
