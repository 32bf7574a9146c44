// Package match plays games: one goroutine and its mailbox a match, a log that is the truth, and a lobby where all the
// matches are found.
//
// A match decides, writes, tells. A decision is pure (decide.go) and its fact (fact.go) is durable in the Log before it
// changes the table (table.go) and before anybody is told (frame.go). State is replayed from the log, never stored.
// What a match does by itself, when a bot moves or a clock runs out, is in duty.go. Clock, randomness, log and bots are
// handed in.
package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"caveau/game"
)

// A match is the owner of one table: everything below mail belongs to the goroutine that runs it.
type match struct {
	lobby *Lobby
	id    ID
	mail  chan func()
	gone  chan struct{} // closed when the owner has gone home
	fate  error         // why it had to, if not because there was nothing left to do; read after gone

	table *table
	rng   *rand.Rand // for how long bots take, and nothing else
	subs  map[*Client]bool
	here  map[string]int       // how many connections a guest has
	since map[string]time.Time // when the last connection of somebody who belongs here went, or he sat down
	woken time.Time
	quiet time.Time // since when nobody watches

	called time.Time          // when the start was said, or read in the log
	asked  time.Time          // when the present position was reached
	full   time.Time          // when the clock of whoever is asked started
	delay  time.Duration      // how long a bot takes for the present position
	mind   context.CancelFunc // stops the bot that is thinking; nil if none is
	retry  time.Time          // nothing is done by itself before: the log failed
	stir   time.Time          // somebody came or went, and the others are told soon; zero if nobody did
}

func (l *Lobby) newMatch(id ID) *match {
	return &match{
		lobby: l, id: id, mail: make(chan func()), gone: make(chan struct{}),
		subs: make(map[*Client]bool), here: make(map[string]int), since: make(map[string]time.Time),
	}
}

var errGone = errors.New("the owner of the match has gone home")

// post has the owner do something and waits until it is done.
func (m *match) post(ctx context.Context, do func()) error {
	done := make(chan struct{})
	select {
	case m.mail <- func() { do(); close(done) }:
	case <-m.gone:
		return cmp.Or(m.fate, errGone)
	case <-ctx.Done():
		return refuse(CodeBusy, "the table is busy, try again")
	}
	select {
	case <-done:
		return nil
	case <-m.gone:
		return m.unless(done)
	case <-ctx.Done():
		return nil // it will be done; whoever wanted it has gone
	}
}

// unless is why the owner has gone home, unless it had done what it was asked first.
func (m *match) unless(done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	default:
		return m.fate
	}
}

// run is the life of a match's owner.
func (m *match) run() {
	defer close(m.gone)
	defer m.lobby.forget(m)
	defer m.rescue()
	if m.fate = m.load(); m.fate != nil {
		return
	}
	for m.lobby.ctx.Err() == nil {
		due, stop := m.alarm()
		select {
		case do := <-m.mail:
			do()
		case <-due:
			m.wake()
		case <-m.lobby.ctx.Done():
		}
		stop()
		if m.idle() {
			return
		}
	}
}

// load replays the table from the log.
func (m *match) load() error {
	entries, err := m.lobby.Log.Entries(m.lobby.ctx, m.id, 0)
	if err != nil {
		m.lobby.Slog.Error("a table cannot be read", "table", m.id, "err", err)
		return AsError(err)
	}
	if len(entries) == 0 {
		return refuse(CodeNoTable, "there is no such table")
	}
	t := newTable(m.lobby.Shelf)
	for _, e := range entries {
		if err := t.replay(e); err != nil {
			m.lobby.Slog.Error("a table cannot be replayed", "table", m.id, "err", err)
			return refuse(CodeStorage, "the table's log cannot be read")
		}
	}
	now := m.lobby.Clock.Now()
	m.table, m.rng, m.woken, m.quiet, m.called = t, m.lobby.Rand(), now, now, now
	m.begin(now)
	m.sign()
	return nil
}

