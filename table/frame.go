package table

import (
	"strconv"
	"time"

	"caveau/game"
	"caveau/wire"
)

// Present is what a table cannot know of itself: who is there.
type Present struct {
	Seats    game.Seats // whose players are connected
	Watchers int        // how many look on from no seat; somebody at two browsers counts twice
	Waits    bool       // the bot that is to move waits for a free processor
}

// longestLog is how many events of the log a frame carries, longestMissed how many frames' events somebody is told who lost them.
const (
	longestLog    = 300
	longestMissed = 30
)

// Frames is the newest frame for every audience, with what happened after frame since. It is written piece by piece, so that what
// all audiences see alike is encoded once; a wire.Frame reads it. No piece can hold a position: what lies on the table comes from
// State.Shown and State.Own, and from State.Revealed when it is over, what happened from Event.For, and the log from Event.Faded.
type Frames struct {
	table  *Table
	since  int
	secret bool   // somebody alone may know something of what happened
	shared []byte // the message as far as it is the same for all
}

// Frames is the newest frame of the table with that name, as of now: what happened after frame since, and About, if it
// changed after that or if whole is asked for.
func (t *Table) Frames(id wire.ID, here Present, since int, whole bool, now time.Time) *Frames {
	f := &Frames{table: t, since: since, shared: make([]byte, 0, 1024)}
	f.shared = append(append(append(f.shared, `{"table":"`...), id...), `","frame":{"seq":`...)
	f.shared = strconv.AppendInt(f.shared, int64(t.seq), 10)
	if whole || since < t.about {
		f.shared = field(f.shared, "about", t.tellAbout(here))
	}
	for _, l := range t.missed(since) {
		f.secret = f.secret || l.event.Secret != 0
	}
	if !f.secret {
		f.shared = f.events(f.shared, game.Watcher)
	}
	if t.state != nil {
		f.shared = t.position(f.shared, now)
	}
	if o := t.Outcome(); o != nil {
		f.shared = field(f.shared, "outcome", o)
	}
	return f
}

// For is the message for one audience; the host is told that he is it.
func (f *Frames) For(audience game.Seat, host bool) []byte { return f.message(audience, host, false) }

// WithLog is For, with what the visible log holds.
func (f *Frames) WithLog(audience game.Seat, host bool) []byte {
	return f.message(audience, host, true)
}

func (f *Frames) message(audience game.Seat, host, log bool) []byte {
	room := 32
	if audience == f.table.Turn() {
		room = 1024 // for his moves
	}
	t, text := f.table, append(make([]byte, 0, len(f.shared)+room), f.shared...)
	eyes := t.people.Eyes(audience)
	if f.secret {
		text = f.events(text, eyes)
	}
	if log || t.imports() != nil && t.state != nil && f.since < t.dealt { // there is a past all at once
		text = field(text, "log", t.log(eyes))
	}
	if host {
		text = append(text, `,"host":true`...)
	}
	if audience != game.Watcher {
		text = t.own(field(text, "you", audience), eyes)
	}
	return append(text, "}}"...)
}

// field adds a field to an object that has one already.
func field(text []byte, name string, value any) []byte {
	text = append(append(append(text, `,"`...), name...), `":`...)
	return wire.Append(text, value)
}

// events adds what the audience is told of what happened.
func (f *Frames) events(text []byte, audience game.Seat) []byte {
	lines := f.table.missed(f.since)
	if len(lines) == 0 {
		return text
	}
	list := append(game.JSON(text).Key("events"), '[')
	for _, l := range lines {
		list = f.table.said(l).For(audience).AppendJSON(list.Next())
	}
	return append(list, ']')
}

// position adds what everybody sees of the game.
func (t *Table) position(text []byte, now time.Time) []byte {
	text = field(text, "shown", t.shown())
	if turn := t.Turn(); turn != game.NoSeat {
		question := t.state.Asks()
		text = field(field(text, "turn", turn), "asked", question.Word)
		if question.Rule != "" {
			text = field(text, "cites", question.Rule)
		}
	}
	if left := t.left(now); left != nil {
		text = field(text, "clock", left)
	}
	return text
}

