// Package tocbot plays Toc Toc Toc: by rules, which weigh what a card may do and neither search nor try out (Rules), or by trying
// each move at tables that may be the true one (Think). What is decided follows from what a seat may know alone, and from dice.
//
// chances.go says how likely somebody wins whose party is such, hands.go what the others may have in hand, door.go what a
// knock says. think.go tries, imagine.go says which tables may be the true one, and habits.go how people play there.
package tocbot

import (
	"math"

	"caveau/game"
	"caveau/games/toctoc"
)

// Rules is what a good player does, asked for the first of these that fits:
//
//  1. You are the rival: of those who may leave the host, take whom it is best for you to take.
//  2. Somebody knocks at your door: think which of his cards he would knock with, the likelier the more it does for him, and
//     open if on the average that does you good. If it hangs on how often you open, open as often as leaves it open.
//  3. It is your turn: think so for every door, and knock at the one and with the card that does most for you. Among those
//     that do nearly as much take any, that nobody can tell.
//
// What is good for somebody is what raises his chance to win: so a leader is harmed before others, guests whom a
// brute protects are worth more than others, and a bad card is played while it can still be played on somebody else.
//
// A roll is from 0 up to 1, each number as likely as any other: the same view and roll give the same move.
func Rules(v *toctoc.View, roll float64) toctoc.Move {
	w := usual
	return w.move(v, roll)
}

func (w *weights) move(v *toctoc.View, roll float64) toctoc.Move {
	s := w.look(v)
	switch {
	case v.Host() != game.NoSeat:
		return s.choose()
	case v.Door() != game.NoSeat:
		return s.answer(roll)
	default:
		o := s.options()
		return o.pick(roll)
	}
}

// choose takes from the host whom it is best to take.
func (s *sight) choose() (m toctoc.Move) {
	who, _, _ := s.taken(s.view.Card(), s.view.Host(), s.view.Seat())
	return toctoc.Choose(who)
}

// answer opens as often as it should be opened.
func (s *sight) answer(roll float64) toctoc.Move {
	d := s.door(s.view.Seat(), &s.unseen)
	if roll < d.openness() {
		return toctoc.Accept
	}
	return toctoc.Refuse
}

// An option is to knock with a card at a door.
type option struct {
	to     game.Seat
	card   toctoc.Card
	copies float64 // of the card in hand
	chance float64 // to win, on the average
}

// options are all that somebody may knock with, at whose door.
type options struct {
	list [handSize * (mostPlayers - 1)]option
	n    int
}

const (
	handSize    = 5
	mostPlayers = 5
)

func (s *sight) options() (o options) {
	me, players := s.view.Seat(), uint8(s.players)
	unseen := s.unseenByOthers()
	for home := me.Left(players); home != me; home = home.Left(players) {
		d := s.door(home, &unseen)
		open := d.openness()
		for _, v := range d.visits[:d.n] {
			if copies := s.hands[me][v.card]; copies > 0 {
				o.list[o.n] = option{home, v.card, copies, v.chance(open)}
				o.n++
			}
		}
	}
	return o
}

// weights is how likely each of the options is, of all.
func (o *options) weights() (likely [handSize * (mostPlayers - 1)]float64, all float64) {
	best := 0.0
	for _, x := range o.list[:o.n] {
		best = max(best, x.chance)
	}
	for i, x := range o.list[:o.n] {
		likely[i] = x.copies * math.Exp(sharpness*(x.chance-best))
		all += likely[i]
	}
	return likely, all
}

// pick takes one of the options, the likelier the better it is.
func (o *options) pick(roll float64) toctoc.Move {
	likely, all := o.weights()
	i, roll := 0, roll*all
	for i < o.n-1 && roll >= likely[i] {
		roll -= likely[i]
		i++
	}
	return toctoc.Knock(o.list[i].to, o.list[i].card)
}