// rescue ends a match whose rules broke, so that no other match is harmed. Whoever watches is cut off, and the next visit
// replays the table from the log.
func (m *match) rescue() {
	if fault := recover(); fault != nil {
		m.lobby.Slog.Error("a match broke", "table", m.id, "err", fault, "stack", string(debug.Stack()))
		m.fate = refuse(CodeStorage, "the table broke; its log is whole, try again")
		for c := range m.subs {
			c.once.Do(func() { close(c.cut) })
		}
	}
}

// do does what a client says.
func (m *match) do(c *Client, cmd Command) {
	by := receipt{c.Guest.ID, cmd}
	if cmd.Do == "rematch" {
		m.rematch(c, cmd)
		return
	}
	told, err := m.settle(by, func() (fact, error) {
		if m.table.done[by] {
			return nil, nil
		}
		return m.table.decide(wish{cmd, c.Guest})
	})
	if err != nil {
		c.Refuse(cmd.ID, err)
		if AsError(err).Code == CodeLate {
			c.tell(m.framed(m.frame(m.audience(c), m.table.seq-1)))
		}
		return
	}
	c.Tell(answer{Re: cmd.ID, OK: true, Seq: m.table.seq})
	m.tell(told)
}

// settle decides and writes. A nil fact means that all is as it should be. If another node wrote first, what it wrote is
// caught up with, and it is decided again.
func (m *match) settle(by receipt, decide func() (fact, error)) (told int, err error) {
	for {
		f, err := decide()
		if f == nil || err != nil {
			return m.table.seq, err
		}
		told := m.table.seq
		switch err = m.write(f, by); {
		case err == nil:
			return told, nil
		case !errors.Is(err, ErrConflict):
			return told, err
		}
		if err := m.catchUp(); err != nil {
			return told, err
		}
	}
}

// write makes a fact durable, and then part of the table.
func (m *match) write(f fact, by receipt) error {
	now := m.lobby.Clock.Now()
	over, end := m.table.ends(f)
	e := Entry{Seq: m.table.seq + 1, At: now, Data: writeFact(f, by, end), Over: over}
	// Whoever said it may hang up meanwhile, and the server may be stopping: what is begun is finished.
	if err := m.lobby.Log.Append(context.WithoutCancel(m.lobby.ctx), m.id, e); err != nil {
		if !errors.Is(err, ErrConflict) {
			m.lobby.Slog.Error("an entry cannot be written", "table", m.id, "seq", e.Seq, "err", err)
		}
		return err
	}
	return m.happen(f, by, end, now)
}

func (m *match) happen(f fact, by receipt, end *ending, now time.Time) error {
	asked := m.table.asked
	sits, stood := m.sitsDown(f)
	if err := m.table.happen(f, by, end, now); err != nil {
		// It was decided from the very table that now will not have it: a rule is broken, not a log.
		panic(fmt.Sprintf("match: table %s, entry %d: %v", m.id, m.table.seq, err))
	}
	if _, ok := f.(*called); ok {
		m.called = now
	}
	if sits != game.NoSeat {
		m.since[m.table.chairs[sits].Guest.ID] = now // if he does not watch yet, he is gone from now on, not since ever
	}
	if sits != game.NoSeat && sits == m.table.turn() {
		// Whoever takes a seat that is asked has the full time, but not who only stood up from it. What a bot had begun to
		// think there is dropped; its time has not begun anew. So nobody can hold a table up by coming and going.
		m.stopThinking()
		if !stood {
			m.full = now
		}
	}
	if m.table.asked != asked {
		m.begin(now)
	}
	return nil
}

// sitsDown is the seat on which somebody sits down by a fact, NoSeat if nobody does, and whether he had stood up from it.
func (m *match) sitsDown(f fact) (seat game.Seat, stood bool) {
	switch f := f.(type) {
	case *sat:
		return f.Seat, false
	case *returned:
		return f.Seat, m.table.chairs[f.Seat].left
	}
	return game.NoSeat, false
}

// begin is what a new position means for clocks and bots.
func (m *match) begin(now time.Time) {
	m.asked, m.full = now, now
	m.stopThinking()
	if m.table.state != nil {
		m.delay = m.table.setup.botTime(m.rng)
	}
}

