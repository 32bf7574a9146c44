package catalog

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"caveau/game"
	"caveau/table"
)

// play lets bots play a game to its end; it is what a match does, without clocks and logs.
func play(t *testing.T, shelf Shelf, name string, setup game.Setup, seed uint64, names ...string) game.Outcome {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	g, _ := shelf.Game(name)
	state, err := g.Deal(setup, rng)
	if err != nil {
		t.Fatal(err)
	}
	told := make([][]game.Event, len(names))
	seeds := make([]uint64, len(names))
	for i := range seeds {
		seeds[i] = rng.Uint64()
	}
	for range g.Info().MaxMoves {
		s := state.Turn()
		if s == game.NoSeat {
			break
		}
		b, ok := shelf.Bot(name, names[s])
		if !ok {
			t.Fatalf("nobody here is called %s", names[s])
		}
		words := b.Move(context.Background(), table.Seen{Seat: s, View: state.View(s), Events: told[s], Moves: state.Moves(), Seed: seeds[s]})
		next, events, err := state.Play(s, words)
		if err != nil {
			t.Fatalf("%s says %q: %v", names[s], words, err)
		}
		for seat := range told {
			for _, e := range events {
				told[seat] = append(told[seat], e.For(game.Seat(seat)))
			}
		}
		state = next
	}
	return state.Outcome()
}

// ladder is how often the first of the two wins, of so many games of four in which each has two chairs.
func ladder(t *testing.T, name, edition string, games int, a, b string) (wins int) {
	for seed := range uint64(games) {
		setup := game.Setup{Edition: edition, Players: 4, First: game.NoSeat}
		names, ours := []string{a, b, a, b}, []game.Seat{0, 2}
		if seed%2 == 1 {
			names, ours = []string{b, a, b, a}, []game.Seat{1, 3}
		}
		outcome := play(t, House, name, setup, seed/2, names...)
		if outcome.Winners.Has(ours[0]) || outcome.Winners.Has(ours[1]) {
			wins++
		}
	}
	return wins
}

// Each level wins against the one below, and the lowest against who says anything. The games are seeded, so the counts are always the same;
// the bounds stand far from what chance alone would bring. What takes longer is measured, and stands in docs/bots.md.
func TestLevelsWin(t *testing.T) {
	for _, c := range []struct {
		game, edition    string
		stronger, weaker string
		games, atLeast   int
		long             bool
	}{
		{"dawn-under", "2004", "remembering:dozy", "random", 20, 16, false},
		{"dawn-under", "2004", "remembering:keen", "remembering:dozy", 20, 12, false},
		{"dawn-under", "2004", "remembering:sharp", "remembering:keen", 40, 26, true},
		{"toc-toc-toc", "", "remembering:dozy", "random", 200, 112, false},
		{"toc-toc-toc", "", "remembering:keen", "remembering:dozy", 200, 118, true},
		{"toc-toc-toc", "", "remembering:sharp", "remembering:keen", 200, 118, true},
	} {
		t.Run(c.game+": "+c.stronger+" beats "+c.weaker, func(t *testing.T) {
			if testing.Short() && c.long {
				t.Skip("it thinks long: make test-all plays these games")
			}
			wins := ladder(t, c.game, c.edition, c.games, c.stronger, c.weaker)
			t.Logf("%d of %d", wins, c.games)
			if wins < c.atLeast {
				t.Errorf("%s won %d of %d games, not %d", c.stronger, wins, c.games, c.atLeast)
			}
		})
	}
}

// Who is there to be compared with, and who always does the same, is known to a laboratory and sits at no table of a house. Whoever has a trick
// says nothing that is no move.
func TestWhoOnlyALaboratoryKnows(t *testing.T) {
	laboratory := House.Laboratory()
	for i, e := range House.entries {
		name := e.Game.Info().Name
		for _, p := range slices.Concat(e.References, e.Unlisted) {
			if _, ok := laboratory.Bot(name, p.Name); !ok {
				t.Errorf("no laboratory knows %s", p.Name)
			}
			if _, ok := House.Bot(name, p.Name); ok || slices.Contains(House.Bots(name), p.Name) {
				t.Errorf("%s can sit down in a house", p.Name)
			}
		}
		if listed := laboratory.Bots(name); len(listed) != len(e.Players)+len(e.References) {
			t.Errorf("a laboratory lists %v", listed)
		}
		for _, p := range e.Unlisted {
			if edition := e.Game.Info().Editions[1%len(e.Game.Info().Editions)]; strings.HasPrefix(p.Name, "rules+") {
				setup := game.Setup{Edition: edition.Name, Players: 3, First: game.NoSeat}
				play(t, laboratory, name, setup, uint64(i), p.Name, "rules", p.Name)
			}
		}
	}
}
