package dawn

import (
	"testing"

	"caveau/game/gametest"
)

func TestLaws(t *testing.T) { gametest.Run(t, Rules) }
