package catalog

import (
	"math/rand/v2"

	"caveau/bot"
	"caveau/bot/tocbot"
	"caveau/game"
	"caveau/games/toctoc"
)

var judgeOfTocToc = bot.Judge[toctoc.Position]{Worth: worthOfTocToc}

// thinksInTocToc is how somebody plays Toc Toc Toc.
func thinksInTocToc(seen bot.Seen[toctoc.View], rng *rand.Rand, l bot.Level) string {
	if l.Playouts == 0 {
		return tocbot.Rules(&seen.View, rng.Float64()).String()
	}
	moves := make([]toctoc.Move, len(seen.Moves))
	for i, words := range seen.Moves {
		moves[i] = toctoc.MoveOf(words)
	}
	return tocbot.Think(&seen.View, seen.Events, moves, rng, l.Playouts, l.Nerve).String()
}

// tricksInTocToc are how somebody plays it who always does the same.
func tricksInTocToc() map[string]bot.Thinker[toctoc.View] {
	tricks := map[string]bot.Thinker[toctoc.View]{}
	for _, t := range tocbot.Tricks {
		tricks[t.Name] = func(seen bot.Seen[toctoc.View], rng *rand.Rand, l bot.Level) string {
			return t.Play(&seen.View, rng, func() toctoc.Move { return toctoc.MoveOf(thinksInTocToc(seen, rng, l)) }).String()
		}
	}
	return tricks
}

// worthOfTocToc is how well a seat stands in Toc Toc Toc, in points: its own party and hand, against the others'. A door
// that is still shut opens as often as not; a rival takes whom it is best for him to take.
func worthOfTocToc(p toctoc.Position, s game.Seat) float64 {
	switch {
	case p.Outcome().Over:
		if p.Outcome().Winners.Has(s) {
			return 10
		}
		return -10
	case p.Knocked(), p.Choosing():
		return worthOfAnswers(p, s)
	}
	own, mean, best := 0.0, 0.0, 0.0
	for o := range game.Seat(p.Players()) {
		worth := worthOfParty(p, o)
		if o == s {
			own = worth
			continue
		}
		mean += worth / float64(p.Players()-1)
		best = max(best, worth)
	}
	return own + worthOfHand(p.Held(s)) - (mean+best)/2
}

// worthOfAnswers is what a seat may expect from an answer of somebody else.
func worthOfAnswers(p toctoc.Position, s game.Seat) float64 {
	answers := p.Moves(nil)
	if p.Knocked() {
		return (worthOfTocToc(p.Play(answers[0], nil), s) + worthOfTocToc(p.Play(answers[1], nil), s)) / 2
	}
	rival := p.Turn()
	var best, worth float64
	for i, m := range answers {
		after := p.Play(m, nil)
		if his := worthOfTocToc(after, rival); i == 0 || his > best {
			best, worth = his, worthOfTocToc(after, s)
		}
	}
	return worth
}

// worthOfParty is its points, less what children and taxis may still take away.
func worthOfParty(p toctoc.Position, s game.Seat) float64 {
	exposed := 0
	for _, k := range toctoc.Kinds {
		if !p.Guarded(s, k) {
			exposed = max(exposed, p.Guests(s, k))
		}
	}
	return float64(p.Score(s)) - 0.2*float64(exposed)
}

// worthOfHand is what the cards may still bring, each in its good moment.
func worthOfHand(cards []toctoc.Card) float64 {
	worth := 0.0
	for _, c := range cards {
		switch {
		case c == toctoc.Child:
			worth += 1.2
		case c == toctoc.Taxi, c == toctoc.Scarecrow, c.IsVamp():
			worth += 0.7
		}
	}
	return worth
}
