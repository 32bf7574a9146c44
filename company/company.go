// Package company is who sits around a table: people and bots, by seat, who of them has left or is away, and what they are called
// (names.go). It knows no game, and decides nothing.
package company

import (
	"slices"
	"time"

	"caveau/game"
	"caveau/wire"
)

// A Chair is one seat of a table, and who holds it.
type Chair struct {
	Guest string    // its player's id; "": no person
	Bot   string    // the name of the bot whose seat it is
	Left  bool      // its player stood up after the start, or was freed
	Freed bool      // all others agreed to free it: its player needs them to come back
	Away  bool      // its player is gone longer than the table allows
	Sat   time.Time // when its player took it, or came back to it
	Since int       // the entry by which he took it while the game went on; 0 if he did before
}

// Person and Empty tell whether a guest has it, and whether nobody at all. Program tells whether the guest is a program.
func (c Chair) Person() bool  { return c.Guest != "" }
func (c Chair) Program() bool { return wire.IsProgram(c.Guest) }
func (c Chair) Empty() bool   { return !c.Person() && c.Bot == "" }

// Programs are the seats whose guests are programs.
func (cs Chairs) Programs() (seats []game.Seat) {
	for s, c := range cs {
		if c.Program() {
			seats = append(seats, game.Seat(s))
		}
	}
	return seats
}

// Played tells whether a bot plays the chair of a running table: its own, or a stand-in.
func (c Chair) Played() bool { return !c.Person() || c.Left || c.Away }

// Kept tells whether it waits for a player, another than that guest, who may come back to it when he likes. None is kept for a program.
func (c Chair) Kept(guest string) bool {
	return c.Person() && c.Guest != guest && !c.Freed && !c.Program()
}

// A Sitter is what a timer needs to know of a seat.
type Sitter struct {
	Guest string    // "": no person
	Sat   time.Time // when he took it, or came back to it
	Since int       // the entry by which he took it while the game went on; 0 if he did before
	Left  bool      // he stood up after the start
	Freed bool      // all others agreed to free it
	Away  bool      // he is gone, and that was said
	Bot   string    // who moves there, if it is a bot's seat or a bot stands in for its player; else ""
}

// Sitter is who has the chair; once the start was said the stand-in moves for whoever does not.
func (c Chair) Sitter(begun bool, standin string) Sitter {
	who := Sitter{Guest: c.Guest, Sat: c.Sat, Since: c.Since, Left: c.Left, Freed: c.Freed, Away: c.Away, Bot: c.Bot}
	if begun && c.Bot == "" && c.Played() {
		who.Bot = standin
	}
	return who
}

// A Company is everybody around a table.
type Company struct {
	Chairs   Chairs
	Founder  string    // whose table it is, wherever he sits or is
	Acting   string    // who is the host while the founder is gone; "" while he is not
	Proposal *Proposal // that is to be agreed to; nil if there is none
	Names    Names

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
func (c *Company) Host() string {
	if c.Acting != "" {
		return c.Acting
	}
	return c.Founder
}

// Belongs tells whether the guest sits here or is the host.
func (c *Company) Belongs(guest string) bool {
	return guest != "" && (c.Chairs.SeatOf(guest) != game.Watcher || guest == c.Founder || guest == c.Acting)
}

// Eyes are whose eyes the player of a seat has. From whom all others have taken it, he sees what everybody sees: it is not his hand until
// they agree to his coming back.
func (c *Company) Eyes(s game.Seat) game.Seat {
	if s != game.Watcher && c.Chairs[s].Freed {
		return game.Watcher
	}
	return s
}

// Sit seats a guest, who gets up from where he sat.
func (c *Company) Sit(s game.Seat, guest string, at time.Time, since int) {
	if old := c.Chairs.SeatOf(guest); old != game.Watcher {
		c.Chairs[old] = Chair{}
	}
	c.Chairs[s] = Chair{Guest: guest, Sat: at, Since: since}
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
	i := slices.IndexFunc(cs, func(c Chair) bool { return c.Person() && c.Guest == guest })
	if i < 0 {
		return game.Watcher
	}
	return game.Seat(i)
}
