package table

import (
	"slices"
	"time"

	"caveau/company"
	"caveau/fact"
	"caveau/game"
	"caveau/terms"
	"caveau/wire"
)

// A wish is a command with whoever has it.
type wish struct {
	wire.Command
	guest wire.Guest
	here  game.Seats // whose players are there
}

// decisions are what a guest may wish of a table. To watch needs no decision, and a rematch is founded first (Rematch).
// A decision is pure: it looks at the table and the wish, and answers with a fact to be written, with nothing where all is as
// wished already, or with a refusal.
var decisions = map[string]func(*Table, wish) (fact.Any, error){
	"sit":     decideSit,
	"leave":   decideLeave,
	"bot":     decideBot,
	"seal":    decideSeal,
	"start":   decideStart,
	"unseal":  decideUnseal,
	"play":    decidePlay,
	"free":    decideFree,
	"break":   decideBreak,
	"close":   func(t *Table, w wish) (fact.Any, error) { return &fact.Shut{}, t.hosts(w) },
	"agree":   decideAgree,
	"decline": decideDecline,
}

// A Decision is a fact that is to be written, with what it leads to: it is made once, and applied to the very table that made it.
type Decision struct {
	fact   fact.Any
	by     fact.Receipt
	result *result // of a move; else nil
}

