package dawn

import "math/bits"

// A Grave is a place on the board, counted file by file from a1.
type Grave uint8

const (
	numGraves       = 60
	numParts        = 4
	noGrave   Grave = numGraves
)

// String is the grave's name: its file, a letter from the left, and its rank, a digit from the bottom.
func (g Grave) String() string {
	if g == noGrave {
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
