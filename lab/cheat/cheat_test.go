package cheat_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"caveau/catalog"
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/lab/cheat"
	"caveau/slots"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// Cups are three, with a coin under one of them. Who lifts it has won, and nobody is shown where it is.
type cups struct {
	game.State
	coin, lifted string
}

func (c cups) Turn() game.Seat {
	if c.lifted != "" {
		return game.NoSeat
	}
	return 0
}
func (c cups) Moves() []string    { return []string{"left", "middle", "right"} }
func (c cups) View(game.Seat) any { return "three cups" }
func (c cups) Outcome() (o game.Outcome) {
	if o.Over = c.lifted != ""; c.lifted == c.coin {
		o.Winners = o.Winners.With(0)
	}
	return o
}
func (c cups) Play(_ game.Seat, words string) (game.State, []game.Event, error) {
	c.lifted = words
	return c, nil, nil
}

// middle is who always lifts the cup in the middle.
type middle struct{}

func (middle) Move(context.Context, table.Seen) string { return "middle" }

// Wherever the coin is he lifts that cup; and where all are empty he does as the rules of thumb say.
func TestHeSeesEverything(t *testing.T) {
	for coin, lifts := range map[string]string{"left": "left", "middle": "middle", "right": "right", "in a sleeve": "middle"} {
		c := cheat.Cheat{Rules: middle{}, Moves: 5}
		if got := c.Move(t.Context(), cups{coin: coin}, rand.New(rand.NewPCG(1, 1))); got != lifts {
			t.Errorf("the coin is %s, and he lifts the cup %s", coin, got)
		}
	}
}

// Asked the same, he says the same.
func TestHeIsSureOfIt(t *testing.T) {
	rules, _ := catalog.House.Game("toc-toc-toc")
	usual, _ := catalog.House.Bot("toc-toc-toc", "rules")
	state, err := rules.Deal(game.Setup{Players: 3, First: 0}, fair.SpareChance(fair.Bits{}, 1))
	if err != nil {
		t.Fatal(err)
	}
	c := cheat.Cheat{Rules: usual, Moves: rules.Info().MaxMoves}
	first := c.Move(t.Context(), state, rand.New(rand.NewPCG(1, 1)))
	if again := c.Move(t.Context(), state, rand.New(rand.NewPCG(1, 1))); again != first {
		t.Errorf("%q, and again %q", first, again)
	}
}

// In a house nobody can have him sit down: he is no bot, as what a bot is handed is what its seat may know; and by his name, or that of anybody
// else whom only a laboratory knows, there is nobody.
func TestNoHouseSeatsHim(t *testing.T) {
	for _, c := range []any{cheat.Cheat{}, &cheat.Cheat{}} {
		if _, is := c.(slots.Bot); is {
			t.Error("the cheat is a bot that a house could ask")
		}
	}
	for _, name := range []string{"dawn-under", "toc-toc-toc"} {
		ana := wire.Guest{ID: "ana", Name: "Ana"}
		f, err := fact.Found(catalog.House, ana, terms.Setup{Game: name, Seats: 3, Sit: true, First: "A"})
		if err != nil {
			t.Fatal(err)
		}
		f.Draw(rand.New(rand.NewPCG(1, 1)))
		tab := table.New(catalog.House)
		if err := tab.Replay(f.First(time.Unix(0, 0))); err != nil {
			t.Fatal(err)
		}
		for bot, refused := range map[string]bool{"rules": false, "cheat": true, "one-step": true, "thinking:2000": true, "rules:dozy": true, "remembering:keen+always-stop": true} {
			_, err := tab.Decide(wire.Command{ID: bot, Do: "bot", Seat: "B", Bot: bot}, ana, 0)
			if (err != nil) != refused {
				t.Errorf("%s: to have %s sit down is answered %v", name, bot, err)
			}
		}
	}
}
