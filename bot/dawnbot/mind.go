package dawnbot

import (
	"math/bits"
	"math/rand/v2"

	"caveau/game"
	"caveau/games/dawn"
)

// A mind is what a player has before his eyes when he is to move.
type mind struct {
	v      *dawn.View
	rng    *rand.Rand
	me     game.Seat
	all    uint8 // how many play
	ground dawn.Ground
	free   counts // of each colour, the graves that are known to be empty
	hidden int    // how many coloured lids nobody has seen
	rows   [game.MaxSeats]dawn.Row
	usual  float64 // what the round brings as it is, once it was asked
}

// counts is how many there are of each colour, eight bits each.
type counts uint64

func (n counts) of(c dawn.Colour) int       { return int(n >> (8 * c) & 255) }
func (n counts) plus(c dawn.Colour) counts  { return n + 1<<(8*c) }
func (n counts) minus(c dawn.Colour) counts { return n - 1<<(8*c) }

func think(v *dawn.View, rng *rand.Rand) (m mind) {
	m.usual = unknown
	m.v, m.rng, m.me, m.all, m.ground = v, rng, v.Seat(), uint8(v.Players()), v.Ground()
	for c := dawn.White; c <= dawn.Blue; c++ {
		m.free |= counts(bits.OnesCount64(uint64(m.ground.Free[c]))) << (8 * c)
		m.hidden += int(m.ground.Hidden[c])
	}
	for s := range game.Seat(m.all) {
		m.rows[s] = v.Row(s)
	}
	return m
}

// aGame is what it is worth to win one, in vampires.
const aGame = 100

// unknown is no worth.
const unknown = -1e9

// nowhere is no grave.
const nowhere dawn.Grave = 60

// first is a grave of a set, or nowhere.
func first(gs dawn.Graves) dawn.Grave {
	return min(dawn.Grave(bits.TrailingZeros64(uint64(gs))), nowhere)
}

func (m *mind) empty() (empty dawn.Graves) {
	for _, graves := range m.ground.Free {
		empty |= graves
	}
	return empty
}

// chain is how many of a row can be laid one after another in graves that are known to be free, as far as one sees the row
// and counts ahead, and the graves that are free afterwards.
func chain(r dawn.Row, free counts, ahead int) (longest int, left counts) {
	left = free
	for s := dawn.Left; s <= dawn.Right; s++ {
		c := r.End(s)
		if free.of(c) == 0 || s == dawn.Right && r.Len() == 1 {
			continue
		}
		n, rest := 0, free.minus(c)
		if ahead > 1 {
			n, rest = chain(r.Without(s), rest, ahead-1)
		}
		if n+1 > longest {
			longest, left = n+1, rest
		}
	}
	return longest, left
}

// ahead is how far a player counts.
const ahead = 5

// chance is how easily a vampire of a colour will be laid.
func (m *mind) chance(c dawn.Colour) float64 {
	if c == 0 {
		return 0.3 // it lies face down
	}
	chance := 0.05 * float64(m.free.of(c))
	if m.free.of(c) > 0 {
		chance++
	}
	if m.hidden > 0 {
		chance += float64(m.ground.Hidden[c]) / float64(m.hidden)
	}
	return chance
}

// standing is how good a row is to have: what of it can be laid, and what may fit its ends, better two colours than one.
func (m *mind) standing(r dawn.Row) float64 {
	if r.Len() == 0 {
		return aGame
	}
	n, _ := chain(r, m.free, ahead)
	left, right := r.End(dawn.Left), r.End(dawn.Right)
	chances := m.chance(left)
	if left != right {
		chances += m.chance(right)
	}
	return float64(n) + 0.3*chances
}

// round is what comes of the free graves up to and with one's next turn, if everyone lays what he can: one's own vampires,
// less what the others lay.
func (m *mind) round(free counts) (worth float64) {
	const wins = 10
	for s := m.me.Left(m.all); ; s = s.Left(m.all) {
		n, left := chain(m.rows[s], free, ahead)
		free = left
		last := n == m.rows[s].Len()
		switch {
		case s == m.me && last:
			return worth + aVampire*float64(n+wins)
		case s == m.me:
			return worth + aVampire*float64(n)
		case last:
			return worth - wins
		}
		worth -= m.weight(s) * float64(n)
	}
}

