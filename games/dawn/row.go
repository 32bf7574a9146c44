package dawn

// A row is a player's vampires from left to right (2004, Preparation). Nobody may change their order (O7). It holds up
// to 60 vampires in four bits each, so that a position stays small enough to be copied at every move; the vampire at the
// left end is the lowest four bits of the first word.
type row struct {
	packed [4]uint64
	n      uint8 // how many vampires
	left   uint8 // how many of them are face up at the left end: all, when none is face down
	down   uint8 // how many after those are face down; the rest is face up at the right end
}

// layRow lays vampires in a row and turns up the two outermost at each end.
func layRow(vampires []Colour) row {
	var r row
	for _, c := range vampires {
		r.set(r.n, c)
		r.n++
	}
	r.left = min(r.n, 2)
	r.down = max(r.n, 4) - 4
	r.settle()
	return r
}

func (r *row) at(i uint8) Colour     { return Colour(r.packed[i>>4&3] >> (i & 15 * 4) & 15) }
func (r *row) set(i uint8, c Colour) { r.packed[i>>4&3] |= uint64(c) << (i & 15 * 4) }

// end is the outermost vampire of that side. A row of one has one end, its left (O4).
func (r *row) end(s side) Colour {
	if s == left {
		return r.at(0)
	}
	return r.at(r.n - 1)
}

// take takes the outermost vampire of a side away; the next ones there are turned up until two are face up or none is
// face down (O6).
func (r *row) take(s side) Colour {
	c := r.end(s)
	r.n--
	if s == left {
		p := &r.packed
		p[0], p[1], p[2], p[3] = p[0]>>4|p[1]<<60, p[1]>>4|p[2]<<60, p[2]>>4|p[3]<<60, p[3]>>4
		r.left--
		if r.left < 2 && r.down > 0 {
			r.left++
			r.down--
		}
	} else {
		r.packed[r.n>>4&3] &^= 15 << (r.n & 15 * 4)
		if r.n < r.left+r.down+2 && r.down > 0 {
			r.down--
		}
	}
	r.settle()
	return c
}

// put puts a vampire face up at the end of a side. Nothing is turned down again (O6).
func (r *row) put(s side, c Colour) {
	if s == left {
		p := &r.packed
		p[0], p[1], p[2], p[3] = p[0]<<4|uint64(c), p[1]<<4|p[0]>>60, p[2]<<4|p[1]>>60, p[3]<<4|p[2]>>60
		r.left++
	} else {
		r.set(r.n, c)
	}
	r.n++
	r.settle()
}

// settle counts everything to the left end once nothing is face down.
func (r *row) settle() {
	if r.down == 0 {
		r.left = r.n
	}
}

// list is the row's vampires from i to j.
func (r *row) list(i, j uint8) []Colour {
	list := make([]Colour, 0, j-i)
	for ; i < j; i++ {
		list = append(list, r.at(i))
	}
	return list
}
