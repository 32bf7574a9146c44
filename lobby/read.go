package lobby

import (
	"cmp"
	"context"
	"time"

	"caveau/game"
	"caveau/keepsake"
	"caveau/match/runner"
	"caveau/record"
	"caveau/slots"
	"caveau/table"
	"caveau/wire"
)

// Reading is not owning. What whoever asks is told of a table its owner says where it is awake; of one that sleeps, its log does, and it sleeps on.

// read has a table looked at.
func (l *Lobby) read(ctx context.Context, id wire.ID, look func(*table.Table, wire.Card)) (err error) {
	var r *runner.Runner
	for taken := false; !taken && err == nil; {
		if r, err = l.reader(id, r); err == nil {
			taken, err = r.Show(ctx, look)
		}
	}
	return err
}

const (
	// lingerTime is how long a table that was looked at is remembered: who looks at a list of his looks again.
	lingerTime = time.Minute
	mostLinger = 200 // of those
)

// reader is who shows a table: its runner, or somebody who reads its log for those who ask meanwhile and soon after; after one that has gone, another.
func (l *Lobby) reader(id wire.ID, gone *runner.Runner) (*runner.Runner, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.closed(id); err != nil {
		return nil, err
	}
	if r := l.runners[id]; r != nil && r != gone && !r.Closed() {
		return r, nil
	}
	r := l.readers[id]
	if r == nil || r == gone {
		r = runner.New(house{l}, id)
		l.readers[id] = r
		lingers := lingerTime
		if len(l.readers) > mostLinger {
			lingers = 0
		}
		l.work.Go(func() {
			r.Read(l.ctx, lingers)
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.readers[id] == r {
				delete(l.readers, id)
			}
		})
	}
	return r, nil
}

// Card is a table's door sign.
func (l *Lobby) Card(ctx context.Context, id wire.ID) (c wire.Card, err error) {
	err = l.read(ctx, id, func(_ *table.Table, card wire.Card) { c = card })
	return c, err
}

// Mine is a table as a guest of his own finds it again; false where he neither sits nor is the host, and when it is over.
func (l *Lobby) Mine(ctx context.Context, id wire.ID, guest string) (m wire.Mine, ok bool, err error) {
	err = l.read(ctx, id, func(t *table.Table, card wire.Card) {
		ok = t.Belongs(guest) && t.State() != table.Over
		m = wire.Mine{Card: card, You: t.SeatOf(guest), Turn: t.Turn()}
		if m.Since, _ = t.Reached(); t.State() == table.Open {
			m.Since = m.Made
		}
	})
	return m, ok, err
}

// Played is a game that is over as a guest finds it who sat there to its end, or had it kept; false where he did neither, and where none was dealt.
func (l *Lobby) Played(ctx context.Context, id wire.ID, guest string) (p wire.Played, ok bool, err error) {
	err = l.read(ctx, id, func(t *table.Table, card wire.Card) {
		p = wire.Played{Card: card, You: t.SeatOf(guest)}
		p.Ended, _ = t.Reached()
		if _, unplayed := t.Record(); unplayed == nil && (p.You != game.Watcher || t.Keeps(guest)) {
			p.Outcome, ok = *t.Outcome(), true
		}
	})
	return p, ok, err
}

// Advice is what somebody good would do where a guest is asked at his table, who knows what lies there now and no more.
func (l *Lobby) Advice(ctx context.Context, id wire.ID, guest string) (move string, err error) {
	var seen table.Seen
	var game string
	var refused error
	err = l.read(ctx, id, func(t *table.Table, _ wire.Card) {
		s, turn := t.SeatOf(guest), t.Turn()
		switch {
		case t.State() != table.Running:
			refused = wire.Refuse(wire.CodeNotStarted, "nobody is asked anything here")
		case turn != s || t.Sitter(s).Left:
			refused = wire.Refuse(wire.CodeNotYourSeat, "%s is asked", turn)
		default:
			game, seen = t.Game(), t.Seen(s)
		}
	})
	if err = cmp.Or(err, refused); err != nil {
		return "", err
	}
	if _, ok := l.config.Shelf.Bot(game, slots.Adviser); !ok {
		return "", wire.Refuse(wire.CodeNobody, "nobody here gives advice on %s", game)
	}
	return l.slots.Advise(ctx, id, game, seen), nil
}

// Record is the game as a record. Before the end it is refused with the code running: a record has no secrets. A game that
// today's rules do not allow has one too: it is as it was played.
func (l *Lobby) Record(ctx context.Context, id wire.ID) (r record.Record, err error) {
	var refused error
	err = l.read(ctx, id, func(t *table.Table, _ wire.Card) { r, refused = t.Record() })
	if err != nil && wire.AsError(err).Code == wire.CodeStorage {
		if entries, unread := l.config.Log.Entries(ctx, id, 0); unread == nil {
			if kept, ok := keepsake.Record(entries); ok {
				return kept, nil
			}
			if t, ok := table.OnPaper(l.config.Shelf, entries); ok {
				return l.paper(ctx, t)
			}
		}
	}
	return r, cmp.Or(err, refused)
}

// Story is how a game that is over went. It is refused as its record is, and as gone where today's rules do not allow it.
func (l *Lobby) Story(ctx context.Context, id wire.ID) (s record.Story, err error) {
	rec, err := l.Record(ctx, id)
	if err != nil {
		return s, err
	}
	start, err := rec.Start(l.config.Shelf)
	if err == nil {
		s, err = rec.Story(start)
	}
	if err != nil {
		return s, wire.Refuse(wire.CodeGone, "by the rules of today the game went otherwise: %v", err)
	}
	return s, nil
}

// paper is the record of a table that nobody owns.
func (l *Lobby) paper(ctx context.Context, t *table.Table) (r record.Record, err error) {
	names, err := l.config.Log.Names(ctx, t.Guests()...)
	if err != nil {
		return r, wire.AsError(err)
	}
	for guest, name := range names {
		t.Call(guest, name)
	}
	return t.Record()
}

// Counts are how much goes on in a house.
type Counts struct {
	Tables            map[string]int // by their state; Resting for those that are not over and have nobody and nothing to do; those that are awake count at their node, these at each
	Thinking, Waiting int            // bots
	Living, Heard     int            // nodes of the house: that live, and of whom this one hears
	Outages           int            // of the house, of so long ago as clocks at tables may ask for
}

// Resting is the state of a table that is not over and is in the log alone.
const Resting = "resting"

// Counts may be asked at any time.
func (l *Lobby) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := Counts{Tables: make(map[string]int), Outages: len(l.book.Outages())}
	for _, state := range l.states {
		c.Tables[state]++
	}
	for id := range l.unfinished {
		if l.runners[id] == nil && !l.taken[id] {
			c.Tables[Resting]++
		}
	}
	c.Thinking, c.Waiting = l.slots.Busy()
	c.Living, c.Heard = l.pages.Company()
	return c
}
