package toctoc

import "caveau/game"

const rulesOfCards = "toc-toc-toc, Cards"

// join: a guest or a scarecrow is added to the host's party.
func (p *Position) join(ev *game.Events) {
	p.parties[p.host] = p.parties[p.host].With(p.card)
	ev.Say(p.host, "join", nil, p.card, rulesOfCards)
	ev.Stays()
}

// takeEffect: guests leave the host. It is false when the rival has to choose which.
func (p *Position) takeEffect(ev *game.Events) bool {
	switch who := p.losable(); who.len() {
	case 0: // nobody can: the card is spent without effect (Q9)
		ev.Say(p.host, "nothing", nil, p.card, "Q9")
		ev.Stays()
		p.gone.push(p.card)
	case 1:
		p.leave(who.First(), ev)
	default:
		return false
	}
	return true
}

// losable are those among whom the rival chooses: the sorts of guests that a vamp may lure away (Q7), or of each kind
// that a child or a taxi may drive out its plain guest (Q8).
func (p *Position) losable() Cards { return p.card.TakesFrom(p.parties[p.host]) }

// TakesFrom is who may have to leave those guests for the card.
func (c Card) TakesFrom(guests Party) Cards {
	if c.IsVamp() {
		return guests.lurable(c.Kind())
	}
	return guests.mostNumerous()
}

// lurable: any guest of the vamp's kind, brute or musician included; brutes do not protect from vamps (Q7).
func (guests Party) lurable(k Kind) (who Cards) {
	for r := range vamp {
		if c := cardOf(k, r); guests.Count(c) > 0 {
			who = who.with(c)
		}
	}
	return who
}

// mostNumerous: of the kinds without a brute the one with the most guests, several when they are as many (Q8).
func (guests Party) mostNumerous() (kinds Cards) {
	most := 1
	for k := Monster; k <= Vampire; k++ {
		n := guests.Size(k)
		if n < most || guests.Guarded(k) {
			continue
		}
		if n > most {
			most, kinds = n, 0
		}
		kinds = kinds.with(cardOf(k, plain))
	}
	return kinds
}

// leave: the card does what it does to whom it does it, and leaves the game.
func (p *Position) leave(who Card, ev *game.Events) {
	switch {
	case p.card.IsVamp():
		p.lure(who, ev)
	case p.card == Child:
		p.flee(who.Kind(), ev)
	default:
		p.driveAway(who.Kind(), ev)
	}
	p.gone.push(p.card)
}

// lure: one guest goes over to the rival's party (Q7).
func (p *Position) lure(who Card, ev *game.Events) {
	rival := p.rival()
	p.parties[p.host] = p.parties[p.host].Without(who)
	p.parties[rival] = p.parties[rival].With(who)
	ev.Between(rival, p.host, "lure", nil, who, "Q7")
	ev.Stays()
}

// flee: all guests of the kind run to the rival's party, away from the child (Q8).
func (p *Position) flee(k Kind, ev *game.Events) {
	rival, guests := p.rival(), p.parties[p.host].OfKind(k)
	p.parties[p.host] -= guests
	p.parties[rival] += guests
	ev.Tell(game.Event{Seat: p.host, Verb: "flee", What: cardOf(k, plain).String(), N: guests.Size(k), To: rival, Rule: "Q8", Stays: true})
}

// driveAway: all guests of the kind leave the game with the taxi (Q8).
func (p *Position) driveAway(k Kind, ev *game.Events) {
	guests := p.parties[p.host].OfKind(k)
	p.parties[p.host] -= guests
	ev.Tell(game.Event{Seat: p.host, Verb: "ride", What: cardOf(k, plain).String(), N: guests.Size(k), To: game.NoSeat, Rule: "Q8", Stays: true})
	for r := range vamp {
		for c := cardOf(k, r); guests.Count(c) > 0; guests = guests.Without(c) {
			p.gone.push(c)
		}
	}
}
