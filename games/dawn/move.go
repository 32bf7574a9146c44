package dawn

import (
	"math/bits"

	"caveau/game"
)

// A Move is one decision, two bytes: what is done, and where or with what.
type Move struct {
	verb verb
	what uint8 // a grave, a side, a colour and a side, or a seat
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
	verbBat
	verbBelieve
	verbDoubt
	verbPresent
	verbCount
)

var (
	stop        = Move{verb: verbStop}
	restLeft    = Move{verbRest, uint8(left)}
	restRight   = Move{verbRest, uint8(right)}
	placeGarlic = Move{verb: verbGarlic}
	leaveEmpty  = Move{verb: verbLeave}
	giveLeft    = Move{verbGive, uint8(left)}
	giveRight   = Move{verbGive, uint8(right)}
	believe     = Move{verb: verbBelieve}
	doubt       = Move{verb: verbDoubt}
)

func takeMove(c Colour, s side) Move { return Move{verbTake, uint8(c)<<1 | uint8(s)} }

// String is the move in the record's words, without its seat.
func (m Move) String() string {
	switch m.verb {
	case verbOpen, verbBat, verbCount:
		return atGrave[m.verb][m.what]
	case verbRest, verbGive:
		return verbNames[m.verb] + " " + side(m.what).String()
	case verbTake:
		return "take " + Colour(m.what>>1).String() + " " + side(m.what&1).String()
	case verbPresent:
		return "present " + game.Seat(m.what).String()
	default:
		return verbNames[m.verb]
	}
}

var verbNames = [...]string{
	"open", "stop", "rest", "garlic", "leave", "give", "take", "bat", "believe", "doubt", "present", "count",
}

// atGrave are the words of the moves that name a grave. There are many of them before each player, so they are put together once.
var atGrave = func() (words [len(verbNames)][numGraves]string) {
	for _, v := range []verb{verbOpen, verbBat, verbCount} {
		for g := range words[v] {
			words[v][g] = verbNames[v] + " " + Grave(g).String()
		}
	}
	return words
}()

// The moves that name a grave, in the order of the graves.
var openMoves, batMoves, countMoves = movesAt(verbOpen), movesAt(verbBat), movesAt(verbCount)

func movesAt(v verb) (moves [numGraves]Move) {
	for g := range moves {
		moves[g] = Move{v, uint8(g)}
	}
	return moves
}

// appendRuns appends the moves at a set of graves. It copies them run by run: nearly always nearly all graves may be
// opened, and one copy of sixty moves is ten times as fast as sixty appends.
func appendRuns(dst, moves []Move, set Graves) []Move {
	for set != 0 {
		first := bits.TrailingZeros64(uint64(set))
		n := bits.TrailingZeros64(^uint64(set >> first))
		dst = append(dst, moves[first:first+n]...)
		set &= set + 1<<first // the run is carried away
	}
	return dst
}
