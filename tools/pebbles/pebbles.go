// Package pebbles is a game that nobody is served: the smallest one that has all that a game can have. Tests add it to the
// catalogue, and hold everything that stands around the games to not knowing any of them. README.md says what a client must
// know of it, rules.en.md is its rulebook.
package pebbles

import (
	"errors"
	"fmt"

	"caveau/game"
)

// Rules is the rulebook of Pebbles.
var Rules = game.Rules[Position]{
	Name:     "pebbles",
	Revision: 1,
	Editions: []game.Edition{{MinSeats: 2, MaxSeats: maxPlayers, Options: []game.Option{handSize}}},
	MaxMoves: maxPlayers * maxHand,
	Board:    board{Numbers: numbers, OfEach: ofEach},
	Deal:     deal,
	Read:     read,
	Write:    write,
	Dump:     dump,
	Reveal:   reveal,
	Standing: standing,
	Check:    check,
	Refuse:   refuse,
}

const (
	maxPlayers = 4
	maxHand    = 4
	numbers    = 6
	ofEach     = 4
	pebbles    = numbers * ofEach
)

// board is what a client needs to draw the table.
type board struct {
	Numbers int `json:"numbers"`
	OfEach  int `json:"ofEach"`
}

// handSize is how many pebbles each is dealt.
var handSize = game.Option{Name: "hand", Least: 2, Most: maxHand, Usual: 3}

// A Pebble is the number on it, from 1; 0 is none, or one that a seat does not know.
type Pebble uint8

func (p Pebble) String() string { return "0123456"[p : p+1] }

// A row is pebbles one after the other.
type row struct {
	at [maxHand]Pebble
	n  uint8
}

func (r *row) put(p Pebble) { r.at[r.n], r.n = p, r.n+1 }

// take takes the first of that number out.
func (r *row) take(p Pebble) {
	i := r.find(p)
	copy(r.at[i:], r.at[i+1:])
	r.at[maxHand-1] = 0
	r.n--
}

func (r *row) find(p Pebble) uint8 {
	i := uint8(0)
	for i < r.n && r.at[i] != p {
		i++
	}
	return i
}

// A table is the open part of a position.
type table struct {
	players uint8
	turn    game.Seat
	held    [maxPlayers]uint8 // pebbles in hand
	laid    [maxPlayers]uint8 // pebbles face down before everyone
	up      [maxPlayers]row   // pebbles face up
	scores  game.Scores       // once it is over
	winners game.Seats
}

// A Position is the whole game at one moment.
type Position struct {
	table
	hands [maxPlayers]row
	down  [maxPlayers]row // what lies face down before everyone
	box   [pebbles]Pebble // those that nobody was dealt
}

// A Move is one pebble, laid face up or face down.
type Move struct {
	hide   bool
	pebble Pebble
}

func (m Move) String() string {
	if m.hide {
		return "hide " + m.pebble.String()
	}
	return "show " + m.pebble.String()
}

// Turn is who lays a pebble.
func (p Position) Turn() game.Seat {
	if p.winners != 0 {
		return game.NoSeat
	}
	return p.turn
}

// Moves is every number in hand once, face up or face down.
func (p Position) Moves(dst []Move) []Move {
	if p.winners != 0 {
		return dst
	}
	for n := Pebble(1); n <= numbers; n++ {
		if hand := &p.hands[p.turn]; hand.find(n) < hand.n {
			dst = append(dst, Move{false, n}, Move{true, n})
		}
	}
	return dst
}

// Asks is always the same.
func (p Position) Asks() game.Question {
	if p.winners != 0 {
		return game.Question{}
	}
	return game.Question{Word: "lay", Rule: "pebbles, Turn"}
}

// Play lays the pebble; then it is the left neighbour's turn, or the game is over.
func (p Position) Play(m Move, ev *game.Events) Position {
	s := p.turn
	p.hands[s].take(m.pebble)
	p.held[s]--
	if m.hide {
		p.down[s].put(m.pebble)
		p.laid[s]++
		ev.Tell(game.Event{Seat: s, Verb: "hide", What: m.pebble.String(), To: game.NoSeat, Rule: "pebbles, Turn", Secret: game.Seats(0).With(s)})
	} else {
		p.up[s].put(m.pebble)
		ev.Say(s, "show", nil, m.pebble, "pebbles, Turn")
		ev.Stays()
	}
	if p.turn = s.Left(p.players); p.held[p.turn] == 0 {
		p.finish(ev)
	}
	return p
}

