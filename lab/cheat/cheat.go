// Package cheat has a player who sees everything, for comparison: more than he wins nobody wins who plays on as he does. He is handed the position itself, which only
// a laboratory has to give away. So he is no slots.Bot, and no house can have him sit down.
package cheat

import (
	"context"
	"math/rand/v2"
	"slices"

	"caveau/game"
	"caveau/slots"
	"caveau/table"
)

// playouts are how many games he plays to their end before he decides, at the least.
const playouts = 120

// A Cheat tries every move at the true table: everybody plays on by the rules of thumb to the end of the game, with the same luck after each.
type Cheat struct {
	Rules slots.Bot // by whom everybody plays on
	Moves int       // where a game is stopped
}

// Move is the move after which he wins most often; what the rules of thumb say, unless another wins more often.
func (c Cheat) Move(ctx context.Context, truth game.State, rng *rand.Rand) string {
	s, moves := truth.Turn(), truth.Moves()
	usual := slices.Index(moves, c.rules(ctx, truth, rng))
	moves[0], moves[usual] = moves[usual], moves[0]
	if len(moves) == 1 {
		return moves[0]
	}
	won := make([]float64, len(moves))
	for range max(2, playouts/len(moves)) {
		luck := rng.Uint64()
		for i, words := range moves {
			if winners := c.end(ctx, truth, words, rand.New(rand.NewPCG(luck, 0))); winners.Has(s) {
				won[i] += 1 / float64(winners.Len())
			}
		}
	}
	return moves[slices.Index(won, slices.Max(won))]
}

// end is who wins after a move.
func (c Cheat) end(ctx context.Context, state game.State, words string, rng *rand.Rand) game.Seats {
	for range c.Moves {
		next, _, err := state.Play(state.Turn(), words)
		if err != nil || next.Turn() == game.NoSeat || ctx.Err() != nil {
			return next.Outcome().Winners
		}
		state, words = next, c.rules(ctx, next, rng)
	}
	return state.Outcome().Winners
}

func (c Cheat) rules(ctx context.Context, state game.State, rng *rand.Rand) string {
	s := state.Turn()
	return c.Rules.Move(ctx, table.Seen{Seat: s, View: state.View(s), Moves: state.Moves(), Seed: rng.Uint64()})
}
