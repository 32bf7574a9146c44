package dawn

import "caveau/game"

// Asks is what the asked seat is asked, in the order of Moves. Everyone sees what it is about.
func (p Position) Asks() game.Question {
	switch {
	case p.winners != 0:
		return game.Question{}
	case p.givers != 0:
		return game.Question{Word: "give", Rule: "G1"}
	case p.held > 0:
		return game.Question{Word: "take", Rule: "G3"}
	case p.night.asks != 0:
		return game.Question{Word: "believe", Rule: "B3"}
	case p.night.layer != game.NoSeat:
		return p.asksToLay()
	case p.night.places != 0:
		return game.Question{Word: "count", Rule: p.putRule()}
	case p.awaitsPresent():
		return game.Question{Word: "present", Rule: "B7"}
	case p.grave != noGrave:
		return p.asksAtGrave()
	default:
		return p.asksToOpen()
	}
}

// asksToLay: which of his outermost vampires he lays, of whatever colour; or whether he lays one at all (B6).
func (t *table) asksToLay() game.Question {
	if t.night.free {
		return game.Question{Word: "lay.free", Rule: t.layRule()}
	}
	return game.Question{Word: "lay", Rule: t.layRule()}
}

// asksAtGrave: both ends fit (O3), or none does (K1).
func (p *Position) asksAtGrave() game.Question {
	if p.rows[p.player()].end(left) == Colour(p.lid.at(p.grave)) {
		return game.Question{Word: "rest", Rule: "O3"}
	}
	return game.Question{Word: "garlic", Rule: "K1"}
}

// asksToOpen: a grave, or another one after a success; where he may set a bat instead, it is the same question.
func (t *table) asksToOpen() game.Question {
	switch {
	case t.rat != noGrave:
		return game.Question{Word: "plague", Rule: "P3"}
	case t.opened && t.edition == ed2017:
		return game.Question{Word: "on", Rule: "N2"}
	case t.opened:
		return game.Question{Word: "more", Rule: "O2"}
	case t.edition == edRucola: // where O1 is not the whole of it: a lid stays open, and is not opened again
		return game.Question{Word: "open", Rule: "X1"}
	default:
		return game.Question{Word: "open", Rule: "O1"}
	}
}
