package dawn

import "caveau/game"

// smellGarlic: foreign garlic brings one vampire of its owner, one's own brings one from each other player (K2); with two
// players two and four (D4). 2004 ch. 3.
func (p *Position) smellGarlic(s game.Seat, g Grave, ev *game.Events) {
	owner := p.inside.at(g).owner()
	p.grave = g
	ev.Between(s, owner, "smell", g, nil, "K2")
	if owner == s {
		p.bringGifts(s, p.others(s), p.orOfTwo(4), forGarlic, ev)
		return
	}
	p.bringGifts(s, game.Seats(0).With(owner), p.orOfTwo(2), forGarlic, ev)
}

// takeGarlicHome: when the last gift is placed the owner takes his garlic out of the grave. It is empty then, but closed
// to everything until it is opened again (K3).
func (p *Position) takeGarlicHome(ev *game.Events) {
	owner := p.inside.at(p.grave).owner()
	p.inside.set(p.grave, empty)
	p.garlic[owner]++
	ev.Say(owner, "home", p.grave, nil, "K3")
}