// catchUp replays what another node wrote, and tells it.
func (m *match) catchUp() error {
	before := m.table.seq
	entries, err := m.lobby.Log.Entries(m.lobby.ctx, m.id, before)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return fmt.Errorf("the log has no entry %d, and takes none", before+1)
	}
	now, called := m.lobby.Clock.Now(), m.table.called
	m.begin(now)
	for _, e := range entries {
		if err := m.table.replay(e); err != nil {
			// Half of it may have happened: the table is read again from the log, by whoever comes next.
			panic(fmt.Sprintf("match: table %s: %v", m.id, err))
		}
		m.broadcast(e.Seq - 1)
	}
	if m.table.called && !called {
		m.called = now
	}
	return nil
}

// tell sends everyone the frame of the newest entry, with what happened after entry since. A frame is made once for each
// audience that looks.
func (m *match) tell(since int) {
	if since < m.table.seq {
		m.broadcast(since)
	}
}

func (m *match) broadcast(since int) {
	m.stir = time.Time{}
	made := make(map[game.Seat][]byte)
	for c := range m.subs {
		who := m.audience(c)
		if made[who] == nil {
			made[who] = m.framed(m.frame(who, since))
		}
		c.tell(made[who])
	}
	m.sign()
}

// audience is whose eyes a client has.
func (m *match) audience(c *Client) game.Seat { return m.table.seatOf(c.Guest.ID) }

func (m *match) framed(f Frame) []byte {
	return message(struct {
		Table ID    `json:"table"`
		Frame Frame `json:"frame"`
	}{m.id, f})
}

// watch gives the client every frame from now on, and the newest at once: with the log, and with the events that it
// missed if it says which frame it had.
func (m *match) watch(c *Client, cmd Command) {
	if m.table.closed {
		c.Refuse(cmd.ID, refuse(CodeGone, "the table was closed: nobody had come for an hour"))
		return
	}
	if !m.subs[c] {
		if m.table.misnames(c.Guest) {
			m.settleAlone(&renamed{c.Guest})
		}
		m.subs[c] = true
		m.here[c.Guest.ID]++
		m.stirred()
	}
	since := cmd.Seq
	if since <= 0 || since > m.table.seq {
		since = m.table.seq
	}
	who := m.audience(c)
	f := m.frame(who, since)
	f.Log = m.table.log(who)
	c.Tell(answer{Re: cmd.ID, OK: true, Seq: m.table.seq})
	c.tell(m.framed(f))
}

// lose is the end of a watch.
func (m *match) lose(c *Client) {
	if !m.subs[c] {
		return
	}
	now := m.lobby.Clock.Now()
	delete(m.subs, c)
	if m.here[c.Guest.ID]--; m.here[c.Guest.ID] == 0 {
		delete(m.here, c.Guest.ID)
		if m.audience(c) != game.Watcher || c.Guest.ID == m.table.host.ID {
			m.since[c.Guest.ID] = now
		}
	}
	if len(m.subs) == 0 {
		m.quiet = now
	}
	m.stirred()
}

// stirred: somebody came or went. The others are told soon, many comings at once.
func (m *match) stirred() {
	if m.stir.IsZero() {
		m.stir = m.lobby.Clock.Now()
	}
}

// sign hangs the table's door sign in the lobby.
func (m *match) sign() { m.lobby.hang(m.card()) }

// rematch makes a table for another game, the first time that somebody asks.
func (m *match) rematch(c *Client, cmd Command) {
	told, err := m.settle(receipt{c.Guest.ID, cmd}, func() (fact, error) {
		if m.table.next != "" {
			return nil, nil
		}
		f, err := decideAgain(m.table, wish{Command: cmd, guest: c.Guest})
		if err != nil {
			return nil, err
		}
		// The new table is written first: a table that nobody knows of harms nobody, a link to nowhere does.
		m.lobby.chance(f)
		next, err := m.lobby.found(context.WithoutCancel(m.lobby.ctx), f)
		return &again{next, m.audience(c)}, err
	})
	if err != nil {
		c.Refuse(cmd.ID, err)
		return
	}
	c.Tell(answer{Re: cmd.ID, OK: true, Seq: m.table.seq})
	m.tell(told)
}
