package catalog

import (
	"context"
	"math/rand/v2"
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

// Who remembers wins against who does not, and the better memory against the worse. The games are seeded, so the counts
// are always the same; the bounds stand far from what chance alone would bring.
func TestMemoryWins(t *testing.T) {
	for _, pair := range []struct {
		stronger, weaker string
		games, atLeast   int
	}{
		{"remembering:dozy", "random", 20, 16},
		{"remembering:keen", "remembering:dozy", 80, 47},
		{"remembering:sharp", "remembering:keen", 80, 45},
		{"remembering:sharp", "remembering:dozy", 40, 30},
	} {
		t.Run(pair.stronger+" beats "+pair.weaker, func(t *testing.T) {
			if testing.Short() && pair.games > 20 {
				t.Skip("many games: make test-all plays them")
			}
			wins := ladder(t, "dawn-under", "2004", pair.games, pair.stronger, pair.weaker)
			t.Logf("%d of %d", wins, pair.games)
			if wins < pair.atLeast {
				t.Errorf("%s won %d of %d games, not %d", pair.stronger, wins, pair.games, pair.atLeast)
			}
		})
	}
}
