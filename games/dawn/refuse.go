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
	case !known && namesGrave(words):
		return game.Refusal{Code: "no_grave", Rule: "2004, Preparation"}
	case !known:
		return game.Refusal{Code: "not_a_move", Rule: "2004 ch. 1"}
	case p.edition != edRucola && rulesOfNight[m.verb] != "":
		return game.Refusal{Code: "other_edition", Rule: rulesOfNight[m.verb]}
	case s != p.asked():
		return p.refuseSeat()
	default:
		return p.refuseAsked(m)
	}
}

// rulesOfNight are the words that only the expansion has, and the paragraph that brings each.
var rulesOfNight = map[verb]string{verbBat: "B1", verbBelieve: "B3", verbDoubt: "B3", verbPresent: "B7", verbCount: "C3"}

func namesGrave(words string) bool {
	verb, _, two := strings.Cut(words, " ")
	return two && (verb == "open" || verb == "bat" || verb == "count")
}

// refuseSeat: somebody else is asked.
func (t *table) refuseSeat() game.Refusal {
	switch {
	case t.givers != 0:
		return game.Refusal{Code: "not_asked_giver", Rule: "G2"}
	case t.held > 0:
		return game.Refusal{Code: "not_asked_receiver", Rule: "G3"}
	case t.night.asks != 0:
		return game.Refusal{Code: "not_asked_bat", Rule: "B3"}
	case t.night.layer != game.NoSeat:
		return game.Refusal{Code: "not_asked", Rule: t.layRule()}
	case t.rat != noGrave && t.edition == ed2017:
		return game.Refusal{Code: "not_asked_go", Rule: "N3"}
	case t.rat != noGrave:
		return game.Refusal{Code: "not_asked_go", Rule: "P2"}
	default:
		return game.Refusal{Code: "not_asked", Rule: "S1"}
	}
}

// refuseAsked: he is asked, but for something else; the questions stand in the order in which Moves asks them.
func (p *Position) refuseAsked(m Move) game.Refusal {
	switch {
	case p.givers != 0:
		return game.Refusal{Code: "give_first", Rule: "G1"}
	case p.held > 0:
		return refuseTake(m)
	case p.night.asks != 0:
		return game.Refusal{Code: "answer_first", Rule: "B3"}
	case p.night.layer != game.NoSeat:
		return p.refuseLay(m)
	case p.night.places != 0:
		return p.refuseCount(m)
	case p.awaitsPresent():
		return refusePresent(m)
	case p.grave != noGrave:
		return p.refuseAtGrave(m)
	default:
		return p.refuseOpening(m)
	}
}

func refuseTake(m Move) game.Refusal {
	if m.verb == verbTake {
		return game.Refusal{Code: "no_such_gift", Rule: "G3"}
	}
	return game.Refusal{Code: "take_first", Rule: "G3"}
}

// refuseLay: he is asked which vampire he lays, of whatever colour.
func (t *table) refuseLay(m Move) game.Refusal {
	switch m.verb {
	case verbRest:
		return game.Refusal{Code: "one_end", Rule: "O4"}
	case verbLeave:
		return game.Refusal{Code: "must_lay", Rule: t.layRule()}
	default:
		return game.Refusal{Code: "lay_first", Rule: t.layRule()}
	}
}

// refuseCount: he is asked where he puts the Count: anywhere when the turn is over (C3), else in the next quarter (C4).
func (t *table) refuseCount(m Move) game.Refusal {
	switch {
	case m.verb != verbCount:
		return game.Refusal{Code: "count_first", Rule: t.putRule()}
	case !t.lidded.has(Grave(m.what)):
		return game.Refusal{Code: "no_lid", Rule: "D2"}
	default:
		return game.Refusal{Code: "wrong_quarter", Rule: "C4"}
	}
}

func (t *table) putRule() string {
	if t.night.next == game.NoSeat {
		return "C4"
	}
	return "C3"
}

