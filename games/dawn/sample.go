package dawn

import (
	"math/bits"
	"math/rand/v2"

	"caveau/game"
)

// How somebody imagines what he does not know, and what is left of a view when he forgets. None of this is a rule of play.

// Sample is a position that the seat cannot tell from the true one, each as likely as the deal makes it: what was never
// seen is shuffled and laid down again. What was forgotten is laid somewhere in the graves that were.
func (v View) Sample(rng *rand.Rand) (p Position) {
	v.SampleInto(&p, rng)
	return p
}

// SampleInto is Sample without a copy.
func (v *View) SampleInto(p *Position, rng *rand.Rand) {
	*p = Position{table: v.table, lid: v.lid, rows: v.rows}
	d := dice(rng.Uint64())
	var vampires, lids heap
	v.gather(&vampires, &lids)
	p.sampleRows(&vampires, &d)
	p.sampleForgotten(int(v.sunk), &vampires, &lids, &d)
	for vampires.n > 0 {
		p.out[vampires.draw(&d)]++ // the rest was not dealt (N6)
	}
	p.sampleLids(&lids, &d)
}

// dice are quick random numbers, one after another (Steele, Lea and Flood 2014): a sample throws a hundred times.
type dice uint64

// below is one of 0 to n-1. With so small n none is likelier than another by more than one in ten million.
func (d *dice) below(n int) int {
	*d += 0x9e3779b97f4a7c15
	x := uint64(*d)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	high, _ := bits.Mul64(x, uint64(n))
	return int(high)
}

// A heap is what is to be laid down, vampires or lids, face down and in disorder.
type heap struct {
	things [numGraves + 6]uint8
	n      int
}

func (h *heap) add(thing uint8, times int) {
	for range times {
		h.things[h.n] = thing
		h.n++
	}
}

// draw takes any one.
func (h *heap) draw(d *dice) uint8 {
	i := d.below(h.n)
	thing := h.things[i]
	h.n--
	h.things[i] = h.things[h.n]
	return thing
}

// find takes a certain one, or any if there is none.
func (h *heap) find(thing uint8, d *dice) uint8 {
	for i, t := range h.things[:h.n] {
		if t == thing {
			h.n--
			h.things[i] = h.things[h.n]
			return thing
		}
	}
	return h.draw(d)
}

// gather puts together what lies nowhere that the seat knows of: vampires, and lids without the rats.
func (v *View) gather(vampires, lids *heap) {
	var seen [numColours + 1]int
	for s := range v.players {
		r := &v.rows[s]
		for i := range r.left {
			seen[r.at(i)]++
		}
		for i := r.left + r.down; i < r.n; i++ {
			seen[r.at(i)]++
		}
	}
	for _, c := range v.hand[:v.held] {
		seen[c]++
	}
	for c := White; c <= Blue; c++ {
		if v.inPlay(c) {
			vampires.add(uint8(c), ofEach-seen[c]-v.inside.of(vampire(c)).len())
			lids.add(uint8(c), ofEach-v.lid.of(Lid(c)).len())
		}
	}
}

// sampleRows deals vampires to the places that are face down.
func (p *Position) sampleRows(vampires *heap, d *dice) {
	for s := range p.players {
		r := &p.rows[s]
		for i := r.left; i < r.left+r.down; i++ {
			r.set(i, Colour(vampires.draw(d)))
		}
	}
}

// sampleForgotten lays into the forgotten graves what must lie there: so many vampires, mostly under lids of their colour, and the
// garlic that is nowhere else. No rat is over it.
func (p *Position) sampleForgotten(sunk int, vampires, lids *heap, d *dice) {
	places := p.inside.of(unknown)
	if places == 0 {
		return
	}
	p.inside.fill(places, empty)
	var free heap
	for g, rest := places.pop(); g < numGraves; g, rest = rest.pop() {
		free.add(uint8(g), 1)
	}
	lay := func(what Content) {
		g := Grave(free.draw(d))
		p.inside.set(g, what)
		if lids.n > int(p.lids)+p.fresh.len() { // enough is left for where no rat can be
			p.lid.set(g, Lid(lids.find(uint8(what), d)))
		}
	}
	for range sunk {
		lay(Content(vampires.draw(d)))
	}
	for s := range game.Seat(p.players) {
		for range numGarlic - int(p.garlic[s]) - p.inside.of(garlic(s)).len() {
			lay(garlic(s))
		}
	}
}

// sampleLids deals the unseen lids anew: first the reserve and the graves that were closed from it, where no rat can be
// (S3), then the rest with the remaining rats.
func (p *Position) sampleLids(lids *heap, d *dice) {
	for i := range p.reserve[:p.lids] {
		p.reserve[i] = Lid(lids.draw(d))
	}
	for g, rest := (p.fresh & p.lid.of(hidden)).pop(); g < numGraves; g, rest = rest.pop() {
		p.lid.set(g, Lid(lids.draw(d)))
	}
	box := boxFor(int(p.players))
	lids.add(uint8(Rat), box.rats-(box.reserve-int(p.lids))-p.lid.of(Rat).len())
	for g, rest := p.lid.of(hidden).pop(); g < numGraves; g, rest = rest.pop() {
		p.lid.set(g, Lid(lids.draw(d)))
	}
}

// unknown is what lies in a grave to whoever has forgotten it.
const unknown Content = 14

// Forget is the view of somebody who has nothing in mind of the closed graves outside kept: neither their lids nor what lies in them, nor
// that they were opened a moment ago. Of each pair he takes one grave for the other, if both are closed.
func (v View) Forget(kept uint64, mixed [][2]uint8) View {
	closed := v.lidded &^ v.up
	if v.grave != noGrave {
		closed = closed.without(v.grave) // it lies open before him
	}
	memories := [...]*Graves{
		&v.lid[0], &v.lid[1], &v.lid[2], &v.lid[3], &v.inside[0], &v.inside[1], &v.inside[2], &v.inside[3],
		&v.seen, &v.fresh, &v.worn.now, &v.worn.last[0], &v.worn.last[1], &v.worn.since[0], &v.worn.since[1],
	}
	for _, pair := range mixed {
		a, b := Grave(pair[0]), Grave(pair[1])
		if closed.has(a) && closed.has(b) && a != b {
			for _, gs := range memories {
				gs.exchange(a, b)
			}
			v.dance.just, v.dance.turned = v.dance.just.orElse(a, b), v.dance.turned.orElse(a, b)
		}
	}

	lost := closed &^ Graves(kept)
	v.sunk += uint8((v.inside.vampires() & lost).len())
	v.inside.fill(lost, unknown)
	v.lid.fill(lost, hidden)
	for _, gs := range memories[8:] {
		*gs &^= lost
	}
	if lost.has(v.dance.just) {
		v.dance.just = noGrave
	}
	if lost.has(v.dance.turned) {
		v.dance.turned = noGrave
	}
	return v
}

// exchange has two graves change places in a set.
func (gs *Graves) exchange(a, b Grave) {
	if gs.has(a) != gs.has(b) {
		*gs ^= 1<<a | 1<<b
	}
}

// orElse is the other one of two, where it is one of them.
func (g Grave) orElse(a, b Grave) Grave {
	switch g {
	case a:
		return b
	case b:
		return a
	}
	return g
}
