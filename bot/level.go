package bot

import (
	"math/rand/v2"

	"caveau/game"
)

// A Level is how strong a player is: what he remembers, how far he thinks, and how sure he is of himself. docs/bots.md has all that there are,
// and what of the places that they looked at they still know.
type Level struct {
	Name     string
	Memory   Memory
	Playouts int     // how many games he imagines at a decision; with none he goes by the game's rules of thumb
	Nerve    float64 // how far he is out when he judges what a move is worth, as a standard deviation, in wins of a hundred
}

// Levels are all that there are, the weakest first.
var Levels = []Level{
	{Name: "dozy", Memory: 6, Playouts: 60, Nerve: 12},
	{Name: "keen", Memory: 20, Playouts: 300, Nerve: 2.5},
	{Name: "sharp", Memory: 100, Playouts: 2000, Nerve: 1.5},
	{Name: "masterly", Memory: Perfect, Playouts: 10_000},
}

// A Thinker is how somebody of a level plays a game who knows no more than the view, and how it came to be as far as there are events.
type Thinker[V any] func(seen Seen[V], rng *rand.Rand, l Level) string

// Play is the move of a player of that level. What he has forgotten is not in the view that he thinks about, and who has forgotten anything
// of it has no events to think about either, for they tell it. At a table that shows again all that was ever seen, nobody has to remember anything.
func Play[P any, V Mind[P, V]](l Level, think Thinker[V], seen Seen[V]) string {
	rng, recall := seen.Rand(), Recalls[P](l.Memory, seen)
	seen.Known = recall.Known
	if mind := seen.View.Forget(recall.Kept, recall.Mixed); mind != seen.View {
		seen.View, seen.Events = mind, nil
	}
	return think(seen, rng, l)
}

// Advise is what somebody would do who goes by the rules of thumb and knows no more than what lies on the table now: what has been
// closed is forgotten, unless the table shows it again. Asked the same he says the same.
func Advise[P any, V Mind[P, V]](think Thinker[V], seen Seen[V]) string {
	seen.Events, seen.Seed = nil, 0
	if seen.Aid != game.AidAll {
		seen.View = seen.View.Forget(0, nil)
	}
	return think(seen, seen.Rand(), Level{})
}

// Recalls is what a player with that memory has in mind when he is asked.
func Recalls[P any, V Mind[P, V]](m Memory, seen Seen[V]) Recall {
	if seen.Aid == game.AidAll {
		m = Perfect
	}
	return m.Recall(seen.Events, seen.View.Place, seen.View.Near, seen.Seed)
}
