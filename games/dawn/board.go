package dawn

import (
	_ "embed"
	"fmt"
	"math/bits"
	"strings"
)

// A Grave is a place on the board, counted file by file from a1.
type Grave uint8

const (
	numGraves       = 60
	numParts        = 4
	noGrave   Grave = 0xff
)

// String is the grave's name: its file, a letter from the left, and its rank, a digit from the bottom.
func (g Grave) String() string {
	if g >= numGraves {
		return ""
	}
	return cemetery.name[g]
}

// Graves is a set of graves.
type Graves uint64

func (gs Graves) has(g Grave) bool       { return gs>>g&1 == 1 }
func (gs Graves) with(g Grave) Graves    { return gs | 1<<g }
func (gs Graves) without(g Grave) Graves { return gs &^ (1 << g) }

// pop is the set's first grave, and the others.
func (gs Graves) pop() (Grave, Graves) {
	return Grave(bits.TrailingZeros64(uint64(gs))), gs & (gs - 1)
}

// A board says where the graves lie. It is data: no rule knows a grave by name.
type board struct {
	at        [8][8]Grave // by file and rank, noGrave where there is none
	name      [numGraves]string
	file      [numGraves]uint8
	rank      [numGraves]uint8
	part      [numGraves]uint8  // the quarter it lies in, clockwise
	graves    [numParts]Graves  // the graves of each part
	neighbour [numGraves]Graves // P1: the up to eight graves around, in the same part
}

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

func (b *board) findNeighbours() {
	for g := range Grave(numGraves) {
		for file := max(b.file[g], 1) - 1; file <= min(b.file[g]+1, 7); file++ {
			for rank := max(b.rank[g], 1) - 1; rank <= min(b.rank[g]+1, 7); rank++ {
				n := b.at[file][rank]
				if n != noGrave && n != g && b.part[n] == b.part[g] {
					b.neighbour[g] = b.neighbour[g].with(n)
				}
			}
		}
	}
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

// parseGrave reads a grave's name.
func parseGrave(name string) (Grave, bool) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return noGrave, false
	}
	g := cemetery.at[name[0]-'a'][name[1]-'1']
	return g, g != noGrave
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
