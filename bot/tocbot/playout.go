package tocbot

import (
	"math"
	"math/rand/v2"

	"caveau/game"
	"caveau/games/toctoc"
)

// playOn has all play by habit for so many turns, with the luck of that number, and is how likely the seat wins then.
func (h *habits) playOn(p *toctoc.Position, turns int, luck uint64, me game.Seat) float64 {
	dice := rand.NewPCG(luck, luck)
	for p.Asked() != game.NoSeat {
		if p.Door() == game.NoSeat {
			if turns == 0 {
				w := usual
				return w.standing(p, me)
			}
			turns--
		}
		p.Do(h.move(p, dice), nil)
	}
	return wins(p, me)
}

// wins is how much of the win is a seat's when all is over.
func wins(p *toctoc.Position, me game.Seat) float64 {
	won := p.Outcome().Winners
	if !won.Has(me) {
		return 0
	}
	return 1 / float64(won.Len())
}

// standing is how likely a seat wins at a table that lies open before us, when somebody is to knock.
func (w *weights) standing(p *toctoc.Position, me game.Seat) float64 {
	s := sight{weights: w, players: p.Seats()}
	n, unplayed := float64(s.players), p.Unplayed()
	after := -1
	for c := toctoc.Child; int(c) < toctoc.Faces; c++ {
		after += unplayed.Count(c)
	}
	for _, k := range toctoc.Kinds {
		s.coming[k] = float64(unplayed.Size(k)) / n
	}
	s.perPoint = 1 / (w.lead + w.leadMore*float64(after)/n)
	all, mine := 0.0, 0.0
	for o := range game.Seat(s.players) {
		held := p.Hand(o)
		turns := float64(held.N) + float64(p.Pile())/n
		var f fear
		for _, c := range held.Cards[:held.N] {
			switch {
			case c == toctoc.Child:
				f.party += w.child + w.childLast/turns
			case c == toctoc.Taxi:
				f.party += w.taxi + w.taxiLast/turns
			case c.IsVamp():
				f.lured[c.Kind()] += w.vamp + w.vampLast/turns
			}
		}
		power := math.Exp(s.strength(p.Party(o), &f))
		all += power
		if o == me {
			mine = power
		}
	}
	return mine / all
}
