// Package bot has players that need no chair. A bot is handed what its seat was ever shown, and nothing else; it keeps
// nothing between two moves, so a table that was killed and replayed goes on as it would have gone.
//
// The package knows no game: what a game needs of a player's mind it says itself (Mind), and package catalog brings the
// two together.
package bot

import (
	"math/rand/v2"

	"caveau/game"
)

// Seen is what a bot is handed: one seat's view, all that the seat was told since the deal, and its moves.
type Seen[V any] struct {
	Seat   game.Seat
	View   V
	Events []game.Event
	Moves  []string
	Seed   uint64    // the bot's own randomness, the same at every move
	Aid    game.Aid  // how much the table helps its people to remember, and so its bots
	Known  []float64 // how likely another knows what is at each place (Recall); only in the mind of one who forgets
}

// Rand is the bot's randomness for the decision at hand: the same again whenever it is asked the same.
func (s Seen[V]) Rand() *rand.Rand {
	return rand.New(rand.NewPCG(s.Seed, uint64(len(s.Events))<<8|uint64(len(s.Moves))))
}

// Random says any move, each as likely.
func Random[V any](seen Seen[V]) string {
	return seen.Moves[seen.Rand().IntN(len(seen.Moves))]
}
