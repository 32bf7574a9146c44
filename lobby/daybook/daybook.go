// Package daybook keeps a house's time. A clock at a table runs while the house is open, so the log knows when it was: with every pulse it is noted
// that it is, and when it opens, or goes on after the process was stopped, the time since then is noted as an outage. Whoever crashes gives the
// players up to a pulse, and takes nothing from them.
package daybook

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"caveau/fact"
)

// Pulse is how often it is noted that the house is open.
const Pulse = 10 * time.Second

const (
	// lapseTime without a pulse is an outage: the process was stopped, or the machine slept.
	lapseTime = 3 * Pulse
	// longOutages is how far back outages matter: further than anybody has time for.
	longOutages = 100 * 24 * time.Hour
)

// A Book is a house's daybook; call Open. All of it may be called from many goroutines then.
type Book struct {
	log   fact.Log
	clock func() time.Time
	slog  *slog.Logger
	tell  func(fact.Outage)
	alive atomic.Int64 // when the house was last known to be open, in Unix nanoseconds

	mu      sync.Mutex // guards
	outages []fact.Outage

	lapse   sync.Mutex    // held while an outage is noted, and guards what follows
	unnoted time.Duration // how long outages were that could not be noted; 0 for none
	asked   time.Time     // the time, last, while there are some
	woke    time.Time     // when they were noted, and could not be read; zero if not
}

// Open notes that a house opens, by a clock that never goes back. Every table that is awake is told of an outage before anybody is told a later time;
// the others ask for Outages.
func Open(ctx context.Context, log fact.Log, clock func() time.Time, s *slog.Logger, tell func(fact.Outage)) (*Book, error) {
	b := &Book{log: log, clock: clock, slog: s, tell: tell}
	return b, b.note(ctx, clock())
}

// Outages are the times in which the house was closed, as far as they matter.
func (b *Book) Outages() []fact.Outage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.outages)
}

// Beat notes that the house is open.
func (b *Book) Beat(ctx context.Context) {
	now, noted := b.time(ctx)
	if !noted {
		return // the outage would be forgotten
	}
	if err := b.log.Alive(ctx, now); err != nil && ctx.Err() == nil {
		b.slog.Error("it cannot be noted that the house is open", "err", err)
	}
	b.lapse.Lock()
	defer b.lapse.Unlock()
	b.alive.Store(max(now.UnixNano(), b.alive.Load())) // somebody may have found an outage while the log was so slow
}

// Close notes that the house closes.
func (b *Book) Close(ctx context.Context) {
	now := b.clock()
	if b.lapsed(now) {
		return // the outage would be forgotten; whoever opens the house notes it
	}
	if err := b.log.Alive(ctx, now); err != nil {
		b.slog.Error("it cannot be noted when the house closed", "err", err)
	}
}

// Now is the time. If there was no pulse for too long, the outage is known to every table before the time is told.
func (b *Book) Now(ctx context.Context) time.Time {
	now, _ := b.time(ctx)
	return now
}

// time is the time, and whether every outage is noted. Until one is, time goes on from where it was: nobody's runs out meanwhile.
func (b *Book) time(ctx context.Context) (now time.Time, noted bool) {
	now = b.clock()
	if !b.lapsed(now) {
		return now, true
	}
	b.lapse.Lock()
	defer b.lapse.Unlock()
	if !b.lapsed(now) {
		return now, true
	}
	first := b.unnoted == 0
	if first {
		b.asked = time.Unix(0, b.alive.Load())
	}
	if since := now.Sub(b.asked); since > lapseTime { // one more: the house asks with every pulse
		b.unnoted, b.woke = b.unnoted+since, time.Time{}
	}
	b.asked = now
	err := b.note(ctx, now)
	if err == nil {
		b.unnoted = 0
		return now, true
	}
	if first {
		b.slog.Error("an outage cannot be noted; it is tried again until it is", "err", err)
	}
	return now.Add(-b.unnoted), false
}

func (b *Book) lapsed(now time.Time) bool {
	return now.UnixNano()-b.alive.Load() > int64(lapseTime)
}

// note notes the time since the house was last known to be open, and tells every table. A table that is woken meanwhile asks, or is told, or both.
func (b *Book) note(ctx context.Context, now time.Time) error {
	if b.woke.IsZero() {
		if err := b.log.Woke(ctx, now); err != nil {
			return err
		}
		b.woke = now
	}
	all, err := b.log.Outages(ctx, now.Add(-longOutages))
	if err == nil && now.Sub(b.woke) > fact.Grace { // whose clock has begun since then has it begin at a time of before: what has gone by is nobody's either
		if err = b.log.Woke(ctx, now); err == nil {
			b.woke = now
			all, err = b.log.Outages(ctx, now.Add(-longOutages))
		}
	}
	if err != nil {
		return err
	}
	for i := range all {
		all[i].To = all[i].To.Add(fact.Grace)
	}
	for _, o := range b.turn(all) {
		b.tell(o)
	}
	b.woke = time.Time{}
	b.alive.Store(now.UnixNano()) // whoever asks for the time waits until then
	return nil
}

// turn puts all outages into the book, and answers with those that are news.
func (b *Book) turn(all []fact.Outage) []fact.Outage {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := 0
	if n := len(b.outages); n > 0 {
		for known < len(all) && !all[known].To.After(b.outages[n-1].To) {
			known++
		}
	}
	b.outages = all
	return all[known:]
}
