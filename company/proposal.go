package company

import (
	"time"

	"caveau/game"
)

// What a proposal is about.
const (
	ToFree  = "free"  // a seat from a player who is there
	ToBreak = "break" // the game off, without a winner
	ToSit   = "sit"   // on a seat whose hand somebody else has seen
)

// A Proposal is what somebody wants to do that those who are there have to agree to.
type Proposal struct {
	Seq    int       // the entry that it was made by, which is its name
	At     time.Time // when it was
	Do     string    // one of the above
	By     string    // the guest who proposes
	Seat   game.Seat // that is to be freed or taken, else NoSeat
	Agreed game.Seats
}

// Asked are the seats whose players are to agree: whoever sits there and is here, without whoever proposes and without whom it is
// about. Bots, programs and whoever is not there do not count. Who stood up is asked by somebody who wants his seat, and by nobody else.
func (p *Proposal) Asked(cs Chairs, here game.Seats) (asked game.Seats) {
	for i, c := range cs {
		s := game.Seat(i)
		about := s == p.Seat
		switch {
		case !c.Person() || c.Program() || c.Guest == p.By || !here.Has(s):
		case about && p.Do == ToFree:
		case c.Left && !(about && p.Do == ToSit):
		default:
			asked = asked.With(s)
		}
	}
	return asked
}

// Settled tells whether all who are asked have agreed. A game is broken off by whoever is left there alone; a player is freed, and
// a seat taken, only if somebody has agreed, so that nobody looks into a hand on his own word. Whose seat it still is must have
// agreed himself.
func (p *Proposal) Settled(cs Chairs, here game.Seats) bool {
	switch asked := p.Asked(cs, here); {
	case asked&^p.Agreed != 0:
		return false
	case p.Do == ToBreak:
		return true
	case p.Do == ToSit && cs[p.Seat].Kept(p.By):
		return p.Agreed.Has(p.Seat)
	}
	return p.Agreed != 0
}

// Same tells whether another one is for the same by the same; none is like no other.
func (p *Proposal) Same(o *Proposal) bool {
	return p != nil && p.Do == o.Do && p.Seat == o.Seat && p.By == o.By
}
