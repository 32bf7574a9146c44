package dawnbot

import (
	"math/bits"

	"caveau/game"
	"caveau/games/dawn"
)

// A position is hidden in what holds it: nobody can write it down by chance.
type position = dawn.Position

// A table is one that somebody imagines, and plays on at: everything lies open before him, but who sits there goes by what he has seen and
// recalls. What they do is the advice of Rules, cut down to what one sees at a glance.
type table struct {
	position
	known [game.MaxSeats]dawn.Graves // of which graves each recalls what he saw
	luck  luck
}

// luck is quick random numbers, one after another (Steele, Lea and Flood 2014).
type luck uint64

func (l *luck) next() uint64 {
	*l += 0x9e3779b97f4a7c15
	x := uint64(*l)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// once tells whether it happens that has one chance in n.
func (l *luck) once(n uint64) bool { return l.next()%n == 0 }

// play does what one sees at a glance, so many times, and then until somebody's turn begins.
func (t *table) play(decisions int) {
	for n := 0; ; n++ {
		s, what := t.Asked()
		if what == dawn.ChooseNothing || n >= decisions && what == dawn.ChooseGrave && t.FreshTurn() {
			return
		}
		m := t.glance(s, what)
		t.Do(m, nil)
		if m.IsAtGrave() { // everyone sees it now
			for o := range t.known {
				t.known[o] |= 1 << m.At()
			}
		}
	}
}

// glance is what somebody does.
func (t *table) glance(s game.Seat, what dawn.Choice) dawn.Move {
	switch what {
	case dawn.ChooseGrave:
		return t.openOne(s)
	case dawn.ChooseGarlic:
		return t.putOne(s)
	case dawn.ChooseEnd:
		return dawn.Rest[t.better(s)]
	case dawn.ChooseGift:
		return dawn.Give[t.worse(s)]
	case dawn.ChooseAny:
		return dawn.Rest[t.worse(s)]
	case dawn.ChoosePlace:
		return t.placeOne(s)
	case dawn.ChooseBelief:
		if g := t.Open(); t.Empty()>>g&1 == 0 && t.known[s]>>g&1 == 1 {
			return dawn.Doubt
		}
		return dawn.Believe
	case dawn.ChoosePresent:
		return t.presentOne(s)
	default:
		return dawn.CountAt(t.spareOne(s, t.Places()))
	}
}

// recalled are the empty graves whose lids somebody knows.
func (t *table) recalled(s game.Seat) dawn.Graves { return t.known[s] & t.Seen() & t.Empty() }

// openOne is which grave to open, or to stop, or to set a bat.
func (t *table) openOne(s game.Seat) dawn.Move {
	openable := t.Openable() &^ t.Worn(s)
	if openable == 0 {
		if t.MayStop() {
			return dawn.Stop
		}
		return dawn.OpenAt(first(t.Openable()))
	}
	free := t.recalled(s)
	here := free & openable
	atLeft, atRight := here&t.Under(t.End(s, dawn.Left)), here&t.Under(t.End(s, dawn.Right))
	switch {
	case atLeft != 0 && atRight != 0:
		if t.better(s) == dawn.Right {
			return dawn.OpenAt(first(atRight))
		}
		return dawn.OpenAt(first(atLeft))
	case atLeft|atRight != 0:
		return dawn.OpenAt(first(atLeft | atRight))
	}

	seen := t.known[s] & t.Seen()
	unseen := openable &^ seen & (t.Empty() | t.Seen())
	if t.Plague() {
		if unseen != 0 {
			return dawn.OpenAt(first(unseen))
		}
		return dawn.Stop
	}
	if here != 0 && t.MayBat() && (unseen == 0 || t.Len(s) == 1 || t.chanceToFit(s) < aBat) {
		return dawn.BatAt(first(here))
	}
	if here != 0 && t.Bundles(s) > 0 {
		if g := t.threat(s, free); g != nowhere && openable>>g&1 == 1 {
			return dawn.OpenAt(g)
		}
	}
	if unseen != 0 {
		return dawn.OpenAt(first(unseen))
	}
	return t.waitHere(s, openable, here)
}

// chanceToFit is how likely an unseen lid fits.
func (t *table) chanceToFit(s game.Seat) float64 {
	left, right := t.End(s, dawn.Left), t.End(s, dawn.Right)
	seen := t.Seen()
	fits := 10 - size(seen&t.Under(left))
	if right != left {
		fits += 10 - size(seen&t.Under(right))
	}
	return float64(fits) / float64(max(1, 60-size(seen)))
}

func size(gs dawn.Graves) int { return bits.OnesCount64(uint64(gs)) }

// threat is the only grave in which somebody can lay his last vampire before s opens another one.
func (t *table) threat(s game.Seat, free dawn.Graves) dawn.Grave {
	all := uint8(t.Players())
	for o := s.Left(all); o != s; o = o.Left(all) {
		if t.Len(o) == 1 {
			if graves := free & t.Under(t.End(o, dawn.Left)); graves != 0 && graves&(graves-1) == 0 {
				return first(graves)
			}
		}
	}
	return nowhere
}

// waitHere is what to do where nothing is left to find.
func (t *table) waitHere(s game.Seat, openable, here dawn.Graves) dawn.Move {
	garlic := nowhere
	if t.mustGoOn(s) || t.luck.once(64) {
		garlic = t.takeOne(s, openable)
	}
	switch {
	case garlic != nowhere:
		return dawn.OpenAt(garlic)
	case t.MayStop():
		return dawn.Stop
	}
	just := t.Just()
	for _, graves := range [...]dawn.Graves{t.Rats() & t.Seen() & openable, here &^ just} {
		if graves != 0 {
			return dawn.OpenAt(first(graves))
		}
	}
	if taken := openable & t.Taken(); taken != 0 && t.Stakes(s) < 2 {
		return dawn.OpenAt(first(taken))
	}
	if garlic = t.takeOne(s, openable); garlic != nowhere {
		return dawn.OpenAt(garlic)
	}
	return dawn.OpenAt(first(openable))
}

// mustGoOn tells whether nobody has more vampires, and nobody before him as many.
func (t *table) mustGoOn(s game.Seat) bool {
	mine := t.Len(s)
	for o := range game.Seat(t.Players()) {
		if n := t.Len(o); n > mine || n == mine && o < s {
			return false
		}
	}
	return true
}

// takeOne is garlic to take up: from whoever has the most vampires, where the grave is of use.
func (t *table) takeOne(s game.Seat, openable dawn.Graves) (best dawn.Grave) {
	best, most := nowhere, 0
	useful := t.Under(t.End(s, dawn.Left)) | t.Under(t.End(s, dawn.Right))
	for o := range game.Seat(t.Players()) {
		graves := t.GarlicOf(o) & openable
		if graves == 0 {
			continue
		}
		worth := 2 * t.Len(o)
		if o == s {
			worth = 1
		}
		if graves&useful != 0 {
			graves &= useful
			worth++
		}
		if worth > most {
			best, most = first(graves), worth
		}
	}
	return best
}

// putOne is whether to close the open grave with garlic: if somebody has its colour at an end, and he himself not behind his.
func (t *table) putOne(s game.Seat) dawn.Move {
	g := t.Open()
	c := t.LidOf(g)
	late := t.Empty()&^t.Seen()&t.Lidded() == 0
	if t.Just()>>g&1 == 1 || late && !t.luck.once(letGo) {
		return dawn.Put
	}
	if t.Next(s, dawn.Left) == c || t.Next(s, dawn.Right) == c {
		return dawn.Leave
	}
	others := size(t.Seen()&t.Empty()&t.Under(c)) - 1 // as many may lay theirs elsewhere
	for o := range game.Seat(t.Players()) {
		if o != s && (t.End(o, dawn.Left) == c || t.End(o, dawn.Right) == c) {
			if others--; others < 0 || t.Len(o) == 1 {
				return dawn.Put
			}
		}
	}
	return dawn.Leave
}

// better is the end to be rid of where both can be laid: the one behind which lies what can be laid as well.
func (t *table) better(s game.Seat) dawn.Side {
	free := t.recalled(s)
	if free&t.Under(t.Next(s, dawn.Right)) != 0 && free&t.Under(t.Next(s, dawn.Left)) == 0 {
		return dawn.Right
	}
	return dawn.Left
}

// worse is the end to be rid of where any goes: the one that cannot be laid.
func (t *table) worse(s game.Seat) dawn.Side {
	if t.Len(s) == 1 {
		return dawn.Left
	}
	free := t.recalled(s)
	left, right := free&t.Under(t.End(s, dawn.Left)) == 0, free&t.Under(t.End(s, dawn.Right)) == 0
	switch {
	case left && !right:
		return dawn.Left
	case right && !left:
		return dawn.Right
	case free&t.Under(t.Next(s, dawn.Right)) != 0:
		return dawn.Right
	default:
		return dawn.Left
	}
}

// placeOne puts the gift that is hardest to lay first, over the end that is harder to lay.
func (t *table) placeOne(s game.Seat) dawn.Move {
	free := t.recalled(s)
	gifts := t.Gifts()
	c := gifts[0]
	for _, other := range gifts[1:] {
		if free&t.Under(other) == 0 {
			c = other
		}
	}
	if free&t.Under(t.End(s, dawn.Left)) != 0 {
		return dawn.TakeTo(c, dawn.Right)
	}
	return dawn.TakeTo(c, dawn.Left)
}

// presentOne gives a vampire to whoever has the fewest.
func (t *table) presentOne(s game.Seat) dawn.Move {
	all := uint8(t.Players())
	best := s.Left(all)
	for o := best.Left(all); o != s; o = o.Left(all) {
		if t.Len(o) < t.Len(best) {
			best = o
		}
	}
	return dawn.PresentTo(best)
}

// spareOne is an empty grave that he does not need, if there is one.
func (t *table) spareOne(s game.Seat, places dawn.Graves) dawn.Grave {
	here := t.recalled(s) & places
	if spare := here &^ (t.Under(t.End(s, dawn.Left)) | t.Under(t.End(s, dawn.Right))); spare != 0 {
		return first(spare)
	}
	if here != 0 {
		return first(here)
	}
	return first(places)
}
