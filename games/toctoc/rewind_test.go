package toctoc

import (
	"testing"

	"caveau/game"
)

// A game that is wound back to its deal and played again is the same game, and each knock is shown.
func TestRewind(t *testing.T) {
	for i, deal := range deals(t, 50) {
		rng, knocks := newRand(uint64(i)), 0
		p := deal
		var heard game.Events
		for p.Asked() != game.NoSeat {
			m := anyMove(rng, &p)
			p.Do(m, &heard)
			if m.Knocks() {
				continue
			}
			knocks = 0
			begin, ok := p.Rewind(heard.List())
			if !ok || begin.parties != deal.parties || begin.pile.n != deal.pile.n || begin.turn != deal.turn {
				t.Fatalf("deal %d: wound back after %d events it is another: %v", i, len(heard.List()), ok)
			}
			begin.Replay(heard.List(), func(before *Position, m Move) { knocks++ })
			if begin.table != p.table {
				t.Fatalf("deal %d: played again after %d events it is another table", i, len(heard.List()))
			}
		}
		if cards := 55 - 8; knocks != cards {
			t.Errorf("deal %d: %d knocks of a game are shown, not %d", i, knocks, cards)
		}
	}
}

// Whoever supposes a hand imagines tables at which it is that one; two hands that cannot be at once he does not suppose.
func TestSuppose(t *testing.T) {
	can, cannot := 0, 0
	for i, p := range deals(t, 100) {
		rng := newRand(uint64(i))
		for range i % 40 {
			p.Do(anyMove(rng, &p), nil)
		}
		v := p.View(0)
		q := v.Sample(rng)
		r := q
		r.hands[2], r.held[2] = q.hands[1], q.held[1]
		if !v.Suppose(1, &q) {
			t.Fatalf("deal %d: a hand of a table that may be the true one cannot be supposed", i)
		}
		if r.held[2] != p.held[2] || v.hands[2].drawn(p.held[2]) > 0 || q.hands[1].drawn(q.held[1]) > 0 {
			continue // it is another sort of hand
		}
		if !v.Suppose(2, &r) {
			cannot++
			continue
		}
		can++
		s := v.Sample(rng)
		if err := check(s); err != nil || s.hands[1] != q.hands[1] || s.hands[2] != q.hands[1] {
			t.Fatalf("deal %d: it imagines other hands than it supposes: %v", i, err)
		}
	}
	if can == 0 || cannot == 0 {
		t.Errorf("twice the same hand could be %d times, and could not %d times", can, cannot)
	}
}
