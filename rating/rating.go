// Package rating says how strong players are, from games of two and more.
//
// Ratings are those of Weng and Lin, A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), algorithm 4: everybody's
// strength is a normal distribution, and who comes first follows Plackett and Luce. Whoever wins is first, together with whom he
// wins; in a game that nobody wins all are. The rulebooks know no second place, so nothing is said of who comes behind: to call
// it a draw of the others would draw all ratings together, and never let go of them.
//
// Nobody is taken to become stronger or weaker, so each game counts in full: the paper's γ is 1, and nothing is added to a
// variance.
package rating

import "math"

const (
	firstMean = 25.0
	firstDev  = firstMean / 3
	beta      = firstDev / 2 // how much one's strength varies from game to game
	leastPart = 0.0001       // the paper's κ: so much of a variance stays after any game
)

// A Rating is how strong somebody is held to be.
type Rating struct{ Mean, Variance float64 }

// First is the rating of somebody who has not played yet.
func First() Rating { return Rating{firstMean, firstDev * firstDev} }

// A Result is who sat in each chair, as a number, and whether that chair has won.
type Result struct {
	Who []int
	Won []bool
}

// Rate changes the ratings of all by one game. Who has several chairs is told by each of them how strong he is.
func (g Result) Rate(all []Rating) {
	c, winners := 0.0, 0.0
	for i, who := range g.Who {
		c += all[who].Variance + beta*beta
		if g.Won[i] {
			winners++
		}
	}
	c = math.Sqrt(c)
	strength, first := make([]float64, len(all)), make([]float64, len(all)) // by player, all his chairs together
	sum := 0.0
	for i, who := range g.Who {
		chair := math.Exp(all[who].Mean / c)
		sum += chair
		strength[who] += chair
		switch {
		case winners == 0:
			first[who] += 1 / float64(len(g.Who))
		case g.Won[i]:
			first[who] += 1 / winners
		}
	}
	for who := range all {
		r, p := &all[who], strength[who]/sum
		r.Mean += r.Variance / c * (first[who] - p)
		r.Variance *= max(1-r.Variance/(c*c)*p*(1-p), leastPart)
	}
}
