package dawn

import "caveau/game"

// A dance is what La Danse des Vampires has to know of the turn before.
type dance struct {
	turned Grave // whose lid was turned last in this turn, in its plague too; else noGrave
	just   Grave // whose lid was turned last in the turn before: it was just opened (N1)
}

// paysForJustOpened: who opens the grave that was just opened, outside a plague, and puts neither a vampire nor a garlic
// into it takes a stake (N1).
func (t *table) paysForJustOpened() bool {
	return t.edition == ed2017 && t.rat == noGrave && t.grave == t.dance.just
}

// startDance: the plague is the finder's alone (N3). A second rat ends it; its lid is closed where it was and stays in
// play, only the first is replaced (N4). The next turn is the finder's left neighbour's (N5).
func (p *Position) startDance(finder game.Seat, g Grave, ev *game.Events) {
	if p.rat != noGrave {
		ev.Say(finder, "another", g, nil, "N4")
		p.endPlague(ev)
		return
	}
	p.rat, p.holder, p.goer, p.goes = g, finder, finder, 1
	ev.Between(finder, finder, "plague", g, nil, "N3")
	p.goOn(ev)
}
