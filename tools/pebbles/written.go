package pebbles

import (
	"encoding/json"
	"fmt"
	"math"

	"caveau/game"
)

// A writtenDeal is a deal in the record's words.
type writtenDeal struct {
	First string     `json:"first"`
	Hands [][]string `json:"hands"`
	Box   []string   `json:"box"`
}

func write(p Position) any {
	w := writtenDeal{First: p.turn.String(), Box: p.inBox()}
	for s := range p.players {
		w.Hands = append(w.Hands, words(p.hands[s]))
	}
	return w
}

func (p *Position) inBox() []string {
	list := []string{}
	for _, n := range p.box {
		if n != 0 {
			list = append(list, n.String())
		}
	}
	return list
}

func read(setup game.Setup, text json.RawMessage) (Position, error) {
	if err := checkSetup(setup); err != nil {
		return Position{}, err
	}
	var w writtenDeal
	if err := game.ReadObject(text, game.Fields{"first": &w.First, "hands": &w.Hands, "box": &w.Box}); err != nil {
		return Position{}, fmt.Errorf("deal: %w", err)
	}
	first, err := game.ParseSeat(w.First)
	if err != nil || int(first) >= setup.Players || len(w.Hands) != setup.Players {
		return Position{}, fmt.Errorf("deal: first is %q and there are %d hands, for %d players", w.First, len(w.Hands), setup.Players)
	}
	var all []Pebble
	for s, hand := range append(w.Hands, w.Box) {
		if s < setup.Players && len(hand) != handOf(setup) {
			return Position{}, fmt.Errorf("deal: %s has %d pebbles, not %d", game.Seat(s), len(hand), handOf(setup))
		}
		for _, word := range hand {
			if len(word) != 1 || word[0] < '1' || word[0] > '0'+numbers {
				return Position{}, fmt.Errorf("deal: %q is no pebble", word)
			}
			all = append(all, Pebble(word[0]-'0'))
		}
	}
	if len(all) != pebbles {
		return Position{}, fmt.Errorf("deal: there are %d pebbles, not %d", len(all), pebbles)
	}
	p := position(setup, first, all)
	return p, check(p)
}

// A truth is a position in the words of the trace.
type truth struct {
	Hands [][]string `json:"hands"`
	Down  [][]string `json:"down"`
	Up    [][]string `json:"up"`
	Box   []string   `json:"box"`
}

func dump(p Position) any {
	t := truth{Box: p.inBox()}
	for s := range p.players {
		t.Hands, t.Down, t.Up = append(t.Hands, words(p.hands[s])), append(t.Down, words(p.down[s])), append(t.Up, words(p.up[s]))
	}
	return t
}

// count is how many of each number there are, those apart that are in the box of a view.
func (p *Position) count() (of [numbers + 1]int) {
	for s := range p.players {
		for _, r := range []*row{&p.hands[s], &p.down[s], &p.up[s]} {
			for _, n := range r.at[:r.n] {
				of[n]++
			}
		}
	}
	for _, n := range p.box {
		of[n]++
	}
	return of
}

func check(p Position) error {
	of := p.count()
	for n := Pebble(1); n <= numbers; n++ {
		if of[n] != ofEach {
			return fmt.Errorf("there are %d pebbles with a %s, not %d", of[n], n, ofEach)
		}
	}
	for s := range p.players {
		if p.hands[s].n != p.held[s] || p.down[s].n != p.laid[s] {
			return fmt.Errorf("%s has not as many pebbles as everyone sees", game.Seat(s))
		}
	}
	return nil
}

// FaceDown is the others' hands, what they have laid face down, and the box.
var FaceDown = game.FaceDown{
	Open:  game.Hidden(hide),
	Dealt: func(place []any, s game.Seat) bool { return place[0] == "hands" && place[1] == int(s) },
}

type lying struct {
	Hands [][]string
	Down  [][]string
	Up    [][]string
	Box   []string
}

func hide(p *lying, s game.Seat) {
	game.Hide(p.Box, 0, math.MaxInt)
	for o := range p.Hands {
		if game.Seat(o) != s {
			game.Hide(p.Hands[o], 0, math.MaxInt)
			game.Hide(p.Down[o], 0, math.MaxInt)
		}
	}
}
