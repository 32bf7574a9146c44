package bot

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"

	"caveau/game"
)

// A Judge is what a player thinks of a game.
type Judge[P any] struct {
	// Worth is how well a seat stands.
	Worth func(P, game.Seat) float64
	// Gains tells whether a move brought the seat what one always takes; nil where the game has no such thing.
	Gains func(before, after P, s game.Seat) bool
}

// OneStep is a player who remembers all that he was shown and looks one move ahead: the reference for what memory alone is worth. He imagines
// a few ways that the table could be, tries each of his moves in all of them, and takes the one after which he stands best on
// average.
//
// Among careful players alone a game need not end: all could open the same harmless grave for ever. So he is curious
// about places that nobody looked at for long, and gets bolder the longer a game drags on. But a gain that he is sure of,
// because the move brings it in all that he imagines, comes before everything else.
func OneStep[P game.Position[P, M, V], M game.Move, V Mind[P, V]](judge Judge[P]) func(context.Context, Seen[V]) string {
	return func(ctx context.Context, seen Seen[V]) string {
		const imagined = 24
		rng := seen.Rand()
		looks := looksAt(seen.Events, seen.View.Place)
		tries := make([]try, len(seen.Moves))
		for range imagined {
			tryAll(tries, seen.View.Sample(rng), seen.Seat, judge)
			if ctx.Err() != nil {
				break
			}
		}
		for i, words := range seen.Moves {
			worth := &tries[i].worth
			*worth = *worth/imagined + looks.boldness()*rng.Float64()
			if place, ok := seen.View.Place(game.Event{At: lastWord(words)}); ok {
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

// curiosity is what a look at a place is worth by itself: nothing if everyone has just seen it.
func (l *looks) curiosity(place uint8) float64 {
	const most, half = 0.5, 20
	if len(l.at[place]) == 0 {
		return most
	}
	return most * (1 - math.Exp2(-float64(l.since(place))/half))
}

// boldness is how far a player strays from what looks best, after some three hundred looks by as much as a vampire.
func (l *looks) boldness() float64 { return math.Pow(float64(l.all)/300, 2) }
