// Package dawnbot plays Dawn Under. Rules is the advice that a good player would give, in order, on what his seat was ever
// shown. It imagines no tables and looks no further than to its own next turn, and that only where everything lies open. Think tries
// moves at tables that it imagines, where everyone plays on by Rules.
//
// # What a standstill is worth
//
// Whoever looks at an unseen grave loses nothing but what others learn. Once all have been seen the players may want
// colours only whose graves are full, or hold garlic, and then a careful player just opens a harmless grave, again and
// again. Whoever goes on has to take up garlic, with a vampire, and whoever is patient gains by it. But a
// game that does not end has no winner, and there is no second place (W3): to wait for ever is worth as much as to lose, which is
// nothing. So whoever has the most vampires goes on, for he has the least to lose, and the others wait for him, as long as it takes: who
// gave in to somebody that refuses would make it pay to refuse. Where not everybody can wait for ever, as two players wear graves out (D3)
// and a grave just opened costs a stake (N1), nobody goes on before waiting costs him too much. Whoever closes graves with garlic as often as somebody
// might use them keeps a game from its end as well: where there is nothing left to find one lets a grave go, once in a while. This
// while is all that chance decides here.
package dawnbot

import (
	"math/rand/v2"

	"caveau/games/dawn"
)

// What a player goes by, in vampires: what was found by play (docs/bots.md), or is a player's judgement where that told nothing.
const (
	curiosity  = 0.3  // what a look at an unseen grave brings besides a fit: perhaps a rat, and what one learns
	bundle     = 0.2  // what a bundle of garlic in hand is worth while there is something to find
	lateBundle = -0.3 // and afterwards: it is better anywhere else
	aStake     = 0.5
	aBat       = 0.2 // he saves his bat for later where a look has so much chance to fit
	enough     = 0.5 // for so much he takes up garlic of his own accord
	letGo      = 8   // one in so many graves that he might close he leaves open where nothing is left to find
)

// Rules is the move of whoever is asked. Chance comes from rng, and only where a standstill has to end.
func Rules(v *dawn.View, moves []dawn.Move, rng *rand.Rand) dawn.Move {
	m := think(v, rng)
	switch moves[0].Verb() {
	case "open", "stop":
		if v.Plague() {
			return m.openInPlague()
		}
		return m.open()
	case "rest":
		return moves[m.rest()]
	case "garlic":
		return moves[m.putGarlic()]
	case "give":
		return moves[m.give()]
	case "take":
		return m.take(moves)
	case "believe":
		return moves[m.believe()]
	case "present":
		return m.present(moves)
	default:
		return m.count(moves)
	}
}

// open is which grave to open in one's turn, or where to set a bat, or to stop.
func (m *mind) open() dawn.Move {
	openable := m.v.Openable() &^ m.v.Worn(m.me)

	// A grave that is known to fit comes before everything else: it costs nothing, and one goes on afterwards.
	if g := m.fit(openable); g != nowhere {
		return dawn.OpenAt(g)
	}

	// A bat on an empty grave is as good as a fit. Use it to win, and where a look has little chance.
	chance := m.chanceToFit(m.me)
	if m.v.MayBat() && (chance < aBat || m.rows[m.me].Len() == 1) {
		if g := m.spare(openable); g != nowhere {
			return dawn.BatAt(g)
		}
	}

	// Look where nobody has looked, but for a grave that others are about to use: close that, if it hurts them more.
	unseen := m.unseen(openable)
	if unseen == nowhere {
		chance = -curiosity
	}
	if g, worth := m.block(openable); worth > chance+curiosity {
		return dawn.OpenAt(g)
	}
	if unseen != nowhere {
		return dawn.OpenAt(unseen)
	}
	return m.wait(openable)
}

