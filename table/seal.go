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
	proof := t.prove()
	seed, err := proof.Seed()
	if err != nil {
		return nil, wire.Refuse(wire.CodeStorage, "the deal's seals do not fit: %v", err)
	}
	state, err := t.game.Deal(t.setup.Rules(), proof.Version.NewChance(seed))
	if err != nil {
		return nil, wire.Refuse(wire.CodeBadCommand, "%v", err)
	}
	deal, err := record.WriteDeal(state)
	if err != nil {
		return nil, err
	}
	f := &fact.Dealt{Deal: deal}
	for i := range t.people.Chairs {
		f.Seeds = append(f.Seeds, proof.Version.BotSeed(seed, game.Seat(i).String()))
	}
	return f, nil
}

// decideSeal: somebody who sits there seals a number, or another one instead.
func decideSeal(t *Table, w wish) (fact.Any, error) {
	mine := t.SeatOf(w.guest.ID)
	seal, done, err := t.ceremony.MaySeal(mine, w.Bits, t.state != nil)
	if done || err != nil {
		return nil, err
	}
	return &fact.Sealed{Seat: mine, Seal: seal}, nil
}

// decideUnseal: when it is called for, he opens it.
func decideUnseal(t *Table, w wish) (fact.Any, error) {
	mine := t.SeatOf(w.guest.ID)
	number, done, err := t.ceremony.MayUnseal(mine, w.Bits, t.state != nil)
	if done || err != nil {
		return nil, err
	}
	return &fact.Unsealed{Seat: mine, Number: number}, nil
}
