package toctoc

import "caveau/game"

// Packed is how Toc Toc Toc is told to programs that learn it; docs/env.md says what each field means.
var Packed = game.Packed[Position, Move, View]{
	Moves:     numbered,
	Number:    Move.number,
	Questions: []game.Question{{Word: "knock", Rule: "Q5"}, {Word: "accept", Rule: "Q6"}, {Word: "choose", Rule: "Q7"}, {Word: "choose", Rule: "Q8"}},
	Verbs:     []string{"knock", "accept", "refuse", "join", "lure", "flee", "ride", "nothing", "draw", "turn", "win"},
	Things:    cardNames[1:],
	Fields:    fields,
	Pack:      pack,
}

// faces is how many there are; a move and a row count them from 1.
const faces = len(cardNames) - 1

// numbered is every move, by its number.
var numbered = func() (moves []Move) {
	for to := range game.Seat(maxPlayers) {
		for c := Child; int(c) <= faces; c++ {
			moves = append(moves, Knock(to, c))
		}
	}
	moves = append(moves, Accept, Refuse)
	for c := Child; int(c) <= faces; c++ {
		moves = append(moves, Choose(c))
	}
	return moves
}()

func (m Move) number() int {
	const accept = maxPlayers * faces
	switch m.verb {
	case verbKnock:
		return int(m.to())*faces + int(m.card()) - 1
	case verbAccept:
		return accept
	case verbRefuse:
		return accept + 1
	default:
		return accept + 1 + int(m.card())
	}
}

// mostGone is how many cards there are.
const mostGone = 55

func fields(players int) []game.Field {
	each := []int{players}
	return []game.Field{
		{Name: "cards", Shape: each}, {Name: "drawn", Shape: each}, {Name: "recall", Shape: []int{players, handSize}},
		{Name: "parties", Shape: []int{players, faces}}, {Name: "scores", Shape: each},
		{Name: "pile.left"}, {Name: "pile.top"}, {Name: "gone", Shape: []int{mostGone}}, {Name: "whose"},
		{Name: "knock.to"}, {Name: "knock.card"}, {Name: "knock.host"},
		{Name: "own.hand", Shape: []int{handSize}}, {Name: "own.card"},
	}
}

// pack fills a row, in the order of fields. Like Shown and Own it goes by what is seen, and by nothing that is merely in the view.
func pack(into []byte, v *View, aid game.Aid) {
	row := game.Row(into)
	n := int(v.players)
	v.packHands(&row, aid)
	parties, scores := row.Take(n*faces), row.Take(n)
	for s := range n {
		for i := range faces {
			parties[s*faces+i] = byte(v.parties[s].Count(Card(i + 1)))
		}
		scores[s] = byte(v.parties[s].Score())
	}
	row.Put(v.pile.n, byte(v.pile.top()))
	for i, gone := uint8(0), row.Take(mostGone); i < v.gone.n; i++ {
		gone[i] = byte(v.gone.at(i))
	}
	row.Put(v.turn.Place())
	if knock := row.Take(3); v.to != game.NoSeat {
		knock[0], knock[2] = v.to.Place(), v.host.Place()
		if v.host != game.NoSeat {
			knock[1] = byte(v.card) // revealed (Q6)
		}
	}
	v.packOwn(row.Take(handSize), row.Take(1))
}

// packHands tells of each hand what showHand does.
func (v *View) packHands(row *game.Row, aid game.Aid) {
	n := int(v.players)
	cards, drawn, recall := row.Take(n), row.Take(n), row.Take(n*handSize)
	for s := range n {
		held := v.held[s]
		cards[s] = held
		if v.isKnocking(game.Seat(s)) {
			cards[s]--
		}
		if aid == game.AidNone {
			continue
		}
		drawn[s] = v.hands[s].drawn(held)
		if aid == game.AidAll {
			for i := range drawn[s] {
				recall[s*handSize+int(i)] = byte(v.hands[s][held-drawn[s]+i].card)
			}
		}
	}
}

// packOwn tells what Own does.
func (v *View) packOwn(hand, card []byte) {
	if v.seat >= game.Seat(v.players) {
		return
	}
	own, n := v.hands[v.seat], v.held[v.seat]
	if v.isKnocking(v.seat) {
		own.drop(v.card, n)
		n--
		card[0] = byte(v.card)
	}
	for i := range n {
		hand[i] = byte(own[i].card)
	}
}
