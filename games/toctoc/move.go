package toctoc

import "caveau/game"

// A Move is one decision, two bytes: what is done, and with which card before whom.
type Move struct {
	verb verb
	what uint8 // a card, and for a knock the seat above it
}

type verb uint8

const (
	verbKnock verb = iota
	verbAccept
	verbRefuse
	verbChoose
)

// The answers to a knock.
var (
	Accept = Move{verb: verbAccept}
	Refuse = Move{verb: verbRefuse}
)

// Knock is to knock before somebody, with a card.
func Knock(to game.Seat, c Card) Move { return Move{verbKnock, uint8(to)<<4 | uint8(c)} }

// Choose is to have a guest leave the host, or all of his kind.
func Choose(c Card) Move { return Move{verbChoose, uint8(c)} }

func (m Move) card() Card    { return Card(m.what & 15) }
func (m Move) to() game.Seat { return game.Seat(m.what >> 4) }

// knocks are the words of the moves that knock. There are many of them before each player, so they are put together once.
var knocks = func() (words [game.MaxSeats][len(cardNames)]string) {
	for to := range words {
		for c := range words[to] {
			words[to][c] = "knock " + game.Seat(to).String() + " " + Card(c).String()
		}
	}
	return words
}()

// String is the move in the record's words, without its seat. A kind is chosen by the name of its plain guest.
func (m Move) String() string {
	switch m.verb {
	case verbKnock:
		return knocks[m.to()][m.card()]
	case verbAccept:
		return "accept"
	case verbRefuse:
		return "refuse"
	default:
		return "choose " + m.card().String()
	}
}
