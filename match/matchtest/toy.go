// Package matchtest is the environment in which matches are tested: a small game with secrets, a shelf with good and bad
// bots, a log that fails when it is told to, and a clock for virtual time.
package matchtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"caveau/game"
)

// Toy is a game for two to four. Everyone has a secret number. Whoever is asked keeps it, shows it, or peeks at his left
// neighbour's; after three rounds the highest number that was shown wins. Whoever has shown may not show again.
var Toy = game.Edge(toyRules(1))

// RevisedToy is the toy by other rules: the lowest number wins, four play four rounds, nobody peeks twice, and whose number was
// peeked at counts as having peeked. Three do not play it any more, and when somebody peeks who has shown the rules break down.
var RevisedToy = game.Edge(toyRules(2))

func toyRules(revision int) game.Rules[toy] {
	return game.Rules[toy]{
		Name: "toy", Revision: revision, MaxMoves: 300, Board: struct{}{},
		Editions: []game.Edition{{Name: "", Titles: map[string]string{"en": "Toy", "fr": "Le Jouet"}, MinSeats: 2, MaxSeats: 4}, {Name: "endless", MinSeats: 2, MaxSeats: 4}},
		Deal: func(s game.Setup, c game.Chance) (toy, error) {
			t := toy{Players: uint8(s.Players), Turns: s.First, First: s.First, Endless: s.Edition == "endless", Revised: revision == 2}
			if s.First == game.NoSeat {
				t.Turns = game.Seat(c.IntN(s.Players))
				t.First = t.Turns
			}
			all := make([]uint8, 90)
			for i := range all {
				all[i] = uint8(10 + i)
			}
			game.Shuffle(c, all)
			copy(t.Number[:], all[:s.Players])
			if len(s.Choices) > 0 {
				return t, errors.New("bare: a toy has no graves")
			}
			if len(s.Options) > 0 {
				return t, errors.New("options: a toy has none")
			}
			return t, nil
		},
		Read: func(s game.Setup, text json.RawMessage) (toy, error) {
			var d toyDeal
			t := toy{Players: uint8(s.Players), Endless: s.Edition == "endless", Revised: revision == 2}
			if t.Revised && t.Players == 3 {
				return t, errors.New("deal: three do not play it any more")
			}
			if err := json.Unmarshal(text, &d); err != nil || len(d.Numbers) != s.Players {
				return t, fmt.Errorf("deal: %d numbers for %d players: %v", len(d.Numbers), s.Players, err)
			}
			t.First, t.Turns = d.First, d.First
			for i, n := range d.Numbers {
				t.Number[i] = uint8(n)
			}
			return t, nil
		},
		Write: func(t toy) any {
			d := toyDeal{First: t.First}
			for _, n := range t.Number[:t.Players] {
				d.Numbers = append(d.Numbers, int(n))
			}
			return d
		},
		Dump: func(t toy) any { t.Revised = false; return t },
		Reveal: func(t toy) any {
			t.Up = 1<<t.Players - 1
			return t.View(game.Watcher).Shown(game.AidNone)
		},
		Check: func(toy) error { return nil },
		Refuse: func(t toy, s game.Seat, words string) game.Refusal {
			switch {
			case words != "keep" && words != "show" && words != "peek":
				return game.Refusal{Code: "not_a_move"}
			case s != t.Turn():
				return game.Refusal{Code: "not_asked", Rule: "1"}
			}
			if words == "peek" {
				return game.Refusal{Code: "peeked_already", Rule: "3"}
			}
			return game.Refusal{Code: "shown_already", Rule: "2"}
		},
	}
}

type numbers [game.MaxSeats]uint8

type toyDeal struct {
	First   game.Seat `json:"first"`
	Numbers []int     `json:"numbers"` // by seat
}

type toy struct {
	Players uint8
	Endless bool
	Revised bool
	First   game.Seat
	Turns   game.Seat
	Moved   uint8
	Number  numbers
	Up      game.Seats
	Peeked  game.Seats // who has looked at his left neighbour's
}

type toyMove string

