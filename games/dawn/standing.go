package dawn

import "caveau/game"

// What a player can count at a table, his own memory included. Whoever judges a position (package catalog) needs no more.

// Vampires is how many a seat still has to get rid of: in its row, and in its hand.
func (p *Position) Vampires(s game.Seat) int {
	n := int(p.rows[s].n)
	if p.cause != forNothing && s == p.to {
		n += int(p.held)
	}
	return n
}

// standing: the fewer vampires one has left, the further one has come.
func standing(p Position) (sc game.Scores) {
	for s := range game.Seat(p.players) {
		sc[s] = -p.Vampires(s)
	}
	return sc
}

// Due is how many gifts are still to be given to a seat, less those that it still has to give and the one that it may lay
// where a bat was set or the Count stands.
func (p *Position) Due(s game.Seat) int {
	due := 0
	switch {
	case s == p.to:
		due = int(p.due) * p.givers.Len()
	case p.givers.Has(s):
		due = -int(p.due)
	}
	if p.night.layer == s || p.awaitsPresent() && p.turn == s {
		due--
	}
	return due
}

// AwaitsAnswer tells whether a bat was set, and somebody has still to say whether he believes it.
func (p *Position) AwaitsAnswer() bool { return p.night.asks != 0 }

// Ends are the outermost vampires of a seat's row, left and right.
func (p *Position) Ends(s game.Seat) [2]Colour {
	if p.rows[s].n == 0 {
		return [2]Colour{}
	}
	return [2]Colour{p.rows[s].end(left), p.rows[s].end(right)}
}

// Known are the colours of which there is a closed grave that was seen and is free, as a set: bit c is colour c.
func (p *Position) Known() (colours uint8) {
	free := p.seen & p.lidded &^ p.up & p.inside.of(empty)
	for c := White; c <= Blue; c++ {
		if free&p.lid.of(Lid(c)) != 0 {
			colours |= 1 << c
		}
	}
	return colours
}

// Garlic is how many bundles a seat has lying in graves.
func (p *Position) Garlic(s game.Seat) int { return numGarlic - int(p.garlic[s]) }
