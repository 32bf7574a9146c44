package company

import (
	"cmp"
	"maps"
	"slices"

	"caveau/game"
	"caveau/wire"
)

// Names are what guests are called. What stands beside the log is told to a table, as the outages of the house are; a log of before has
// names in it, which count for those of whom nothing stands there. Whoever was erased has no name, whatever an old log called him.
type Names struct {
	now map[string]string // by guest; "": he was erased
	was map[string]string // by guest, all of whom the log tells: what it called him, "" if it has no names
}

// Heard is that the log tells of a guest, and what it calls him, if it does.
func (n *Names) Heard(guest, name string) {
	if n.was == nil {
		n.was = make(map[string]string)
	}
	if guest != "" && (name != "" || n.was[guest] == "") {
		n.was[guest] = name
	}
}

// Call is that a guest is called so, by what stands beside the log; "": he was erased. It tells whether something that is told here
// is another now.
func (n *Names) Call(guest, name string) (changed bool) {
	if n.now == nil {
		n.now = make(map[string]string)
	}
	_, told := n.was[guest]
	changed = told && n.Of(guest) != name
	n.now[guest] = name
	return changed
}

// Of is what a guest is called; "" for whoever has no name.
func (n *Names) Of(guest string) string {
	if name, known := n.now[guest]; known {
		return name
	}
	return n.was[guest]
}

// Guests are all of whom the log tells, in the order of their ids.
func (n *Names) Guests() []string { return slices.Sorted(maps.Keys(n.was)) }

// Chairs are what the others call whoever holds the chairs.
func (n *Names) Chairs(cs Chairs) (names []string) {
	for _, c := range cs {
		names = append(names, cmp.Or(c.Bot, n.Of(c.Guest)))
	}
	return names
}

// Told is what everyone may know of the seats: here are those whose players are connected.
func (c *Company) Told(here game.Seats, running bool) []wire.Chair {
	list := make([]wire.Chair, len(c.Chairs))
	for i, chair := range c.Chairs {
		list[i] = wire.Chair{
			Seat: game.Seat(i), Name: c.Names.Of(chair.Guest), Bot: chair.Bot, Nameless: c.nameless(chair), Program: chair.Program(),
			Here:    chair.Bot != "" || here.Has(game.Seat(i)),
			Host:    chair.Person() && chair.Guest == c.Host(),
			Standin: running && chair.Bot == "" && chair.Played(),
		}
	}
	return list
}

// nameless tells whether somebody holds a chair who has no name: the seat is not empty.
func (c *Company) nameless(chair Chair) bool { return chair.Person() && c.Names.Of(chair.Guest) == "" }

// Signs are the seats on a door sign.
func (c *Company) Signs() []wire.Sign {
	list := make([]wire.Sign, len(c.Chairs))
	for i, chair := range c.Chairs {
		list[i] = wire.Sign{Seat: game.Seat(i), Name: c.Names.Of(chair.Guest), Bot: chair.Bot, Nameless: c.nameless(chair), Program: chair.Program()}
	}
	return list
}

// Asks is what everyone may know of the proposal, nil of none.
func (c *Company) Asks(here game.Seats) *wire.Proposal {
	p := c.Proposal
	if p == nil {
		return nil
	}
	return &wire.Proposal{
		Seq: p.Seq, Do: p.Do, Name: c.Names.Of(p.By), By: c.Chairs.SeatOf(p.By), Seat: p.Seat,
		Asked: p.Asked(c.Chairs, here).List(), Agreed: p.Agreed.List(),
	}
}
