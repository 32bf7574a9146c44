package toctoc

import "math/bits"

// A Kind is one of the three sorts of creatures.
type Kind uint8

// The kinds, in the order of the rulebook. Children, taxis and scarecrows have none (Q10).
const (
	noKind Kind = iota
	Monster
	Ghost
	Vampire
)

// A Card is the face of a card: four for each kind, and three that have no kind. Its two lowest bits say which of the
// four, the others the kind.
type Card uint8

// The cards without a kind; and no card, or one that a seat does not know.
const (
	noCard Card = iota
	Child
	Scarecrow
	Taxi
)

// A rank is which of its kind's four a card is.
type rank uint8

const (
	plain rank = iota
	brute
	musician
	vamp
)

func cardOf(k Kind, r rank) Card { return Card(k)<<2 | Card(r) }

// Kind is the card's kind, none for children, taxis and scarecrows.
func (c Card) Kind() Kind { return Kind(c >> 2) }

// IsVamp tells a vamp from all others.
func (c Card) IsVamp() bool { return c.Kind() != noKind && rank(c&3) == vamp }

// isGuest tells who has a kind and goes to parties: all but the vamps.
func (c Card) isGuest() bool { return c.Kind() != noKind && rank(c&3) != vamp }

// staysAtParty tells who joins the host for good; all others do something and leave the game.
func (c Card) staysAtParty() bool { return c.isGuest() || c == Scarecrow }

var cardNames = [...]string{
	"", "child", "scarecrow", "taxi",
	"monster", "monster-brute", "monster-musician", "monster-vamp",
	"ghost", "ghost-brute", "ghost-musician", "ghost-vamp",
	"vampire", "vampire-brute", "vampire-musician", "vampire-vamp",
}

func (c Card) String() string { return cardNames[c] }

// Cards is a set of faces, a bit each.
type Cards uint16

func (cs Cards) has(c Card) bool   { return cs>>c&1 == 1 }
func (cs Cards) with(c Card) Cards { return cs | 1<<c }
func (cs Cards) len() int          { return bits.OnesCount16(uint16(cs)) }

// First is the first face of the set.
func (cs Cards) First() Card { return Card(bits.TrailingZeros16(uint16(cs))) }

// appendChoices appends the choice of each of the set.
func (cs Cards) appendChoices(dst []Move) []Move {
	for ; cs != 0; cs &^= 1 << cs.First() {
		dst = append(dst, Choose(cs.First()))
	}
	return dst
}

// A Party is a player's guests: of each face how many, four bits each.
type Party uint64

// Count is how many of a face are there.
func (p Party) Count(c Card) int { return int(p >> (4 * c) & 15) }

// With and Without are the party when one has come, and when one has left.
func (p Party) With(c Card) Party    { return p + 1<<(4*c) }
func (p Party) Without(c Card) Party { return p - 1<<(4*c) }

// OfKind are the guests of one kind.
func (p Party) OfKind(k Kind) Party { return p & (0xfff << (4 * cardOf(k, plain))) }

// Size is how many guests of a kind there are, brutes and musicians included (Q8).
func (p Party) Size(k Kind) int {
	three := p >> (16 * k)
	return int(three&15 + three>>4&15 + three>>8&15)
}

// Guarded: a brute protects his kind against children and taxis (Q8).
func (p Party) Guarded(k Kind) bool { return p.Count(cardOf(k, brute)) > 0 }

// list is the guests one by one, in the order of the faces.
func (p Party) list() []Card {
	list := []Card{}
	for c := range Card(len(cardNames)) {
		for range p.Count(c) {
			list = append(list, c)
		}
	}
	return list
}

// A stack is cards one upon the other, four bits each, the lowest first.
type stack struct {
	packed [4]uint64
	n      uint8
}

func (st *stack) at(i uint8) Card     { return Card(st.packed[i>>4&3] >> (i & 15 * 4) & 15) }
func (st *stack) set(i uint8, c Card) { st.packed[i>>4&3] |= uint64(c) << (i & 15 * 4) }

func (st *stack) push(c Card) {
	st.set(st.n, c)
	st.n++
}

// pop takes the uppermost card away. Nothing is put onto a stack again that cards were taken from: what was above stays
// where it was, and nobody looks there.
func (st *stack) pop() Card {
	st.n--
	return st.at(st.n)
}

// list is the stack from the bottom up.
func (st *stack) list() []Card {
	list := make([]Card, st.n)
	for i := range list {
		list[i] = st.at(uint8(i))
	}
	return list
}

// A hand is a player's cards: those that are left of the five he was dealt, then those he drew, the newest last. Everyone
// saw what he drew.
type hand [handSize]inHand

type inHand struct {
	card Card  // noCard in the view of somebody who does not know it
	left uint8 // how many cards the pile had when all saw it drawn; 0: it was dealt
}

// drop takes a card out of a hand of n. Where a dealt and a drawn one are alike it takes the drawn one: the hand is the
// same, and so is what everyone knows of it.
func (h *hand) drop(c Card, n uint8) {
	i := n - 1
	for h[i].card != c {
		i--
	}
	copy(h[i:], h[i+1:n])
	h[n-1] = inHand{}
}

// list is the hand of n one by one.
func (h *hand) list(n uint8) []Card {
	list := make([]Card, n)
	for i := range list {
		list[i] = h[i].card
	}
	return list
}
