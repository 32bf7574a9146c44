package toctoc

import "caveau/game"

// What a player can count at a table. Whoever judges a position (package catalog) or a view (package bot/tocbot) needs no
// more.

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
func (p Position) Guests(s game.Seat, k Kind) int { return p.parties[s].Size(k) }

// Guarded tells whether a brute protects a seat's guests of a kind.
func (p Position) Guarded(s game.Seat, k Kind) bool { return p.parties[s].Guarded(k) }

// Held are the cards that a seat has in hand, that before another player's door not among them.
func (p Position) Held(s game.Seat) []Card { return p.inHand(s) }

// Knocked tells whether a card lies face down before somebody.
func (p Position) Knocked() bool { return p.isKnocking(p.turn) }

// Choosing tells whether a rival has to choose who leaves the host.
func (p Position) Choosing() bool { return p.host != game.NoSeat && p.winners == 0 }

// A Hand is the cards that somebody has in hand, one before another's door among them, the dealt ones first.
type Hand struct {
	Cards [handSize]Card
	N     int
	Drawn int // how many of them everybody saw drawn: the last ones
}

// Hand is what a seat has in hand.
func (p *Position) Hand(s game.Seat) (h Hand) {
	h.N = int(p.held[s])
	for i, in := range p.hands[s] {
		h.Cards[i] = in.card
		if in.left > 0 {
			h.Drawn++
		}
	}
	return h
}

// Unplayed are the cards that are in the pile or in a hand, counted as guests are.
func (p *Position) Unplayed() Party { return p.unplayed(p.card) }

// Pile is how many cards are still to be drawn.
func (p *Position) Pile() int { return int(p.pile.n) }

// Card is what was knocked with.
func (p *Position) Card() Card { return p.card }

// Lies has another card lie before the door, of those that whoever knocked has in hand.
func (p *Position) Lies(c Card) { p.card = c }

// Unasked is the position before somebody knocked, when nobody has answered yet.
func (p *Position) Unasked() Position {
	q := *p
	q.to, q.card = game.NoSeat, noCard
	return q
}

// Faces is how many faces a card may have, none among them.
const Faces = len(cardNames)

// GuestOf is the guest of a kind who is neither brute nor musician.
func GuestOf(k Kind) Card { return cardOf(k, plain) }

// MusicianOf is the musician of a kind.
func MusicianOf(k Kind) Card { return cardOf(k, musician) }

// VampOf is the vamp of a kind.
func VampOf(k Kind) Card { return cardOf(k, vamp) }

// Joins tells whether a card stays with its host: a guest, or a scarecrow.
func (c Card) Joins() bool { return c.staysAtParty() }

// Seat is whose view it is.
func (v *View) Seat() game.Seat { return v.seat }

// Players is how many play.
func (v *View) Players() int { return int(v.players) }

// Seats is how many play.
func (t *table) Seats() int { return int(t.players) }

// Knocker is whose turn it is.
func (t *table) Knocker() game.Seat { return t.turn }

// Door is before whom a card lies; NoSeat while nobody has knocked.
func (t *table) Door() game.Seat { return t.to }

// Host is who takes that card; NoSeat until it is answered.
func (t *table) Host() game.Seat { return t.host }

// Card is what was knocked with, as far as the seat knows it.
func (v *View) Card() Card { return v.card }

// Party is a seat's guests.
func (t *table) Party(s game.Seat) Party { return t.parties[s] }

// Held is how many cards a seat has in hand, one that lies before somebody's door among them.
func (v *View) Held(s game.Seat) int { return int(v.held[s]) }

// Pile is how many cards are still to be drawn, and Top the next of them.
func (v *View) Pile() int { return int(v.pile.n) }

// Top is the uppermost card of the pile.
func (v *View) Top() Card { return v.pile.top() }

// Hidden is how many cards a seat has in hand of which the viewer does not know what they are.
func (v *View) Hidden(s game.Seat) (n int) {
	for _, in := range v.hands[s][:v.held[s]] {
		if in.card == noCard {
			n++
		}
	}
	return n
}

// Drawn is what a seat has in hand that everyone saw it draw, as far as the viewer remembers it.
func (v *View) Drawn(s game.Seat) (of [Faces]int) {
	for _, in := range v.hands[s][:v.held[s]] {
		if in.left > 0 {
			of[in.card]++
		}
	}
	return of
}

// Dealt is what the seat has in hand that nobody else was ever shown.
func (v *View) Dealt() (of [Faces]int) {
	for _, in := range v.hands[v.seat][:v.held[v.seat]] {
		if in.left == 0 {
			of[in.card]++
		}
	}
	return of
}

// Unplayed is what is in somebody's hand or in the pile.
func (v *View) Unplayed() (of [Faces]int) {
	all := v.unplayed(v.card)
	for c := range of {
		of[c] = all.Count(Card(c))
	}
	return of
}

// MoveOf is the move of those words, which must be some.
func MoveOf(words string) Move { return allMoves[words] }

// Knocks tells whether it is a knock.
func (m Move) Knocks() bool { return m.verb == verbKnock }