// openInPlague is which of the rat's neighbours to open, or to stop. There an opening that fails ends nothing.
func (m *mind) openInPlague() dawn.Move {
	openable := m.v.Openable()
	if g := m.fit(openable); g != nowhere {
		return dawn.OpenAt(g)
	}
	if g := m.unseen(openable); g != nowhere {
		return dawn.OpenAt(g)
	}
	if g, worth := m.block(openable); worth > 0 {
		return dawn.OpenAt(g)
	}
	return dawn.Stop
}

// wait is what to open where nothing fits, and nothing is left to find.
func (m *mind) wait(openable dawn.Graves) dawn.Move {
	// Somebody has to go on: what a standstill is worth.
	garlic, worth := m.takeUp(openable)
	switch {
	case garlic != nowhere && (worth > enough || m.endless() && m.onMe(0)):
		return dawn.OpenAt(garlic)
	case m.v.MayStop():
		return dawn.Stop
	case garlic != nowhere && m.costsTooMuch(openable):
		return dawn.OpenAt(garlic)
	}
	return m.idle(openable)
}

// idle opens the grave that costs least: a harmless one, else one that costs a stake.
func (m *mind) idle(openable dawn.Graves) dawn.Move {
	for _, graves := range [...]dawn.Graves{m.harmless(openable), openable & (m.ground.Taken | m.v.Just())} {
		if graves != 0 {
			return dawn.OpenAt(first(graves))
		}
	}
	return dawn.OpenAt(first(m.v.Openable()))
}

// rest is which end goes into the open grave: the one after which one stands better.
func (m *mind) rest() int {
	if c := m.v.Lid(m.v.Open()); m.free.of(c) > 0 {
		m.free = m.free.minus(c)
	}
	r := &m.rows[m.me]
	if r.Len() > 1 && m.standing(r.Without(dawn.Right)) > m.standing(r.Without(dawn.Left)) {
		return 1
	}
	return 0
}

// putGarlic is whether to close the open grave (0) or to leave it empty (1).
func (m *mind) putGarlic() int {
	g := m.v.Open()
	least := m.bundle()
	if m.v.Just()>>g&1 == 1 {
		least = -aStake // to leave it empty costs one
	}
	if m.closing(m.v.Lid(g)) > least && !m.givesIn(letGo) {
		return 0
	}
	return 1
}

// give is which end to give away: the one after which one stands better, and rather one that the other cannot lay.
func (m *mind) give() int {
	const layable = 0.3
	var worth [2]float64
	for s := dawn.Left; s <= dawn.Right; s++ {
		r := &m.rows[m.me]
		worth[s] = m.standing(r.Without(s))
		if m.free.of(r.End(s)) > 0 {
			worth[s] -= layable
		}
	}
	if worth[dawn.Right] > worth[dawn.Left] {
		return 1
	}
	return 0
}

// take is which gift to put where: the one that is hardest to lay first, so that it lies behind the others.
func (m *mind) take(moves []dawn.Move) dawn.Move {
	best, most := moves[0], -1.0
	for _, move := range moves {
		c, s := move.Takes()
		if worth := m.standing(m.rows[m.me].With(s, c)) - m.chance(c)/2; worth > most {
			best, most = move, worth
		}
	}
	return best
}

// believe is whether to believe in a bat (0) or to doubt (1): everyone saw what was put into the grave. Who has forgotten it doubts as
// often as something may lie there.
func (m *mind) believe() int {
	g := m.v.Open()
	if m.v.Inside(g) != 0 || m.ground.Lost>>g&1 == 1 && m.rng.Float64() > m.room() {
		return 1
	}
	return 0
}

// present gives a vampire to whoever has the fewest.
func (m *mind) present(moves []dawn.Move) dawn.Move {
	best := moves[0]
	for _, move := range moves {
		if m.rows[move.To()].Len() < m.rows[best.To()].Len() {
			best = move
		}
	}
	return best
}

// count puts the Count where a bat would go.
func (m *mind) count(moves []dawn.Move) dawn.Move {
	var places dawn.Graves
	for _, move := range moves {
		places |= 1 << move.At()
	}
	if g := m.spare(places); g != nowhere {
		return dawn.CountAt(g)
	}
	return moves[0]
}
