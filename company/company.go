// Package company is who sits around a table: people and bots, by seat, who of them has left or is away, and what they are called.
// It knows no game, and decides nothing.
package company

import (
	"slices"
	"time"

	"caveau/fair"
	"caveau/game"
	"caveau/wire"
)

// A Chair is one seat of a table, and who holds it.
type Chair struct {
	Guest  wire.Guest // the zero Guest: nobody
	Bot    string     // the name of the bot whose seat it is
	Left   bool       // its player stood up after the start
	Away   bool       // its player is gone longer than the table allows
	Sat    time.Time  // when its player took it, or came back to it
	Seal   *fair.Bits // what its player gives to the deal, sealed; nil if he gives nothing
	Number *fair.Bits // and opened
}

// Person, Empty and Sealed tell whether a person has it, nobody at all, and whether he has sealed a number.
func (c Chair) Person() bool { return c.Guest.ID != "" }
func (c Chair) Empty() bool  { return !c.Person() && c.Bot == "" }
func (c Chair) Sealed() bool { return c.Seal != nil }

// Shut tells whether there is a number that its player has not opened.
func (c Chair) Shut() bool { return c.Sealed() && c.Number == nil }

// Name is what the others call whoever holds the chair.
func (c Chair) Name() string {
	if c.Person() {
		return c.Guest.Name
	}
	return c.Bot
}

// Played tells whether a bot plays the chair of a running table: its own, or a stand-in.
func (c Chair) Played() bool { return !c.Person() || c.Left || c.Away }

// Chairs are those of a table, by seat.
type Chairs []Chair

// SeatOf is where a guest sits, the Watcher if nowhere. Whoever left a running table keeps his seat to come back to.
func (cs Chairs) SeatOf(guest string) game.Seat {
	i := slices.IndexFunc(cs, func(c Chair) bool { return c.Person() && c.Guest.ID == guest })
	if i < 0 {
		return game.Watcher
	}
	return game.Seat(i)
}

// First is the first seat that a person has, NoSeat if none does.
func (cs Chairs) First() game.Seat {
	i := slices.IndexFunc(cs, Chair.Person)
	if i < 0 {
		return game.NoSeat
	}
	return game.Seat(i)
}

// Misnames tells whether the guest is called there by another name than his; Rename calls him by it.
func (cs Chairs) Misnames(g wire.Guest) bool {
	return slices.ContainsFunc(cs, func(c Chair) bool { return c.Guest.ID == g.ID && c.Guest.Name != g.Name })
}

func (cs Chairs) Rename(g wire.Guest) {
	for i := range cs {
		if cs[i].Guest.ID == g.ID {
			cs[i].Guest = g
		}
	}
}

// Names are what the others call whoever sits there, by seat.
func (cs Chairs) Names() (names []string) {
	for _, c := range cs {
		names = append(names, c.Name())
	}
	return names
}

// Numbers are those that were sealed for the deal, opened or not.
func (cs Chairs) Numbers() []fair.Number {
	list := []fair.Number{}
	for i, c := range cs {
		if c.Sealed() {
			list = append(list, fair.Number{Seat: game.Seat(i).String(), Seal: *c.Seal, Number: c.Number})
		}
	}
	return list
}

// Told is what everyone may know of the seats: here are those whose players are connected.
func (cs Chairs) Told(here game.Seats, host string, running bool) []wire.Chair {
	list := make([]wire.Chair, len(cs))
	for i, c := range cs {
		list[i] = wire.Chair{
			Seat: game.Seat(i), Name: c.Guest.Name, Bot: c.Bot,
			Here:    c.Bot != "" || here.Has(game.Seat(i)),
			Host:    c.Person() && c.Guest.ID == host,
			Standin: running && c.Bot == "" && c.Played(),
		}
	}
	return list
}

// Signs are the seats on a door sign.
func (cs Chairs) Signs() []wire.Sign {
	list := make([]wire.Sign, len(cs))
	for i, c := range cs {
		list[i] = wire.Sign{Seat: game.Seat(i), Name: c.Guest.Name, Bot: c.Bot}
	}
	return list
}