// finish counts: a pebble that lies face up is worth its number, one that lay face down twice its number if nobody has shown
// one like it, else nothing. Then all are turned up, and the most points win.
func (p *Position) finish(ev *game.Events) {
	shown, best := p.shown(), 0
	for s := range game.Seat(p.players) {
		for _, n := range p.up[s].at[:p.up[s].n] {
			p.scores[s] += int(n)
		}
		for _, n := range p.down[s].at[:p.down[s].n] {
			worth := 2 * int(n)
			if shown[n] {
				worth = 0
			}
			p.scores[s] += worth
			ev.Tell(game.Event{Seat: s, Verb: "reveal", What: n.String(), N: worth, To: game.NoSeat, Rule: "pebbles, End", Stays: true})
		}
		best = max(best, p.scores[s])
	}
	p.turnUp()
	for s := range game.Seat(p.players) {
		if p.scores[s] == best {
			p.winners = p.winners.With(s)
			ev.Count(s, "win", uint8(best), "pebbles, End")
		}
	}
}

func (p *Position) shown() (shown [numbers + 1]bool) {
	for _, up := range p.up {
		for _, n := range up.at {
			shown[n] = true
		}
	}
	return shown
}

func (p *Position) turnUp() {
	for s := range p.players {
		for _, n := range p.down[s].at[:p.down[s].n] {
			p.up[s].put(n)
		}
		p.down[s], p.laid[s] = row{}, 0
	}
}

// Outcome is who has the most points.
func (p Position) Outcome() game.Outcome {
	return game.Outcome{Over: p.winners != 0, Winners: p.winners, Scores: p.scores}
}

// standing is what lies face up before everyone, and at the end what it was worth.
func standing(p Position) game.Scores {
	if p.winners != 0 {
		return p.scores
	}
	var sc game.Scores
	for s, up := range p.up {
		for _, n := range up.at {
			sc[s] += int(n)
		}
	}
	return sc
}

func refuse(p Position, s game.Seat, words string) game.Refusal {
	switch known := isMove(words); {
	case p.winners != 0:
		return game.Refusal{Code: "over", Rule: "pebbles, End"}
	case !known:
		return game.Refusal{Code: "not_a_move", Rule: "pebbles, Turn"}
	case s != p.turn:
		return game.Refusal{Code: "not_asked", Rule: "pebbles, Turn"}
	default:
		return game.Refusal{Code: "not_in_hand", Rule: "pebbles, Turn"}
	}
}

func isMove(words string) bool {
	for n := Pebble(1); n <= numbers; n++ {
		if words == (Move{false, n}).String() || words == (Move{true, n}).String() {
			return true
		}
	}
	return false
}

func checkSetup(setup game.Setup) error {
	if setup.Edition != "" || setup.Players < 2 || setup.Players > maxPlayers {
		return fmt.Errorf("pebbles has one edition, without a name, for 2 to %d", maxPlayers)
	}
	for name, n := range setup.Options {
		if name != handSize.Name || n < handSize.Least || n > handSize.Most {
			return fmt.Errorf("option %s: %d: pebbles knows %s, from %d to %d", name, n, handSize.Name, handSize.Least, handSize.Most)
		}
	}
	if len(setup.Choices) > 0 {
		return errors.New("nobody chooses anything in pebbles")
	}
	if setup.First != game.NoSeat && int(setup.First) >= setup.Players {
		return fmt.Errorf("the first player is %s, but there are only %d", setup.First, setup.Players)
	}
	return nil
}

func handOf(setup game.Setup) int {
	if n, agreed := setup.Options[handSize.Name]; agreed {
		return n
	}
	return handSize.Usual
}

// deal draws who begins, unless the table says so, then shuffles all pebbles and deals everyone his hand.
func deal(setup game.Setup, chance game.Chance) (Position, error) {
	if err := checkSetup(setup); err != nil {
		return Position{}, err
	}
	first := setup.First
	if first == game.NoSeat {
		first = game.Seat(chance.IntN(setup.Players))
	}
	all := make([]Pebble, pebbles)
	for i := range all {
		all[i] = Pebble(i/ofEach + 1)
	}
	game.Shuffle(chance, all)
	return position(setup, first, all), nil
}

// position is the table before the first move: the hands, seat by seat, and then the box.
func position(setup game.Setup, first game.Seat, all []Pebble) Position {
	p := Position{table: table{players: uint8(setup.Players), turn: first}}
	for s := range p.players {
		for range handOf(setup) {
			p.hands[s].put(all[0])
			all = all[1:]
		}
		p.held[s] = p.hands[s].n
	}
	copy(p.box[:], all)
	return p
}
