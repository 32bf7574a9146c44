package dawn

import "caveau/game"

// open turns over the lid of a grave, so that everyone can see it. 2004 ch. 1.
func (p *Position) open(s game.Seat, g Grave, ev *game.Events) {
	if p.isWorn(s, g) {
		p.openWorn(s, g, ev) // for two players. D3.
		return
	}
	p.opened = true
	p.turnUp(s, g)
	ev.Say(s, "open", g, p.lid.at(g), p.openRule())
	switch {
	case p.lid.at(g) == Rat:
		p.findRat(s, g, ev) // 2004 ch. 4. A rat: the plague breaks out, and nothing else (O8).
	case p.inside.at(g).isVampire():
		ev.Say(s, "occupied", g, p.inside.at(g), p.occupiedRule())
		p.takeStake(s, ev) // 2004 ch. 2. Somebody sleeps here already.
	case p.inside.at(g).isGarlic():
		p.smellGarlic(s, g, ev) // 2004 ch. 3. Garlic!
	default:
		p.tryGrave(s, g, ev) // 2004 ch. 1. The grave is free.
	}
}

// openRule: a turn begins with an opening (O1), a go in a plague is nothing else (P3).
func (t *table) openRule() string {
	if t.rat != noGrave {
		return "P3"
	}
	return "O1"
}

// occupiedRule: no ruling tells of the first two stakes, but each rulebook has a chapter on them.
func (t *table) occupiedRule() string {
	if t.edition == ed2017 {
		return "2017, Occupied"
	}
	return "2004 ch. 2"
}

// turnUp opens a lid before everyone's eyes.
func (p *Position) turnUp(s game.Seat, g Grave) {
	p.up = p.up.with(g)
	p.seen = p.seen.with(g)
	p.fresh = p.fresh.without(g)
	p.noteTurned(s, g)
}

// tryGrave compares the lid's colour with the two outermost vampires. 2004 ch. 1: a matching one must be laid to rest
// (O3); only the end is chosen, when both match. A row of one has one end (O4).
func (p *Position) tryGrave(s game.Seat, g Grave, ev *game.Events) {
	p.grave = g
	c, r := Colour(p.lid.at(g)), &p.rows[s]
	atLeft, atRight := r.end(left) == c, r.end(right) == c && r.n > 1
	switch {
	case atLeft && atRight: // he is asked which
	case atLeft:
		p.layToRest(s, left, ev)
	case atRight:
		p.layToRest(s, right, ev)
	case p.garlic[s] == 0:
		p.leave(s, ev) // nothing else is left to him
	}
}

// layToRest puts the outermost vampire into the grave just opened. 2004 ch. 1, "Successfully finding a resting place":
// the grave is closed, and he may turn over the next lid.
func (p *Position) layToRest(s game.Seat, end side, ev *game.Events) {
	c := p.rows[s].take(end)
	p.inside.set(p.grave, vampire(c))
	ev.Say(s, "rest", p.grave, c, "O3")
	if p.rows[s].n == 0 {
		p.win(game.Seats(0).With(s), ev) // W1
		return
	}
	g := p.grave
	p.grave = noGrave
	p.countLaid(s, ev) // C1
	if p.rat != noGrave {
		p.goOn(ev)
		return
	}
	if !p.staysOpen() {
		p.up = p.up.without(g)
	}
}

// putGarlic: where neither of his ends fits he may leave a bundle of garlic. 2004 ch. 1, "Fruitless resting place search",
// K1.
func (p *Position) putGarlic(s game.Seat, ev *game.Events) {
	p.garlic[s]--
	p.inside.set(p.grave, garlic(s))
	ev.Say(s, "garlic", p.grave, nil, "K1")
	p.afterOpening(ev)
}

// leave leaves the grave empty. 2004 ch. 1.
func (p *Position) leave(s game.Seat, ev *game.Events) {
	ev.Say(s, "leave", p.grave, nil, "K1")
	if p.paysForJustOpened() {
		p.takeStake(s, ev) // N1
		return
	}
	p.afterOpening(ev)
}

// stop: after a success he need not open another grave (O2); in a plague his go is over (P3).
func (p *Position) stop(s game.Seat, ev *game.Events) {
	if p.rat != noGrave {
		ev.Say(s, "pass", nil, nil, "P3")
		p.nextGo(ev)
		return
	}
	ev.Say(s, "stop", nil, nil, "O2")
	p.endTurn(p.turn.Left(p.players), ev)
}

// afterOpening: an opening that found no resting place ends the turn, unless there is a plague (P3).
func (p *Position) afterOpening(ev *game.Events) {
	p.grave = noGrave
	if p.rat != noGrave {
		p.goOn(ev)
		return
	}
	p.endTurn(p.turn.Left(p.players), ev)
}

// endTurn closes all lids; the next player takes his turn. Who has got the Count puts him on a grave in between (C3).
func (p *Position) endTurn(next game.Seat, ev *game.Events) {
	p.up = 0
	p.opened = false
	p.rememberTurned()
	if p.hasCountInHand(p.turn) {
		p.night.next = next
		p.askForCount(p.lidded, ev)
		return
	}
	p.beginTurn(next, ev)
}

// beginTurn: the holder's turn begins with the grave that the Count has reserved for him (C4).
func (p *Position) beginTurn(s game.Seat, ev *game.Events) {
	p.turn = s
	ev.Say(s, "turn", nil, nil, "S1")
	p.dance.just, p.dance.turned = p.dance.turned, noGrave
	p.night.laid = 0
	if p.night.holder == s && p.night.on != noGrave {
		p.openReserved(s, ev)
	}
}

// win ends the game at once (W1). There is no second place (W3).
func (p *Position) win(winners game.Seats, ev *game.Events) {
	p.winners = winners
	for s := range game.Seat(p.players) {
		if winners.Has(s) {
			ev.Say(s, "win", nil, nil, "W1")
		}
	}
}