// shown is what lies on the table for everyone: all of it as soon as there is a record of the game (Record), which has all of it too.
func (t *Table) shown() any {
	if t.State() == Over {
		return t.state.Revealed()
	}
	return t.state.Shown(t.setup.Aid)
}

// own adds what a seat alone sees.
func (t *Table) own(text []byte, seat game.Seat) []byte {
	if t.state == nil || seat == game.Watcher {
		return text
	}
	if own := t.state.Own(seat, t.setup.Aid); own != nil {
		text = field(text, "own", own)
	}
	if t.Turn() == seat && !t.people.Chairs[seat].Played() {
		text = field(text, "moves", t.state.Moves())
	}
	return text
}

func (t *Table) tellAbout(here Present) wire.About {
	return wire.About{
		State: t.State(), Setup: t.setup.Told(t.imports(), t.kept != nil), Seats: t.people.Told(here.Seats, t.state != nil),
		Watchers: here.Watchers, Waits: here.Waits, Seal: t.ceremony.Told(t.state != nil, t.State() == Over), Next: t.next, Host: t.people.Names.Of(t.Host()), Proposal: t.people.Asks(here.Seats),
	}
}

// Outcome is how it ended; nil while the game goes on.
func (t *Table) Outcome() *wire.Outcome {
	if t.State() != Over {
		return nil
	}
	o := &wire.Outcome{}
	switch {
	case t.closed:
		o.Why = "closed"
	case t.broken:
		o.Why = "broken"
	case t.end != nil: // by the rules that it was played by
		o.Winners, o.Why, o.Scores = t.end.Winners, t.end.Why, t.scores()
	case t.state == nil || !t.state.Outcome().Over:
		o.Why = "stopped"
	default:
		o.Winners, o.Scores = t.state.Outcome().Winners.List(), t.scores()
	}
	return o
}

// scores are everyone's points, nil where the rulebook counts none.
func (t *Table) scores() []int {
	if t.state == nil {
		return nil
	}
	return t.state.Outcome().Scores.List(len(t.people.Chairs))
}

// missed is the lines of the entries after since, as many as one is told.
func (t *Table) missed(since int) []line {
	since = max(since, t.seq-longestMissed)
	i := len(t.lines)
	for i > 0 && t.lines[i-1].seq > since {
		i--
	}
	return t.lines[i:]
}

// said is what a line says today, with the name that whoever it is about has now.
func (t *Table) said(l line) game.Event {
	if l.who != "" {
		l.event.What = t.people.Names.Of(l.who)
	}
	return l.event
}

// log is what the visible log still holds for the audience.
func (t *Table) log(audience game.Seat) []game.Event {
	list := []game.Event{}
	for _, l := range t.lines[max(0, len(t.lines)-longestLog):] {
		list = append(list, t.said(l).For(audience).Faded(t.setup.Aid))
	}
	return list
}

// left is the clock of whoever is asked, nil if none runs.
func (t *Table) left(now time.Time) *wire.Left {
	turn, of := t.Turn(), t.setup.Limit()
	if of == 0 || turn == game.NoSeat || t.people.Chairs[turn].Played() {
		return nil
	}
	return &wire.Left{Left: max(0, of-t.outages.Elapsed(t.clock, now)).Milliseconds(), Of: of.Milliseconds()}
}

// Card is the table's door sign.
func (t *Table) Card(id wire.ID, here Present) wire.Card {
	c := wire.Card{
		Table: id, Game: t.setup.Game, Edition: t.setup.Edition, State: t.State(), Listed: t.setup.Listed, Host: t.people.Names.Of(t.Host()),
		Watchers: here.Watchers, Made: t.made.UTC(), Seats: t.people.Signs(), Seal: t.ceremony.Told(t.state != nil, t.State() == Over), Imported: t.imports(), Device: t.kept != nil, Language: t.setup.Language,
	}
	if c.Seal != nil {
		c.Seal.Numbers, c.Seal.Failed = nil, nil // they are for those who look at the table
	}
	return c
}
