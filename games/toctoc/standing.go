package toctoc

import "caveau/game"

// What a player can count at a table. Whoever judges a position (package catalog) needs no more.

// Kinds are the three sorts of creatures.
var Kinds = [...]Kind{Monster, Ghost, Vampire}

// Players is how many play.
func (p Position) Players() int { return int(p.players) }

// Score is how many points a seat's party is worth now.
func (p Position) Score(s game.Seat) int { return p.score(s) }

// standing is everyone's points by now.
func standing(p Position) (sc game.Scores) {
	for s := range game.Seat(p.players) {
		sc[s] = p.score(s)
	}
	return sc
}

// Guests is how many guests of a kind a seat has, brutes and musicians included.
func (p Position) Guests(s game.Seat, k Kind) int { return p.parties[s].size(k) }

// Guarded tells whether a brute protects a seat's guests of a kind.
func (p Position) Guarded(s game.Seat, k Kind) bool { return p.parties[s].guarded(k) }

// Held are the cards that a seat has in hand, that before another player's door not among them.
func (p Position) Held(s game.Seat) []Card { return p.inHand(s) }

// Knocked tells whether a card lies face down before somebody.
func (p Position) Knocked() bool { return p.isKnocking(p.turn) }

// Choosing tells whether a rival has to choose who leaves the host.
func (p Position) Choosing() bool { return p.host != game.NoSeat && p.winners == 0 }
