package dawn

import "caveau/game"

// A plague is the one that rages now.
type plague struct {
	rat    Grave     // whose lid is its rat; noGrave: there is no plague
	holder game.Seat // who has the rat before him
	goer   game.Seat // whose go it is
	goes   uint8     // how many have not had their go, the goer included
	before Graves    // the lids that were open before it (X1)
}

// findRat: the rat brings a plague for everyone, or for its finder alone (N3).
func (p *Position) findRat(s game.Seat, g Grave, ev *game.Events) {
	if p.edition == ed2017 {
		p.startDance(s, g, ev)
		return
	}
	p.startPlague(s, g, ev)
}

// startPlague: a rat! 2004 ch. 4. It stays before its finder for the duration of the plague. If there was a plague
// already it ends at once and a new one begins, with fresh goes for all; a finder who held the old rat passes the new one
// to his left neighbour (2004 ch. 5, P7).
func (p *Position) startPlague(finder game.Seat, g Grave, ev *game.Events) {
	holder := finder
	if p.rat != noGrave {
		if finder == p.holder {
			holder = finder.Left(p.players)
		}
		p.removeRat(ev)
	} else if p.staysOpen() {
		p.before = p.up.without(g) // X1
	}
	p.up = p.before.with(g)
	p.rat, p.holder, p.goer, p.goes = g, holder, holder, p.players
	ev.Between(finder, holder, "plague", g, nil, "P2")
	p.goOn(ev)
}

// goOn: an opening in a plague ends nothing (P3), unless no neighbour is left to open (P5).
func (p *Position) goOn(ev *game.Events) {
	if p.openable() == 0 {
		p.endPlague(ev)
	}
}

// nextGo: who stops is out for this plague, the left neighbour may go on (P2); when everyone has had a go it ends (P5).
func (p *Position) nextGo(ev *game.Events) {
	if p.goes--; p.goes > 0 {
		p.goer = p.goer.Left(p.players)
		return
	}
	p.endPlague(ev)
}

// endPlague: the rat leaves the game, all lids are closed, and the left neighbour of the rat's holder takes his turn (P6).
func (p *Position) endPlague(ev *game.Events) {
	next := p.holder.Left(p.players)
	p.removeRat(ev)
	p.plague = plague{rat: noGrave}
	p.endTurn(next, ev)
}

// removeRat takes the rat of the plague out of the game and closes its grave with the top lid of the reserve, which
// nobody has seen. P6, P7.
func (p *Position) removeRat(ev *game.Events) {
	g := p.rat
	p.lid.set(g, p.reserve[0])
	copy(p.reserve[:], p.reserve[1:])
	p.lids--
	p.seen = p.seen.without(g)
	p.fresh = p.fresh.with(g)
	ev.Say(p.holder, "endplague", g, nil, "P6")
}
