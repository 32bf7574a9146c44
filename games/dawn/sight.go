package dawn

import "caveau/game"

// What a player asks of what he knows, without a copy of it. None of this is a rule of play. Package bot/dawnbot plays by it.

// Seat is whose view it is.
func (v *View) Seat() game.Seat { return v.seat }

// Players is how many play.
func (t *table) Players() int { return int(t.players) }

// Stakes is how many a seat has before it, Bundles how much garlic.
func (t *table) Stakes(s game.Seat) int  { return int(t.stakes[s]) }
func (t *table) Bundles(s game.Seat) int { return int(t.garlic[s]) }

// Plague tells whether one rages.
func (t *table) Plague() bool { return t.rat != noGrave }

// Open is the grave that a question is about: one that lies open, or that a bat was set on. It must be asked for one.
func (t *table) Open() Grave {
	if t.night.asks != 0 {
		return t.night.bat
	}
	return t.grave
}

// Lid is the colour under a lid that was seen; 0 where it was not, and for a rat.
func (v *View) Lid(g Grave) Colour {
	if l := v.lid.at(g); l < Rat {
		return Colour(l)
	}
	return 0
}

// Inside is what lies in a grave; nothing either where that is forgotten (Ground.Lost).
func (v *View) Inside(g Grave) Content {
	if c := v.inside.at(g); c != unknown {
		return c
	}
	return empty
}

// Just is the grave that must not be opened for nothing, if any: N1.
func (t *table) Just() Graves {
	if t.edition == ed2017 && t.rat == noGrave && t.dance.just != noGrave {
		return Graves(0).with(t.dance.just)
	}
	return 0
}

// Worn are the graves that cost a seat a stake because it and the other one have just turned them: D3.
func (t *table) Worn(s game.Seat) Graves {
	if t.players != 2 || t.rat != noGrave {
		return 0
	}
	return t.worn.last[s] & t.worn.since[s]
}

// Openable are the graves that the player may open now.
func (t *table) Openable() Graves { return t.openable() }

// MayStop and MayBat tell what else there is to do for whoever is to open a grave.
func (t *table) MayStop() bool { return t.mayStop() }
func (t *table) MayBat() bool  { return t.mayBat() }

// A Ground is the cemetery as a player knows it: where there is room, where nobody has looked, and where it is not good to look.
type Ground struct {
	Free   [numColours + 1]Graves // empty, by the colour of the lid
	Unseen Graves                 // nobody knows the lid, and nothing is known to lie there
	Lost   Graves                 // of these, those of which nothing is in mind
	Buried int                    // how many of the lost ones hold a vampire or garlic
	Taken  Graves                 // a vampire lies there
	Garlic [game.MaxSeats]Graves  // by its owner
	Rats   Graves                 // closed again, though everyone has seen the rat (N4)
	Hidden [numColours + 1]uint8  // how many lids of each colour nobody has seen, reserve included
}

// Ground looks over the cemetery.
func (v *View) Ground() (gr Ground) {
	empty := v.inside.of(empty)
	for c := White; c <= Blue; c++ {
		seen := v.lid.of(Lid(c))
		gr.Free[c] = seen & empty
		if v.inPlay(c) {
			gr.Hidden[c] = uint8(ofEach - seen.len())
		}
	}
	gr.Lost = v.inside.of(unknown)
	gr.Unseen = v.lid.of(hidden)&empty | gr.Lost
	gr.Taken = v.inside.vampires()
	gr.Buried = int(v.sunk)
	for s := range game.Seat(v.players) {
		gr.Garlic[s] = v.inside.of(garlic(s))
		gr.Buried += numGarlic - int(v.garlic[s]) - gr.Garlic[s].len()
	}
	gr.Rats = v.lid.of(Rat)
	return gr
}

// Neighbours are the graves that a rat on g would let one open.
func Neighbours(g Grave) Graves { return cemetery.neighbour[g] }

// A Side is an end of a row.
type Side = side

// The ends of a row.
const (
	Left  = left
	Right = right
)

// A Row is somebody's vampires as one sees them. It can be played with.
type Row struct{ row }

// Row is the row of a seat.
func (v *View) Row(s game.Seat) Row { return Row{v.rows[s]} }

// Len is how many vampires there are.
func (r *Row) Len() int { return int(r.n) }

// End is the outermost vampire of that side; 0 where there is none, or where it is not known.
func (r *Row) End(s Side) Colour {
	if r.n == 0 {
		return 0
	}
	return r.end(s)
}

// Without is the row without the outermost vampire of that side.
func (r Row) Without(s Side) Row {
	r.take(s)
	return r
}

// With is the row with a vampire put at that side.
func (r Row) With(s Side, c Colour) Row {
	r.put(s, c)
	return r
}

// Verb is what a move does, in the record's words.
func (m Move) Verb() string { return verbNames[m.verb] }

// MoveOf is the move of those words, which must be some.
func MoveOf(words string) Move { return allMoves[words] }

// Stop is to open no more.
var Stop = stop

// OpenAt, BatAt and CountAt are the moves that name a grave.
func OpenAt(g Grave) Move  { return Move{verbOpen, uint8(g)} }
func BatAt(g Grave) Move   { return Move{verbBat, uint8(g)} }
func CountAt(g Grave) Move { return Move{verbCount, uint8(g)} }

// At is the grave that a move names.
func (m Move) At() Grave { return Grave(m.what) }

// To is who gets what a move gives.
func (m Move) To() game.Seat { return game.Seat(m.what) }

// Takes is what a move puts into a row, and at which end.
func (m Move) Takes() (Colour, Side) { return Colour(m.what >> 1), side(m.what & 1) }
