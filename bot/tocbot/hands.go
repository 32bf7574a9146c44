package tocbot

import (
	"caveau/game"
	"caveau/games/toctoc"
)

// counts is how many there are of each face.
type counts [toctoc.Faces]int

func (of *counts) all() (n int) {
	for _, m := range of {
		n += m
	}
	return n
}

// A hand is how many cards of each face somebody has, as is to be expected.
type hand [toctoc.Faces]float64

// guess says what everybody has in hand: what he was seen to draw, and of what nobody has seen yet as much as he has cards
// besides.
func (s *sight) guess() {
	v := s.view
	var hidden [game.MaxSeats]int
	s.unseen = s.unplayed
	if v.Pile() > 0 {
		s.unseen[v.Top()]--
	}
	for o := range game.Seat(s.players) {
		hidden[o] = v.Held(o) - s.sees(o, v.Drawn(o))
	}
	me := v.Seat()
	hidden[me] -= s.sees(me, v.Dealt())
	all := max(s.unseen.all(), 1)
	for o := range game.Seat(s.players) {
		if hidden[o] == 0 {
			continue
		}
		for c, n := range s.unseen {
			s.hands[o][c] += float64(hidden[o]*n) / float64(all)
		}
	}
}

// sees puts cards into somebody's hand, and counts them.
func (s *sight) sees(o game.Seat, of counts) int {
	for c, n := range of {
		s.hands[o][c] += float64(n)
		s.unseen[c] -= n
	}
	return of.all()
}

// unseenByOthers is what nobody knows the place of who does not see this hand.
func (s *sight) unseenByOthers() counts {
	unseen := s.unseen
	for c, n := range s.view.Dealt() {
		unseen[c] += n
	}
	return unseen
}

// turns is how many cards somebody has still to play, the one that he plays now among them.
func (s *sight) turns(o game.Seat) float64 {
	return float64(s.view.Held(o)) + float64(s.view.Pile())/float64(s.players)
}
