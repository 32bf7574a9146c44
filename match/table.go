package match

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"caveau/fair"
	"caveau/game"
	"caveau/record"
)

// A table is what the log says of one match, and nothing else: it is replayed, never stored. It knows no clock, no
// connections and no chance.
type table struct {
	shelf  Shelf
	game   game.Game
	setup  Setup
	made   time.Time
	host   Guest
	chairs []chair

	secret   *fair.Bits  // what the deal is sealed with; nil for a table whose deal is not
	imported *imported   // the position to begin with; nil where it is dealt
	called   bool        // the start was said
	proof    *fair.Proof // of the deal; nil where there is no secret

	state   game.State // nil until the deal
	first   game.Seat  // who began
	players []string   // who sat there at the start, by seat
	deal    json.RawMessage
	seeds   []uint64 // what the bot of each seat draws from
	moves   []said
	lines   []line
	closed  bool    // nobody came
	broken  bool    // the host broke it off
	over    bool    // the log says that it is, whatever today's rules say: what is over stays over
	end     *ending // nil while it goes on, and in logs from before endings were kept
	next    ID

	seq   int              // the last entry
	dealt int              // the entry of the deal
	asked int              // the entry that brought the present position: the deal or a move
	done  map[receipt]bool // the commands that made an entry
}

func newTable(shelf Shelf) *table { return &table{shelf: shelf, done: make(map[receipt]bool)} }

// A chair is one seat of a table, and who holds it.
type chair struct {
	Guest  Guest      `json:"guest"`         // the zero Guest: nobody
	Bot    string     `json:"bot,omitempty"` // the name of the bot whose seat it is
	left   bool       // its player stood up after the start
	away   bool       // its player is gone longer than the table allows
	seal   *fair.Bits // what its player gives to the deal, sealed; nil if he gives nothing
	number *fair.Bits // and opened
}

func (c chair) person() bool { return c.Guest.ID != "" }
func (c chair) empty() bool  { return !c.person() && c.Bot == "" }
func (c chair) sealed() bool { return c.seal != nil }

// shut tells whether there is a number that its player has not opened.
func (c chair) shut() bool { return c.sealed() && c.number == nil }

// name is what the others call whoever holds the chair.
func (c chair) name() string {
	if c.person() {
		return c.Guest.Name
	}
	return c.Bot
}

// played tells whether a bot plays the chair of a running table: its own, or a stand-in.
func (c chair) played() bool { return !c.person() || c.left || c.away }

// said is a move, with who made it: a person, a bot, or a bot because the clock had run out.
type said struct {
	seat  game.Seat
	words string
	by    string
}

// Who makes a move.
const (
	byPerson = ""
	byBot    = "bot"
	byClock  = "clock"
)

// A line is an event in the table's log.
type line struct {
	seq   int // the entry that it was said in; 0 for what came with an imported position
	event game.Event
	house bool // the table's own event, not the rules': there is nothing in it to be forgotten
}

// A receipt says which command made an entry, so that one sent twice counts once, after a restart too.
type receipt struct {
	Guest string `json:"guest"`
	Command
}

// The states of a table.
const (
	stateOpen    = "open"
	stateRunning = "running"
	stateOver    = "over"
)

func (t *table) phase() string {
	switch {
	case t.over, t.overNow():
		return stateOver
	case t.state != nil:
		return stateRunning
	}
	return stateOpen
}

// overNow tells whether it is over by the rules of today.
func (t *table) overNow() bool {
	return t.closed || t.broken || t.state != nil && (t.state.Outcome().Over || t.stopped())
}

// begun tells whether the start was said: from then on seats are kept.
func (t *table) begun() bool { return t.called || t.state != nil }

// stopped tells whether the game has reached the length at which a table stops it.
func (t *table) stopped() bool {
	return !t.state.Outcome().Over && len(t.moves) >= t.game.Info().MaxMoves
}

// turn is the seat that is asked, NoSeat before the start and after the end.
func (t *table) turn() game.Seat {
	if t.phase() != stateRunning {
		return game.NoSeat
	}
	return t.state.Turn()
}

// seatOf is where a guest sits, the Watcher if nowhere. Whoever left a running table keeps his seat to come back to.
func (t *table) seatOf(guest string) game.Seat {
	for i, c := range t.chairs {
		if c.person() && c.Guest.ID == guest {
			return game.Seat(i)
		}
	}
	return game.Watcher
}

// misnames tells whether the guest belongs to the table, which is not over, and is called there by another name than his.
func (t *table) misnames(g Guest) bool {
	other := func(known Guest) bool { return known.ID == g.ID && known.Name != g.Name }
	return g.ID != "" && t.phase() != stateOver && (other(t.host) || slices.ContainsFunc(t.chairs, func(c chair) bool { return other(c.Guest) }))
}

// replay makes entry e happen: the next one in the log.
func (t *table) replay(e Entry) error {
	f, by, end, err := readFact(e.Data)
	if err == nil && e.Seq != t.seq+1 {
		err = fmt.Errorf("it follows entry %d", t.seq)
	}
	if err == nil {
		err = t.happen(f, by, end, e.At)
	}
	if err != nil {
		return fmt.Errorf("entry %d: %w", e.Seq, err)
	}
	t.over = t.over || e.Over
	return nil
}

// happen makes a fact that is in the log part of the table.
func (t *table) happen(f fact, by receipt, end *ending, at time.Time) error {
	t.seq++
	if t.seq == 1 {
		t.made = at
	}
	if err := f.happen(t); err != nil {
		return err
	}
	if by.ID != "" {
		t.done[by] = true
	}
	if end != nil {
		t.end = end
	}
	return nil
}

// tell adds an event of the table itself.
func (t *table) tell(s game.Seat, verb, what string) {
	t.lines = append(t.lines, line{t.seq, game.Event{Seat: s, Verb: verb, What: what, To: game.NoSeat}, true})
}

// ends tells whether nothing happens of itself any more after the fact, so that the match need not be woken again; and if
// the game ends with it, how.
func (t *table) ends(f fact) (over bool, end *ending) {
	switch f := f.(type) {
	case *moved:
		after, _, err := t.state.Play(f.Seat, f.Words)
		switch {
		case err != nil:
		case after.Outcome().Over:
			return true, t.ending(after, "")
		case len(t.moves)+1 >= t.game.Info().MaxMoves:
			return true, t.ending(after, "stopped")
		}
	case *broke:
		return true, t.ending(t.state, "broken")
	case *shut, *again:
		return true, nil
	}
	return false, nil
}

// ending is how the game ends with that position.
func (t *table) ending(final game.State, why string) *ending {
	sum, err := record.Sum(final)
	if err != nil {
		panic(fmt.Sprintf("match: a position of %s has no sum: %v", t.setup.Game, err))
	}
	return &ending{t.game.Info().Revision, final.Outcome().Winners.List(), why, sum}
}

// standin is the bot that plays for people who are gone.
func (t *table) standin() string { return standin(t.shelf.Bots(t.setup.Game)) }

func standin(bots []string) string {
	for _, name := range bots {
		if name == "remembering:keen" {
			return name
		}
	}
	return bots[0]
}
