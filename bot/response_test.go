package bot

import (
	"context"
	"math/rand/v2"
	"testing"

	"caveau/game"
)

// Pennies: A lays a coin, then B. If both show the same side A has won, else B. B does not see what A has laid.
type pennies struct{ a, b side }

type side uint8

const (
	_ side = iota
	heads
	tails
)

func (s side) String() string { return [...]string{"", "heads", "tails"}[s] }

func (p pennies) Turn() game.Seat {
	switch {
	case p.a == 0:
		return 0
	case p.b == 0:
		return 1
	}
	return game.NoSeat
}
func (p pennies) Moves(dst []side) []side { return append(dst, heads, tails) }
func (p pennies) Play(m side, _ *game.Events) pennies {
	if p.a == 0 {
		p.a = m
	} else {
		p.b = m
	}
	return p
}
func (pennies) Asks() game.Question         { return game.Question{} }
func (p pennies) View(s game.Seat) (v hand) { return hand{seat: s} }
func (p pennies) Outcome() (o game.Outcome) {
	if o.Over = p.b != 0; o.Over && p.a == p.b {
		o.Winners = o.Winners.With(0)
	} else if o.Over {
		o.Winners = o.Winners.With(1)
	}
	return o
}

// A hand is what somebody sees before he lays his coin: nothing.
type hand struct{ seat game.Seat }

func (hand) Sample(*rand.Rand) pennies        { return pennies{} }
func (hand) Shown(game.Aid) any               { return nil }
func (hand) Own(game.Aid) any                 { return nil }
func (h hand) Forget(uint64, [][2]uint8) hand { return h }
func (hand) Place(game.Event) (uint8, bool)   { return 0, false }
func (hand) Called(uint8) string              { return "" }
func (hand) Near(uint8) uint64                { return 0 }

// Who knows how the other plays wins: B, at his level, nearly always shows tails; by the rules of thumb he would show heads.
func TestARespondingPlayerKnowsHowOthersPlay(t *testing.T) {
	level := Level{Memory: Perfect, Playouts: 7}
	think := func(seen Seen[hand], rng *rand.Rand, l Level) string {
		switch {
		case seen.Seat == 0:
			return seen.Moves[rng.IntN(2)] // A has no idea
		case l.Playouts == level.Playouts && rng.IntN(10) > 0:
			return "tails"
		default:
			return "heads"
		}
	}
	a := Respond[pennies, side](level, think)
	tailsOf, headsOf := 0, 0
	for seed := range uint64(50) {
		switch a(context.Background(), Seen[hand]{Seat: 0, Moves: []string{"heads", "tails"}, Seed: seed}) {
		case "tails":
			tailsOf++
		case "heads":
			headsOf++
		}
	}
	if tailsOf < 49 || tailsOf+headsOf != 50 {
		t.Errorf("knowing that the other shows tails, he shows it %d times of 50, and heads %d times", tailsOf, headsOf)
	}
}
