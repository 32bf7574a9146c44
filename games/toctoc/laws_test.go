package toctoc

import (
	"testing"

	"caveau/game/gametest"
)

// The trace sorts hands, and in a sorted hand the first place likes the first cards of the alphabet. The examiner asks what
// may lie in which place, so it is shown the hands as they are held.
func TestLaws(t *testing.T) {
	asHeld := Rules
	asHeld.Dump = dumpAsHeld
	gametest.Run(t, asHeld)
}

// BenchmarkPlayout/PLAYERS is the figure to watch.
func BenchmarkPlayout(b *testing.B) { gametest.Playouts(b, Rules) }

func dumpAsHeld(p Position) any {
	t := dump(p).(truth)
	for s := range t.Hands {
		t.Hands[s] = names(p.hands[s].list(p.held[s]))
	}
	return t
}
