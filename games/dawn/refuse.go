package dawn

import (
	"strings"

	"caveau/game"
)

// refuse says why words are no move now: a code that a client has a sentence for, and the paragraph. It is asked only
// after the words were not found among the legal moves.
func refuse(p Position, s game.Seat, words string) game.Refusal {
	m, known := parseMove(words)
	switch {
	case p.winners != 0:
		return game.Refusal{Code: "over", Rule: "W1"}
	case !known && strings.HasPrefix(words, "open "):
		return game.Refusal{Code: "no_grave", Rule: "2004, Preparation"}
	case !known:
		return game.Refusal{Code: "not_a_move", Rule: "2004 ch. 1"}
	case s != p.asked():
		return p.refuseSeat()
	case p.givers != 0:
		return game.Refusal{Code: "give_first", Rule: "G1"}
	case p.held > 0:
		return refuseTake(m)
	case p.grave != noGrave:
		return p.refuseAtGrave(m)
	default:
		return p.refuseOpening(m)
	}
}

// refuseSeat: somebody else is asked.
func (t *table) refuseSeat() game.Refusal {
	switch {
	case t.givers != 0:
		return game.Refusal{Code: "not_asked_giver", Rule: "G2"}
	case t.held > 0:
		return game.Refusal{Code: "not_asked_receiver", Rule: "G3"}
	case t.rat != noGrave:
		return game.Refusal{Code: "not_asked_go", Rule: "P2"}
	default:
		return game.Refusal{Code: "not_asked", Rule: "2004 ch. 1"}
	}
}

func refuseTake(m Move) game.Refusal {
	if m.verb == verbTake {
		return game.Refusal{Code: "no_such_gift", Rule: "G3"}
	}
	return game.Refusal{Code: "take_first", Rule: "G3"}
}

// refuseAtGrave: a grave lies open, and he is asked about it.
func (p *Position) refuseAtGrave(m Move) game.Refusal {
	bothMatch := p.rows[p.player()].end(left) == Colour(p.lid[p.grave])
	switch {
	case bothMatch && (m.verb == verbGarlic || m.verb == verbLeave):
		return game.Refusal{Code: "must_rest", Rule: "O3"}
	case bothMatch:
		return game.Refusal{Code: "rest_first", Rule: "O3"}
	case m.verb == verbRest:
		return game.Refusal{Code: "no_match", Rule: "2004 ch. 1"}
	default:
		return game.Refusal{Code: "garlic_first", Rule: "K1"}
	}
}

// refuseOpening: he is asked which grave to open.
func (p *Position) refuseOpening(m Move) game.Refusal {
	switch m.verb {
	case verbStop:
		return game.Refusal{Code: "first_opening", Rule: "O1"}
	case verbOpen:
		return p.refuseGrave(Grave(m.what))
	case verbGive, verbTake:
		return game.Refusal{Code: "no_gift_due", Rule: "G1"}
	case verbRest:
		return game.Refusal{Code: "nothing_open", Rule: "O3"}
	default:
		return game.Refusal{Code: "nothing_open", Rule: "K1"}
	}
}

func (p *Position) refuseGrave(g Grave) game.Refusal {
	switch {
	case !p.lidded.has(g):
		return game.Refusal{Code: "no_lid", Rule: "D2"}
	case g == p.rat:
		return game.Refusal{Code: "rats_grave", Rule: "P8"}
	case p.up.has(g):
		return game.Refusal{Code: "lid_open", Rule: "P4"}
	default:
		return game.Refusal{Code: "not_a_neighbour", Rule: "P1"}
	}
}

// parseMove reads words that are a move of this rulebook, be it legal now or not.
func parseMove(words string) (Move, bool) {
	m, known := allMoves[words]
	return m, known
}

// allMoves is every move there is, by its words.
var allMoves = func() map[string]Move {
	all := map[string]Move{}
	add := func(m Move) { all[m.String()] = m }
	for _, m := range openMoves {
		add(m)
	}
	for _, m := range []Move{stop, restLeft, restRight, placeGarlic, leaveEmpty, giveLeft, giveRight} {
		add(m)
	}
	for c := White; c <= Blue; c++ {
		add(takeMove(c, left))
		add(takeMove(c, right))
	}
	return all
}()
