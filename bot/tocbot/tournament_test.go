package tocbot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"caveau/game"
	"caveau/games/toctoc"
)

// A chair is who sits there: what he does when he is asked.
type chair func(*moment) toctoc.Move

// A moment is what somebody is asked with: what he sees and was told, some dice; and the truth, for those who cheat.
type moment struct {
	view   *toctoc.View
	events []game.Event
	dice   *rand.Rand
	truth  *toctoc.Position
}

// byRules is a chair with a player by rules who thinks so of the game.
func byRules(w *weights) chair {
	return func(m *moment) toctoc.Move { return w.move(m.view, m.dice.Float64()) }
}

// play plays a game to its end, and is how much of the win falls to one among others. Each deal is played as often as there
// are seats, and each time he is on another.
func play(t testing.TB, seed uint64, players int, one, others chair) (won float64) {
	t.Helper()
	deal, at := seed/uint64(players), game.Seat(seed%uint64(players))
	p, err := toctoc.Rules.Deal(game.Setup{Players: players, First: game.NoSeat}, rand.New(rand.NewPCG(deal, 1)))
	if err != nil {
		t.Fatal(err)
	}
	m := moment{truth: &p, dice: rand.New(rand.NewPCG(seed, 2))}
	var events game.Events
	for range toctoc.Rules.MaxMoves {
		s := p.Turn()
		if s == game.NoSeat {
			if o := p.Outcome(); o.Winners.Has(at) {
				return 1 / float64(o.Winners.Len())
			}
			return 0
		}
		v := p.View(s)
		m.view, m.events = &v, events.List()
		if s == at {
			p.Do(one(&m), &events)
		} else {
			p.Do(others(&m), &events)
		}
	}
	t.Fatalf("seed %d: after %d moves nobody has won", seed, toctoc.Rules.MaxMoves)
	return 0
}

// A share is how much of so many games somebody won, wins together divided, and how far from that the truth may lie: farther in
// one case of a hundred.
type share struct{ won, within float64 }

// tournament is the share of one among others who are all alike, played on all cores.
func tournament(t testing.TB, games, players int, one, others chair) share {
	t.Helper()
	var wg sync.WaitGroup
	wins := make([]float64, games)
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		wg.Go(func() {
			for g := core; g < games; g += cores {
				wins[g] = play(t, uint64(g), players, one, others)
			}
		})
	}
	wg.Wait()
	sum, squares := 0.0, 0.0
	for _, x := range wins {
		sum, squares = sum+x, squares+x*x
	}
	n := float64(games)
	mean := sum / n
	return share{mean, 2.576 * math.Sqrt((squares/n-mean*mean)/n)}
}

// BenchmarkRules/PLAYERS is a decision of a game that rules play, of whatever is asked.
func BenchmarkRules(b *testing.B) {
	for players := 3; players <= 5; players++ {
		b.Run(fmt.Sprint(players), func(b *testing.B) {
			var views []toctoc.View
			watched := func(m *moment) toctoc.Move {
				views = append(views, *m.view)
				return usual.move(m.view, m.dice.Float64())
			}
			for seed := range uint64(30) {
				play(b, seed, players, watched, watched)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				Rules(&views[i%len(views)], 0.5)
			}
		})
	}
}
