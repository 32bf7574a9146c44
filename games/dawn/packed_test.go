package dawn

import (
	"testing"

	"caveau/game/gametest"
)

func TestPacked(t *testing.T) { gametest.Packed(t, Rules, Packed) }
