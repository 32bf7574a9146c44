package dawn

import (
	_ "embed"
	"fmt"
	"math/bits"
	"strings"
)

// How the board is read from its drawing, examined, and told to a client. None of this is a rule of play.

//go:embed cemetery.txt
var cemeteryText string

var cemetery = mustLoad(cemeteryText)

func mustLoad(text string) board {
	b, err := loadBoard(text)
	if err != nil {
		panic(err)
	}
	return b
}

// loadBoard reads a drawing of a cemetery, the highest rank first: a digit is a grave of that part, a dot is none. It
// refuses a board that cannot be the one of the rulebook: 60 graves, four parts, symmetric neighbours, one grave with
// seven of them (2004 fig. 3a) and one by the path with four (fig. 3b).
func loadBoard(text string) (board, error) {
	grid, err := readGrid(text)
	if err != nil {
		return board{}, err
	}
	var b board
	var g Grave
	for file := range 8 {
		for rank := range 8 {
			b.at[file][rank] = noGrave
			if part := grid[file][rank]; part != 0 {
				if g == numGraves {
					return board{}, fmt.Errorf("the cemetery has more than %d graves", numGraves)
				}
				b.name[g] = string([]byte{'a' + byte(file), '1' + byte(rank)})
				b.file[g], b.rank[g], b.part[g] = uint8(file), uint8(rank), part-1
				b.at[file][rank] = g
				b.graves[part-1] = b.graves[part-1].with(g)
				g++
			}
		}
	}
	if g != numGraves {
		return board{}, fmt.Errorf("the cemetery has %d graves, not %d", g, numGraves)
	}
	b.findNeighbours()
	return b, b.check()
}

func readGrid(text string) (grid [8][8]uint8, err error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 8 {
		return grid, fmt.Errorf("the cemetery has %d ranks, not 8", len(lines))
	}
	for i, line := range lines {
		places := strings.Fields(line)
		if len(places) != 8 {
			return grid, fmt.Errorf("rank %d of the cemetery has %d places, not 8", 8-i, len(places))
		}
		for file, place := range places {
			switch {
			case place == ".":
			case len(place) == 1 && '1' <= place[0] && place[0] <= '4':
				grid[file][7-i] = place[0] - '0'
			default:
				return grid, fmt.Errorf("rank %d of the cemetery: %q is neither a part from 1 to 4 nor a dot", 8-i, place)
			}
		}
	}
	return grid, nil
}

func (b *board) check() error {
	var parts, seven, four int
	for _, graves := range b.graves {
		if graves != 0 {
			parts++
		}
	}
	for g := range Grave(numGraves) {
		switch bits.OnesCount64(uint64(b.neighbour[g])) {
		case 7:
			seven++
		case 4:
			four++
		}
		for n, rest := b.neighbour[g].pop(); n < numGraves; n, rest = rest.pop() {
			if !b.neighbour[n].has(g) {
				return fmt.Errorf("%s is a neighbour of %s, but not the other way round", b.name[n], b.name[g])
			}
		}
	}
	switch {
	case parts != numParts:
		return fmt.Errorf("the cemetery has %d parts, not %d", parts, numParts)
	case seven == 0:
		return fmt.Errorf("no grave of the cemetery has seven neighbours, as in figure 3a")
	case four == 0:
		return fmt.Errorf("no grave of the cemetery has four neighbours, as in figure 3b")
	}
	return nil
}

// drawing is the board as a client draws it.
type drawing struct {
	Graves []drawnGrave `json:"graves"`
}

type drawnGrave struct {
	At   string `json:"at"`
	File uint8  `json:"file"`
	Rank uint8  `json:"rank"`
	Part uint8  `json:"part"`
}

func (b *board) draw() drawing {
	d := drawing{make([]drawnGrave, numGraves)}
	for g := range Grave(numGraves) {
		d.Graves[g] = drawnGrave{b.name[g], b.file[g], b.rank[g], b.part[g]}
	}
	return d
}
