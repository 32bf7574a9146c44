// Package ceremony is how a table comes by its deal (package fair, docs/fair.md), as a value: the table's secret, which is shown
// sealed from its first frame, and the numbers that people seal while they wait and open when the start was said. It decides who
// may seal and open; what is done becomes part of it by the facts in the table's log (package table), so any node that replays them
// deals the same.
package ceremony

import (
	"time"

	"caveau/fair"
	"caveau/game"
	"caveau/wire"
)

// A Ceremony is that of one table. The zero Ceremony has no secret: nothing is sealed there.
type Ceremony struct {
	secret *fair.Bits
	given  [game.MaxSeats]given // by seat
	called bool                 // the start was said
	at     time.Time            // then
}

// Given is what somebody gives to the deal: a number, sealed, and opened.
type given struct{ seal, number *fair.Bits }

// Begin is with which secret; nil for none.
func (c *Ceremony) Begin(secret *fair.Bits) { c.secret = secret }

// Sealed tells whether there is a secret.
func (c *Ceremony) Sealed() bool { return c.secret != nil }

// Seal is that whoever sits there sealed a number, or another one instead; Open, that he opened it; Lose, that he gives none: he has
// another seat, or none.
func (c *Ceremony) Seal(s game.Seat, seal fair.Bits)   { c.given[s].seal = &seal }
func (c *Ceremony) Open(s game.Seat, number fair.Bits) { c.given[s].number = &number }
func (c *Ceremony) Lose(s game.Seat)                   { c.given[s] = given{} }

// Call is that the start was said: what was sealed stands fast, and is opened.
func (c *Ceremony) Call(at time.Time) { c.called, c.at = true, at }

// Called tells whether the start was said, when, and whether a number is still shut.
func (c *Ceremony) Called() (at time.Time, waits, called bool) {
	for _, g := range c.given {
		waits = waits || g.seal != nil && g.number == nil
	}
	return c.at, waits, c.called
}

// Gives tells whether anybody has sealed a number.
func (c *Ceremony) Gives() bool { return len(c.numbers()) > 0 }

// numbers are those that were sealed, opened or not, in seat order.
func (c *Ceremony) numbers() []fair.Number {
	list := []fair.Number{}
	for i, g := range c.given {
		if g.seal != nil {
			list = append(list, fair.Number{Seat: game.Seat(i).String(), Seal: *g.seal, Number: g.number})
		}
	}
	return list
}

// Proof is all from which the deal follows, but for what the table chose.
func (c *Ceremony) Proof() fair.Proof {
	return fair.Proof{Version: fair.Version, Seal: fair.Seal(*c.secret), Secret: *c.secret, Numbers: c.numbers()}
}

// Told is what everyone may see of it; nil where nothing is sealed. Once it is dealt, the numbers wait for the record; when the
// table is over the secret is opened.
func (c *Ceremony) Told(dealt, over bool) *wire.Seal {
	if c.secret == nil {
		return nil
	}
	s := &wire.Seal{Seal: fair.Seal(*c.secret), Called: c.called}
	if !dealt {
		s.Numbers = c.numbers()
	}
	if over {
		s.Secret = c.secret
	}
	return s
}

// MaySeal tells why whoever sits there may not seal that, before the deal, or that he has.
func (c *Ceremony) MaySeal(s game.Seat, seal fair.Bits) (done bool, err error) {
	if c.called {
		return false, wire.Refuse(wire.CodeStarted, "the game has begun")
	}
	mine := c.given[s].seal
	return mine != nil && *mine == seal, nil
}

// MayOpen tells why whoever sits there may not open that number, or that he has.
func (c *Ceremony) MayOpen(s game.Seat, number fair.Bits, dealt bool) (done bool, err error) {
	switch mine := c.given[s]; {
	case mine.seal == nil:
		return false, wire.Refuse(wire.CodeNotYourSeat, "you have not sealed a number here")
	case mine.number != nil && *mine.number == number:
		return true, nil
	case dealt:
		return false, wire.Refuse(wire.CodeStarted, "it has been dealt")
	case !c.called:
		return false, wire.Refuse(wire.CodeNotStarted, "numbers are opened when the start is said, not before")
	case fair.SealNumber(fair.Seal(*c.secret), s.String(), number) != *mine.seal:
		return false, wire.Refuse(wire.CodeBadCommand, "bits: this is not the number that you sealed")
	}
	return false, nil
}
