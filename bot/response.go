package bot

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"caveau/game"
)

// How long somebody thinks who knows how all others play.
const (
	worlds = 20  // he imagines
	depth  = 3   // decisions of others he asks them for in each; then all go by the rules of thumb
	sure   = 1.0 // standard errors by which a move has to be better than what he would do otherwise
	few    = 4   // moves he tries all; of more only
	guises = 5   // at the most that come to his mind, quickly and nervously
)

// Respond is somebody who knows how all others play, to the last number: neither what they hold nor what luck they will have. In every world that he
// imagines he asks them what they would do there, each with what he would remember there and a seed of his own. He himself remembers all. What he wins
// above his share is given away by how the others play, at the least: who looks further may find more.
func Respond[P game.Position[P, M, V], M game.Move, V Mind[P, V]](others Level, think Thinker[V]) func(context.Context, Seen[V]) string {
	return func(_ context.Context, seen Seen[V]) string {
		r := response[P, M, V]{seen: seen, others: others, think: think}
		rng := seen.Rand()
		candidates := r.candidates(rng)
		if len(candidates) == 1 {
			return candidates[0]
		}
		gains := make([]gain, len(candidates))
		for range worlds {
			world, luck := seen.View.Sample(rng), rng.Uint64()
			usual := 0.0
			for i, words := range candidates {
				won := r.follow(world, words, luck)
				if i == 0 {
					usual = won
				}
				gains[i].add(won - usual)
			}
		}
		best := 0
		for i, g := range gains {
			if g.sum > gains[best].sum && g.mean() > sure*g.err() {
				best = i
			}
		}
		return candidates[best]
	}
}

// A gain is by how much more a move wins than another, in so many worlds.
type gain struct{ n, sum, squares float64 }

func (g *gain) add(x float64) { g.n, g.sum, g.squares = g.n+1, g.sum+x, g.squares+x*x }
func (g gain) mean() float64  { return g.sum / g.n }
func (g gain) err() float64 {
	return math.Sqrt((g.squares/g.n - g.mean()*g.mean()) / g.n)
}

type response[P game.Position[P, M, V], M game.Move, V Mind[P, V]] struct {
	seen   Seen[V]
	others Level
	think  Thinker[V]
}

// candidates are what he would do who thinks as long as the others and remembers all, and what else he might: anything, where that is little.
func (r *response[P, M, V]) candidates(rng *rand.Rand) []string {
	list := []string{r.think(r.seen, rng, Level{Memory: Perfect, Playouts: r.others.Playouts})}
	might := r.seen.Moves
	if len(might) > few {
		might = nil
		for range guises {
			might = append(might, r.think(r.seen, rng, Level{Memory: Perfect, Playouts: 30, Nerve: 30}))
		}
	}
	for _, words := range might {
		if !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	return list
}

// follow is how much of the game he wins in a world, after that move and with that luck.
func (r *response[P, M, V]) follow(world P, words string, luck uint64) float64 {
	dice := rand.New(rand.NewPCG(luck, 0))
	me, asked := r.seen.Seat, 0
	var seeds [game.MaxSeats]uint64
	for s := range seeds {
		seeds[s] = dice.Uint64()
	}
	var heard game.Events
	p := play(world, words, &heard)
	for n := 0; p.Turn() != game.NoSeat && n < 1000; n++ {
		s := p.Turn()
		seen := Seen[V]{Seat: s, View: p.View(s), Moves: inWords(p.Moves(nil)), Seed: seeds[s], Aid: r.seen.Aid}
		if s != me && asked < depth {
			asked++
			for _, e := range slices.Concat(r.seen.Events, heard.List()) {
				seen.Events = append(seen.Events, e.For(s))
			}
			p = play(p, Play[P](r.others, r.think, seen), &heard)
		} else {
			p = play(p, r.think(seen, dice, Level{Memory: Perfect}), &heard)
		}
	}
	if winners := p.Outcome().Winners; winners.Has(me) {
		return 1 / float64(winners.Len())
	}
	return 0
}

func play[P game.Position[P, M, V], M game.Move, V any](p P, words string, heard *game.Events) P {
	moves := p.Moves(nil)
	return p.Play(moves[slices.IndexFunc(moves, func(m M) bool { return m.String() == words })], heard)
}

func inWords[M game.Move](moves []M) []string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = m.String()
	}
	return words
}
