package dawnbot

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"caveau/game"
	"caveau/games/dawn"
)

// A player says a move.
type player func(*dawn.View, []dawn.Move, *rand.Rand) dawn.Move

// A tally is what came of many games. A game of several winners is shared among them.
type tally struct {
	games, stopped, moves, longest int
	wins                           float64
}

func (t tally) share() float64 { return 100 * t.wins / float64(t.games) }

// play has one player sit down with others like another, in every chair as often.
func play(t testing.TB, edition string, players, games int, one, others player) (all tally) {
	rng := rand.New(rand.NewPCG(1, 1))
	moves := make([]dawn.Move, 0, 200)
	for n := range games {
		chair := game.Seat(n % players)
		p, err := dawn.Rules.Deal(game.Setup{Edition: edition, Players: players, First: game.NoSeat}, rand.New(rand.NewPCG(uint64(n/players), 2)))
		if err != nil {
			t.Fatal(err)
		}
		made := 0
		for s := p.Turn(); s != game.NoSeat && made < dawn.Rules.MaxMoves; s = p.Turn() {
			view, who := p.View(s), others
			if s == chair {
				who = one
			}
			moves = p.Moves(moves[:0])
			move := who(&view, moves, rng)
			if !slices.Contains(moves, move) {
				t.Fatalf("%s is no move now", move)
			}
			p = p.Play(move, nil)
			made++
		}
		all.games++
		all.moves += made
		all.longest = max(all.longest, made)
		if made == dawn.Rules.MaxMoves {
			all.stopped++
		}
		if winners := p.Outcome().Winners; winners.Has(chair) {
			all.wins += 1 / float64(winners.Len())
		}
	}
	return all
}

// each does something in every edition with two, three, four and six.
func each(t *testing.T, do func(t *testing.T, edition string, players int)) {
	for _, edition := range dawn.Rules.Editions {
		for _, players := range []int{2, 3, 4, 6} {
			t.Run(fmt.Sprint(edition.Name, "/", players), func(t *testing.T) { do(t, edition.Name, players) })
		}
	}
}

func TestGamesEnd(t *testing.T) {
	games := 10_000
	if testing.Short() {
		games = 300
	}
	each(t, func(t *testing.T, edition string, players int) {
		all := play(t, edition, players, games, Rules, Rules)
		t.Logf("%.0f moves a game", float64(all.moves)/float64(games))
		if all.stopped > 0 {
			t.Errorf("%d of %d games had no end", all.stopped, games)
		}
	})
}

// Whoever follows the rules but for one thing gains nothing by it.
func TestTricks(t *testing.T) {
	if testing.Short() {
		t.Skip("many games: make test-all plays them")
	}
	for _, edition := range dawn.Rules.Editions {
		for _, trick := range Tricks {
			t.Run(edition.Name+"/"+trick.Name, func(t *testing.T) { gainsNothing(t, edition.Name, *players, trick, 4000) })
		}
	}
}

// Nobody gives in to whoever refuses to go on when it is on him: he gains nothing by it, at no size of table.
func TestNobodyGivesIn(t *testing.T) {
	if testing.Short() {
		t.Skip("many games: make test-all plays them")
	}
	refuses := Tricks[slices.IndexFunc(Tricks, func(trick Trick) bool { return trick.Name == "never-take-up-garlic" })]
	each(t, func(t *testing.T, edition string, players int) { gainsNothing(t, edition, players, refuses, 2000) })
}

// gainsNothing has somebody with a trick play among others who have none.
func gainsNothing(t *testing.T, edition string, players int, trick Trick, games int) {
	const much = 3
	tricky := func(v *dawn.View, moves []dawn.Move, rng *rand.Rand) dawn.Move {
		return trick.Play(v, moves, rng, func() dawn.Move { return Rules(v, moves, rng) })
	}
	all, fair := play(t, edition, players, games, tricky, Rules), 100/float64(players)
	t.Logf("%.1f %%, and %d games have no end", all.share(), all.stopped)
	if all.share() > fair+much {
		t.Errorf("it wins %.1f %% of the games, and %.1f is fair", all.share(), fair)
	}
}

// Who forgets plays by the same rules on what he still knows, and says nothing that is no move. He loses by it.
func TestRulesOfSomebodyWhoForgets(t *testing.T) {
	each(t, func(t *testing.T, edition string, players int) {
		const kept = 0x5555_5555_5555_5555
		all := play(t, edition, players, 30*players, func(v *dawn.View, moves []dawn.Move, rng *rand.Rand) dawn.Move {
			forgotten := v.Forget(kept, nil)
			return Rules(&forgotten, moves, rng)
		}, Rules)
		if all.share() > 100/float64(players) {
			t.Errorf("who forgets every other grave wins %.1f %%", all.share())
		}
	})
}

func TestRulesAsksForNoMemory(t *testing.T) {
	each(t, func(t *testing.T, edition string, players int) {
		seen := 0.0
		play(t, edition, players, players, Rules, func(v *dawn.View, moves []dawn.Move, rng *rand.Rand) (move dawn.Move) {
			seen += testing.AllocsPerRun(5, func() { move = Rules(v, moves, rng) }) // whatever the runtime does once is not ours
			return move
		})
		if seen > 0 {
			t.Errorf("it asked for memory %.0f times", seen)
		}
	})
}

// BenchmarkRules is one decision of a whole game, with the view and the moves that it is made on.
func BenchmarkRules(b *testing.B) {
	for _, edition := range dawn.Rules.Editions {
		b.Run(edition.Name, func(b *testing.B) {
			moves := 0
			for b.Loop() {
				moves += play(b, edition.Name, 4, 4, Rules, Rules).moves
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(moves), "ns/decision")
		})
	}
}
