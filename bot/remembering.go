package bot

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"

	"caveau/game"
)

// A Mind is a view that can be forgotten, in a game whose memory is of places: what lies where.
type Mind[P, V any] interface {
	game.View[P]
	// Forget is the view of somebody who remembers of the places only those of the set, a bit each.
	Forget(kept uint64, mixed [][2]uint8) V
	// Place is the number of a place in that set.
	Place(at string) (uint8, bool)
}

// A Judge is what a player thinks of a game.
type Judge[P any] struct {
	// Worth is how well a seat stands.
	Worth func(P, game.Seat) float64
	// Gains tells whether a move brought the seat what one always takes; nil where the game has no such thing.
	Gains func(before, after P, s game.Seat) bool
}

// A Memory is how long a player remembers, as a half-life: after so many things have happened at other places he still
// knows what he saw at one with a chance of one half. Nobody remembers anything that was not looked at.
type Memory float64

// The three strengths. They play alike and differ in memory only.
const (
	Dozy  Memory = 8
	Keen  Memory = 40
	Sharp Memory = 400
)

// Remembering is a player who plays sensibly on what he has seen and can still recall. He imagines a few ways that the
// table could be, as far as he remembers it, tries each of his moves in all of them, and takes the one after which he
// stands best on average. He looks one move ahead.
//
// Among careful players alone a game need not end: all could open the same harmless grave for ever. So he is curious
// about places that nobody looked at for long, and gets bolder the longer a game drags on. But a gain that he is sure of,
// because the move brings it in all that he imagines, comes before everything else.
func Remembering[P game.Position[P, M, V], M game.Move, V Mind[P, V]](memory Memory, judge Judge[P]) func(context.Context, Seen[V]) string {
	return func(ctx context.Context, seen Seen[V]) string {
		const imagined = 24
		rng := seen.Rand()
		looks := looksOf[P](seen)
		kept := looks.recalled(memory, seen.Seed)
		tries := make([]try, len(seen.Moves))
		for range imagined {
			tryAll(tries, seen.View.Forget(kept, nil).Sample(rng), seen.Seat, judge)
			if ctx.Err() != nil {
				break
			}
		}
		for i, words := range seen.Moves {
			worth := &tries[i].worth
			*worth = *worth/imagined + looks.boldness()*rng.Float64()
			if place, ok := seen.View.Place(lastWord(words)); ok {
				*worth += looks.curiosity(place)
			}
		}
		return seen.Moves[best(tries, rng)]
	}
}

// A try is what came of a move in all the worlds that it was tried in.
type try struct {
	worth float64 // in sum
	fails bool    // it gained nothing in one of them
}

func lastWord(words string) string { return words[strings.LastIndexByte(words, ' ')+1:] }

// tryAll tries every move in one imagined world.
func tryAll[P game.Position[P, M, V], M game.Move, V any](tries []try, p P, s game.Seat, judge Judge[P]) {
	for i, m := range p.Moves(nil)[:len(tries)] {
		after := p.Play(m, nil)
		tries[i].worth += judge.Worth(after, s)
		tries[i].fails = tries[i].fails || judge.Gains == nil || !judge.Gains(p, after, s)
	}
}

// best is the move that never fails, or else the one with the highest worth; among equals any.
func best(tries []try, rng *rand.Rand) int {
	best, equals := 0, 1
	for i := 1; i < len(tries); i++ {
		a, b := tries[i], tries[best]
		switch {
		case a.fails == b.fails && a.worth == b.worth:
			if equals++; rng.IntN(equals) == 0 {
				best = i
			}
		case a.fails == b.fails && a.worth > b.worth, b.fails && !a.fails:
			best, equals = i, 1
		}
	}
	return best
}

// looks is what a player has looked at: of each place when last, as the how-manieth look of all; 0 is never.
type looks struct {
	last [64]int
	all  int
}

func looksOf[P any, V Mind[P, V]](seen Seen[V]) (l looks) {
	before := "" // what is said of one place in a row is one look at it
	for _, e := range seen.Events {
		place, ok := seen.View.Place(e.At)
		if ok && e.At != before {
			l.all++
		}
		if ok {
			l.last[place] = l.all
		}
		before = e.At
	}
	return l
}

// recalled is the set of places that the player still has in mind. Whether he has lost one is settled by his own seed
// once for each time that he looked at it: what is forgotten stays forgotten until it is seen again.
func (l *looks) recalled(m Memory, seed uint64) (kept uint64) {
	for place, last := range l.last {
		age := float64(l.all - last)
		if last > 0 && chance(seed, place, last) < math.Exp2(-age/float64(m)) {
			kept |= 1 << place
		}
	}
	return kept
}

// curiosity is what a look at a place is worth by itself: nothing if everyone has just seen it.
func (l *looks) curiosity(place uint8) float64 {
	const most, half = 0.5, 20
	if l.last[place] == 0 {
		return most
	}
	return most * (1 - math.Exp2(-float64(l.all-l.last[place])/half))
}

// boldness is how far a player strays from what looks best, after some three hundred looks by as much as a vampire.
func (l *looks) boldness() float64 { return math.Pow(float64(l.all)/300, 2) }

// chance is a number from 0 to 1 that is always the same for the same seed, place and look.
func chance(seed uint64, place, look int) float64 {
	return rand.New(rand.NewPCG(seed, uint64(place)<<32|uint64(look))).Float64()
}
