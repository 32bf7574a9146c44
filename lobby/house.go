package lobby

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"caveau/bus"
	"caveau/fact"
	"caveau/fair"
	"caveau/lobby/daybook"
	"caveau/match"
	"caveau/match/runner"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// A house is the lobby as its runners see it.
type house struct{ *Lobby }

func (h house) Log() fact.Log          { return h.config.Log }
func (h house) Deeds() fact.Deeds      { return h.config.Deeds }
func (h house) Lease() *runner.Lease   { return h.lease }
func (h house) Shelf() terms.Shelf     { return h.config.Shelf }
func (h house) Slog() *slog.Logger     { return h.config.Slog }
func (h house) Now() time.Time         { return h.now() }
func (h house) Outages() []fact.Outage { return h.book.Outages() }
func (h house) Hours() match.Hours {
	return match.Hours{Opened: h.opened, Untouched: h.config.Untouched, Shared: h.lease != nil}
}
func (h house) Secret() fair.Bits { return fair.NewSecret(h.config.Rand()) }
func (h house) Sign(term int64, c wire.Card, guests []string) {
	h.hang(sign{bus.Sign{Card: c, Term: term}, guests})
}

func (h house) Tell(id wire.ID, all []match.Send)    { h.pages.Tell(id, all) }
func (h house) Cut(c match.Client)                   { h.pages.Cut(c) }
func (h house) Pass(id wire.ID, in match.Input) bool { return h.pages.Pass(id, in) }
func (h house) Own(id wire.ID, term int64, post func(match.Input) error) []match.Input {
	return h.pages.Own(id, term, post)
}
func (h house) Strike(id wire.ID, why error)  { h.pages.Strike(id, why) }
func (h house) Disown(id wire.ID, term int64) { h.pages.Disown(id, term) }

func (h house) Call(id wire.ID, game string, c match.Call) {
	if h.config.Call != nil {
		h.config.Call(id, game, c)
	}
}

func (h house) Timer(d time.Duration) (<-chan time.Time, func() bool) { return h.config.Clock.Timer(d) }

func (h house) Ask(ctx context.Context, id wire.ID, bot, game string, seen table.Seen, waits func(bool), answer func(string)) {
	h.mu.Lock() // so that nothing is begun once the lobby closes
	defer h.mu.Unlock()
	if h.ctx.Err() == nil {
		h.work.Go(func() { answer(h.slots.Ask(ctx, id, game, bot, seen, waits)) })
	}
}

// introduce sees to it that it is noted what those are called who are at a new table.
func (l *Lobby) introduce(ctx context.Context, guests []fact.Guest) error {
	for _, g := range guests {
		if _, err := (house{l}).Introduce(ctx, wire.Guest{ID: g.ID, Name: g.Was}); err != nil {
			return err
		}
	}
	return nil
}

// Introduce asks the log what a guest is called. Who has had his cookie since before names were noted is called what it says, or what he was called where he comes from.
func (h house) Introduce(ctx context.Context, g wire.Guest) (string, error) {
	h.naming.Lock() // so that it comes before or after what he calls himself meanwhile
	defer h.naming.Unlock()
	names, err := h.config.Log.Names(ctx, g.ID)
	if _, known := names[g.ID]; err == nil && !known && g.Name != "" {
		if err = h.config.Log.Introduce(ctx, g.ID, g.Name); err == nil {
			names, err = h.config.Log.Names(ctx, g.ID) // another node may have been quicker
		}
	}
	if err != nil && ctx.Err() == nil {
		h.config.Slog.Error("it cannot be noted or read what a guest is called", "err", err)
	}
	return names[g.ID], err
}

// pulse notes that the house is open, now and then again and again.
func (l *Lobby) pulse() {
	for open := true; open; open = l.sleep(daybook.Pulse) {
		l.book.Beat(l.ctx)
	}
}

// alarms wakes the tables that are due, as often, and tells names that could not be read. It may take its time, while the house is open all the same.
func (l *Lobby) alarms() {
	failed := make(map[wire.ID]int)
	for n := 0; n == 0 || l.sleep(daybook.Pulse); n++ {
		if n%wakeAnew == 0 {
			clear(failed)
		}
		l.tellUntold()
		if l.lease != nil {
			l.lookAround()
		}
		if l.someSleep() {
			l.wakeDue(l.now(), failed)
		}
	}
}

// watchSteps leaves tables alone that hang, so that nobody waits for them.
func (l *Lobby) watchSteps() {
	for l.sleep(watchTime) {
		now := l.now()
		l.mu.Lock()
		all := slices.AppendSeq(slices.Collect(maps.Values(l.runners)), maps.Values(l.readers))
		l.mu.Unlock()
		for _, r := range all {
			r.Hangs(now)
		}
	}
}

// someSleep tells whether there is an unfinished table without an owner, or may be.
func (l *Lobby) someSleep() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.unfinished {
		if l.runners[id] == nil && !l.taken[id] {
			return true
		}
	}
	return l.doubtful.Load()
}

// wakeTries is how often a table is woken that cannot be read, of so many pulses; whoever visits it may try as well.
const wakeTries, wakeAnew = 5, 60

// wakeDue wakes the tables that are due and have no owner, one by one: a great many keep nobody waiting. What cannot be woken is tried again, for a database may be read-only for minutes.
func (l *Lobby) wakeDue(now time.Time, failed map[wire.ID]int) {
	due, err := l.config.Log.Due(l.ctx, now)
	if err != nil && l.ctx.Err() == nil {
		l.config.Slog.Error("it cannot be read which tables are to be woken", "err", err)
	}
	for _, id := range due {
		if l.isAwake(id) || failed[id] >= wakeTries {
			continue
		}
		if err := l.wake(l.ctx, id); err == nil || err == runner.ErrAnothers {
			delete(failed, id)
			continue
		}
		if failed[id]++; failed[id] == wakeTries && l.ctx.Err() == nil {
			l.config.Slog.Error("a table cannot be woken", "table", id) // why, its runner has said
		}
	}
}

// tellOutage has every table that is awake know that the house was closed.
func (l *Lobby) tellOutage(o fact.Outage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.runners {
		r.Outage(o)
	}
}
