package match

import (
	"context"

	"caveau/game"
)

// A Bot is a player that needs no chair. It answers with one of seen.Moves.
//
// It is a pure function of what it is handed: it keeps nothing between two moves, so that a table that was killed and
// replayed goes on exactly as it would have gone. Whatever it does wrong harms nobody: for a bot that panics, takes too
// long or says words that are no legal move, the table plays the first legal move.
type Bot interface {
	Move(ctx context.Context, seen Seen) (words string)
}

// Seen is all that a bot gets: what its seat was ever shown, and never a game.State.
type Seen struct {
	Seat   game.Seat    // where it sits
	View   any          // the seat's view of the position, as game.State.View makes it
	Events []game.Event // everything that the seat was told since the deal, in order
	Moves  []string     // what it may say, two or more, in the rules' order
	Seed   uint64       // the bot's own randomness, the same at every move of the seat; it stands in the record
}

// A Shelf is what there is to play, and who can play it.
type Shelf interface {
	// Game is the game of that name.
	Game(name string) (game.Game, bool)
	// Games says of every game that one can sit down to what there is to know before, the usual one first. There may be
	// others of which there are only records.
	Games() []game.Info
	// Bot is the player of that name for a game.
	Bot(gameName, bot string) (Bot, bool)
	// Bots are the names of a game's players, for instance random or remembering:keen.
	Bots(gameName string) []string
}
