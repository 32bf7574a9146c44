package dawnbot

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"caveau/game"
	"caveau/games/dawn"
)

// What the tournaments of docs/bots.md are played with; without, they are next to nothing.
var (
	games   = flag.Int("games", 4, "how many games TestThinkingWins plays")
	choices = flag.Int("choices", 2, "how many choices TestOtherChoices follows to the end")
	edition = flag.String("edition", "2004", "by which rulebook")
	players = flag.Int("players", 4, "how many play")
	one     = flag.Int("one", 60, "with how many playouts one of them thinks")
	others  = flag.Int("others", 0, "with how many the others think; 0: they play by rules")
)

func thinking(playouts int) player {
	return func(v *dawn.View, moves []dawn.Move, rng *rand.Rand) dawn.Move {
		return Think(v, moves, nil, rng, playouts, 0)
	}
}

// go test -v -run TestThinkingWins ./bot/dawnbot -games 100 -edition 2017 -players 4 -one 10000 -others 2000
func TestThinkingWins(t *testing.T) {
	all := play(t, *edition, *players, *games, thinking(*one), thinking(*others))
	t.Logf("%s, %d players: %d playouts among %d win %s of %d games, %d of them without an end, of %d moves on the average and %d at most",
		*edition, *players, *one, *others, share(all.wins, all.games), all.games, all.stopped, all.moves/all.games, all.longest)
}

// share is a share in a hundred, and Wilson's interval of 99 %.
func share(wins float64, games int) string {
	const z = 2.576
	n := float64(games)
	p := wins / n
	middle, half := (p+z*z/(2*n))/(1+z*z/n), z/(1+z*z/n)*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*p, 100*(middle-half), 100*(middle+half))
}

// Where one who thinks does something else than the rules say, what is it worth? Both are followed to the end of many games, at the same tables and
// with the same luck, in which everyone plays by rules. This tells more in a minute than a tournament in an hour.
//
//	go test -v -run TestOtherChoices ./bot/dawnbot -choices 100 -edition 2017 -players 4 -one 2000
func TestOtherChoices(t *testing.T) {
	const each = 200
	rng := rand.New(rand.NewPCG(7, 7))
	asked, found, promised, gained, squares := 0, 0, 0.0, 0.0, 0.0
	visit(t, *edition, *players, func(p dawn.Position) bool {
		v := p.View(p.Turn())
		if rng.IntN(3) != 0 {
			return true
		}
		asked++
		tried := judge(&v, p.Moves(nil), nil, rng, *one)
		best := tried[0]
		for _, c := range tried[1:] {
			if c.mean() > best.mean() && c.mean() > better*c.err() {
				best = c
			}
		}
		if best.move == tried[0].move {
			return true
		}
		found++
		promised += best.mean()
		sum := 0.0
		for range each {
			world, luck := v.Sample(rng), rng.Uint64()
			sum += toTheEnd(world.Play(best.move, nil), p.Turn(), luck) - toTheEnd(world.Play(tried[0].move, nil), p.Turn(), luck)
		}
		gained += sum / each
		squares += sum / each * sum / each
		return found < *choices
	})
	n := float64(found)
	mean := gained / n
	err := math.Sqrt((squares/n - mean*mean) / n)
	t.Logf("%s, %d players, %d playouts: %d of %d choices differ, for %.1f wins of a hundred each; they bring %.1f ± %.1f: %.2f ± %.2f a choice",
		*edition, *players, *one, found, asked, 100*promised/n, 100*mean, 258*err, 100*gained/float64(asked), 258*err*n/float64(asked))
}

// visit shows positions out of games by rules, as long as somebody wants to see more.
func visit(t *testing.T, edition string, players int, more func(dawn.Position) bool) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := uint64(0); ; n++ {
		p, err := dawn.Rules.Deal(game.Setup{Edition: edition, Players: players, First: game.NoSeat}, rand.New(rand.NewPCG(n, 3)))
		if err != nil {
			t.Fatal(err)
		}
		for s := p.Turn(); s != game.NoSeat; s = p.Turn() {
			if !more(p) {
				return
			}
			v := p.View(s)
			p.Do(Rules(&v, p.Moves(nil), rng), nil)
		}
	}
}

