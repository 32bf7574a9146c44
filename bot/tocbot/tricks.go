package tocbot

import (
	"math/rand/v2"
	"slices"

	"caveau/game"
	"caveau/games/toctoc"
)

// A Trick is what somebody always does; all else he does as he would. Where a trick leaves a choice, rules make it.
type Trick struct {
	Name string
	Play playing
}

type playing = func(v *toctoc.View, dice *rand.Rand, otherwise func() toctoc.Move) toctoc.Move

// Tricks are what a player must not lose by who meets somebody who has one (docs/bots.md).
var Tricks = []Trick{
	{"always-open", opens(1, nil)},
	{"never-open", opens(0, nil)},
	{"open-by-a-coin", opens(0.5, nil)},
	{"bad-cards-first", knocks(bad)},
	{"good-cards-first", knocks(good)},
	{"children-and-taxis-first", knocks(drivesAway)},
	{"children-and-taxis-last", knocks(func(s *sight, o option) bool { return !drivesAway(s, o) })},
	{"vamps-first", knocks(func(_ *sight, o option) bool { return o.card.IsVamp() })},
	{"scarecrows-first", knocks(func(_ *sight, o option) bool { return o.card == toctoc.Scarecrow })},
	{"own-kind-only", knocks(ofOwnKind)},
	{"at-the-leader", knocks(atLeader)},
	{"at-the-left-neighbour", knocks(atLeft)},
	{"at-any-door", knocksAtRandom(func(a, b option) bool { return a.to == b.to })},
	{"with-any-card", knocksAtRandom(func(a, b option) bool { return a.card == b.card })},
	{"any-card-at-any-door", knocksAtRandom(func(a, b option) bool { return a.to == b.to && a.card == b.card })},
	{"the-best-knock", knocks(best)},
	{"never-open-bad-cards-first", opens(0, knocks(bad))},
	{"never-open-good-cards-first", opens(0, knocks(good))},
	{"always-open-bad-cards-first", opens(1, knocks(bad))},
	{"always-open-good-cards-first", opens(1, knocks(good))},
	{"open-by-a-coin-bad-cards-first", opens(0.5, knocks(bad))},
	{"bad-cards-first-at-the-leader", knocks(func(s *sight, o option) bool { return bad(s, o) && atLeader(s, o) })},
}

// opens opens so often, whoever knocks, and does all else by another trick, or by none.
func opens(often float64, else_ playing) playing {
	return func(v *toctoc.View, dice *rand.Rand, otherwise func() toctoc.Move) toctoc.Move {
		switch {
		case v.Door() != game.NoSeat && v.Host() == game.NoSeat:
			if dice.Float64() < often {
				return toctoc.Accept
			}
			return toctoc.Refuse
		case else_ != nil:
			return else_(v, dice, otherwise)
		default:
			return otherwise()
		}
	}
}

// knocks knocks only in such a way, as long as it can.
func knocks(way func(*sight, option) bool) playing {
	return func(v *toctoc.View, dice *rand.Rand, otherwise func() toctoc.Move) toctoc.Move {
		if v.Door() != game.NoSeat {
			return otherwise()
		}
		w := usual
		s := w.look(v)
		o := s.options()
		o.keep(func(o option) bool { return way(&s, o) })
		return o.pick(dice.Float64())
	}
}

// knocksAtRandom draws one of all knocks, and does one that is like it.
func knocksAtRandom(alike func(a, b option) bool) playing {
	return func(v *toctoc.View, dice *rand.Rand, otherwise func() toctoc.Move) toctoc.Move {
		if v.Door() != game.NoSeat {
			return otherwise()
		}
		w := usual
		s := w.look(v)
		o := s.options()
		any := o.list[dice.IntN(o.n)]
		o.keep(func(o option) bool { return alike(any, o) })
		return o.pick(dice.Float64())
	}
}

// keep leaves only what is liked, if that is anything.
func (o *options) keep(liked func(option) bool) {
	kept := slices.DeleteFunc(slices.Clone(o.list[:o.n]), func(o option) bool { return !liked(o) })
	if len(kept) > 0 {
		o.n = copy(o.list[:], kept)
	}
}

func bad(_ *sight, o option) bool        { return !o.card.Joins() }
func good(_ *sight, o option) bool       { return o.card.Joins() }
func drivesAway(_ *sight, o option) bool { return o.card == toctoc.Child || o.card == toctoc.Taxi }
func atLeft(s *sight, o option) bool     { return o.to == s.view.Seat().Left(uint8(s.players)) }

func ofOwnKind(s *sight, o option) bool {
	guests := s.view.Party(s.view.Seat())
	own := slices.MaxFunc(toctoc.Kinds[:], func(a, b toctoc.Kind) int { return guests.Size(a) - guests.Size(b) })
	return o.card.Kind() == own
}

func atLeader(s *sight, o option) bool {
	for other := range game.Seat(s.players) {
		if other != s.view.Seat() && s.view.Party(other).Score() > s.view.Party(o.to).Score() {
			return false
		}
	}
	return true
}

func best(s *sight, o option) bool {
	all := s.options()
	return !slices.ContainsFunc(all.list[:all.n], func(other option) bool { return other.chance > o.chance })
}