// refusePresent: he is asked who gets the vampire that a believed bat has found.
func refusePresent(m Move) game.Refusal {
	if m.verb == verbPresent {
		return game.Refusal{Code: "not_to_him", Rule: "B7"}
	}
	return game.Refusal{Code: "present_first", Rule: "B7"}
}

// refuseAtGrave: a grave lies open, and he is asked about it.
func (p *Position) refuseAtGrave(m Move) game.Refusal {
	bothMatch := p.rows[p.player()].end(left) == Colour(p.lid.at(p.grave))
	switch {
	case bothMatch && (m.verb == verbGarlic || m.verb == verbLeave):
		return game.Refusal{Code: "must_rest", Rule: "O3"}
	case bothMatch:
		return game.Refusal{Code: "rest_first", Rule: "O3"}
	case m.verb == verbRest:
		return game.Refusal{Code: "no_match", Rule: "O3"}
	default:
		return game.Refusal{Code: "garlic_first", Rule: "K1"}
	}
}

// refuseOpening: he is asked which grave to open.
func (p *Position) refuseOpening(m Move) game.Refusal {
	switch m.verb {
	case verbStop:
		return p.refuseStop()
	case verbOpen:
		return p.refuseGrave(Grave(m.what))
	case verbBat:
		return p.refuseBat(Grave(m.what))
	case verbBelieve, verbDoubt:
		return game.Refusal{Code: "nobody_asks", Rule: "B3"}
	case verbPresent:
		return game.Refusal{Code: "nothing_found", Rule: "B7"}
	case verbCount:
		return game.Refusal{Code: "count_stays", Rule: "C3"}
	case verbGive, verbTake:
		return game.Refusal{Code: "no_gift_due", Rule: "G1"}
	case verbRest:
		return game.Refusal{Code: "nothing_open", Rule: "O3"}
	default:
		return game.Refusal{Code: "nothing_open", Rule: "K1"}
	}
}

func (t *table) refuseStop() game.Refusal {
	if t.opened {
		return game.Refusal{Code: "must_open", Rule: "N2"}
	}
	return game.Refusal{Code: "first_opening", Rule: "O1"}
}

func (t *table) refuseGrave(g Grave) game.Refusal {
	switch {
	case !t.lidded.has(g):
		return game.Refusal{Code: "no_lid", Rule: "D2"}
	case g == t.rat:
		return game.Refusal{Code: "rats_grave", Rule: "P8"}
	case t.reserved().has(g):
		return game.Refusal{Code: "reserved", Rule: "C5"}
	case t.up.has(g) && (t.rat == noGrave || t.before.has(g)):
		return game.Refusal{Code: "lid_open", Rule: "X1"}
	case t.up.has(g):
		return game.Refusal{Code: "lid_open", Rule: "P4"}
	default:
		return game.Refusal{Code: "not_a_neighbour", Rule: "P1"}
	}
}

// refuseBat: not in a plague, nor without a bat, nor on a grave that cannot be opened.
func (t *table) refuseBat(g Grave) game.Refusal {
	switch {
	case t.rat != noGrave:
		return game.Refusal{Code: "no_bat_in_plague", Rule: "B1"}
	case t.night.bats[t.turn] == 0:
		return game.Refusal{Code: "no_bat", Rule: "B8"}
	default:
		return t.refuseGrave(g)
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
	for g := range Grave(numGraves) {
		add(openMoves[g])
		add(batMoves[g])
		add(countMoves[g])
	}
	for _, m := range []Move{stop, restLeft, restRight, placeGarlic, leaveEmpty, giveLeft, giveRight, believe, doubt} {
		add(m)
	}
	for s := range game.Seat(game.MaxSeats) {
		add(Move{verbPresent, uint8(s)})
	}
	for c := White; c <= Blue; c++ {
		add(takeMove(c, left))
		add(takeMove(c, right))
	}
	return all
}()
