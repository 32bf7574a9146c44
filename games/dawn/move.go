package dawn

import (
	"math/bits"
)

// A Move is one decision, two bytes: what is done, and where or with what.
type Move struct {
	verb verb
	what uint8 // a grave, a side, or a colour and a side
}

type verb uint8

const (
	verbOpen verb = iota
	verbStop
	verbRest
	verbGarlic
	verbLeave
	verbGive
	verbTake
)

var (
	stop        = Move{verb: verbStop}
	restLeft    = Move{verbRest, uint8(left)}
	restRight   = Move{verbRest, uint8(right)}
	placeGarlic = Move{verb: verbGarlic}
	leaveEmpty  = Move{verb: verbLeave}
	giveLeft    = Move{verbGive, uint8(left)}
	giveRight   = Move{verbGive, uint8(right)}
)

func takeMove(c Colour, s side) Move { return Move{verbTake, uint8(c)<<1 | uint8(s)} }

// String is the move in the record's words, without its seat.
func (m Move) String() string {
	switch m.verb {
	case verbOpen:
		return "open " + Grave(m.what).String()
	case verbStop:
		return "stop"
	case verbRest:
		return "rest " + side(m.what).String()
	case verbGarlic:
		return "garlic"
	case verbLeave:
		return "leave"
	case verbGive:
		return "give " + side(m.what).String()
	default:
		return "take " + Colour(m.what>>1).String() + " " + side(m.what&1).String()
	}
}

// openMoves is every opening, in the order of the graves.
var openMoves = func() (opens [numGraves]Move) {
	for g := range opens {
		opens[g] = Move{verbOpen, uint8(g)}
	}
	return opens
}()

// appendOpens appends the openings of a set of graves. It copies them run by run: nearly always nearly all graves may be
// opened, and one copy of sixty moves is ten times as fast as sixty appends.
func appendOpens(dst []Move, set Graves) []Move {
	for set != 0 {
		first := bits.TrailingZeros64(uint64(set))
		n := bits.TrailingZeros64(^uint64(set >> first))
		dst = append(dst, openMoves[first:first+n]...)
		set &^= (1<<n - 1) << first
	}
	return dst
}
