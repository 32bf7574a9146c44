// Package env is many games at once for a program that learns to play them: actions are numbers, what a seat sees is a row of bytes or
// JSON, and a game goes on from any state that a seat cannot tell from the true one. It speaks docs/env.md over two streams (Serve).
//
// Whoever asks is told what that seat is told at a table with that aid: View.Shown and View.Own, the question, its moves, and of the last
// events what Event.For leaves of them.
package env

import (
	"fmt"
	"slices"

	"caveau/game"
)

// A Game is one that can be learned so.
type Game interface {
	Info() game.Info
	Space(terms Terms) Space
	deal(terms Terms) (batch, error)
}

// Terms are what a batch is made by.
type Terms struct {
	game.Setup
	Aid    game.Aid
	Games  int    // how many are played at once
	Seed   uint64 // from which all deals follow
	Auto   bool   // a game that has ended begins anew, with another deal
	Moves  int    // a game is stopped after so many, with nobody as the winner; 0: where its rules stop it
	Events int    // how many of the last events everybody is told
}

// A Space is what is the same for all games of a batch: how many actions there are, and what lies in a row.
type Space struct {
	Actions   []string        `json:"actions"` // their words, by number
	Questions []game.Question `json:"questions"`
	Verbs     []string        `json:"verbs"`
	Places    []string        `json:"places"`
	Things    []string        `json:"things"`
	Fields    []game.Field    `json:"fields"`
	Mask      int             `json:"mask"` // how many bytes a mask has, and a row
	Row       int             `json:"row"`
}

// head is what stands in a row before all that the game itself fills.
var head = []game.Field{{Name: "you"}, {Name: "turn"}, {Name: "asked"}}

// perEvent is how many bytes an event has in a row: verb, seat, at, what, n, to.
const perEvent = 6

// Of is the game of a rulebook and its packing.
func Of[P game.Position[P, M, V], M game.Move, V game.View[P]](rules game.Rules[P], packed game.Packed[P, M, V]) Game {
	return learned[P, M, V]{game.Edge(rules).Info(), &rules, &packed}
}

type learned[P game.Position[P, M, V], M game.Move, V game.View[P]] struct {
	info   game.Info
	rules  *game.Rules[P]
	packed *game.Packed[P, M, V]
}

func (l learned[P, M, V]) Info() game.Info { return l.info }

func (l learned[P, M, V]) Space(terms Terms) Space {
	k := l.packed
	sp := Space{Questions: k.Questions, Verbs: k.Verbs, Places: k.Places, Things: k.Things, Mask: (len(k.Moves) + 7) / 8}
	for _, m := range k.Moves {
		sp.Actions = append(sp.Actions, m.String())
	}
	sp.Fields = slices.Concat(head, k.Fields(terms.Players))
	if terms.Events > 0 {
		sp.Fields = append(sp.Fields, game.Field{Name: "events", Shape: []int{terms.Events, perEvent}})
	}
	for _, f := range sp.Fields {
		sp.Row += f.Size()
	}
	return sp
}

func (l learned[P, M, V]) deal(terms Terms) (batch, error) {
	if terms.Moves == 0 || terms.Moves > l.rules.MaxMoves {
		terms.Moves = l.rules.MaxMoves
	}
	b := &games[P, M, V]{learned: l, terms: terms, space: l.Space(terms)}
	b.numbers = b.space.numbers()
	return b, b.grow(terms.Games)
}

// numbers are what stands for a word in a row: its place in its list, counted from 1.
type numbers struct {
	questions             map[game.Question]byte
	verbs, places, things map[string]byte
}

func (sp Space) numbers() numbers {
	return numbers{placeIn(sp.Questions), placeIn(sp.Verbs), placeIn(sp.Places), placeIn(sp.Things)}
}

func placeIn[T comparable](list []T) map[T]byte {
	places := make(map[T]byte, len(list))
	for i, word := range list {
		places[word] = byte(i + 1)
	}
	return places
}

// illegal is an action that its game does not know, or not now.
type illegal struct {
	game   int
	action int32
	why    string
}

func (e illegal) Error() string {
	return fmt.Sprintf("action %d in game %d: %s; no game was moved", e.action, e.game, e.why)
}
