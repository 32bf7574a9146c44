package dawn

import (
	"math"

	"caveau/game"
)

// What lies face down is said here in the words of the trace, apart from every view. None of this is a rule of play.

// FaceDown is what nobody can see: the lids that are not up, the reserve, the middles of the rows. Whoever saw a lid
// before was told. It is the same before every seat, and nobody takes up what he was dealt.
var FaceDown = game.FaceDown{Open: game.Hidden(hide)}

// A lying is a position as the trace has it.
type lying struct {
	Turn    string
	Graves  map[string]lyingGrave
	Reserve []string
	Rows    []lyingRow
	Stakes  []int
	Garlic  []int
	Bats    []int
	Bat     any
	Plague  any
	Count   any
	Gifts   any
}

type lyingGrave struct {
	Lid   string
	Up    bool
	Holds string
}

type lyingRow struct {
	Vampires []string
	Left     int
	Down     int
}

func hide(p *lying, _ game.Seat) {
	for at, g := range p.Graves {
		if !g.Up {
			g.Lid = ""
			p.Graves[at] = g
		}
	}
	game.Hide(p.Reserve, 0, math.MaxInt)
	for _, r := range p.Rows {
		game.Hide(r.Vampires, r.Left, r.Left+r.Down)
	}
}
