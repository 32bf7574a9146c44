package game

// Packed is how a game is told to programs that learn it: moves as numbers, and what a seat sees as a row of bytes, of which every
// game of so many players has as many. Nothing here is a rule of play.
//
// In the row 0 is nobody, nothing, or not told. Seats count from 1, and so does whatever else stands in a list: a grave, a card.
type Packed[P any, M Move, V any] struct {
	Moves  []M         // every move there is. Its place is its number for ever: what comes anew comes at the end
	Number func(M) int // its place

	// What is told in words besides, each list in an order that stays as well: every question, and what events say.
	Questions             []Question
	Verbs, Places, Things []string

	// Fields are what lies in the row of so many players, in order; Pack fills one that has nothing in it with what the view's
	// Shown and Own say with that aid, and nothing else.
	Fields func(players int) []Field
	Pack   func(row []byte, v *V, aid Aid)
}

// A Field is a part of a row: so many bytes, in so many dimensions; none for a single one.
type Field struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape,omitempty"`
}

// Size is how many bytes it has.
func (f Field) Size() int {
	size := 1
	for _, n := range f.Shape {
		size *= n
	}
	return size
}

// A Row is what is left of a row that is being filled from its beginning.
type Row []byte

// Take is the next n bytes.
func (r *Row) Take(n int) []byte {
	taken := (*r)[:n:n]
	*r = (*r)[n:]
	return taken
}

// Put fills the next bytes.
func (r *Row) Put(these ...byte) { copy(r.Take(len(these)), these) }

// Place is what stands for a seat: 0 for nobody.
func (s Seat) Place() byte {
	if s >= MaxSeats {
		return 0
	}
	return byte(s) + 1
}

// Flags puts a byte for each of so many seats: 1 where it is in the set.
func (r *Row) Flags(ss Seats, players uint8) {
	for s, flags := Seat(0), r.Take(int(players)); s < Seat(players); s++ {
		if ss.Has(s) {
			flags[s] = 1
		}
	}
}
