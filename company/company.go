// Package company is who sits around a table: people and bots, by seat, who of them has left or is away, and what they are called.
// It knows no game, and decides nothing.
package company

import (
	"slices"
	"time"

	"caveau/game"
	"caveau/wire"
)

// A Chair is one seat of a table, and who holds it.
type Chair struct {
	Guest wire.Guest // the zero Guest: nobody
	Bot   string     // the name of the bot whose seat it is
	Left  bool       // its player stood up after the start, or was freed
	Freed bool       // all others agreed to free it: its player needs them to come back
	Away  bool       // its player is gone longer than the table allows
	Sat   time.Time  // when its player took it, or came back to it
}

// Person and Empty tell whether a person has it, and whether nobody at all.
func (c Chair) Person() bool { return c.Guest.ID != "" }
func (c Chair) Empty() bool  { return !c.Person() && c.Bot == "" }

// Name is what the others call whoever holds the chair.
func (c Chair) Name() string {
	if c.Person() {
		return c.Guest.Name
	}
	return c.Bot
}

// Played tells whether a bot plays the chair of a running table: its own, or a stand-in.
func (c Chair) Played() bool { return !c.Person() || c.Left || c.Away }

// Kept tells whether it waits for a player, another than that guest, who may come back to it when he likes.
func (c Chair) Kept(g wire.Guest) bool { return c.Person() && c.Guest.ID != g.ID && !c.Freed }

// A Company is everybody around a table.
type Company struct {
	Chairs   Chairs
	Founder  wire.Guest // whose table it is, wherever he sits or is
	Acting   wire.Guest // who is the host while the founder is gone; nobody while he is not
	Proposal *Proposal  // that is to be agreed to; nil if there is none

	restless map[string]restless // by guest
}

// Restless is how often somebody has changed something about the table lately, moves aside.
type restless struct {
	times int
	at    time.Time // when that was so
}

// Somebody changes so much at once, and then once in so long: who changes seats or seals numbers without end fills the log.
const (
	changesAtOnce = 60
	changeTime    = 2 * time.Second
)

func (r restless) after(at time.Time) int {
	return max(0, r.times-int(at.Sub(r.at)/changeTime))
}

// Restless tells whether a guest has changed so much that he has to wait. Changed is that he has changed something.
func (c *Company) Restless(guest string, at time.Time) bool {
	return c.restless[guest].after(at) >= changesAtOnce
}

func (c *Company) Changed(guest string, at time.Time) {
	if c.restless == nil {
		c.restless = make(map[string]restless)
	}
	c.restless[guest] = restless{c.restless[guest].after(at) + 1, at}
}

// Host is who seats bots, starts, and proposes what all have to agree to.
func (c *Company) Host() wire.Guest {
	if c.Acting.ID != "" {
		return c.Acting
	}
	return c.Founder
}

// Belongs tells whether the guest sits here or is the host.
func (c *Company) Belongs(guest string) bool {
	return c.Chairs.SeatOf(guest) != game.Watcher || guest == c.Founder.ID || guest == c.Acting.ID
}

// Misnames tells whether the guest is called here by another name than his; Rename calls him by it.
func (c *Company) Misnames(g wire.Guest) (misnamed bool) {
	c.each(g.ID, func(who *wire.Guest) { misnamed = misnamed || who.Name != g.Name })
	return misnamed
}

func (c *Company) Rename(g wire.Guest) { c.each(g.ID, func(who *wire.Guest) { *who = g }) }

// each does something with every place where a guest stands.
func (c *Company) each(guest string, do func(*wire.Guest)) {
	all := []*wire.Guest{&c.Founder, &c.Acting}
	for i := range c.Chairs {
		all = append(all, &c.Chairs[i].Guest)
	}
	if c.Proposal != nil {
		all = append(all, &c.Proposal.By)
	}
	for _, who := range all {
		if guest != "" && who.ID == guest {
			do(who)
		}
	}
}

// Sit seats a guest, who gets up from where he sat.
func (c *Company) Sit(s game.Seat, g wire.Guest, at time.Time) {
	if old := c.Chairs.SeatOf(g.ID); old != game.Watcher {
		c.Chairs[old] = Chair{}
	}
	c.Chairs[s] = Chair{Guest: g, Sat: at}
	c.settle(ToSit, s)
}

// Return is that whoever was gone is back.
func (c *Company) Return(s game.Seat, at time.Time) {
	chair := &c.Chairs[s]
	chair.Left, chair.Away, chair.Freed, chair.Sat = false, false, false, at
	c.settle(ToSit, s)
}

// Leave is that a bot plays for whoever sits there, though he keeps the seat; all: until all others agree to his coming back.
func (c *Company) Leave(s game.Seat, all bool) {
	chair := &c.Chairs[s]
	chair.Left, chair.Away, chair.Freed = true, false, all
	c.settle(ToFree, s)
}

// settle forgets what was proposed about a seat, once it has happened, however.
func (c *Company) settle(do string, s game.Seat) {
	if p := c.Proposal; p != nil && p.Seat == s && p.Do == do {
		c.Proposal = nil
	}
}

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

// Names are what the others call whoever sits there, by seat.
func (cs Chairs) Names() (names []string) {
	for _, c := range cs {
		names = append(names, c.Name())
	}
	return names
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
