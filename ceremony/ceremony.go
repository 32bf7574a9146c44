// Package ceremony is how a table comes by its deal (package fair, docs/fair.md), as a value: the table's secret, which is shown
// sealed from its first frame, and the numbers that people seal while they wait and open when the start was said. It decides who
// may seal and open; what is done becomes part of it by the facts in the table's log (package table), so any node that replays them
// deals the same.
//
// A number that is not opened in time fails the attempt: there is a new secret, and whoever did open his seals another number. Whoever
// did not gives none any more, so each attempt has fewer seats than the one before, and there is a last one. By fair.Deal1, which
// older tables go on with, the number is left out instead.
package ceremony

import (
	"time"

	"caveau/fair"
	"caveau/game"
	"caveau/wire"
)

// A Ceremony is that of one table. The zero Ceremony has no secret: nothing is sealed there.
type Ceremony struct {
	version fair.Version
	secret  *fair.Bits
	gifts   [game.MaxSeats]gift // by seat
	failed  []fair.Attempt      // in order
	phase   Phase
	since   time.Time
}

// A gift is what somebody gives to the deal: a number, sealed, and opened.
type gift struct {
	seal, number *fair.Bits
	gave         bool // at an attempt that failed: he is waited for
	late         bool // he kept a number shut, and gives none any more
}

// A Phase is what a ceremony waits for.
type Phase int

// The phases. From the second one Open and Sealing alternate.
const (
	Before  Phase = iota // for the start to be said; who likes seals a number
	Open                 // for the numbers to be opened
	Sealing              // for other numbers to be sealed, after an attempt that failed
)

// Begin is by which derivation and with which secret; nil for none.
func (c *Ceremony) Begin(v fair.Version, secret *fair.Bits) { c.version, c.secret = v, secret }

// Sealed tells whether there is a secret; Begun, whether the start was said.
func (c *Ceremony) Sealed() bool { return c.secret != nil }
func (c *Ceremony) Begun() bool  { return c.phase != Before }

// Seal is that whoever sits there sealed a number, or another one instead; Unseal, that he opened it; Lose, that he gives none: he has
// another seat, or none.
func (c *Ceremony) Seal(s game.Seat, seal fair.Bits)     { c.gifts[s].seal = &seal }
func (c *Ceremony) Unseal(s game.Seat, number fair.Bits) { c.gifts[s].number = &number }
func (c *Ceremony) Lose(s game.Seat)                     { c.gifts[s] = gift{} }

// Call is that the start was said, or all have sealed again who do: what was sealed stands fast, and is opened.
func (c *Ceremony) Call(at time.Time) { c.phase, c.since = Open, at }

// Anew is that the attempt has failed, and the ceremony begins again with that secret. It tells whose numbers were not opened.
func (c *Ceremony) Anew(secret fair.Bits, at time.Time) (late game.Seats) {
	c.failed = append(c.failed, c.attempt())
	for i, g := range c.gifts {
		if g.shut() {
			late = late.With(game.Seat(i))
		}
		c.gifts[i] = gift{gave: g.number != nil || g.gave && !g.shut(), late: g.late || g.shut()}
	}
	c.secret, c.phase, c.since = &secret, Sealing, at
	return late
}

func (g gift) shut() bool { return g.seal != nil && g.number == nil }

// A Wait is what a ceremony waits for.
type Wait struct {
	For   Phase
	Since time.Time
	Waits bool // somebody has not done it yet, and has a time to do it in
	Fails bool // and if he does not, the attempt fails
}

// Wait is what it waits for now.
func (c *Ceremony) Wait() Wait {
	w := Wait{For: c.phase, Since: c.since}
	for _, g := range c.gifts {
		switch c.phase {
		case Open:
			w.Waits = w.Waits || g.shut()
		case Sealing:
			w.Waits = w.Waits || g.gave && g.seal == nil
		}
	}
	w.Fails = w.Waits && c.phase == Open && c.version.Again()
	return w
}

