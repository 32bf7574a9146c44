package table

import (
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/record"
	"caveau/wire"
)

// The sealed deal (package fair). A table's secret is drawn when it is made and shown sealed from its first frame; people
// seal numbers while they wait; when the start is said they open them, and the deal follows. It is all in the log, so any
// node that replays it deals the same.

// seal is nil for a table whose deal is not sealed.
func (t *Table) seal() *wire.Seal {
	if t.secret == nil {
		return nil
	}
	s := &wire.Seal{Seal: fair.Seal(*t.secret), Called: t.called}
	if t.state == nil {
		s.Numbers = t.people.Chairs.Numbers()
	}
	if t.State() == Over {
		s.Secret = t.secret
	}
	return s
}

// prove is all from which the deal follows.
func (t *Table) prove(secret fair.Bits) fair.Proof {
	setup := t.setup.Rules()
	return fair.Proof{
		Version: fair.Version, Seal: fair.Seal(secret), Secret: secret, Numbers: t.people.Chairs.Numbers(),
		First: setup.First.String(), Choices: setup.Choices,
	}
}

// shuffle deals.
func (t *Table) shuffle() (fact.Any, error) {
	seed, err := t.prove(*t.secret).Seed()
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
	case t.begun():
		return nil, wire.Refuse(wire.CodeStarted, "the game has begun")
	case t.imported != nil:
		return nil, wire.Refuse(wire.CodeBadCommand, "the position came with a record: there is no deal to give a number to")
	case t.people.Chairs[mine].Sealed() && *t.people.Chairs[mine].Seal == seal:
		return nil, nil
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
	case mine == game.Watcher || !t.people.Chairs[mine].Sealed():
		return nil, wire.Refuse(wire.CodeNotYourSeat, "you have not sealed a number here")
	case t.people.Chairs[mine].Number != nil && *t.people.Chairs[mine].Number == number:
		return nil, nil
	case t.state != nil:
		return nil, wire.Refuse(wire.CodeStarted, "it has been dealt")
	case !t.called:
		return nil, wire.Refuse(wire.CodeNotStarted, "numbers are opened when the start is said, not before")
	case fair.SealNumber(fair.Seal(*t.secret), mine.String(), number) != *t.people.Chairs[mine].Seal:
		return nil, wire.Refuse(wire.CodeBadCommand, "bits: this is not the number that you sealed")
	}
	return &fact.Unsealed{Seat: mine, Number: number}, nil
}
