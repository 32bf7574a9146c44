package tocbot

import (
	"flag"
	"fmt"
	"testing"

	"caveau/games/toctoc"
)

var (
	many     = flag.Int("games", 0, "play so many games with each trick or chair, and print the tables of docs/bots.md")
	playouts = flag.Int("playouts", 0, "try the tricks at tables that think so long, not at those that play by rules")
)

// tricky is a chair with a player by rules who has a trick.
func tricky(t Trick) chair {
	return func(m *moment) toctoc.Move {
		return t.Play(m.view, m.dice, func() toctoc.Move { return usual.move(m.view, m.dice.Float64()) })
	}
}

// Whoever does always the same at a table of players by rules wins no more than his fair share. The games are seeded, so the
// shares are always the same; with more of them (-games 6000) the intervals grow narrow.
func TestNoTrickWins(t *testing.T) {
	n := 400
	switch {
	case *many > 0:
		n = *many
	case testing.Short():
		t.Skip("many games: make test-all plays them")
	}
	for _, trick := range Tricks {
		t.Run(trick.Name, func(t *testing.T) {
			row := fmt.Sprintf("| %s |", trick.Name)
			for players := 3; players <= 5; players++ {
				others := byRules(&usual)
				if *playouts > 0 {
					others = thinks(*playouts)
				}
				got := tournament(t, n, players, tricky(trick), others)
				row += fmt.Sprintf(" %.1f ± %.1f |", 100*got.won, 100*got.within)
				if fair := 1 / float64(players); got.won-got.within > fair {
					t.Errorf("of %d games with %d players it won %.3f ± %.3f, more than its fair share", n, players, got.won, got.within)
				}
			}
			t.Log(row)
		})
	}
}
