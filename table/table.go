// Package table is what one table is, as a value: what follows from its facts, what may be decided there, its record, and what
// each audience is told. It has no goroutine, connection or clock; package match owns a table that is played at, and whoever
// replays a table, or only reads, needs none. What a table agrees on is package terms, its log is package fact, what is said of it is package wire.
//
// Deciding is pure (decide.go). A decision is made durable as a fact.Entry before it is applied (apply.go) and before anybody is
// told (frame.go). State is replayed from the log, never stored.
package table

import (
	"encoding/json"
	"fmt"
	"time"

	"caveau/ceremony"
	"caveau/company"
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/record"
	"caveau/terms"
	"caveau/wire"
)

// A Table is what the log says of one table, and nothing else: it is replayed, never stored.
type Table struct {
	shelf   terms.Shelf
	outages fact.Outages

	game    game.Game
	setup   terms.Setup
	standin string // the bot that moves for people who are gone, or whose time has run out
	made    time.Time
	people  company.Company

	ceremony ceremony.Ceremony // from which the deal follows
	imported *terms.Import     // the position to begin with; nil where it is dealt
	proof    *fair.Proof       // of the deal; nil where it was not sealed
	kept     *fact.Kept        // the game that was played elsewhere; nil where it is played here

	state   game.State     // nil until the deal
	first   game.Seat      // who began
	players company.Chairs // as they were at the start
	deal    json.RawMessage
	seeds   []uint64 // what the bot of each seat draws from
	moves   []fact.Moved
	lines   []line
	closed  bool // nobody came, or whoever runs the house closed it
	broken  bool // the host broke it off
	ended   bool // it is over by the rules of today (overNow), looked up once after each entry
	over    bool // the log says that it is, whatever today's rules say: what is over stays over
	// finished: the last entry says so. Earlier versions wrote some after the end that did not.
	finished bool
	end      *fact.Ending // nil while it goes on, and in logs from before endings were kept
	next     wire.ID

	seq     int           // the last entry
	at      time.Time     // its time
	dealt   int           // the entry of the deal
	asked   int           // the entry that brought the present position: the deal or a move
	reached time.Time     // its time
	behind  time.Duration // by how much pages lay behind then that show what happened at the usual pace
	clock   time.Time     // when the clock of whoever is asked began
	allowed []string      // the guests for whom it began, at this position
	about   int           // the last entry that changed what is said of the table besides the game (About)
	done    map[[16]byte]bool
}

// New is a table without a log yet.
func New(shelf terms.Shelf) *Table { return &Table{shelf: shelf, done: make(map[[16]byte]bool)} }

// A line is an event in the table's log.
type line struct {
	seq   int // the entry that it was said in; 0 for what came with an imported position
	event game.Event
	house bool   // the table's own event, not the rules'
	who   string // the guest whom it is about, whose name is told with it; "" for nobody
}

// The states of a table.
const (
	Open    = "open"
	Running = "running"
	Over    = "over"
)

// State is Open, Running or Over.
func (t *Table) State() string {
	switch {
	case t.over, t.ended:
		return Over
	case t.state != nil:
		return Running
	}
	return Open
}

// Finished tells whether the last entry says that it is over, so that nobody wakes it.
func (t *Table) Finished() bool { return t.finished }

// overNow tells whether it is over by the rules of today, or was stopped at the length at which a table stops a game.
func (t *Table) overNow() bool {
	return t.closed || t.broken || t.state != nil && (t.state.Outcome().Over || len(t.moves) >= t.game.Info().MaxMoves)
}

// begun tells whether the start was said: from then on seats are kept.
func (t *Table) begun() bool { return t.ceremony.Begun() || t.state != nil }

// Seq is the number of the last entry.
func (t *Table) Seq() int { return t.seq }

// Turn is the seat that is asked, NoSeat before the start and after the end.
func (t *Table) Turn() game.Seat {
	if t.State() != Running {
		return game.NoSeat
	}
	return t.state.Turn()
}

