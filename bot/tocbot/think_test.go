package tocbot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"caveau/game"
	"caveau/games/toctoc"
)

// thinks is a chair with somebody who thinks so long.
func thinks(playouts int) chair {
	return func(m *moment) toctoc.Move {
		return Think(m.view, m.events, m.truth.Moves(nil), m.dice, playouts, 0)
	}
}

// seesAll thinks as long, and knows what lies where.
func seesAll(playouts int) chair {
	return func(m *moment) toctoc.Move {
		return search(m.view, m.truth.Moves(nil), Rules(m.view, m.dice.Float64()), m.dice, playouts, 0, func() (toctoc.Position, float64) { return *m.truth, 1 })
	}
}

// truth is what he thinks that the others have in hand who sees it.
func truth(m *moment) (h hunches) {
	h = hunches{view: m.view, tables: []toctoc.Position{*m.truth}}
	for s := range m.view.Players() {
		h.weights[s] = []float64{1}
	}
	return h
}

// seesHands thinks as long and sees all hands, but not which card of one lies before a door, nor what will be drawn.
func seesHands(playouts int) chair {
	return func(m *moment) toctoc.Move {
		h := truth(m)
		return search(m.view, m.truth.Moves(nil), Rules(m.view, m.dice.Float64()), m.dice, playouts, 0, func() (toctoc.Position, float64) { return h.imagine(m.dice) })
	}
}

// seesHandsAt thinks as long, and sees hands when somebody is at a door, or when he is to knock himself.
func seesHandsAt(door bool, playouts int) chair {
	sees, thinks := seesHands(playouts), thinks(playouts)
	return func(m *moment) toctoc.Move {
		if door == (m.view.Door() != game.NoSeat) {
			return sees(m)
		}
		return thinks(m)
	}
}

// told is all that a seat was told of a game so far.
func told(events []game.Event, s game.Seat) (heard []game.Event) {
	for _, e := range events {
		heard = append(heard, e.For(s))
	}
	return heard
}

// met has rules play games, and is shown each moment in which somebody is asked.
func met(t testing.TB, games int, seen func(m *moment)) {
	t.Helper()
	rules := byRules(&usual)
	watched := func(m *moment) toctoc.Move {
		seen(&moment{m.view, told(m.events, m.view.Seat()), rand.New(rand.NewPCG(uint64(len(m.events)), 8)), m.truth})
		return rules(m)
	}
	for seed := range uint64(games) {
		play(t, seed, 3+int(seed%3), watched, watched)
	}
}

// How long it thinks hangs on how much there is to choose from, and not on what is in a hand or how sure it is: it goes to as many tables wherever it has as many moves.
func TestHowLongItThinksTellsNothing(t *testing.T) {
	type choice struct {
		moves  int
		knocks bool
	}
	tables := map[choice]int{}
	met(t, 6, func(m *moment) {
		moves, n := m.truth.Moves(nil), 0
		c := choice{len(moves), moves[0].Knocks()}
		search(m.view, moves, Rules(m.view, m.dice.Float64()), m.dice, 300, 0, func() (toctoc.Position, float64) { n++; return *m.truth, 1 })
		if was, before := tables[c]; before && was != n {
			t.Fatalf("%s goes to %d tables with %d moves, and went to %d before", m.view.Seat(), n, c.moves, was)
		}
		tables[c] = n
	})
}

// Somebody to whom a wrong secret is slipped does the same, for he never saw it; with the same dice too.
func TestAWrongSecretChangesNoThought(t *testing.T) {
	n := 0
	met(t, 3, func(m *moment) {
		if n++; n%4 > 0 {
			return
		}
		other := m.view.Sample(m.dice)
		seen := other.View(m.view.Seat())
		moves := m.truth.Moves(nil)
		think := func(v *toctoc.View) toctoc.Move {
			return Think(v, m.events, moves, rand.New(rand.NewPCG(1, uint64(n))), 100, 1)
		}
		if a, b, c := think(m.view), think(&seen), think(m.view); a != b || a != c {
			t.Fatalf("%s does %q, in another world %q, and asked again %q", m.view.Seat(), a, b, c)
		}
	})
}

// Who hardly thinks, or was told nothing, or has forgotten what others drew, does something that may be done all the same.
func TestWhoKnowsLittleThinks(t *testing.T) {
	met(t, 3, func(m *moment) {
		forgot, moves := m.view.Forget(0, nil), m.truth.Moves(nil)
		for _, move := range []toctoc.Move{
			Think(m.view, m.events, moves, m.dice, 10, 0),
			Think(&forgot, nil, moves, m.dice, 40, 0),
			Think(&forgot, m.events, moves, m.dice, 40, 0),
		} {
			if !slices.Contains(moves, move) {
				t.Fatalf("%s says %q", m.view.Seat(), move)
			}
		}
	})
}

