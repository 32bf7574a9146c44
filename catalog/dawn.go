package catalog

import (
	"math/rand/v2"

	"caveau/bot"
	"caveau/bot/dawnbot"
	"caveau/game"
	"caveau/games/dawn"
)

var judgeOfDawn = bot.Judge[dawn.Position]{Worth: worthOfDawn, Gains: isRidOfOne}

// thinksInDawn is how somebody plays Dawn Under.
func thinksInDawn(seen bot.Seen[dawn.View], rng *rand.Rand, l bot.Level) string {
	return moveInDawn(&seen.View, movesInDawn(seen.Moves), seen.Known, rng, l).String()
}

func moveInDawn(v *dawn.View, moves []dawn.Move, known []float64, rng *rand.Rand, l bot.Level) dawn.Move {
	if l.Playouts == 0 {
		return dawnbot.Rules(v, moves, rng)
	}
	return dawnbot.Think(v, moves, known, rng, l.Playouts, l.Nerve)
}

func movesInDawn(words []string) []dawn.Move {
	moves := make([]dawn.Move, len(words))
	for i, said := range words {
		moves[i] = dawn.MoveOf(said)
	}
	return moves
}

// tricksInDawn are how somebody plays it who does one thing always or never.
func tricksInDawn() map[string]bot.Thinker[dawn.View] {
	tricks := map[string]bot.Thinker[dawn.View]{}
	for _, t := range dawnbot.Tricks {
		tricks[t.Name] = func(seen bot.Seen[dawn.View], rng *rand.Rand, l bot.Level) string {
			moves := movesInDawn(seen.Moves)
			return t.Play(&seen.View, moves, rng, func() dawn.Move { return moveInDawn(&seen.View, moves, seen.Known, rng, l) }).String()
		}
	}
	return tricks
}

// isRidOfOne: he has a vampire less, or is only asked which of two. To open a grave that he knows to be free, under a lid
// of the right colour, costs him nothing: whatever else he had in mind he may do afterwards.
func isRidOfOne(before, after dawn.Position, s game.Seat) bool {
	return after.Vampires(s) < before.Vampires(s) || after.Asks().Word == "rest"
}

// worthOfDawn is how well a seat stands in Dawn Under, in vampires: what a sensible player weighs before he moves.
// The weights are a player's judgement; TestMemoryWins shows that they are sensible enough for memory to decide.
func worthOfDawn(p dawn.Position, s game.Seat) float64 {
	if outcome := p.Outcome(); outcome.Over {
		if outcome.Winners.Has(s) {
			return 100
		}
		return -100
	}
	if p.AwaitsAnswer() {
		return worthOfABat(p, s)
	}
	worth := 0.0
	others := p.Players() - 1
	for o := range game.Seat(p.Players()) {
		load := float64(p.Vampires(o)+p.Due(o)) + aStake(others)*float64(p.Stakes(o))
		if o == s {
			worth -= load
		} else {
			worth += load / float64(others)
		}
	}
	return worth + chances(p, s) + 0.3*float64(p.Garlic(s))
}

// worthOfABat: whoever is asked about a bat may as well believe it as not.
func worthOfABat(p dawn.Position, s game.Seat) float64 {
	total, answers := 0.0, p.Moves(make([]dawn.Move, 0, 2))
	for _, m := range answers {
		total += worthOfDawn(p.Play(m, nil), s)
	}
	return total / float64(len(answers))
}

// aStake is what one costs: a third of what the third brings.
func aStake(others int) float64 {
	if others == 1 {
		return 4.0 / 3 // D4
	}
	return float64(others) / 3
}

// chances: an end whose colour lies under a lid that he knows to be free is as good as laid to rest, most of it when he
// is the next to open.
func chances(p dawn.Position, s game.Seat) float64 {
	known, chance := p.Known(), 0.3
	if p.Turn() == s {
		chance = 0.7
	}
	total := 0.0
	for _, c := range p.Ends(s) {
		if known>>c&1 == 1 {
			total += chance
		}
	}
	if p.Turn() == s {
		total += 0.2
	}
	return total
}
