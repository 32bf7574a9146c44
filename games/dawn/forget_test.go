package dawn

import (
	"math/rand/v2"
	"testing"

	"caveau/game"
)

// middles does something with many positions out of random games, in every edition.
func middles(t *testing.T, do func(p Position, rng *rand.Rand)) {
	t.Helper()
	for _, edition := range editionNames {
		for seed := range uint64(12) {
			rng := rand.New(rand.NewPCG(seed, 5))
			for n, p := range whole(t, game.Setup{Edition: edition, Players: 2 + int(seed%5), First: game.NoSeat}, seed) {
				if n%10 == 0 && p.Turn() != game.NoSeat {
					do(p, rng)
				}
			}
		}
	}
}

// Whatever is forgotten, what one imagines in its place could be: nothing is lost, and what lies open is as it is.
func TestWhatIsForgottenIsLaidDownAgain(t *testing.T) {
	middles(t, func(p Position, rng *rand.Rand) {
		kept := rng.Uint64() & rng.Uint64()
		mixed := [][2]uint8{{uint8(rng.IntN(60)), uint8(rng.IntN(60))}, {uint8(rng.IntN(64)), 63}}
		v := p.View(p.Turn()).Forget(kept, mixed)
		again := v.Forget(kept&rng.Uint64(), nil)
		for _, v := range []View{v, again} {
			sample := v.Sample(rng)
			if err := check(sample); err != nil {
				t.Fatal(err)
			}
			if got, want := encode(t, sample.View(game.Watcher).Shown(game.AidNone)), encode(t, p.View(game.Watcher).Shown(game.AidNone)); got != want {
				t.Fatalf("he imagines\n%s\nwhere there is\n%s", got, want)
			}
		}
	})
}

// A bat and the Count are set on a lid, and nobody sees what is under it: neither reminds anybody of it.
func TestWhatIsNotLiftedIsNotLookedAt(t *testing.T) {
	set := map[string]int{}
	for seed := range uint64(20) {
		setup := game.Setup{Edition: "rucola", Players: 4, First: game.NoSeat}
		var heard game.Events
		for _, p := range whole(t, setup, seed) {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				continue
			}
			m := moves[len(moves)-1]
			if verb := m.Verb(); verb == "bat" || verb == "count" {
				set[verb]++
				heard = game.Events{}
				p.Play(m, &heard)
				if _, ok := p.View(0).Place(heard.List()[0]); ok {
					t.Fatalf("%s takes it for a look that the grave is named", m)
				}
			}
		}
	}
	if set["bat"] == 0 || set["count"] == 0 {
		t.Errorf("they were set so often: %v", set)
	}
}

// Two who remember the same and see the same cannot tell what they have forgotten.
func TestNothingIsLeftOfWhatIsForgotten(t *testing.T) {
	e3, _ := parseGrave("e3")
	f3, _ := parseGrave("f3")
	kept := ^(uint64(1)<<e3 | 1<<f3)
	for _, test := range []struct{ one, other string }{
		{"players 3\ngraves: e3 red", "players 3\ngraves: e3 blue"},
		{"players 3\ngraves: e3 red", "players 3\ngraves: e3 rat"},
		{"players 3\ngraves: e3 red with garlic B, f3 blue", "players 3\ngraves: e3 red, f3 blue with garlic B"},
		{"players 3\nedition 2017\njust e3", "players 3\nedition 2017"},
	} {
		one, err := setUp(test.one)
		if err != nil {
			t.Fatal(err)
		}
		other, err := setUp(test.other)
		if err != nil {
			t.Fatal(err)
		}
		a, b := one.View(0).Forget(kept, nil), other.View(0).Forget(kept, nil)
		a.rows, b.rows = [game.MaxSeats]row{}, [game.MaxSeats]row{} // they were filled from what was left
		if a != b {
			t.Errorf("%q and %q are told apart by who has forgotten it", test.one, test.other)
		}
	}
}

// Who takes one grave for another knows of each what is true of the other. What lies open nobody takes for anything else.
func TestMixedUp(t *testing.T) {
	p, err := setUp("players 3\nA: red ..\ngraves: d3 blue with garlic B, e3 red, a1 blue")
	if err != nil {
		t.Fatal(err)
	}
	place := func(at string) uint8 {
		g, _ := parseGrave(at)
		return uint8(g)
	}
	p.seen = p.seen.with(Grave(place("e3")))
	pair := [][2]uint8{{place("d3"), place("e3")}}
	everything := ^uint64(0)
	truth := p.View(0)
	v := truth.Forget(everything, pair)
	for from, to := range map[string]string{"d3": "e3", "e3": "d3", "b2": "b2"} {
		f, g := Grave(place(from)), Grave(place(to))
		if v.lid.at(f) != truth.lid.at(g) || v.inside.at(f) != truth.inside.at(g) || v.seen.has(f) != truth.seen.has(g) {
			t.Errorf("of %s he thinks %s with %q, and not what is true of %s", from, v.lid.at(f), v.inside.at(f), to)
		}
	}
	if v.Forget(everything, pair) != truth {
		t.Error("twice mixed up is not as before")
	}
	open := p
	for _, m := range p.Moves(nil) {
		if m == OpenAt(Grave(place("a1"))) {
			open = p.Play(m, nil)
		}
	}
	if !open.up.has(Grave(place("a1"))) {
		t.Fatal("a1 is not open")
	}
	view := open.View(0)
	if view.Forget(everything, [][2]uint8{{place("a1"), place("e3")}}) != view {
		t.Error("an open grave was taken for another")
	}
}