// SeatOf is where a guest sits, the Watcher if nowhere. Whoever left a running table keeps his seat to come back to.
func (t *Table) SeatOf(guest string) game.Seat { return t.people.Chairs.SeatOf(guest) }

// Restless tells whether the guest has changed so much here lately, moves aside, that he has to wait.
func (t *Table) Restless(guest string, now time.Time) bool { return t.people.Restless(guest, now) }

// Belongs tells whether the guest sits here or is the host.
func (t *Table) Belongs(guest string) bool {
	return t.people.Belongs(guest)
}

// Call tells the table what a guest is called now, "" if he was erased, and answers whether frames say something else then. Guests
// are all of whom the log tells.
func (t *Table) Call(guest, name string) (changed bool) { return t.people.Names.Call(guest, name) }
func (t *Table) Guests() []string                       { return t.people.Names.Guests() }

// AddOutages tells the table of times in which the house was closed, in order. Deadline is when so much time has gone by since a
// moment, outages left out.
func (t *Table) AddOutages(outages ...fact.Outage) { t.outages.Add(outages...) }
func (t *Table) Deadline(from time.Time, d time.Duration) time.Time {
	return t.outages.Deadline(from, d)
}

// AboutChanged tells whether what frames say of the table besides the game changed after that entry.
func (t *Table) AboutChanged(since int) bool { return since < t.about }

// Done tells whether a guest's command made an entry.
func (t *Table) Done(c wire.Command, g wire.Guest) bool {
	return t.done[fact.Receipt{Guest: g.ID, Command: c}.Key()]
}

// Replay applies entry e: the next one in the log.
func (t *Table) Replay(e fact.Entry) error {
	f, by, end, err := fact.Read(e.Data)
	if err == nil && e.Seq != t.seq+1 {
		err = fmt.Errorf("it follows entry %d", t.seq)
	}
	if err == nil {
		err = t.apply(f, nil, by, end, e.At)
	}
	if err != nil {
		return fmt.Errorf("entry %d: %w", e.Seq, err)
	}
	t.over, t.finished = t.over || e.Over, e.Over
	return nil
}

// tell adds an event of the table itself, about whoever holds a chair.
func (t *Table) tell(s game.Seat, verb string, who company.Chair) {
	t.lines = append(t.lines, line{t.seq, game.Event{Seat: s, Verb: verb, What: who.Bot, To: game.NoSeat, Stays: true}, true, who.Guest})
}

// tellOf adds one about a guest.
func (t *Table) tellOf(s game.Seat, verb, guest string) { t.tell(s, verb, company.Chair{Guest: guest}) }

// ends tells whether nothing happens of itself any more after the decision, so that the table need not be woken again; and if
// the game ends with it, how.
func (t *Table) ends(d *Decision) (over bool, end *fact.Ending) {
	switch d.fact.(type) {
	case *fact.Moved:
		switch {
		case d.result.after.Outcome().Over:
			return true, t.ending(d.result.after, "")
		case len(t.moves)+1 >= t.game.Info().MaxMoves:
			return true, t.ending(d.result.after, "stopped")
		}
	case *fact.Broke:
		return true, t.ending(t.state, "broken")
	case *fact.Shut:
		if t.state != nil {
			return true, t.ending(t.state, "closed")
		}
		return true, nil
	case *fact.Again:
		return true, nil
	}
	return t.over, nil
}

// ending is how the game ends with that position.
func (t *Table) ending(final game.State, why string) *fact.Ending {
	sum, err := record.Sum(final)
	if err != nil {
		panic(fmt.Sprintf("table: a position of %s has no sum: %v", t.setup.Game, err))
	}
	return &fact.Ending{Revision: t.game.Info().Revision, Winners: final.Outcome().Winners.List(), Why: why, Final: sum}
}
