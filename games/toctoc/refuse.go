package toctoc

import (
	"strings"

	"caveau/game"
)

// refuse says why words are no move now: a code that a client has a sentence for, and the paragraph. It is asked only
// after the words were not found among the legal moves.
func refuse(p Position, s game.Seat, words string) game.Refusal {
	m, known := allMoves[words]
	switch {
	case p.winners != 0:
		return because("over", "Q11")
	case !known && strings.HasPrefix(words, "knock "):
		return because("no_such_card", "Q1")
	case !known:
		return because("not_a_move", rulesOfTurn)
	case s != p.asked():
		return p.refuseSeat()
	case p.host != game.NoSeat:
		return p.refuseChoice(m)
	case p.to != game.NoSeat:
		return refuseAnswer(m)
	default:
		return p.refuseKnock(m)
	}
}

func because(code, rule string) game.Refusal { return game.Refusal{Code: code, Rule: rule} }

// refuseSeat: somebody else is asked.
func (p *Position) refuseSeat() game.Refusal {
	switch {
	case p.host != game.NoSeat:
		return because("not_asked_rival", p.rulingOfCard())
	case p.to != game.NoSeat:
		return because("not_asked_door", "Q6")
	default:
		return because("not_asked", rulesOfTurn)
	}
}

// rulingOfCard is what says who leaves the host for the card that lies open.
func (p *Position) rulingOfCard() string {
	if p.card.IsVamp() {
		return "Q7"
	}
	return "Q8"
}

// refuseKnock: it is his turn, and he is asked to knock.
func (p *Position) refuseKnock(m Move) game.Refusal {
	switch {
	case m.verb == verbChoose:
		return because("nothing_to_choose", "Q7")
	case m.verb != verbKnock:
		return because("nobody_knocks", "Q6")
	case m.to() == p.turn:
		return because("own_door", "Q5")
	case uint8(m.to()) >= p.players:
		return because("no_such_door", "Q5")
	default:
		return because("not_in_hand", "Q5")
	}
}

// refuseAnswer: he was knocked at, and is asked whether he opens.
func refuseAnswer(m Move) game.Refusal {
	if m.verb == verbChoose {
		return because("still_hidden", "Q6")
	}
	return because("door_first", "Q6")
}

// refuseChoice: he is the rival, and is asked who leaves the host.
func (p *Position) refuseChoice(m Move) game.Refusal {
	switch {
	case m.verb == verbKnock:
		return because("choose_first", p.rulingOfCard())
	case m.verb != verbChoose:
		return because("answered", "Q6")
	case p.card.IsVamp() && m.card().Kind() != p.card.Kind():
		return because("another_kind", "Q7")
	case p.card.IsVamp():
		return because("no_such_guest", "Q7")
	case rank(m.card()&3) != plain:
		return because("whole_kind", "Q8")
	case p.parties[p.host].Guarded(m.card().Kind()):
		return because("brute_protects", "Q8")
	default:
		return because("not_most_numerous", "Q8")
	}
}

// allMoves is every move there is, by its words, be it legal now or not.
var allMoves = func() map[string]Move {
	all := map[string]Move{}
	add := func(m Move) { all[m.String()] = m }
	add(Accept)
	add(Refuse)
	for c := Child; int(c) < len(cardNames); c++ {
		for to := range game.Seat(game.MaxSeats) {
			add(Knock(to, c))
		}
		if c.isGuest() {
			add(Choose(c))
		}
	}
	return all
}()
