package dawn

import (
	"testing"

	"caveau/game/gametest"
)

func TestLaws(t *testing.T) { gametest.Run(t, Rules) }

// BenchmarkPlayout/EDITION/PLAYERS is the figure to watch.
func BenchmarkPlayout(b *testing.B) { gametest.Playouts(b, Rules) }