// decision is that a fact is to be written; an error where the rules do not allow a move.
func (t *Table) decision(f fact.Any, by fact.Receipt) (d *Decision, err error) {
	d = &Decision{fact: f, by: by}
	if m, is := f.(*fact.Moved); is {
		d.result, err = t.play(m)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Decide is what follows from a command: nil where there is nothing to be written, because all is as wished or the command
// was done before; a *wire.Error where it is refused. Here are the seats whose players are there.
func (t *Table) Decide(c wire.Command, g wire.Guest, here game.Seats) (*Decision, error) {
	decide, ok := decisions[c.Do]
	switch {
	case !ok:
		return nil, wire.Refuse(wire.CodeBadCommand, "there is nothing to do called %q", c.Do)
	case g.ID == "":
		return nil, errNoGuest
	case t.Done(c, g):
		return nil, nil
	case t.closed:
		return nil, errGone
	}
	f, err := decide(t, wish{c, g, here})
	if f == nil || err != nil {
		return nil, err
	}
	return t.decision(f, fact.Receipt{Guest: g.ID, Command: c})
}

var (
	errDealing = wire.Refuse(wire.CodeBusy, "it is being dealt, try again in a moment")
	errNotHost = wire.Refuse(wire.CodeNotHost, "only the host can do that")
	errNoGuest = wire.Refuse(wire.CodeNoGuest, "say who you are first: POST /api/guest")
	errGone    = wire.Refuse(wire.CodeGone, "the table was closed: its host did it, nobody had come for a long time, or whoever runs the house did it")
)

// Watchable is nil, or why nobody can watch any more.
func (t *Table) Watchable() error {
	if t.closed {
		return errGone
	}
	return nil
}

// Entry is the decision as the next line of the log.
func (t *Table) Entry(d *Decision, at time.Time) fact.Entry {
	over, end := t.ends(d)
	return fact.Entry{Seq: t.seq + 1, At: at, Data: fact.Write(d.fact, d.by, end), Needs: fact.Needs(d.fact, d.by), Over: over}
}

// Apply makes a decision part of the table, once its entry is durable.
func (t *Table) Apply(d *Decision, at time.Time) error {
	over, end := t.ends(d)
	if err := t.apply(d.fact, d.result, d.by, end, at); err != nil {
		return err
	}
	t.over, t.finished = t.over || over, over
	return nil
}

// chair is the seat that a wish names.
func (t *Table) chair(w wish) (game.Seat, company.Chair, error) {
	if !t.setup.Has(w.Seat) {
		return game.NoSeat, company.Chair{}, wire.Refuse(wire.CodeNoSeat, "the table has no seat %q", w.Seat)
	}
	seat := game.Seat(w.Seat[0] - 'A')
	return seat, t.people.Chairs[seat], nil
}

func decideSit(t *Table, w wish) (fact.Any, error) {
	seat, c, err := t.chair(w)
	mine := t.SeatOf(w.guest.ID)
	switch {
	case err != nil:
		return nil, err
	case t.State() == Over:
		return nil, wire.Refuse(wire.CodeOver, "the game is over")
	case mine == seat && c.Freed:
		return t.propose(w, company.ToSit, seat)
	case mine == seat && (c.Left || c.Away):
		return &fact.Returned{Seat: seat}, nil
	case mine == seat:
		return nil, nil
	case mine != game.Watcher && t.begun():
		return nil, wire.Refuse(wire.CodeStarted, "the game has begun, and you sit on %s", mine)
	case c.Bot != "" || c.Person() && !c.Left || c.Kept(w.guest.ID) && !w.here.Has(seat):
		return nil, wire.Refuse(wire.CodeSeatTaken, "somebody sits on %s", seat)
	case t.state != nil:
		return t.propose(w, company.ToSit, seat)
	case t.begun():
		return nil, errDealing
	}
	return &fact.Sat{Seat: seat, Guest: fact.Guest{ID: w.guest.ID}}, nil
}

func decideLeave(t *Table, w wish) (fact.Any, error) {
	mine := t.SeatOf(w.guest.ID)
	if mine == game.Watcher || t.State() == Over || t.people.Chairs[mine].Left {
		return nil, nil
	}
	return &fact.Stood{Seat: mine}, nil
}

// host tells why the wish is not for this guest or no longer to be had: the host alone seats bots and starts.
func (t *Table) hosts(w wish) error {
	switch {
	case w.guest.ID != t.Host():
		return errNotHost
	case t.begun():
		return wire.Refuse(wire.CodeStarted, "the game has begun")
	}
	return nil
}

func decideBot(t *Table, w wish) (fact.Any, error) {
	seat, c, err := t.chair(w)
	if err == nil {
		err = t.hosts(w)
	}
	switch {
	case err != nil:
		return nil, err
	case c.Person():
		return nil, wire.Refuse(wire.CodeSeatTaken, "somebody sits on %s", seat)
	case w.Bot == c.Bot:
		return nil, nil
	case w.Bot != "" && !slices.Contains(t.shelf.Bots(t.setup.Game), w.Bot):
		return nil, wire.Refuse(wire.CodeBadCommand, "no bot is called %q", w.Bot)
	}
	return &fact.Botted{Seat: seat, Bot: w.Bot}, nil
}

func decideStart(t *Table, w wish) (fact.Any, error) {
	if err := t.hosts(w); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(t.people.Chairs, company.Chair.Empty) {
		return nil, wire.Refuse(wire.CodeNotFull, "there are empty seats")
	}
	if came := t.imported; came != nil {
		return &fact.Dealt{Deal: came.Deal, Moves: came.Moves, Seeds: came.Seeds}, came.Playable(t.game, t.setup.Rules())
	}
	if !t.ceremony.Sealed() {
		return nil, wire.Refuse(wire.CodeBusy, "the deal is being sealed, try again in a moment")
	}
	if t.ceremony.Gives() {
		return &fact.Called{}, nil // whoever sealed a number opens it now; then, or in a moment, it is dealt
	}
	return t.shuffle()
}

func decidePlay(t *Table, w wish) (fact.Any, error) {
	seat, c, err := t.chair(w)
	switch {
	case err != nil:
		return nil, err
	case t.state == nil:
		return nil, wire.Refuse(wire.CodeNotStarted, "the game has not begun")
	case c.Guest != w.guest.ID || c.Left:
		return nil, wire.Refuse(wire.CodeNotYourSeat, "you do not sit on %s", seat)
	case w.Seq < t.asked || w.Seq > t.seq:
		return nil, wire.Refuse(wire.CodeLate, "the move was for frame %d, the table is at %d", w.Seq, t.seq)
	case t.State() == Over:
		return nil, wire.Refuse(wire.CodeOver, "the game is over")
	}
	return &fact.Moved{Seat: seat, Words: w.Move, By: fact.ByPerson}, nil
}

func decideFree(t *Table, w wish) (fact.Any, error) {
	seat, c, err := t.chair(w)
	switch {
	case err != nil:
		return nil, err
	case w.guest.ID != t.Host():
		return nil, errNotHost
	case t.State() == Over:
		return nil, wire.Refuse(wire.CodeOver, "the game is over")
	case c.Left:
		return nil, nil // a bot plays there
	case !c.Person():
		return nil, wire.Refuse(wire.CodeNoSeat, "no person sits on %s", seat)
	case t.begun() && t.state == nil:
		return nil, errDealing
	case c.Program(): // nobody is asked, and it does not come back by itself
		return &fact.Freed{Seat: seat, Left: t.state != nil, All: t.state != nil}, nil
	case t.state != nil && (w.here.Has(seat) || t.setup.Limit() >= terms.Day && fact.LastBy(t.moves, seat) != fact.ByClock): // over days nobody is there all the time
		return t.propose(w, company.ToFree, seat)
	}
	return &fact.Freed{Seat: seat, Left: t.state != nil}, nil
}

func decideBreak(t *Table, w wish) (fact.Any, error) {
	switch {
	case w.guest.ID != t.Host():
		return nil, errNotHost
	case t.state == nil:
		return nil, wire.Refuse(wire.CodeNotStarted, "the game has not begun")
	case t.State() == Over:
		return nil, wire.Refuse(wire.CodeOver, "the game is over")
	}
	return t.propose(w, company.ToBreak, game.NoSeat)
}

// Rematch is the table for another game: the same people and bots on the same seats, without those who had left; the next
// seat begins, and whoever asks is the host: one of them, or the host who had no seat, and has none there. Where the position was imported, it is set up again as it was. It is nil where
// there is such a table already.
func (t *Table) Rematch(g wire.Guest) (*fact.Founding, error) {
	seat := t.SeatOf(g.ID)
	switch {
	case g.ID == "":
		return nil, errNoGuest
	case t.next != "":
		return nil, nil
	case t.closed:
		return nil, errGone
	case !t.Belongs(g.ID), seat != game.Watcher && t.Sitter(seat).Freed && g.ID != t.people.Host():
		return nil, wire.Refuse(wire.CodeNotYourSeat, "you did not sit here")
	case t.state == nil:
		return nil, wire.Refuse(wire.CodeNotStarted, "the game has not begun")
	case t.State() != Over:
		return nil, wire.Refuse(wire.CodeRunning, "the game is not over")
	}
	f := &fact.Made{Setup: t.setup, Host: fact.Guest{ID: g.ID, Was: t.people.Names.Of(g.ID)}, Imported: t.imported, Standin: fact.Standin(t.shelf.Bots(t.setup.Game))}
	f.Setup.First = t.first.Left(uint8(len(t.people.Chairs))).String() // of a deal, if there is one
	for _, c := range t.people.Chairs {
		if c.Left && c.Guest != g.ID {
			c = company.Chair{}
		}
		f.Chairs = append(f.Chairs, fact.Chair{Guest: fact.Guest{ID: c.Guest, Was: t.people.Names.Of(c.Guest)}, Bot: c.Bot})
	}
	return &fact.Founding{Made: f}, nil
}

// Again is that a table for another game was founded, as the guest wished; nil if another one was meanwhile.
func (t *Table) Again(next wire.ID, c wire.Command, g wire.Guest) *Decision {
	if t.next != "" {
		return nil
	}
	return &Decision{fact: fact.Wish(next, t.SeatOf(g.ID), g.ID), by: fact.Receipt{Guest: g.ID, Command: c}}
}