func toTheEnd(p dawn.Position, me game.Seat, luck uint64) float64 {
	rng, moves := rand.New(rand.NewPCG(luck, 0)), make([]dawn.Move, 0, 128)
	for n := 0; n < dawn.Rules.MaxMoves && p.Asked() != game.NoSeat; n++ {
		v := p.View(p.Asked())
		p.Do(Rules(&v, p.Legal(moves[:0]), rng), nil)
	}
	if winners := p.Winners(); winners.Has(me) {
		return 1 / float64(winners.Len())
	}
	return 0
}

// Two tables that somebody cannot tell apart: he thinks the same at both, and again if he is asked again.
func TestThinkingKnowsNoSecret(t *testing.T) {
	each(t, func(t *testing.T, edition string, players int) {
		rng := rand.New(rand.NewPCG(3, 3))
		looked := 0
		visit(t, edition, players, func(p dawn.Position) bool {
			looked++
			if looked%10 == 0 {
				other := p.View(p.Turn()).Sample(rng)
				move := think40(p)
				if again := think40(other); again != move {
					t.Errorf("%s at one table, %s at another that looks the same", move, again)
				}
			}
			return looked < 150
		})
	})
}

func think40(p dawn.Position) dawn.Move {
	v := p.View(p.Turn())
	return Think(&v, p.Moves(nil), nil, rand.New(rand.NewPCG(5, 5)), 40, 0)
}

// Those who think finish, though each waits where it pays.
func TestGamesOfThinkersEnd(t *testing.T) {
	n := 40
	if testing.Short() {
		n = 2
	}
	each(t, func(t *testing.T, edition string, players int) {
		all := play(t, edition, players, n, thinking(60), thinking(60))
		t.Logf("%d moves a game", all.moves/n)
		if all.stopped > 0 {
			t.Errorf("%d of %d games had no end", all.stopped, n)
		}
	})
}

// Nobody leaves it to others to go on, who at the tables that he imagines always do: he opens no grave that is known to be empty and fits neither of his
// ends, but to close it, unless the rules say so.
func TestNobodyWhoThinksWaitsForOthers(t *testing.T) {
	each(t, func(t *testing.T, edition string, players int) {
		rng := rand.New(rand.NewPCG(8, 8))
		could, closed := 0, 0
		visit(t, edition, players, func(p dawn.Position) bool {
			v, moves := p.View(p.Turn()), p.Moves(nil)
			row, ground, empty := v.Row(v.Seat()), v.Ground(), dawn.Graves(0)
			for c := dawn.White; c <= dawn.Blue; c++ {
				if c != row.End(dawn.Left) && c != row.End(dawn.Right) {
					empty |= ground.Free[c]
				}
			}
			idle := func(m dawn.Move) bool { return m.Verb() == "open" && empty>>m.At()&1 == 1 }
			if !slices.ContainsFunc(moves, idle) {
				return true
			}
			could++
			for _, c := range candidates(&v, moves, nil, Rules(&v, moves, rng))[1:] {
				switch {
				case idle(c.move) && v.Bundles(v.Seat()) == 0:
					t.Errorf("he tries %s", c.move)
				case idle(c.move):
					closed++
				}
			}
			return could < 1000
		})
		if could < 1000 || closed == 0 {
			t.Errorf("he could %d times, and tries it %d times to close one", could, closed)
		}
	})
}

// Who is nervous enough does what the rules do not say.
func TestNerve(t *testing.T) {
	differ := func(nerve float64) (n int) {
		asked := 0
		rng := rand.New(rand.NewPCG(3, 3))
		visit(t, "2004", 4, func(p dawn.Position) bool {
			asked++
			v := p.View(p.Turn())
			if Think(&v, p.Moves(nil), nil, rng, 40, nerve) != Rules(&v, p.Moves(nil), rng) {
				n++
			}
			return asked < 150
		})
		return n
	}
	if calm, nervous := differ(0), differ(30); nervous < 2*calm {
		t.Errorf("of 150 choices %d are other ones for nerve, and %d without", nervous, calm)
	}
}

