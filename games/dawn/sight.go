package dawn

import "caveau/game"

// What a player asks of what he knows, without a copy of it, and of a table that he imagines. None of this is a rule of play. Package
// bot/dawnbot plays by it.

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

// A Row is somebody's vampires as one sees them, as far as one looks from each end: four bits a vampire, the outermost lowest. It can be
// played with.
type Row struct {
	n    uint8
	ends [2]uint64
}

// Row is the row of a seat.
func (v *View) Row(s game.Seat) Row { return v.rows[s].sight() }

// sight is the row as it lies before everyone. No further than eight from the right does anybody look.
func (r *row) sight() Row {
	const far = 8
	up := r.n - r.left - r.down
	if r.down == 0 {
		up = r.n
	}
	down := uint64(1)<<(4*(r.left+r.down)) - 1<<(4*r.left) // where nobody sees any; all of it where the row is long
	sight := Row{n: r.n, ends: [2]uint64{r.packed[0] &^ down}}
	for i := range min(up, far) {
		sight.ends[right] |= uint64(r.at(r.n-1-i)) << (4 * i)
	}
	return sight
}

// Len is how many vampires there are.
func (r *Row) Len() int { return int(r.n) }

// End is the outermost vampire of that side; 0 where there is none, or where it is not known.
func (r *Row) End(s Side) Colour { return Colour(r.ends[s] & 15) }

// Without is the row without the outermost vampire of that side.
func (r Row) Without(s Side) Row {
	r.ends[s] >>= 4
	if r.n--; r.n == 1 {
		r.ends[s] = r.ends[1-s] & 15
	}
	if r.n == 0 {
		r.ends = [2]uint64{}
	}
	return r
}

// With is the row with a vampire put at that side.
func (r Row) With(s Side, c Colour) Row {
	r.ends[s] = r.ends[s]<<4 | uint64(c)
	r.ends[1-s] |= uint64(c) << (4 * r.n)
	r.n++
	return r
}

// Verb is what a move does, in the record's words.
func (m Move) Verb() string { return verbNames[m.verb] }

// MoveOf is the move of those words, which must be some.
func MoveOf(words string) Move { return allMoves[words] }

// Stop is to open no more; Believe and Doubt are said to a bat.
var Stop, Believe, Doubt = stop, believe, doubt

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

// What follows is asked of positions that are played on in place.

// Asked is Turn, Legal is Moves, Winners are those of Outcome.
func (p *Position) Asked() game.Seat        { return p.asked() }
func (p *Position) Legal(dst []Move) []Move { return p.legal(dst) }
func (p *Position) Winners() game.Seats     { return p.winners }

// Begins tells whether somebody is about to begin his turn.
func (p *Position) Begins() bool {
	n := &p.night
	return !p.opened && p.grave == noGrave && p.rat == noGrave && p.cause == forNothing && n.places == 0 && n.asks == 0 && n.layer == game.NoSeat
}

// Player is who opens graves: in a plague whose go it is, else whose turn.
func (t *table) Player() game.Seat { return t.player() }

// Night tells whether the expansion is in play, with its bats.
func (t *table) Night() bool { return t.edition == edRucola }

// Bats is how many a seat has in hand.
func (t *table) Bats(s game.Seat) int { return int(t.night.bats[s]) }

// Count is who has him, NoSeat where he stands in the middle, and the grave that he reserves, if any.
func (t *table) Count() (holder game.Seat, on Graves) {
	if t.night.on != noGrave {
		on = on.with(t.night.on)
	}
	return t.night.holder, on
}