// aVampire is what one of his own matters, next to what the others do: until his turn comes much may happen.
const aVampire = 0.5

// weight is how much it matters what another gets: more, the nearer he is to his last vampire.
func (m *mind) weight(s game.Seat) float64 {
	return 1/float64(m.all-1) + 0.6/float64(3+m.rows[s].Len())
}

// closing is what is gained when a free grave of a colour is closed to everyone.
func (m *mind) closing(c dawn.Colour) float64 {
	if m.usual == unknown {
		m.usual = m.round(m.free)
	}
	return m.round(m.free.minus(c)) - m.usual
}

// bundle is what one in hand is worth.
func (m *mind) bundle() float64 {
	if m.ground.Unseen == 0 {
		return lateBundle
	}
	return bundle
}

// fit is the grave that lays a vampire for certain, the better one of two.
func (m *mind) fit(openable dawn.Graves) (best dawn.Grave) {
	best, most := nowhere, 0.0
	r := &m.rows[m.me]
	for s := dawn.Left; s <= dawn.Right; s++ {
		c := r.End(s)
		graves := m.ground.Free[c] & openable
		if graves == 0 {
			continue
		}
		m.free = m.free.minus(c)
		worth := m.standing(r.Without(s))
		m.free = m.free.plus(c)
		if best == nowhere || worth > most {
			best, most = first(graves), worth
		}
	}
	return best
}

// unseen is the unseen grave with the most unseen neighbours, for if it has a rat.
func (m *mind) unseen(openable dawn.Graves) (best dawn.Grave) {
	best, most := nowhere, -1
	for rest := m.ground.Unseen & openable; rest != 0; rest &= rest - 1 {
		g := first(rest)
		if n := bits.OnesCount64(uint64(dawn.Neighbours(g) & m.ground.Unseen)); n > most {
			best, most = g, n
		}
	}
	return best
}

// chanceToFit is how likely a lid that nobody has seen fits one of somebody's ends.
func (m *mind) chanceToFit(s game.Seat) float64 {
	left, right := m.rows[s].End(dawn.Left), m.rows[s].End(dawn.Right)
	fits := m.ground.Hidden[left]
	if right != left {
		fits += m.ground.Hidden[right]
	}
	return m.room() * float64(fits) / float64(max(m.hidden, 1))
}

// room is how likely nothing lies in a grave of which he knows no lid: something may where he has forgotten what.
func (m *mind) room() float64 {
	return 1 - float64(m.ground.Buried)/float64(max(bits.OnesCount64(uint64(m.ground.Unseen)), 1))
}

// block is the free grave that it hurts the others most to find garlic in, and what that is worth.
func (m *mind) block(openable dawn.Graves) (best dawn.Grave, most float64) {
	const effort = 0.1
	best = nowhere
	if m.v.Bundles(m.me) == 0 {
		return best, 0
	}
	for c := dawn.White; c <= dawn.Blue; c++ {
		graves := m.ground.Free[c] & openable
		if graves == 0 {
			continue
		}
		if worth := m.closing(c) - m.bundle() - effort; worth > most {
			best, most = first(graves), worth
		}
	}
	return best, most
}

// spare is an empty grave that one does not miss oneself.
func (m *mind) spare(places dawn.Graves) (best dawn.Grave) {
	best, most := nowhere, 0.0
	for c := dawn.White; c <= dawn.Blue; c++ {
		graves := m.ground.Free[c] & places
		if graves == 0 {
			continue
		}
		if worth := m.closing(c); best == nowhere || worth > most {
			best, most = first(graves), worth
		}
	}
	return best
}

// onMe tells whether it is on this player to end a standstill: nobody has more vampires, and nobody before him as many, once each has given
// so many.
func (m *mind) onMe(given int) bool {
	mine := m.rows[m.me].Len()
	for s := range game.Seat(m.all) {
		if n := m.rows[s].Len() - given; s != m.me && (n > mine || n == mine && s < m.me) {
			return false
		}
	}
	return true
}

