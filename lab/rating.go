package lab

import (
	"math"
	"slices"

	"caveau/fair"
	"caveau/game"
)

// Ratings are those of Weng and Lin, A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), algorithm 4: everybody's
// strength is a normal distribution, and who comes first follows Plackett and Luce. Whoever wins is first, together with whom he
// wins; in a game that nobody wins all are. The rulebooks know no second place, so nothing is said of who comes behind: to call
// it a draw of the others would draw all ratings together, and never let go of them.
//
// Bots do not learn, so each game counts in full: the paper's γ is 1, and nothing is added to a variance.
const (
	firstMean = 25.0
	firstDev  = firstMean / 3
	beta      = firstDev / 2 // how much one's strength varies from game to game
	leastPart = 0.0001       // the paper's κ: so much of a variance stays after any game
)

type rating struct{ mean, variance float64 }

// A result is who sat in each chair, as a number, and whether that chair has won.
type result struct {
	who []int
	won []bool
}

// rate changes the ratings by one game. Who has several chairs is told by each of them how strong he is.
func rate(all []rating, game result) {
	c, winners := 0.0, 0.0
	for i, who := range game.who {
		c += all[who].variance + beta*beta
		winners += one(game.won[i])
	}
	c = math.Sqrt(c)
	strength, first := make([]float64, len(all)), make([]float64, len(all)) // by player, all his chairs together
	sum := 0.0
	for i, who := range game.who {
		chair := math.Exp(all[who].mean / c)
		sum += chair
		strength[who] += chair
		switch {
		case winners == 0:
			first[who] += 1 / float64(len(game.who))
		case game.won[i]:
			first[who] += 1 / winners
		}
	}
	for who := range all {
		r, p := &all[who], strength[who]/sum
		r.mean += r.variance / c * (first[who] - p)
		r.variance *= max(1-r.variance/(c*c)*p*(1-p), leastPart)
	}
}

// rated are so many players' ratings after these games, one after the other.
func rated(players int, deals [][]result) []rating {
	all := slices.Repeat([]rating{{firstMean, firstDev * firstDev}}, players)
	for _, games := range deals {
		for _, g := range games {
			rate(all, g)
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
	above := func(all []rating) (list []float64) {
		for _, r := range all {
			list = append(list, r.mean-all[zero].mean)
		}
		return list
	}
	values := above(rated(len(bots), deals))
	squares := make([]float64, len(bots))
	again := make([][]result, len(deals))
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
func results(bots []string, rows []Row) (deals [][]result) {
	last := -1
	for _, r := range rows {
		if r.Deal != last {
			deals, last = append(deals, nil), r.Deal
		}
		g := result{won: make([]bool, len(r.Bots))}
		for s, bot := range r.Bots {
			g.who = append(g.who, slices.Index(bots, bot))
			g.won[s] = slices.Contains(r.Winners, game.Seat(s))
		}
		deals[len(deals)-1] = append(deals[len(deals)-1], g)
	}
	return deals
}
