package catalog

import (
	"fmt"
	"slices"
	"testing"

	"caveau/game"
)

// One who plays by rules wins against a table that remembers everything and looks one move ahead. The games are seeded, so the
// counts are always the same; the bounds are what chance alone reaches once in a hundred times.
func TestRulesWinAtTocTocToc(t *testing.T) {
	for _, c := range []struct{ players, games, atLeast int }{{3, 300, 119}, {4, 300, 93}, {5, 500, 121}} {
		t.Run(fmt.Sprint(c.players), func(t *testing.T) {
			if testing.Short() {
				t.Skip("many games: make test-all plays them")
			}
			wins := 0
			for seed := range c.games {
				names := slices.Repeat([]string{"one-step"}, c.players)
				at := seed % c.players
				names[at] = "rules"
				setup := game.Setup{Players: c.players, First: game.NoSeat}
				if play(t, House.Laboratory(), "toc-toc-toc", setup, uint64(seed/c.players), names...).Winners.Has(game.Seat(at)) {
					wins++
				}
			}
			t.Logf("%d of %d", wins, c.games)
			if wins < c.atLeast {
				t.Errorf("it won %d of %d games, not %d", wins, c.games, c.atLeast)
			}
		})
	}
}
