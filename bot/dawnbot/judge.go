package dawnbot

import (
	"math"

	"caveau/game"
	"caveau/games/dawn"
)

// A stand is what somebody has to show for himself when a turn begins.
type stand [stands]float64

const (
	byVampires = iota
	byLast     // as many again, the more the nearer somebody is to his last
	byStakes   // for each of the others
	byBundles  // in hand
	byWait     // how much of a round he has to wait
	byFits     // how many he can lay when his turn comes, once those before him have laid theirs
	byWin      // it is all that he has
	byLuck     // how likely any lid that nobody has seen fits an end
	byBats     // in hand, the more as above
	byCount    // a grave that may be free is reserved for him
	stands
)

// By these e to the sum says how much likelier one is to win than another: fitted to games of rules with two, three, four and six (TestJudge).
var (
	day   = stand{byVampires: -0.15, byLast: -0.35, byStakes: -0.05, byBundles: 0.09, byWait: -0.07, byFits: 0.26, byWin: 1.99, byLuck: 1.26}
	night = stand{
		byVampires: -0.11, byLast: -1.16, byStakes: -0.14, byBundles: 0.05, byWait: -0.26, byFits: 0.25, byWin: 0.65, byLuck: 0.95,
		byBats: 1.35, byCount: 0.55,
	}
)

// likely is how likely a seat is to win, by what everybody knows: somebody begins his turn, or the game is over.
func likely(p *dawn.Position, me game.Seat) float64 {
	if winners := p.Winners(); winners != 0 {
		if winners.Has(me) {
			return 1 / float64(winners.Len())
		}
		return 0
	}
	all, weights := standing(p), day
	if p.Night() {
		weights = night
	}
	sum := 0.0
	for s := range p.Players() {
		sum += math.Exp(all[s].sum(&weights) - all[me].sum(&weights))
	}
	return 1 / sum
}

func (s *stand) sum(weights *stand) (sum float64) {
	for i, x := range s {
		sum += weights[i] * x
	}
	return sum
}

// standing is how everybody stands.
func standing(p *dawn.Position) (all [game.MaxSeats]stand) {
	v := p.View(p.Player())
	m := think(&v, nil)
	near := 0.0
	for s := range game.Seat(m.all) {
		near = max(near, 1/float64(1+m.rows[s].Len()))
	}
	holder, reserved := p.Count()
	s := m.me
	for wait := range m.all {
		of, row := &all[s], &m.rows[s]
		n, left := chain(*row, m.free, ahead)
		of[byVampires], of[byLast] = float64(row.Len()), near*float64(row.Len())
		of[byStakes], of[byBundles] = float64(int(m.all-1)*p.Stakes(s)), float64(p.Bundles(s))
		of[byWait], of[byFits] = float64(wait)/float64(m.all), float64(n)
		of[byBats] = near * float64(p.Bats(s))
		if n == row.Len() {
			of[byWin] = 1
		}
		if m.ground.Unseen != 0 {
			of[byLuck] = m.chanceToFit(s)
		}
		if s == holder && reserved&(m.empty()|m.ground.Unseen) != 0 {
			of[byCount] = 1
		}
		m.free = left
		s = s.Left(m.all)
	}
	return all
}
