package toctoc

import "caveau/game"

const rulesOfTurn = "toc-toc-toc, Turn"

// knock: the player chooses one of his cards and puts it, face down, before another player: « toc, toc, toc! » (Q5). It
// is known to him alone until it is answered.
func (p *Position) knock(to game.Seat, c Card, ev *game.Events) {
	p.to, p.card = to, c
	ev.Tell(game.Event{Seat: p.turn, Verb: "knock", What: c.String(), To: to, Rule: "Q5", Secret: game.Seats(0).With(p.turn)})
}

// open: who was knocked at opens, reveals the card and has it (Q6).
func (p *Position) open(ev *game.Events) {
	ev.Between(p.to, p.turn, "accept", nil, p.card, "Q6")
	ev.Stays()
	p.reveal(p.to, ev)
}

// keepShut: he refuses; who knocked takes the card back, reveals it and has it himself (Q6).
func (p *Position) keepShut(ev *game.Events) {
	ev.Between(p.to, p.turn, "refuse", nil, p.card, "Q6")
	ev.Stays()
	p.reveal(p.turn, ev)
}

// reveal: the host adds the card to his guests, or it takes its effect on him. Where that leaves a choice the rival is
// asked, and the turn ends with his answer.
func (p *Position) reveal(host game.Seat, ev *game.Events) {
	p.host = host
	p.hands[p.turn].drop(p.card, p.held[p.turn])
	p.held[p.turn]--
	if p.card.staysAtParty() {
		p.join(ev)
	} else if !p.takeEffect(ev) {
		return
	}
	p.endTurn(ev)
}

// endTurn: the player draws the top card, which everyone sees, if there is one (Q11); then his left neighbour plays.
func (p *Position) endTurn(ev *game.Events) {
	p.to, p.host, p.card = game.NoSeat, game.NoSeat, noCard
	if p.pile.n > 0 {
		p.draw(ev)
	}
	p.nextTurn(ev)
}

func (p *Position) draw(ev *game.Events) {
	s, left := p.turn, p.pile.n
	c := p.pile.pop()
	p.hands[s][p.held[s]] = inHand{c, left}
	p.held[s]++
	ev.Tell(game.Event{Seat: s, Verb: "draw", What: c.String(), N: int(p.pile.n), To: game.NoSeat, Rule: "Q3"})
}

// nextTurn: clockwise, whoever has a card in hand; the game ends when nobody has (Q11).
func (p *Position) nextTurn(ev *game.Events) {
	for s := p.turn.Left(p.players); ; s = s.Left(p.players) {
		if p.held[s] > 0 {
			p.turn = s
			ev.Say(s, "turn", nil, nil, rulesOfTurn)
			return
		}
		if s == p.turn {
			p.finish(ev)
			return
		}
	}
}

// finish: everyone counts his points; the highest score wins, and who has it together wins together (Q13).
func (p *Position) finish(ev *game.Events) {
	var best int
	for s := range game.Seat(p.players) {
		best = max(best, p.score(s))
	}
	for s := range game.Seat(p.players) {
		if p.score(s) == best {
			p.winners = p.winners.With(s)
			ev.Count(s, "win", uint8(best), "Q13")
		}
	}
}

// score: a guest is a point; a musician doubles all guests of his kind, brutes and himself included (Q12); a scarecrow is
// three points, and nothing doubles it (Q10).
func (t *table) score(s game.Seat) int { return t.parties[s].Score() }

// Score is how many points a party is worth.
func (p Party) Score() int {
	points := p.scarecrowPoints()
	for k := Monster; k <= Vampire; k++ {
		points += p.Points(k)
	}
	return points
}

func (p Party) scarecrowPoints() int { return 3 * p.Count(Scarecrow) }

// Points is what all guests of a kind are worth together.
func (p Party) Points(k Kind) int {
	n := p.Size(k)
	if p.Count(cardOf(k, musician)) > 0 {
		n *= 2
	}
	return n
}
