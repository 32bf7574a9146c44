package dawn

import "caveau/game"

// takeStake: who opens an occupied grave takes a stake. 2004 ch. 2. The third is resolved at once (T1): a vampire from
// everyone else, or four from the one opponent (D4); the stakes go back when the last gift is placed.
func (p *Position) takeStake(s game.Seat, ev *game.Events) {
	p.stakes[s]++
	ev.Count(s, "stake", p.stakes[s], "T1")
	switch {
	case p.stakes[s] == 3:
		p.bringGifts(s, p.others(s), p.orOfTwo(4), forStakes, ev)
	case p.night.bat != noGrave:
		p.layAfterGifts(forStakes, ev) // B4
	default:
		p.afterOpening(ev)
	}
}

func (p *Position) returnStakes(s game.Seat, ev *game.Events) {
	p.stakes[s] = 0
	ev.Say(s, "return", nil, nil, "T1")
}

func (p *Position) others(s game.Seat) game.Seats { return game.EverySeat(p.players).Without(s) }

// orOfTwo is how many a giver owes: one; with two players more (D4).
func (p *Position) orOfTwo(n uint8) uint8 {
	if p.players == 2 {
		return n
	}
	return 1
}
