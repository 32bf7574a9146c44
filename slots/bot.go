package slots

import (
	"context"

	"caveau/table"
	"caveau/terms"
)

// A Bot is a player that needs no chair. It answers with one of seen.Moves.
//
// It is a pure function of what it is handed: it keeps nothing between two moves, so that a table that was killed and
// replayed goes on exactly as it would have gone. Whatever it does wrong harms nobody: for a bot that panics, takes too
// long or says words that are no legal move, the table plays the first legal move.
type Bot interface {
	Move(ctx context.Context, seen table.Seen) (words string)
}

// Adviser is the player of every game who tells people what he would do in their place. He sits at no table.
const Adviser = "adviser"

// A Shelf is what there is to play, and who can play it.
type Shelf interface {
	terms.Shelf
	// Bot is the player of that name for a game.
	Bot(gameName, bot string) (Bot, bool)
}
