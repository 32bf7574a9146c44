package table

import (
	"time"

	"caveau/company"
	"caveau/fact"
	"caveau/game"
	"caveau/wire"
)

// What one alone may not do: those who are there agree to it (package company). What they have agreed to, the house does.

// propose proposes what the wish is, or does it where nobody has to be asked.
func (t *Table) propose(w wish, do string, seat game.Seat) (fact.Any, error) {
	p := &company.Proposal{Do: do, By: w.guest.ID, Seat: seat}
	switch {
	case t.people.Proposal.Same(p):
		return nil, nil
	case t.people.Proposal != nil:
		return nil, wire.Refuse(wire.CodeBusy, "something else is being asked: wait until it is answered")
	case p.Settled(t.people.Chairs, w.here):
		return t.carried(p), nil
	case p.Asked(t.people.Chairs, w.here) == 0:
		return nil, wire.Refuse(wire.CodeNobody, "nobody else is there who could agree to that")
	}
	return &fact.Proposed{Do: do, Guest: fact.Guest{ID: w.guest.ID}, Seat: seat}, nil
}

// carried is what follows from a proposal that all have agreed to.
func (t *Table) carried(p *company.Proposal) fact.Any {
	switch p.Do {
	case company.ToFree:
		return &fact.Freed{Seat: p.Seat, Left: true, All: true}
	case company.ToBreak:
		return &fact.Broke{Guest: fact.Guest{ID: p.By}}
	}
	if t.SeatOf(p.By) == p.Seat {
		return &fact.Returned{Seat: p.Seat}
	}
	return &fact.Sat{Seat: p.Seat, Guest: fact.Guest{ID: p.By}}
}

// answers is the seat of somebody who is asked for what the wish names.
func (t *Table) answers(w wish) (game.Seat, error) {
	mine := t.SeatOf(w.guest.ID)
	switch {
	case t.people.Proposal == nil || w.Seq != t.people.Proposal.Seq:
		return mine, wire.Refuse(wire.CodeLate, "that is not being asked any more")
	case mine == game.Watcher && w.guest.ID != t.people.Proposal.By:
		return mine, wire.Refuse(wire.CodeNotYourSeat, "you do not sit here")
	}
	return mine, nil
}

func decideAgree(t *Table, w wish) (fact.Any, error) {
	mine, err := t.answers(w)
	switch {
	case err != nil:
		return nil, err
	case !t.people.Proposal.Asked(t.people.Chairs, w.here.With(mine)).Has(mine):
		return nil, wire.Refuse(wire.CodeNotYourSeat, "you are not asked")
	case t.people.Proposal.Agreed.Has(mine):
		return nil, nil
	}
	return &fact.Agreed{Seat: mine}, nil
}

func decideDecline(t *Table, w wish) (fact.Any, error) {
	mine, err := t.answers(w)
	switch {
	case err != nil:
		return nil, err
	case w.guest.ID != t.people.Proposal.By && !t.people.Proposal.Asked(t.people.Chairs, w.here.With(mine)).Has(mine):
		return nil, wire.Refuse(wire.CodeNotYourSeat, "you are not asked")
	}
	return &fact.Declined{Seat: mine}, nil
}

// Proposed tells whether something is being asked, since when, and whether all who are there have agreed.
func (t *Table) Proposed(here game.Seats) (at time.Time, settled, asked bool) {
	if t.people.Proposal == nil {
		return at, false, false
	}
	return t.people.Proposal.At, t.people.Proposal.Settled(t.people.Chairs, here), true
}

// Carried is what all have agreed to.
func (t *Table) Carried() *Decision { return ByHouse(t.carried(t.people.Proposal)) }

func (t *Table) applyProposed(f *fact.Proposed) {
	t.people.Proposal = &company.Proposal{Seq: t.seq, At: t.at, Do: f.Do, By: t.hear(f.Guest), Seat: f.Seat}
	t.tellOf(f.Seat, "propose-"+f.Do, f.Guest.ID)
}

func (t *Table) applyAgreed(f *fact.Agreed) {
	if t.people.Proposal == nil {
		return // somebody answered when the game was over: an earlier version wrote that down
	}
	t.people.Proposal.Agreed = t.people.Proposal.Agreed.With(f.Seat)
	t.tell(f.Seat, "agree", t.people.Chairs[f.Seat])
}

func (t *Table) applyDeclined(f *fact.Declined) {
	p := t.people.Proposal
	if p == nil {
		return // as above
	}
	t.people.Proposal = nil
	switch mine := t.SeatOf(p.By); {
	case f.Seat >= game.Seat(len(t.people.Chairs)): // too late, or taken back by somebody without a seat
		t.tellOf(game.NoSeat, "lapse", p.By)
	case f.Seat == mine:
		t.tellOf(mine, "withdraw", p.By)
	default:
		t.tell(f.Seat, "decline", t.people.Chairs[f.Seat])
	}
}