// harmless are the graves that cost nothing to open where nothing fits, rather rats that were closed again than empty graves. One that
// was just opened costs nothing if garlic goes into it.
func (m *mind) harmless(openable dawn.Graves) dawn.Graves {
	if rats := m.ground.Rats & openable; rats != 0 {
		return rats
	}
	if m.v.Bundles(m.me) == 0 {
		openable &^= m.v.Just()
	}
	return m.empty() & openable
}

// endless tells whether everybody can wait for ever. One harmless grave is not enough where whoever opens it keeps the next one from it (D3, N1).
func (m *mind) endless() bool {
	least := 1
	if m.all == 2 || m.v.Just() != 0 {
		least = 2
	}
	return size((m.ground.Rats|m.empty())&m.v.Openable()) >= least
}

// costsTooMuch tells whether to wait costs the third stake, and that is worse than to take up garlic. With two it is not, unless it gives the game
// away: it brings more vampires, but then the other is the next who cannot wait. So they would pass them to and fro for ever, and this too has
// to be ended by whom it is on: who has more when it is he who cannot wait.
func (m *mind) costsTooMuch(openable dawn.Graves) bool {
	if m.v.Stakes(m.me) < 2 || m.harmless(openable) != 0 {
		return false
	}
	due := m.due(true)
	return m.all > 2 || m.rows[m.me.Left(m.all)].Len() <= due || m.onMe(due)
}

// givesIn tells whether he does now, once in so many times and where nothing is left to find, what he would rather not do.
func (m *mind) givesIn(times int) bool { return m.ground.Unseen == 0 && m.rng.IntN(times) == 0 }

// wins tells whether somebody gives his last vampire to s, if s takes up that owner's garlic.
func (m *mind) wins(s, owner game.Seat) bool {
	for giver := range game.Seat(m.all) {
		gives := giver == owner || s == owner
		if giver != s && gives && m.rows[giver].Len() <= m.due(s == owner) {
			return true
		}
	}
	return false
}

// due is how many each giver owes for garlic, K2 and D4.
func (m *mind) due(own bool) int {
	switch {
	case m.all > 2:
		return 1
	case own:
		return 4
	default:
		return 2
	}
}

// takeUp is the garlic to take up, and what comes of it.
func (m *mind) takeUp(openable dawn.Graves) (best dawn.Grave, most float64) {
	best, before := nowhere, m.round(m.free)
	for owner := range game.Seat(m.all) {
		for rest := m.ground.Garlic[owner] & openable; rest != 0; rest &= rest - 1 {
			g := first(rest)
			worth := m.without(owner, m.v.Lid(g)) - before
			if best == nowhere || worth > most {
				best, most = g, worth
			}
		}
	}
	return best, most
}

// without is what comes of somebody's garlic being taken from a grave: he gives the end that is the worst to get, and it goes
// where it is best.
func (m *mind) without(owner game.Seat, lid dawn.Colour) float64 {
	const each = 5
	switch wins := m.wins(m.me, owner); {
	case owner == m.me && wins:
		return -2 * aGame // it may be the game of more than one
	case wins:
		return -aGame
	case owner == m.me:
		return -each * float64(m.all) // everyone gives one
	}
	mine, his := m.rows[m.me], m.rows[owner]
	free := m.free.plus(lid)
	worst := float64(aGame)
	for end := dawn.Left; end <= dawn.Right; end++ {
		best := float64(-aGame)
		for s := dawn.Left; s <= dawn.Right; s++ {
			m.rows[m.me], m.rows[owner] = mine.With(s, his.End(end)), his.Without(end)
			best = max(best, m.round(free))
		}
		worst = min(worst, best)
	}
	m.rows[m.me], m.rows[owner] = mine, his
	return worst - aVampire - m.weight(owner)
}

func size(gs dawn.Graves) int { return bits.OnesCount64(uint64(gs)) }
