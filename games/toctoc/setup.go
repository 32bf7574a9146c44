package toctoc

import (
	"fmt"

	"caveau/game"
)

const (
	minPlayers  = 3
	maxPlayers  = 5
	handSize    = 5
	firstGuests = 2 // of each player
	ofEachKind  = 4 // plain guests of a kind, from whom the first guests are drawn (Q3)
)

// deck is how many of each face are in the game (Q1): with three players one brute of each kind leaves first (Q2).
func deck(players int) (of [len(cardNames)]int) {
	of[Child], of[Taxi], of[Scarecrow] = 5, 3, 2
	for k := Monster; k <= Vampire; k++ {
		of[cardOf(k, plain)], of[cardOf(k, brute)], of[cardOf(k, musician)], of[cardOf(k, vamp)] = 7, 2, 1, 5
		if players == minPlayers {
			of[cardOf(k, brute)]--
		}
	}
	return of
}

// A layout is a deal: everything that chance decides, before the first move.
type layout struct {
	first  game.Seat
	guests [][]Card
	hands  [][]Card
	pile   []Card // top first
}

// deal prepares the table as the rulebook says, every draw taken from chance.
func deal(setup game.Setup, chance game.Chance) (Position, error) {
	if err := checkSetup(setup); err != nil {
		return Position{}, err
	}
	d := layout{first: setup.First}
	if d.first == game.NoSeat {
		d.first = game.Seat(chance.IntN(setup.Players)) // Q4
	}
	of := deck(setup.Players)
	d.inviteFirst(setup.Players, &of, chance)
	d.dealHands(setup.Players, of, chance)
	return d.position(), nil
}

func checkSetup(setup game.Setup) error {
	if setup.Edition != "" {
		return fmt.Errorf("toc-toc-toc has no edition %q: it has only one, which has no name", setup.Edition)
	}
	if setup.Players < minPlayers || setup.Players > maxPlayers {
		return fmt.Errorf("%d cannot play toc-toc-toc: it is for %d to %d", setup.Players, minPlayers, maxPlayers)
	}
	for name := range setup.Options {
		return fmt.Errorf("toc-toc-toc has no option %q", name)
	}
	for name := range setup.Choices {
		return fmt.Errorf("nobody chooses %q in toc-toc-toc", name)
	}
	if setup.First != game.NoSeat && int(setup.First) >= setup.Players {
		return fmt.Errorf("the first player is %s, but there are only %d players", setup.First, setup.Players)
	}
	return nil
}

// inviteFirst: four plain guests of each kind are shuffled, and everyone gets two of them, face up; the rest goes back to
// the others (Q3).
func (d *layout) inviteFirst(players int, of *[len(cardNames)]int, chance game.Chance) {
	var guests []Card
	for k := Monster; k <= Vampire; k++ {
		for range ofEachKind {
			guests = append(guests, cardOf(k, plain))
		}
	}
	game.Shuffle(chance, guests)
	for range players {
		two := guests[:firstGuests]
		d.guests, guests = append(d.guests, two), guests[firstGuests:]
		for _, c := range two {
			of[c]--
		}
	}
}

// dealHands: all cards are shuffled, everyone gets five, and the rest is the pile, face up (Q3).
func (d *layout) dealHands(players int, of [len(cardNames)]int, chance game.Chance) {
	d.pile = unpack(of)
	game.Shuffle(chance, d.pile)
	for range players {
		d.hands, d.pile = append(d.hands, d.pile[:handSize]), d.pile[handSize:]
	}
}

// unpack is so many cards of each face, one by one.
func unpack(of [len(cardNames)]int) []Card {
	var list []Card
	for c, n := range of {
		for range n {
			list = append(list, Card(c))
		}
	}
	return list
}

// position is the table before the first move.
func (d *layout) position() Position {
	var p Position
	p.players = uint8(len(d.hands))
	p.turn, p.to, p.host = d.first, game.NoSeat, game.NoSeat
	for s := range p.players {
		for _, c := range d.guests[s] {
			p.parties[s] = p.parties[s].With(c)
		}
		for i, c := range d.hands[s] {
			p.hands[s][i] = inHand{card: c}
		}
		p.held[s] = handSize
	}
	for i := len(d.pile) - 1; i >= 0; i-- {
		p.pile.push(d.pile[i])
	}
	return p
}
