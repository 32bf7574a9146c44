package lab

import (
	"math"
	"slices"

	"caveau/fair"
	"caveau/game"
	"caveau/rating"
)

// rated are so many players' ratings after these games, one after the other.
func rated(players int, deals [][]rating.Result) []rating.Rating {
	all := slices.Repeat([]rating.Rating{rating.First()}, players)
	for _, games := range deals {
		for _, g := range games {
			g.Rate(all)
		}
	}
	return all
}

// resamples is how often as many deals are drawn from those that were played, for an interval.
const resamples = 200

// ratings say how far each bot's rating is above that of the bot zero, with 99 % intervals: the deals are drawn anew from those that
// were played (Efron's bootstrap, 1979), which keeps together what was dealt alike, and the differences vary by so much.
func ratings(bots []string, zero int, rows []Row) []Estimate {
	deals := results(bots, rows)
	above := func(all []rating.Rating) (list []float64) {
		for _, r := range all {
			list = append(list, r.Mean-all[zero].Mean)
		}
		return list
	}
	values := above(rated(len(bots), deals))
	squares := make([]float64, len(bots))
	again := make([][]rating.Result, len(deals))
	for n := range resamples {
		chance := fair.SpareChance(fair.Bits{}, n)
		for i := range again {
			again[i] = deals[chance.IntN(len(deals))]
		}
		for i, v := range above(rated(len(bots), again)) {
			squares[i] += (v - values[i]) * (v - values[i])
		}
	}
	list := make([]Estimate, len(bots))
	for i, v := range values {
		half := z99 * math.Sqrt(squares[i]/resamples)
		list[i] = Estimate{v, v - half, v + half}
	}
	return list
}

// results are the games, deal by deal.
func results(bots []string, rows []Row) (deals [][]rating.Result) {
	last := -1
	for _, r := range rows {
		if r.Deal != last {
			deals, last = append(deals, nil), r.Deal
		}
		g := rating.Result{Won: make([]bool, len(r.Bots))}
		for s, bot := range r.Bots {
			g.Who = append(g.Who, slices.Index(bots, bot))
			g.Won[s] = slices.Contains(r.Winners, game.Seat(s))
		}
		deals[len(deals)-1] = append(deals[len(deals)-1], g)
	}
	return deals
}
