package runner

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"caveau/fact"
	"caveau/wire"
)

// A Lease is what a node among others knows of its own (ADR 17), and renews for as long as it lives. While nobody knows whether it lasts the tables may be given to
// others: then no runner says anything, and keeps what it would. A nil Lease lasts for ever: that house is alone with its log.
type Lease struct {
	deeds fact.Shared
	clock Clock

	mu    sync.Mutex
	until time.Time // counted from when it was asked for; by the log's own clock it ends later
	news  chan struct{}

	ended chan struct{} // closed when it is over, for good

	speaks atomic.Int64 // what all nodes do, as far as is known
}

const (
	leaseTime = fact.LeaseTime
	renewTime = 500 * time.Millisecond
	// tryTime is how long one try may take, and againTime when the next begins after one that failed: several fit into a lease.
	tryTime   = time.Second
	againTime = 100 * time.Millisecond
)

// NewLease renews the lease that a node has with its deeds; call Keep.
func NewLease(ctx context.Context, deeds fact.Shared, clock Clock) (*Lease, error) {
	l := &Lease{deeds: deeds, clock: clock, news: make(chan struct{}), ended: make(chan struct{})}
	return l, errors.Join(l.renew(ctx), l.agree(ctx))
}

// Speaks is the version that the house speaks, as far as is known here; one that is alone with its log speaks this build's.
func (l *Lease) Speaks() int {
	if l == nil {
		return wire.Speaks
	}
	return int(l.speaks.Load())
}

// agree asks what the house speaks, until that is all that this node knows.
func (l *Lease) agree(ctx context.Context) error {
	if l.Speaks() >= wire.Speaks {
		return nil
	}
	n, err := l.deeds.Speaks(ctx)
	if err == nil {
		l.speaks.Store(int64(n))
	}
	return err
}

// Lasts waits until it is known whether the lease does. It may be asked from many goroutines.
func (l *Lease) Lasts(ctx context.Context) bool {
	if l == nil {
		return true
	}
	for {
		now := l.clock.Now()
		l.mu.Lock()
		lasts, news := now.Before(l.until), l.news
		l.mu.Unlock()
		if lasts {
			return true
		}
		select {
		case <-news:
		case <-l.ended:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// Ended is closed when the lease is over, for good.
func (l *Lease) Ended() <-chan struct{} {
	if l == nil {
		return nil
	}
	return l.ended
}

// Keep renews the lease until it is over, or ctx ends, and sweeps those of others. It says which tables are free then, each to one node alone, and which nodes live;
// the answer is one of them that is not heard, or 0.
func (l *Lease) Keep(ctx context.Context, log *slog.Logger, free func([]wire.ID), lives func([]int64) (unheard int64)) {
	var sweeps sync.WaitGroup
	defer sweeps.Wait()
	sweeps.Go(func() { l.sweep(ctx, log, free, lives) }) // beside the other: it may wait for somebody who sleeps
	pause := renewTime
	for well := true; l.sleep(ctx, pause); {
		within, cancel := context.WithTimeout(ctx, tryTime)
		err := l.renew(within)
		cancel()
		if errors.Is(err, fact.ErrEpoch) {
			log.Error("the lease of this node is over, and its tables are given to others; start it anew")
			return
		}
		if well && err != nil && ctx.Err() == nil {
			log.Error("the lease of this node cannot be renewed; it is tried again", "err", err)
		}
		if well, pause = err == nil, renewTime; !well {
			pause = againTime
		}
	}
}

// sweep sweeps, while the lease lasts: who has none can take no table.
func (l *Lease) sweep(ctx context.Context, log *slog.Logger, free func([]wire.ID), lives func([]int64) int64) {
	missed := 0 // how often some node was not heard
	for well := true; l.sleep(ctx, renewTime); {
		if !l.Sure() {
			continue
		}
		tables, err := l.deeds.Sweep(ctx)
		err = errors.Join(err, l.agree(ctx))
		if well && err != nil && ctx.Err() == nil {
			log.Error("the leases of other nodes cannot be swept; it is tried again", "err", err)
		}
		if well = err == nil; len(tables) > 0 {
			free(tables)
		}
		if nodes, err := l.deeds.Living(ctx, leaseTime); err == nil { // else what was so before is believed
			unheard := lives(nodes)
			if missed++; unheard == 0 {
				missed = 0
			} else if missed == 3 { // one that has just begun is heard soon
				log.Warn("a node lives, and is not heard over the bus: nobody is taken for away until it is", "node", unheard)
			}
		}
	}
}

// Sure tells whether it is known now that it lasts.
func (l *Lease) Sure() bool {
	if l == nil {
		return true
	}
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	return now.Before(l.until)
}

// sleep waits; false where the lease is over, or ctx has ended.
func (l *Lease) sleep(ctx context.Context, d time.Duration) bool {
	over, stop := l.clock.Timer(d)
	defer stop()
	select {
	case <-over:
		return true
	case <-l.ended:
		return false
	case <-ctx.Done():
		return false
	}
}

// renew renews the lease, and tells whoever waits what has become of it.
func (l *Lease) renew(ctx context.Context) error {
	asked := l.clock.Now()
	err := l.deeds.Renew(ctx, leaseTime)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		l.until = asked.Add(leaseTime)
		close(l.news)
		l.news = make(chan struct{})
	} else if errors.Is(err, fact.ErrEpoch) {
		l.until = time.Time{}
		close(l.ended)
	}
	return err
}