func (m toyMove) String() string { return string(m) }

func (t toy) Turn() game.Seat {
	if t.over() {
		return game.NoSeat
	}
	return t.Turns
}

func (t toy) over() bool {
	rounds := uint8(3)
	if t.Revised && t.Players == 4 {
		rounds = 4
	}
	return !t.Endless && t.Moved >= rounds*t.Players
}

func (t toy) Moves(dst []toyMove) []toyMove {
	if t.over() {
		return dst
	}
	dst = append(dst, "keep")
	if !t.Up.Has(t.Turns) {
		dst = append(dst, "show")
	}
	if t.Revised && t.Peeked.Has(t.Turns) {
		return dst
	}
	return append(dst, "peek")
}

func (t toy) Asks() game.Question {
	if t.over() {
		return game.Question{}
	}
	return game.Question{Word: "keep", Rule: "1"}
}

func (t toy) Play(m toyMove, ev *game.Events) toy {
	s := t.Turns
	switch m {
	case "show":
		t.Up = t.Up.With(s)
		ev.Say(s, "show", s, number(t.Number[s]), "2")
	case "peek":
		t.Peeked = t.Peeked.With(s)
		if t.Revised && t.Up.Has(s) {
			panic("a toy broke")
		}
		if t.Revised {
			t.Peeked = t.Peeked.With(s.Left(t.Players))
		}
		left := s.Left(t.Players) // what he saw nobody else is told
		ev.Tell(game.Event{Seat: s, Verb: "peek", What: number(t.Number[left]).String(), To: left, Rule: "3", Secret: game.Seats(0).With(s)})
	default:
		ev.Say(s, "keep", nil, nil, "1")
	}
	t.Moved++
	t.Turns = s.Left(t.Players)
	return t
}

type number uint8

func (n number) String() string { return strconv.Itoa(int(n)) }

func (t toy) Outcome() game.Outcome {
	o := game.Outcome{Over: t.over()}
	best := -1
	for _, s := range t.Up.List() {
		worth := int(t.Number[s])
		if t.Revised {
			worth = 100 - worth
		}
		if worth > best {
			best, o.Winners = worth, game.Seats(0).With(s)
		}
	}
	if !o.Over {
		o.Winners = 0
	}
	return o
}

// View: a seat knows its own number, those that were shown, and the one that it peeked at.
func (t toy) View(s game.Seat) toyView {
	v := toyView{Players: t.Players, Seat: s, Turns: t.Turns, Moved: t.Moved, Up: t.Up}
	for i := range game.Seat(t.Players) {
		if i == s || t.Up.Has(i) || t.Peeked.Has(s) && i == s.Left(t.Players) {
			v.Number[i] = t.Number[i]
		}
	}
	return v
}

type toyView struct {
	Players uint8
	Seat    game.Seat
	Turns   game.Seat
	Moved   uint8
	Up      game.Seats
	Number  numbers
}

func (v toyView) Sample(rng *rand.Rand) toy {
	t := toy{Players: v.Players, Turns: v.Turns, Moved: v.Moved, Up: v.Up, Number: v.Number}
	for i := range t.Number {
		if t.Number[i] == 0 {
			t.Number[i] = uint8(10 + rng.IntN(90))
		}
	}
	return t
}

// ToyShown is what lies on the table: the numbers that were shown.
type ToyShown struct {
	Up   []game.Seat `json:"up,omitempty"`
	Nums []int       `json:"nums,omitempty"`
}

// Shown is what lies on the table.
func (v toyView) Shown(game.Aid) any {
	s := ToyShown{Up: v.Up.List()}
	for _, seat := range s.Up {
		s.Nums = append(s.Nums, int(v.Number[seat]))
	}
	return s
}

// ToyOwn is a seat's own number.
type ToyOwn struct {
	Mine uint8 `json:"mine"`
}

// Own is the seat's number.
func (v toyView) Own(game.Aid) any {
	if v.Seat >= game.MaxSeats {
		return nil
	}
	return ToyOwn{v.Number[v.Seat]}
}