// What somebody knocks with, and with what he did not, says what it is: nearer to the truth than the deal alone is who thinks of the
// knock, and nearer still who thinks of all that were before. The loss is the logarithm of how likely the truth was held to be;
// besides, of how many bad cards the knocker has in hand.
func TestWhatAKnockSays(t *testing.T) {
	deal, knock, past, hands := new(guess), new(guess), new(guess), new(guess)
	met(t, 6, func(m *moment) {
		v := m.view
		if v.Door() == game.NoSeat || v.Host() != game.NoSeat {
			return
		}
		none := hunches{view: v}
		deal.compare(m, func() (toctoc.Position, float64) { return v.Sample(m.dice), 1 })
		knock.compare(m, func() (toctoc.Position, float64) { return none.imagine(m.dice) })
		h := recall(v, m.events, 60, m.dice)
		past.compare(m, func() (toctoc.Position, float64) { return h.imagine(m.dice) })
		seen := truth(m)
		hands.compare(m, func() (toctoc.Position, float64) { return seen.imagine(m.dice) })
	})
	for _, g := range []struct {
		name string
		*guess
	}{{"the deal", deal}, {"the knock too", knock}, {"all knocks", past}, {"who sees his hand", hands}} {
		t.Logf("by %s: loss %.3f, of %.2f bad cards it is %+.2f off, and %.2f at each table", g.name, g.loss/g.n, g.bad/g.n, g.off/g.n, g.each/g.n)
	}
	if !(past.loss < 0.95*knock.loss && knock.loss < 0.9*deal.loss && past.each < deal.each) {
		t.Error("what was played says nothing")
	}
}

// A guess is how far somebody is off who imagines tables.
type guess struct{ n, loss, bad, off, each float64 }

func (g *guess) compare(m *moment, imagine func() (toctoc.Position, float64)) {
	bad, all, hand := 0.005, 0.01, 0.0
	for range 60 {
		p, likely := imagine()
		all += likely
		hand += likely * badCards(&p)
		if !p.Card().Joins() {
			bad += likely
		}
	}
	chance := bad / all
	if m.truth.Card().Joins() {
		chance = 1 - chance
	}
	off := hand/all - badCards(m.truth)
	g.n++
	g.loss -= math.Log(chance)
	g.bad += badCards(m.truth)
	g.off += off
	g.each += math.Abs(off)
}

// badCards is how many cards of the knocker may turn against his own guests.
func badCards(p *toctoc.Position) (n float64) {
	hand := p.Hand(p.Knocker())
	for _, c := range hand.Cards[:hand.N] {
		if !c.Joins() {
			n++
		}
	}
	return n
}

// Who thinks wins more than his share among those who play by rules, even if he thinks for a moment only. With -games all tables of
// docs/bots.md are played.
func TestThinking(t *testing.T) {
	rules := byRules(&usual)
	for _, c := range []struct {
		name        string
		one, others chair
		atLeast     float64 // of a hundred games with four; 0: it is played with -games only
	}{
		{"300 among rules", thinks(300), rules, 28},
		{"2000 among rules", thinks(2000), rules, 0},
		{"2500 among rules", thinks(2500), rules, 0},
		{"2500 and sees hands among rules", seesHands(2500), rules, 0},
		{"2500 and sees hands at doors among rules", seesHandsAt(true, 2500), rules, 0},
		{"2500 and sees hands when he knocks among rules", seesHandsAt(false, 2500), rules, 0},
		{"2500 and sees all among rules", seesAll(2500), rules, 0},
		{"10000 among 2000", thinks(10000), thinks(2000), 0},
	} {
		for players := 3; players <= 5; players++ {
			t.Run(fmt.Sprint(c.name, "/", players), func(t *testing.T) {
				n := *many
				if n == 0 {
					n = 100
					if testing.Short() || c.atLeast == 0 || players != 4 {
						t.Skip("many games: make test-all plays those of four who think for a moment, -games all")
					}
				}
				got := tournament(t, n, players, c.one, c.others)
				t.Logf("%.1f ± %.1f of %d games", 100*got.won, 100*got.within, n)
				if 100*got.won < c.atLeast {
					t.Errorf("it won %.3f", got.won)
				}
			})
		}
	}
}

// BenchmarkThink/PLAYOUTS is a decision of a game of four that rules play, of whatever is asked.
func BenchmarkThink(b *testing.B) {
	var moments []moment
	rules := byRules(&usual)
	watched := func(m *moment) toctoc.Move {
		moments = append(moments, moment{view: m.view, events: told(m.events, m.view.Seat()), truth: new(*m.truth)})
		return rules(m)
	}
	play(b, 1, 4, watched, watched)
	for _, playouts := range []int{2000, 10000} {
		b.Run(fmt.Sprint(playouts), func(b *testing.B) {
			dice := rand.New(rand.NewPCG(1, 9))
			for i := 0; b.Loop(); i++ {
				m := &moments[i%len(moments)]
				Think(m.view, m.events, m.truth.Moves(nil), dice, playouts, 0)
			}
		})
	}
}

// BenchmarkHabits is a decision by habit, the engine's part of it included.
func BenchmarkHabits(b *testing.B) {
	deal, err := toctoc.Rules.Deal(game.Setup{Players: 4, First: game.NoSeat}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		b.Fatal(err)
	}
	decisions, dice := 0, rand.NewPCG(1, 10)
	for b.Loop() {
		for p := deal; p.Asked() != game.NoSeat; decisions++ {
			p.Do(learned.move(&p, dice), nil)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(decisions), "ns/decision")
}