// Gives tells whether anybody has sealed a number; Failed is how many attempts have failed.
func (c *Ceremony) Gives() bool { return len(c.numbers()) > 0 }
func (c *Ceremony) Failed() int { return len(c.failed) }

// numbers are those that were sealed, opened or not, in seat order.
func (c *Ceremony) numbers() []fair.Number {
	list := []fair.Number{}
	for i, g := range c.gifts {
		if g.seal != nil {
			list = append(list, fair.Number{Seat: game.Seat(i).String(), Seal: *g.seal, Number: g.number})
		}
	}
	return list
}

// attempt is the present one.
func (c *Ceremony) attempt() fair.Attempt {
	return fair.Attempt{Seal: c.seal(), Secret: *c.secret, Numbers: c.numbers()}
}

func (c *Ceremony) seal() fair.Bits { return c.version.Seal(*c.secret, c.failed...) }

// Proof is all from which the deal follows, but for what the table chose.
func (c *Ceremony) Proof() fair.Proof {
	return fair.Proof{Version: c.version, Failed: c.failed, Attempt: c.attempt()}
}

// Told is what everyone may see of it; nil where nothing is sealed. Once it is dealt, the numbers wait for the record, as those of
// attempts that failed do; when the table is over the secret is opened.
func (c *Ceremony) Told(dealt, over bool) *wire.Seal {
	if c.secret == nil {
		return nil
	}
	s := &wire.Seal{Version: c.version, Seal: c.seal(), Called: c.phase == Open}
	for _, a := range c.failed {
		s.Failed = append(s.Failed, wire.Failed{Seal: a.Seal, Shut: a.Shut()})
	}
	if !dealt {
		s.Numbers = c.numbers()
	}
	if over {
		s.Secret = c.secret
	}
	return s
}

// MaySeal is what whoever sits there seals, and whether he has, or why he may not; dealt: it has been dealt.
func (c *Ceremony) MaySeal(s game.Seat, bits string, dealt bool) (seal fair.Bits, done bool, err error) {
	seal, err = c.given(s, bits)
	switch {
	case err != nil:
	case dealt || c.phase == Open:
		err = wire.Refuse(wire.CodeStarted, "the game has begun")
	case !c.Sealed():
		err = wire.Refuse(wire.CodeBadCommand, "the position came with a record: there is no deal to give a number to")
	case c.gifts[s].late:
		err = wire.Refuse(wire.CodeStarted, "you did not open the number that you had sealed, and give none any more at this table")
	default:
		done = c.gifts[s].seal != nil && *c.gifts[s].seal == seal
	}
	return seal, done, err
}

// MayUnseal is the number that whoever sits there opens, and whether he has, or why he may not.
func (c *Ceremony) MayUnseal(s game.Seat, bits string, dealt bool) (number fair.Bits, done bool, err error) {
	number, err = c.given(s, bits)
	if err != nil {
		return number, false, err
	}
	switch mine := c.gifts[s]; {
	case mine.seal == nil:
		err = wire.Refuse(wire.CodeNotYourSeat, "you have not sealed a number here")
	case mine.number != nil && *mine.number == number:
		done = true
	case dealt:
		err = wire.Refuse(wire.CodeStarted, "it has been dealt")
	case c.phase != Open:
		err = wire.Refuse(wire.CodeNotStarted, "numbers are opened when that is called for, not before")
	case c.version.SealNumber(c.seal(), s.String(), number) != *mine.seal:
		err = wire.Refuse(wire.CodeBadCommand, "bits: this is not the number that you sealed")
	}
	return number, done, err
}

// given reads what somebody gives who sits there.
func (c *Ceremony) given(s game.Seat, bits string) (b fair.Bits, err error) {
	if b, err = fair.Parse(bits); err != nil {
		return b, wire.Refuse(wire.CodeBadCommand, "bits: %v", err)
	}
	if int(s) >= len(c.gifts) {
		return b, wire.Refuse(wire.CodeNotYourSeat, "you do not sit here")
	}
	return b, nil
}
