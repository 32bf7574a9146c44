package toctoc

import (
	"math"

	"caveau/game"
)

// What lies face down is said here in the words of the trace, apart from every view. None of this is a rule of play.

// FaceDown is what a player cannot see: the others' hands, the pile under its top, and what another has knocked with until
// it is answered. He took up his own hand, and knows in which order it was dealt.
var FaceDown = game.FaceDown{
	Open: game.Hidden(hide),
	Dealt: func(place []any, s game.Seat) bool {
		return place[0] == "hands" && place[1] == int(s)
	},
}

// A lying is a position as the trace has it.
type lying struct {
	Pile    []string
	Hands   [][]string
	Parties [][]string
	Gone    []string
	Scores  []int
	Knock   *lyingCard
}

type lyingCard struct{ From, To, Card, Host string }

func hide(p *lying, s game.Seat) {
	game.Hide(p.Pile, 1, math.MaxInt)
	for o, hand := range p.Hands {
		if game.Seat(o) != s {
			game.Hide(hand, 0, math.MaxInt)
		}
	}
	if k := p.Knock; k != nil && k.From != s.String() && k.Host == "" {
		k.Card = ""
	}
}
