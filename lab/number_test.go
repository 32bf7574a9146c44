package lab

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The ends of Wilson's interval are the shares from which what was seen lies just so many standard errors away.
func TestWilson(t *testing.T) {
	for _, x := range []struct{ p, n float64 }{{0.5, 100}, {0.25, 1000}, {0, 30}, {1, 30}, {0.03, 12}} {
		e := wilson(x.p, x.n)
		for _, end := range []float64{e.Low, e.High} {
			away := math.Abs(x.p - end)
			if se := math.Sqrt(end * (1 - end) / x.n); math.Abs(away-2.575829*se) > 1e-6 {
				t.Errorf("%v of %v: the end %v is %v away, %v standard errors", x.p, x.n, end, away, away/se)
			}
		}
		if e.Value != x.p || e.Low > x.p || e.High < x.p || e.Low == e.High {
			t.Errorf("%v of %v: %+v", x.p, x.n, e)
		}
	}
}

// Of intervals for what is known, one in a hundred misses it: where games are independent, where those of a deal are alike, as
// when a deal is good for a seat, and where they make up for each other, as when every bot has every chair.
func TestIntervalsHoldWhatTheySay(t *testing.T) {
	const p, deals, sittings, times = 0.3, 200, 4, 1000
	rng := rand.New(rand.NewPCG(1, 1))
	for name, deal := range map[string]func() float64{
		"independent": func() (n float64) {
			for range sittings {
				n += one(rng.Float64() < p)
			}
			return n
		},
		"alike":        func() float64 { return sittings * one(rng.Float64() < p) },
		"compensating": func() float64 { return 1 + one(rng.Float64() < p*sittings-1) },
	} {
		missed, width := 0, 0.0
		for range times {
			var list []tally
			for range deals {
				list = append(list, tally{deal(), sittings})
			}
			e := share(list)
			width += (e.High - e.Low) / times
			missed += int(one(p < e.Low || p > e.High))
		}
		t.Logf("%s: %d of %d intervals miss, and are %.3f wide", name, missed, times, width)
		if missed > 25 || missed < 2 {
			t.Errorf("%s: of %d intervals of 99 %% %d miss", name, times, missed)
		}
	}
}

// Where nothing varies there are as many trials as deals.
func TestAShareOfNothing(t *testing.T) {
	if got, want := share([]tally{{0, 4}, {0, 4}, {0, 4}}), wilson(0, 3); got != want {
		t.Errorf("never in three deals is %+v, not %+v", got, want)
	}
	if got := share([]tally{{1, 4}}); got != wilson(0.25, 1) {
		t.Errorf("once in four games of one deal is %+v", got)
	}
}

func TestAMean(t *testing.T) {
	// 2, 4 and 6 have the mean 4 and the standard error √(4/3).
	e, half := mean([]tally{{2, 1}, {4, 1}, {6, 1}}), 2.5758293*math.Sqrt(4.0/3)
	if e.Value != 4 || math.Abs(e.High-4-half) > 1e-6 || math.Abs(4-e.Low-half) > 1e-6 {
		t.Errorf("2, 4 and 6 have the mean %+v", e)
	}
}

func TestQuantiles(t *testing.T) {
	var hundred []float64
	for n := range 100 {
		hundred = append(hundred, float64(100-n))
	}
	for i, got := range quantiles(hundred, 0, 5, 25, 50, 75, 95, 100) {
		if want := []float64{1, 5, 25, 50, 75, 95, 100}[i]; got != want {
			t.Errorf("of 1 to 100 the quantiles have %v where %v belongs", got, want)
		}
	}
	if got := quantiles([]float64{7}, 5, 95); got[0] != 7 || got[1] != 7 {
		t.Errorf("of 7 alone the quantiles are %v", got)
	}
}
