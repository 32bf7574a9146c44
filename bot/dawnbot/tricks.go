package dawnbot

import (
	"math/rand/v2"
	"slices"
	"strings"

	"caveau/games/dawn"
)

// A Trick is what somebody does always, or never; what he would do otherwise he does as he would.
type Trick struct {
	Name string
	Play playing
}

type playing = func(v *dawn.View, moves []dawn.Move, rng *rand.Rand, otherwise func() dawn.Move) dawn.Move

// Tricks are what a player must not lose by who meets somebody who has one (docs/bots.md).
var Tricks = []Trick{
	{"always-doubt", always("doubt")},
	{"always-believe", always("believe")},
	{"always-garlic", always("garlic")},
	{"never-garlic", always("leave")},
	{"always-stop", always("stop")},
	{"always-bat", bats(false)},
	{"always-bluff", bats(true)},
	{"never-bluff", neverBluff},
	{"never-stop", never("stop")},
	{"never-bat", never("bat")},
	{"never-take-up-garlic", neverTakeUp},
	{"unseen-first", unseenFirst},
	{"never-look", neverLook},
}

// always says a word whenever it may.
func always(verb string) playing {
	return func(_ *dawn.View, moves []dawn.Move, _ *rand.Rand, otherwise func() dawn.Move) dawn.Move {
		if i := slices.IndexFunc(moves, func(m dawn.Move) bool { return m.Verb() == verb }); i >= 0 {
			return moves[i]
		}
		return otherwise()
	}
}

// never says any of the others instead.
func never(verb string) playing {
	return func(v *dawn.View, moves []dawn.Move, rng *rand.Rand, otherwise func() dawn.Move) dawn.Move {
		said := otherwise()
		if said.Verb() != verb {
			return said
		}
		others := slices.DeleteFunc(slices.Clone(moves), func(m dawn.Move) bool {
			return m.Verb() == verb || m.Verb() == "open" && v.Inside(m.At()) != 0 || m.Verb() == "bat"
		})
		if len(others) == 0 {
			return said
		}
		return others[rng.IntN(len(others))]
	}
}

// bats sets one as soon as may be, on a grave in which something lies, or on one in which nothing is known to lie.
func bats(bluff bool) playing {
	return func(v *dawn.View, moves []dawn.Move, _ *rand.Rand, otherwise func() dawn.Move) dawn.Move {
		for _, m := range moves {
			if m.Verb() == "bat" && (v.Inside(m.At()) != 0) == bluff {
				return m
			}
		}
		return otherwise()
	}
}

// neverBluff does as the rules say before it sets a bat where something lies.
func neverBluff(v *dawn.View, moves []dawn.Move, rng *rand.Rand, otherwise func() dawn.Move) dawn.Move {
	said := otherwise()
	if said.Verb() == "bat" && v.Inside(said.At()) != 0 {
		return Rules(v, moves, rng)
	}
	return said
}

// neverTakeUp waits as well as it can where it would open a grave with garlic.
func neverTakeUp(v *dawn.View, _ []dawn.Move, rng *rand.Rand, otherwise func() dawn.Move) dawn.Move {
	said := otherwise()
	switch {
	case said.Verb() != "open" || !strings.HasPrefix(v.Inside(said.At()).String(), "garlic"):
		return said
	case v.MayStop():
		return dawn.Stop
	}
	m := think(v, rng)
	return m.idle(v.Openable() &^ v.Worn(v.Seat()))
}

// unseenFirst opens what nobody has seen, even where another grave is known to fit.
func unseenFirst(v *dawn.View, moves []dawn.Move, _ *rand.Rand, otherwise func() dawn.Move) dawn.Move {
	for _, m := range moves {
		if m.Verb() == "open" && v.Ground().Unseen>>m.At()&1 == 1 {
			return m
		}
	}
	return otherwise()
}

// neverLook leaves it to others to open what nobody has seen, and waits as well as it can.
func neverLook(v *dawn.View, _ []dawn.Move, rng *rand.Rand, otherwise func() dawn.Move) dawn.Move {
	said := otherwise()
	if said.Verb() != "open" || v.Ground().Unseen>>said.At()&1 == 0 {
		return said
	}
	if v.MayStop() {
		return dawn.Stop
	}
	m := think(v, rng)
	return m.idle(v.Openable() &^ v.Worn(v.Seat()) &^ m.ground.Unseen)
}
