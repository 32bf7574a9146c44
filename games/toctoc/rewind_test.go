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
