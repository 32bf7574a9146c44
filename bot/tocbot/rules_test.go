package tocbot

import (
	"math/rand/v2"
	"slices"
	"testing"

	"caveau/game"
	"caveau/games/toctoc"
)

// look has rules play games, and is shown every position with the view and the move of whoever is asked.
func look(t *testing.T, games int, seen func(p toctoc.Position, v *toctoc.View, m toctoc.Move)) {
	t.Helper()
	for seed := range uint64(games) {
		dice := rand.New(rand.NewPCG(seed, 5))
		p, err := toctoc.Rules.Deal(game.Setup{Players: 3 + int(seed%3), First: game.NoSeat}, dice)
		if err != nil {
			t.Fatal(err)
		}
		for p.Turn() != game.NoSeat {
			v := p.View(p.Turn())
			m := Rules(&v, dice.Float64())
			if !slices.Contains(p.Moves(nil), m) {
				t.Fatalf("seed %d: %s says %q, which is no move now: %v", seed, p.Turn(), m, p.Moves(nil))
			}
			seen(p, &v, m)
			p = p.Play(m, nil)
		}
	}
}

func games(all int) int {
	if testing.Short() {
		return all / 10
	}
	return all
}

// fearless tells whether somebody has no card in hand that may turn against his own guests.
func fearless(v *toctoc.View) bool {
	s := usual.look(v)
	for c, n := range s.hands[v.Seat()] {
		if n > 0 && !toctoc.Card(c).Joins() {
			return false
		}
	}
	return true
}

// The rival takes a musician rather than anybody else of his kind, unless he would have to fear for him; or, once in a long while, where
// somebody else's guests are what decides.
func TestARivalTakesTheMusician(t *testing.T) {
	met, others := 0, 0
	look(t, games(1000), func(p toctoc.Position, v *toctoc.View, m toctoc.Move) {
		if v.Host() == game.NoSeat || !v.Card().IsVamp() || !fearless(v) {
			return
		}
		if musician := toctoc.MusicianOf(v.Card().Kind()); v.Party(v.Host()).Count(musician) > 0 {
			met++
			if m != toctoc.Choose(musician) {
				others++
				t.Logf("%s has a musician, and the rival says %q", v.Host(), m)
			}
		}
	})
	if met == 0 || others*20 > met {
		t.Errorf("of %d who chose among musicians and others %d took another", met, others)
	}
}

// A last card that everybody saw drawn is no secret: it is let in if it is a guest, unless he would only go away again, and
// nothing is that takes guests away, but once in a long while, where it is somebody else who has to be kept from winning.
func TestALastCardThatIsKnown(t *testing.T) {
	guests, others, opened := 0, 0, 0
	look(t, games(1000), func(p toctoc.Position, v *toctoc.View, m toctoc.Move) {
		k := v.Knocker()
		if v.Door() == game.NoSeat || v.Host() != game.NoSeat || v.Held(k) > 1 {
			return
		}
		known := counts(v.Drawn(k))
		if known.all() == 0 {
			return
		}
		card := toctoc.Card(slices.Index(known[:], 1))
		switch {
		case card.Joins():
			if guests++; m != toctoc.Accept && fearless(v) {
				t.Errorf("%s is known to be a %s, and %s keeps shut", k, card, v.Seat())
			}
		case card.TakesFrom(v.Party(v.Seat())) != 0 && card.TakesFrom(v.Party(k)) != 0:
			if others++; m != toctoc.Refuse {
				opened++
				t.Logf("%s knocks with what is known to be a %s, and %s opens", k, card, v.Seat())
			}
		}
	})
	if guests == 0 || others == 0 || opened*20 > others {
		t.Errorf("%d guests and %d others were known, of which %d were let in", guests, others, opened)
	}
}

// Nobody can tell whether a card is good: who has good cards and bad ones knocks, by the dice, with either; and nobody can tell
// whether it will be opened.
func TestNobodyCanTell(t *testing.T) {
	knocks, mixed, asked, either := 0, 0, 0, 0
	look(t, games(200), func(p toctoc.Position, v *toctoc.View, _ toctoc.Move) {
		if v.Host() != game.NoSeat || v.Pile() == 0 {
			return
		}
		said := map[toctoc.Move]bool{}
		for roll := range 40 {
			said[Rules(v, float64(roll)/40)] = true
		}
		if v.Door() != game.NoSeat {
			asked++
			if len(said) == 2 {
				either++
			}
			return
		}
		s := usual.look(v)
		o := s.options()
		var has, plays [2]bool // good cards, bad ones
		for _, x := range o.list[:o.n] {
			sort := 0
			if bad(&s, x) {
				sort = 1
			}
			has[sort] = true
			plays[sort] = plays[sort] || said[toctoc.Knock(x.to, x.card)]
		}
		if has[0] && has[1] {
			knocks++
			if plays[0] && plays[1] {
				mixed++
			}
		}
	})
	t.Logf("of %d knocks %d could be either, of %d answers %d", knocks, mixed, asked, either)
	if mixed*2 < knocks || either*2 < asked {
		t.Errorf("of %d knocks only %d could be either, of %d answers %d", knocks, mixed, asked, either)
	}
}

// Who has forgotten all that he saw drawn still knows what to do.
func TestWhoForgetsPlaysOn(t *testing.T) {
	look(t, games(300), func(p toctoc.Position, v *toctoc.View, _ toctoc.Move) {
		forgot := v.Forget(0, nil)
		if m := Rules(&forgot, 0.5); !slices.Contains(p.Moves(nil), m) {
			t.Fatalf("%s, who forgot, says %q", v.Seat(), m)
		}
	})
}

// It is asked in every move of a playout, so it asks for no memory.
func TestItAllocatesNothing(t *testing.T) {
	look(t, 3, func(p toctoc.Position, v *toctoc.View, _ toctoc.Move) {
		if n := testing.AllocsPerRun(5, func() { Rules(v, 0.5) }); n > 0 { // whatever the runtime does once is not ours
			t.Fatalf("%v allocations", n)
		}
	})
}
