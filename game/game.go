// Package game is the rules kernel: the few words every game here is written in.
//
// A game is rules over one value, its Position. Rules do no I/O, read no clock and draw no random numbers: the deal
// comes from outside and is recorded. What leaves the kernel for a player, person or bot, is a View. Nothing else does.
package game

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

// A Move is one decision of one seat: small, comparable, written by String in the game's notation (docs/record.md).
// Two moves that are legal at the same time never share a notation.
type Move interface {
	comparable
	fmt.Stringer
}

// A Position is everything about a game at one moment, secrets included. It is a plain value: no pointer, slice, map,
// string or interface inside, so that q := p copies a whole game and p == q compares two.
type Position[P any, M Move, V any] interface {
	comparable
	// Turn is who is asked now; NoSeat when the game is over.
	Turn() Seat
	// Moves appends what that seat may do, in a fixed order: two moves or more, none when the game is over. It depends
	// only on what the seat can see.
	Moves(dst []M) []M
	// Play is the position after the legal move m. A nil ev hears nothing.
	Play(m M, ev *Events) P
	// Asks is what that seat is asked; zero when the game is over. It depends only on what lies open for everyone.
	Asks() Question
	// View is what seat s, or the Watcher, may know: all it was ever shown.
	View(s Seat) V
	// Outcome is zero while the game goes on.
	Outcome() Outcome
}

// A View is what one seat knows. It is built from nothing, field by field, never stripped down from a position.
type View[P any] interface {
	comparable
	// Sample is a position this seat cannot tell from the true one. It cannot peek, for it has only the view.
	Sample(rng *rand.Rand) P
	// Shown is what lies on the table for everyone now, ready for JSON. It is the same in every view: tables take it from the
	// Watcher's. It leaves out what is as at the start; docs/protocol.md says of each key what its absence means.
	Shown(aid Aid) any
	// Own is what the view's seat alone has before it besides, ready for JSON; nil where that is nothing. The Watcher has
	// nothing.
	Own(aid Aid) any
}

// A Question is what the seat is asked that is to move. Everyone may know what it is asked.
type Question struct {
	Word string `json:"word"` // clients look the sentence up under it: open, rest, knock …
	Rule string `json:"rule"` // the ruling or the rulebook's chapter that asks: O1
}

// Aid is how much the table helps to remember: a contract of the table, the same for all seats, written in the record.
type Aid string

// What a table may agree on.
const (
	AidNone  Aid = ""      // a closed lid tells nothing
	AidMarks Aid = "marks" // a closed lid that was ever opened bears a mark
	AidAll   Aid = "all"   // everything that was ever seen stays on the screen
)

// Known tells whether a is one of the three.
func (a Aid) Known() bool { return a == AidNone || a == AidMarks || a == AidAll }

// An Outcome is how a game ended; zero while it goes on.
type Outcome struct {
	Over    bool
	Winners Seats
	Scores  Scores
}

// Scores are everyone's points by seat, as the rulebook counts them when the game is over: the most points win. All nought
// where it counts none.
type Scores [MaxSeats]int

// List is the points of so many players; nil where all have nought.
func (sc Scores) List(players int) []int {
	if sc == (Scores{}) {
		return nil
	}
	return sc[:players:players]
}

// A Setup is what a table agrees on before the deal.
type Setup struct {
	Edition string         `json:"edition,omitempty"` // which rulebook; "" where the game has only one
	Players int            `json:"players"`           // how many
	Options map[string]int `json:"options,omitempty"` // options that the rules know, as in the record
	First   Seat           `json:"first"`             // who begins; NoSeat: the deal decides
	// Choices are what the table chose about the deal instead of leaving it to chance, by name: the names, and of what words,
	// are those of Edition.Choices.
	Choices map[string][]string `json:"choices,omitempty"`
}

// A Chance is where draws come from: *rand.Rand, or a sealed seed.
type Chance interface {
	// IntN is one of 0 to n-1, each as likely as any other.
	IntN(n int) int
}

// Shuffle puts things into an order that is as likely as any other: from the last to the second, each changes places with
// one of itself and those before it (Durstenfeld 1964). Sealed deals are shuffled so for ever.
func Shuffle[T any](c Chance, things []T) {
	for i := len(things) - 1; i > 0; i-- {
		j := c.IntN(i + 1)
		things[i], things[j] = things[j], things[i]
	}
}

// A Refusal is why words are no move now: a stable reason code, and the paragraph that forbids it.
type Refusal struct {
	Code string `json:"code"`
	Rule string `json:"rule"`
}

// Error makes a refusal an error for whoever speaks Go, not a player: clients look the code up in their language.
func (r Refusal) Error() string { return fmt.Sprintf("not allowed: %s (%s)", r.Code, r.Rule) }

// An Edition is one rulebook of a game, how many may play by it, and what a table may agree on before the deal.
type Edition struct {
	Name     string            `json:"name"`
	Titles   map[string]string `json:"titles,omitempty"` // what people call it, by language: "en" and such
	MinSeats int               `json:"minSeats"`
	MaxSeats int               `json:"maxSeats"`
	Options  []Option          `json:"options,omitempty"`
	Choices  []Choice          `json:"choices,omitempty"`
}

// An Option is a number that a table may agree on (Setup.Options).
type Option struct {
	Name    string `json:"name"`
	Least   int    `json:"least"`
	Most    int    `json:"most"`
	Usual   int    `json:"usual,omitempty"`   // what counts where the table says nothing; 0: the rulebook's own number
	Players []int  `json:"players,omitempty"` // how many must play for it; none: any number
}

// A Choice is what a table may choose about the deal (Setup.Choices): so many different words of those, no more and no
// fewer.
type Choice struct {
	Name    string   `json:"name"`
	Of      []string `json:"of"`
	Count   int      `json:"count"`
	Players []int    `json:"players,omitempty"` // how many must play for it; none: any number
}

// Rules is a rulebook. Each package under games exports exactly one, named Rules.
type Rules[P any] struct {
	Name     string    // as the record writes it
	Revision int       // raised when a fix changes what an old record means
	Editions []Edition // the rulebooks, the usual one first
	MaxMoves int       // a table that has played so many moves is stopped, with nobody as the winner
	Looks    []string  // what events say where something is uncovered that everyone wants to look at before it is gone
	AllSee   bool      // whatever a seat may see, all may: View.Own is always nil, and need not be asked
	Board    any       // what a client needs to draw the table, ready for JSON

	// Deal deals as the rulebook says, every draw taken from c. It fails where the setup is not one of these rules. The draws
	// and their order are part of the sealed deal (docs/fair.md) and never change.
	Deal func(Setup, Chance) (P, error)
	// Read is the position after a deal in the record's words. It fails, naming the fault, where the deal is wrong.
	Read func(Setup, json.RawMessage) (P, error)
	// Write is the deal of a position that nobody has moved in yet, in the record's words; Read reads it.
	Write func(P) any
	// Dump is the true position in the words of the trace, hidden things included: a struct with one field a key.
	Dump func(P) any
	// Reveal is what lies on the table when nothing is hidden any more, ready for JSON: as View.Shown has it, and all besides that Dump
	// tells. Nil: nothing is hidden when it is over.
	Reveal func(P) any
	// Standing is how far everyone has come, the most the furthest, as anybody at the table can count it; who has won has the most.
	// Nil: nobody can say before the end.
	Standing func(P) Scores
	// Check tells what is wrong with a position: something lost, something twice. It is nil after every move.
	Check func(P) error
	// Refuse says why words that are not among the legal moves are none, for the seat that said them.
	Refuse func(p P, s Seat, words string) Refusal
}