// Who knows what lies under a bat's grave need not think whether to believe it, nor has who has forgotten it anything to think about: no nerve makes
// him doubt what is true.
func TestNobodyThinksAboutABat(t *testing.T) {
	asked, rng := 0, rand.New(rand.NewPCG(3, 3))
	visit(t, "rucola", 4, func(p dawn.Position) bool {
		if !p.AwaitsAnswer() {
			return true
		}
		asked++
		v := p.View(p.Turn())
		forgot := v.Forget(0, nil)
		for _, mind := range []dawn.View{v, forgot} {
			luck := rng.Uint64()
			said := Think(&mind, p.Moves(nil), nil, rand.New(rand.NewPCG(luck, 0)), 40, 30)
			if should := Rules(&mind, p.Moves(nil), rand.New(rand.NewPCG(luck, 0))); said != should {
				t.Errorf("he says %s and not %s", said, should)
			}
		}
		return asked < 100
	})
}

// A bluff is aimed at forgetting: it is tried where all others have probably forgotten what lies in a grave, of all such graves at the one of which they
// know the least, and nowhere else: not where one of three may well know it, nor where nobody forgets.
func TestABluffIsAimedAtForgetting(t *testing.T) {
	bluffs := func(known func(n int) float64) (tried, done int) {
		asked, rng := 0, rand.New(rand.NewPCG(3, 3))
		visit(t, "rucola", 4, func(p dawn.Position) bool {
			v, moves := p.View(p.Turn()), p.Moves(nil)
			full := func(m dawn.Move) bool { return m.Verb() == "bat" && v.Inside(m.At()) != 0 }
			i := slices.IndexFunc(moves, full)
			if i < 0 {
				return true
			}
			asked++
			others := make([]float64, 64)
			for n := range others {
				others[n] = known(n)
			}
			least := moves[i]
			for _, m := range moves {
				if full(m) && others[m.At()] < others[least.At()] {
					least = m
				}
			}
			for _, c := range candidates(&v, moves, others, Rules(&v, moves, rng)) {
				if full(c.move) {
					tried++
					if c.move != least {
						t.Errorf("he tries %s, and %s is known to fewer", c.move, least)
					}
				}
			}
			if full(Think(&v, moves, others, rng, 100, 0)) {
				done++
			}
			return asked < 60
		})
		return tried, done
	}
	if tried, _ := bluffs(func(int) float64 { return 0.1 }); tried != 0 {
		t.Errorf("where each of three knows it with a chance of a tenth %d of 60 are tried", tried)
	}
	if tried, done := bluffs(func(n int) float64 { return float64(n) / 6000 }); tried != 60 || done < 6 {
		t.Errorf("where hardly anybody does %d of 60 are tried and %d done", tried, done)
	}
	visit(t, "rucola", 4, func(p dawn.Position) bool {
		v, moves := p.View(p.Turn()), p.Moves(nil)
		for _, c := range candidates(&v, moves, nil, moves[0])[1:] {
			if c.alike.bluff && c.alike.taken {
				t.Errorf("%s is tried where nobody forgets", c.move)
			}
		}
		return !v.MayBat() || v.Ground().Taken == 0
	})
}

// Who forgets takes up garlic that he knows of where the rules say so, and nowhere else: he judges by games in which nobody forgets, and would
// mistake it for something that pays.
func TestWhoForgetsTakesUpNoGarlic(t *testing.T) {
	tried := func(known []float64) (found int) {
		rng := rand.New(rand.NewPCG(4, 4))
		visit(t, "2004", 2, func(p dawn.Position) bool {
			v, moves := p.View(p.Turn()), p.Moves(nil)
			for _, c := range candidates(&v, moves, known, Rules(&v, moves, rng))[1:] {
				if c.alike.verb == "open" && c.alike.inside != 0 {
					found++
				}
			}
			return p.Vampires(0) > 5
		})
		return found
	}
	if n := tried(make([]float64, 64)); n != 0 {
		t.Errorf("he tries it %d times", n)
	}
	if tried(nil) == 0 {
		t.Error("nor does anybody else try it")
	}
}

// BenchmarkThink is one choice of four with 2,000 playouts.
func BenchmarkThink(b *testing.B) {
	for _, edition := range dawn.Rules.Editions {
		b.Run(edition.Name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			p, err := dawn.Rules.Deal(game.Setup{Edition: edition.Name, Players: 4, First: 0}, rng)
			if err != nil {
				b.Fatal(err)
			}
			for range 40 {
				v := p.View(p.Turn())
				p.Do(Rules(&v, p.Moves(nil), rng), nil)
			}
			v, moves := p.View(p.Turn()), p.Moves(nil)
			for b.Loop() {
				Think(&v, moves, nil, rng, 2000, 0)
			}
		})
	}
}
