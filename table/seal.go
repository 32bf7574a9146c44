package table

import (
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/record"
	"caveau/wire"
)

// The sealed deal: it follows from the table's ceremony, and from what the table chose.

// prove is all from which the deal follows.
func (t *Table) prove() fair.Proof {
	setup := t.setup.Rules()
	p := t.ceremony.Proof()
	p.First, p.Choices = setup.First.String(), setup.Choices
	return p
}

// shuffle deals.
func (t *Table) shuffle() (fact.Any, error) {
	seed, err := t.prove().Seed()
	if err != nil {
		return nil, wire.Refuse(wire.CodeStorage, "the deal's seals do not fit: %v", err)
	}
	state, err := t.game.Deal(t.setup.Rules(), fair.NewChance(seed))
	if err != nil {
		return nil, wire.Refuse(wire.CodeBadCommand, "%v", err)
	}
	deal, err := record.WriteDeal(state)
	if err != nil {
		return nil, err
	}
	f := &fact.Dealt{Deal: deal}
	for i := range t.people.Chairs {
		f.Seeds = append(f.Seeds, fair.BotSeed(seed, game.Seat(i).String()))
	}
	return f, nil
}

// decideSeal: somebody who sits there seals a number, or another one instead.
func decideSeal(t *Table, w wish) (fact.Any, error) {
	mine := t.SeatOf(w.guest.ID)
	seal, err := fair.Parse(w.Bits)
	switch {
	case err != nil:
		return nil, wire.Refuse(wire.CodeBadCommand, "bits: %v", err)
	case mine == game.Watcher:
		return nil, wire.Refuse(wire.CodeNotYourSeat, "you do not sit here")
	case t.state != nil:
		return nil, wire.Refuse(wire.CodeStarted, "the game has begun")
	case t.imported != nil:
		return nil, wire.Refuse(wire.CodeBadCommand, "the position came with a record: there is no deal to give a number to")
	}
	if done, err := t.ceremony.MaySeal(mine, seal); done || err != nil {
		return nil, err
	}
	return &fact.Sealed{Seat: mine, Seal: seal}, nil
}

// decideUnseal: after the start was said, he opens it.
func decideUnseal(t *Table, w wish) (fact.Any, error) {
	mine := t.SeatOf(w.guest.ID)
	number, err := fair.Parse(w.Bits)
	switch {
	case err != nil:
		return nil, wire.Refuse(wire.CodeBadCommand, "bits: %v", err)
	case mine == game.Watcher:
		return nil, wire.Refuse(wire.CodeNotYourSeat, "you do not sit here")
	}
	if done, err := t.ceremony.MayOpen(mine, number, t.state != nil); done || err != nil {
		return nil, err
	}
	return &fact.Unsealed{Seat: mine, Number: number}, nil
}
