package tocbot

import (
	"math"
	"math/rand/v2"
	"slices"

	"caveau/game"
	"caveau/games/toctoc"
)

// stray is how often somebody knocks with any card at any door, as far as we know.
const stray = 0.1

// hunches are what somebody thinks that the others have in hand, by what they have knocked with.
type hunches struct {
	view    *toctoc.View
	tables  []toctoc.Position
	weights [mostPlayers][]float64 // how likely somebody played as he did, with the hand that he has at each table, added up
}

// recall thinks of so many tables, and at each of all that happened there.
func recall(v *toctoc.View, events []game.Event, tables int, rng *rand.Rand) (h hunches) {
	h.view = v
	for range tables {
		p := v.Sample(rng)
		deal, ok := p.Rewind(events)
		if !ok {
			return hunches{view: v}
		}
		var likely [mostPlayers]float64
		deal.Replay(events, func(before *toctoc.Position, m toctoc.Move) {
			if s := before.Knocker(); v.Hidden(s) > 0 {
				likely[s] += math.Log(chanceOf(before, m))
			}
		})
		h.tables = append(h.tables, p)
		for s := range v.Players() {
			h.weights[s] = append(h.weights[s], likely[s])
		}
	}
	for s := range v.Players() {
		w := h.weights[s]
		if len(w) == 0 {
			continue
		}
		most, all := slices.Max(w), 0.0
		for i := range w {
			all += math.Exp(trust * (w[i] - most))
			w[i] = all
		}
	}
	return h
}

// trust is how far what somebody did says what he has: 1 if all played by rules, and by nothing else.
const trust = 0.7

// chanceOf is how likely somebody knocks so.
func chanceOf(p *toctoc.Position, m toctoc.Move) float64 {
	o, likely := mightKnock(p)
	for i, x := range o.list[:o.n] {
		if toctoc.Knock(x.to, x.card) == m {
			return likely[i]
		}
	}
	return stray / float64(len(o.list)) // at a table that cannot be the true one
}

// mightKnock is what somebody with that hand might knock with, and how likely he does by rules, or for no reason that we know.
func mightKnock(p *toctoc.Position) (o options, likely [handSize * (mostPlayers - 1)]float64) {
	v, w := p.View(p.Knocker()), usual
	s := w.look(&v)
	o = s.options()
	likely, all := o.weights()
	for i := range o.n {
		likely[i] = (1-stray)*likely[i]/all + stray/float64(o.n)
	}
	return o, likely
}

// sample is a table at which the others have such hands.
func (h *hunches) sample(rng *rand.Rand) toctoc.Position {
	const tries = 10
	if len(h.tables) == 0 {
		return h.view.Sample(rng)
	}
tries:
	for range tries {
		v := *h.view
		for s := range v.Players() {
			if v.Hidden(game.Seat(s)) == 0 {
				continue
			}
			w := h.weights[s]
			i, _ := slices.BinarySearch(w, rng.Float64()*w[len(w)-1])
			if !v.Suppose(game.Seat(s), &h.tables[i]) {
				continue tries
			}
		}
		return v.Sample(rng)
	}
	return h.view.Sample(rng)
}

// imagine is a table that somebody cannot tell from the true one, and how likely it is that what was done last is done there. If a card lies
// before a door that he does not know, it is what somebody with that hand would knock with there by rules: so a knock says
// something, of the card and of all the others in that hand.
func (h *hunches) imagine(rng *rand.Rand) (p toctoc.Position, likely float64) {
	p = h.sample(rng)
	if h.view.Card() != 0 || h.view.Door() == game.NoSeat {
		return p, 1
	}
	c, likely := knocked(&p, rng)
	p.Lies(c)
	return p, likely
}

// knocked is with what somebody knocks at that door who has that hand, and how likely he knocks there at all.
func knocked(p *toctoc.Position, rng *rand.Rand) (c toctoc.Card, likely float64) {
	before := p.Unasked()
	all, weights := mightKnock(&before)
	for i, o := range all.list[:all.n] {
		if o.to == p.Door() {
			likely += weights[i]
		}
	}
	left := rng.Float64() * likely
	for i, o := range all.list[:all.n] {
		if o.to != p.Door() {
			continue
		}
		c = o.card
		if left -= weights[i]; left < 0 {
			break
		}
	}
	return c, likely
}
