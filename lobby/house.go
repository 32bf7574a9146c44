package lobby

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"caveau/fact"
	"caveau/fair"
	"caveau/match"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// A house is the lobby as its runners see it.
type house struct{ *Lobby }

func (h house) Log() fact.Log      { return h.config.Log }
func (h house) Deeds() fact.Deeds  { return h.config.Deeds }
func (h house) Shelf() terms.Shelf { return h.config.Shelf }
func (h house) Slog() *slog.Logger { return h.config.Slog }
func (h house) Hours() match.Hours {
	return match.Hours{Opened: h.opened, Untouched: h.config.Untouched}
}
func (h house) Secret() fair.Bits                 { return fair.NewSecret(h.config.Rand()) }
func (h house) Sign(c wire.Card, guests []string) { h.hang(sign{c, guests}) }

func (h house) Call(id wire.ID, game string, c match.Call) {
	if h.config.Call != nil {
		h.config.Call(id, game, c)
	}
}

func (h house) Timer(d time.Duration) (<-chan time.Time, func() bool) { return h.config.Clock.Timer(d) }

func (h house) Found(ctx context.Context, f fact.Founding, maker Visitor) (wire.ID, error) {
	return h.found(ctx, maker, f)
}

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

// Introduce asks the log what a guest is called. Who has had his cookie since before names were noted is called what it says, or what
// he was called where he comes from.
func (h house) Introduce(ctx context.Context, g wire.Guest) (string, error) {
	h.naming.Lock() // so that it comes before or after what he calls himself meanwhile
	defer h.naming.Unlock()
	names, err := h.config.Log.Names(ctx, g.ID)
	name, known := names[g.ID]
	if err == nil && !known && g.Name != "" {
		name, err = g.Name, h.config.Log.Name(ctx, g.ID, g.Name)
	}
	if err != nil && ctx.Err() == nil {
		h.config.Slog.Error("it cannot be noted or read what a guest is called", "err", err)
	}
	return name, err
}

// The house's time. A clock at a table runs while the house is open. So the log knows when it was: every pulse it is noted that
// it is, and when it opens, or goes on after the process was stopped, the time since then is noted as an outage. Whoever
// crashes gives the players up to a pulse, and takes nothing from them.

const (
	pulseTime = 10 * time.Second
	// lapseTime without a pulse is an outage: the process was stopped, or the machine slept.
	lapseTime = 3 * pulseTime
	// graceTime is how long after an outage clocks begin to run again: browsers have to find the way back.
	graceTime = 3 * time.Second
	// longOutages is how far back outages matter: further than anybody has time for.
	longOutages = 100 * 24 * time.Hour
)

// pulse notes that the house is open, now and then again and again.
func (l *Lobby) pulse() {
	for open := true; open; open = l.sleep(pulseTime) {
		now, noted := house{l}.time()
		if !noted {
			continue // the outage would be forgotten
		}
		if err := l.config.Log.Alive(l.ctx, now); err != nil && l.ctx.Err() == nil {
			l.config.Slog.Error("it cannot be noted that the house is open", "err", err)
		}
		l.alive.Store(now.UnixNano())
	}
}

// alarms wakes the tables that are due, as often. It may take its time, while the house is open all the same.
func (l *Lobby) alarms() {
	failed := make(map[wire.ID]int)
	for open := true; open; open = l.sleep(pulseTime) {
		if l.someSleep() {
			l.wakeDue(house{l}.Now(), failed)
		}
	}
}

// watchTime is how often it is looked whether a table hangs in its rules.
const watchTime = 5 * time.Second

// watchSteps leaves tables alone that hang, so that nobody waits for them.
func (l *Lobby) watchSteps() {
	for l.sleep(watchTime) {
		now := house{l}.Now()
		l.mu.Lock()
		all := slices.AppendSeq(slices.Collect(maps.Values(l.runners)), maps.Values(l.readers))
		l.mu.Unlock()
		for _, r := range all {
			r.Hangs(now)
		}
	}
}

// someSleep tells whether there is an unfinished table without an owner.
func (l *Lobby) someSleep() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.unfinished {
		if l.runners[id] == nil {
			return true
		}
	}
	return false
}

// wakeTries is how often a table is woken that cannot be read; then whoever visits it may try.
const wakeTries = 5

// wakeDue wakes the tables that are due and have no owner, one by one, so that a great many of them do not keep anybody waiting.
// Those that cannot be read, or that broke, are tried again a few times: a database may be busy for a moment.
func (l *Lobby) wakeDue(now time.Time, failed map[wire.ID]int) {
	due, err := l.config.Log.Due(l.ctx, now)
	if err != nil && l.ctx.Err() == nil {
		l.config.Slog.Error("it cannot be read which tables are to be woken", "err", err)
	}
	for _, id := range due {
		if l.hasRunner(id) || failed[id] >= wakeTries {
			continue
		}
		if l.wake(l.ctx, id) == nil {
			delete(failed, id)
			continue
		}
		if failed[id]++; failed[id] == wakeTries && l.ctx.Err() == nil {
			l.config.Slog.Error("a table cannot be woken", "table", id) // why, its runner has said
		}
	}
}

func (l *Lobby) hasRunner(id wire.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.runners[id] != nil
}

// Now is the time. If there was no pulse for too long, the outage is known to every table before the time is told.
func (h house) Now() time.Time {
	now, _ := h.time()
	return now
}

// time is the time, and whether every outage is noted. Until one is, time goes on from where it was: nobody's runs out meanwhile.
func (h house) time() (now time.Time, noted bool) {
	now = h.config.Clock.Now()
	if !h.lapsed(now) {
		return now, true
	}
	h.lapse.Lock()
	defer h.lapse.Unlock()
	if !h.lapsed(now) {
		return now, true
	}
	first := h.unnoted == 0
	if first {
		h.asked = time.Unix(0, h.alive.Load())
	}
	if since := now.Sub(h.asked); since > lapseTime { // one more: the house asks with every pulse
		h.unnoted, h.woke = h.unnoted+since, false
	}
	h.asked = now
	err := h.noteOutage(h.ctx, now)
	if err == nil {
		h.unnoted = 0
		return now, true
	}
	if first {
		h.config.Slog.Error("an outage cannot be noted; it is tried again until it is", "err", err)
	}
	return now.Add(-h.unnoted), false
}

func (l *Lobby) lapsed(now time.Time) bool {
	return now.UnixNano()-l.alive.Load() > int64(lapseTime)
}

// noteOutage notes the time since the house was last known to be open, and tells every table.
func (l *Lobby) noteOutage(ctx context.Context, now time.Time) error {
	if !l.woke {
		if err := l.config.Log.Woke(ctx, now); err != nil {
			return err
		}
		l.woke = true
	}
	all, err := l.config.Log.Outages(ctx, now.Add(-longOutages))
	if err != nil {
		return err
	}
	l.alive.Store(now.UnixNano())
	l.woke = false
	for i := range all {
		all[i].To = all[i].To.Add(graceTime)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range all {
		if n := len(l.outages); n > 0 && !o.To.After(l.outages[n-1].To) {
			continue // it is known
		}
		for _, r := range l.runners {
			r.Outage(o)
		}
	}
	l.outages = all
	return nil
}

func (h house) Outages() []fact.Outage {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.outages)
}
