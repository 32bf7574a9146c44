package dawn

import "caveau/game"

const numBats = 2

// mayBat: in place of any opening of a normal turn, not in a plague (B1).
func (t *table) mayBat() bool {
	return t.edition == edRucola && t.rat == noGrave && t.night.bats[t.turn] > 0
}

// setBat: "This grave is empty." Whatever comes of it, the bat is spent (B8). The others are asked, one after another,
// whether they believe him (B3).
func (p *Position) setBat(s game.Seat, g Grave, ev *game.Events) {
	p.night.bats[s]--
	p.night.bat = g
	p.night.asks = p.others(s)
	ev.Say(s, "bat", g, nil, "B1")
}

// believe: if nobody doubts it, the bat's player has his way (B7).
func (p *Position) believe(s game.Seat, ev *game.Events) {
	ev.Say(s, "believe", nil, nil, "B3")
	if p.night.asks = p.night.asks.Without(s); p.night.asks != 0 {
		return
	}
	g, player := p.night.bat, p.turn
	p.grave = g
	ev.Say(player, "lift", g, p.inside.at(g), "B7")
	switch {
	case p.inside.at(g).isVampire():
		if p.players == 2 {
			p.present(player, player.Left(2), ev) // there is only one to choose
		}
		return
	case p.inside.at(g).isGarlic():
		p.takeGarlicHome(ev)
	}
	p.letLay(player, g, false, ev)
}

// doubt: the first to doubt is the doubter, and nobody else is asked (B3).
func (p *Position) doubt(s game.Seat, ev *game.Events) {
	ev.Say(s, "doubt", nil, nil, "B3")
	p.night.asks, p.night.doubter = 0, s
	g := p.night.bat
	p.grave = g
	ev.Say(p.turn, "lift", g, p.inside.at(g), "B3")
	switch {
	case p.inside.at(g).isVampire():
		p.handOver(s, p.turn, ev) // B5
	case p.inside.at(g).isGarlic():
		p.smellGarlic(p.turn, g, ev) // B6, and with two players B10
	default:
		p.takeStake(s, ev) // B4
	}
}

// awaitsPresent: a vampire was found under a believed bat, and its player has still to choose who gets it (B7).
func (t *table) awaitsPresent() bool {
	return t.grave != noGrave && t.inside.at(t.grave).isVampire()
}

// presents are the players who can get the vampire.
func (t *table) presents(dst []Move) []Move {
	for s := range game.Seat(t.players) {
		if s != t.turn {
			dst = append(dst, Move{verbPresent, uint8(s)})
		}
	}
	return dst
}

// present: the vampire found goes to a player of his choice.
func (p *Position) present(s, to game.Seat, ev *game.Events) { p.handOver(s, to, ev) }

// handOver: a vampire goes from the open grave into a player's hand; he puts it at an end of his row.
func (p *Position) handOver(from, to game.Seat, ev *game.Events) {
	c := Colour(p.inside.at(p.grave))
	p.inside.set(p.grave, empty)
	p.hand[0], p.held = c, 1
	p.to, p.cause = to, forBat
	rule := "B7"
	if p.night.doubter != game.NoSeat {
		rule = "B5"
	}
	ev.Between(from, to, "present", p.grave, c, rule)
}

// layAfterGifts: when what the bat brought is given and placed, one lays a vampire: the bat's player where he was right
// (B4) or believed (B7), else the doubter, who need not if there was garlic (B5, B6).
func (p *Position) layAfterGifts(why cause, ev *game.Events) {
	layer := p.turn
	if why != forStakes && p.night.doubter != game.NoSeat {
		layer = p.night.doubter
	}
	p.letLay(layer, p.night.bat, why == forGarlic, ev)
}

// letLay asks a player which of his two outermost vampires he lays into the open grave, of whatever colour.
func (p *Position) letLay(s game.Seat, g Grave, free bool, ev *game.Events) {
	p.grave, p.night.laying = g, laying{s, free}
	if p.rows[s].n == 1 && !free {
		p.layAny(s, left, ev)
	}
}

func (p *Position) lays(dst []Move) []Move {
	dst = append(dst, restLeft)
	if p.rows[p.night.layer].n > 1 {
		dst = append(dst, restRight)
	}
	if p.night.free {
		dst = append(dst, leaveEmpty)
	}
	return dst
}

// layAny lays a vampire of any colour: under the Count (C4), or where a bat was set (B4 to B7).
func (p *Position) layAny(s game.Seat, end side, ev *game.Events) {
	c := p.rows[s].take(end)
	p.inside.set(p.grave, vampire(c))
	ev.Say(s, "rest", p.grave, c, p.layRule())
	p.night.laying = noLaying
	if p.rows[s].n == 0 {
		p.win(game.Seats(0).With(s), ev) // W1, B9
		return
	}
	p.grave = noGrave
	if p.night.bat == noGrave {
		p.moveCount(ev)
		return
	}
	p.countLaid(s, ev) // C1
	p.batGone(ev)
}

func (t *table) layRule() string {
	switch {
	case t.night.bat == noGrave:
		return "C4"
	case t.night.doubter == game.NoSeat:
		return "B7"
	case t.night.free:
		return "B6"
	case t.night.layer == t.turn:
		return "B4"
	default:
		return "B5"
	}
}

// layNothing: where there was garlic the doubter need not lay anything (B6).
func (p *Position) layNothing(s game.Seat, ev *game.Events) {
	ev.Say(s, "leave", p.grave, nil, "B6")
	p.grave, p.night.laying = noGrave, noLaying
	p.batGone(ev)
}

// batGone: a bat ends the turn (B2).
func (p *Position) batGone(ev *game.Events) {
	p.night.bat, p.night.doubter = noGrave, game.NoSeat
	p.endTurn(p.turn.Left(p.players), ev)
}
