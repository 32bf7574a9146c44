package lab

import (
	"math"
	"slices"
)

// z99 is how many standard errors to either side hold 99 % of a normal distribution.
const z99 = 2.5758293035489004

// A tally is how often something was there, of so often as it could be, at one deal. Games of one deal are no independent
// trials: what the deal does for a seat it does in all of them. So deals are what intervals are made of.
type tally struct{ sum, of float64 }

// An Estimate is a number and the 99 % interval around it.
type Estimate struct{ Value, Low, High float64 }

// ratio is the sum over all deals of what was counted by the sum of what it could be, and the variance of that (Cochran,
// Sampling Techniques, 3rd ed. 1977, § 6.3: the ratio estimate, deals being the units that were drawn).
func ratio(deals []tally) (value, variance float64, all tally) {
	for _, d := range deals {
		all.sum += d.sum
		all.of += d.of
	}
	if all.of == 0 {
		return 0, 0, all
	}
	value = all.sum / all.of
	for _, d := range deals {
		off := d.sum - value*d.of
		variance += off * off
	}
	n := float64(len(deals))
	return value, variance * n / max(n-1, 1) / (all.of * all.of), all
}

// share is a share of all that could be: Wilson's interval (1927), for as many trials as would be independent and vary as much
// (Kish, Survey Sampling, 1965: the effective size of a sample). Where nothing varies, as many as there are deals.
func share(deals []tally) Estimate {
	p, variance, _ := ratio(deals)
	n := float64(len(deals))
	if variance > 0 && len(deals) > 1 {
		n = p * (1 - p) / variance
	}
	return wilson(p, n)
}

func wilson(p, n float64) Estimate {
	if n == 0 {
		return Estimate{0, 0, 1}
	}
	middle := p + z99*z99/(2*n)
	half := z99 * math.Sqrt(p*(1-p)/n+z99*z99/(4*n*n))
	scale := 1 + z99*z99/n
	return Estimate{p, max(0, (middle-half)/scale), min(1, (middle+half)/scale)}
}

// mean is how many there are of something, by the normal distribution.
func mean(deals []tally) Estimate {
	value, variance, _ := ratio(deals)
	half := z99 * math.Sqrt(variance)
	return Estimate{value, max(0, value-half), value + half}
}

// byDeal counts rows that are in order: of each row what was there, and what could be.
func byDeal(rows []Row, of func(Row) tally) (deals []tally) {
	last := -1
	for _, r := range rows {
		if r.Deal != last {
			deals, last = append(deals, tally{}), r.Deal
		}
		t := of(r)
		deals[len(deals)-1].sum += t.sum
		deals[len(deals)-1].of += t.of
	}
	return deals
}

// quantiles are the values that so many of a hundred do not exceed.
func quantiles(values []float64, percents ...float64) (list []float64) {
	slices.Sort(values)
	for _, percent := range percents {
		i := int(math.Ceil(percent/100*float64(len(values)))) - 1
		list = append(list, values[max(i, 0)])
	}
	return list
}

// one is 1 where it is so, else 0.
func one(so bool) float64 {
	if so {
		return 1
	}
	return 0
}
