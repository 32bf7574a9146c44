package runner

import (
	"context"
	"errors"
	"log/slog"
	"slices"
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
	node  int64 // its number
	clock Clock

	mu    sync.Mutex
	until time.Time // counted from when it was asked for; by the log's own clock it ends later
	news  chan struct{}

	ended chan struct{} // closed when it is over, for good
	deaf  chan struct{} // closed when the node is to give its tables to others, which hear more

	speaks atomic.Int64 // what all nodes do, as far as is known
}

const (
	leaseTime = fact.LeaseTime
	renewTime = 500 * time.Millisecond
	// tryTime is how long one try may take, and againTime when the next begins after one that failed: several fit into a lease.
	tryTime   = time.Second
	againTime = 100 * time.Millisecond
	// deafTimes is how often in a row a greater company has to be found, with every sweep: in five seconds a bus that began anew is there again for all.
	deafTimes = 10
)

// NewLease renews the lease that a node of that number has with its deeds; call Keep.
func NewLease(ctx context.Context, deeds fact.Shared, node int64, clock Clock) (*Lease, error) {
	l := &Lease{deeds: deeds, node: node, clock: clock, news: make(chan struct{}), ended: make(chan struct{}), deaf: make(chan struct{})}
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

// Deaf is closed when this node is to close, because it has been cut off from others for so long that hear each other: whoever comes by one of them asks in vain for the
// tables that are here.
func (l *Lease) Deaf() <-chan struct{} {
	if l == nil {
		return nil
	}
	return l.deaf
}

// Ears are how a node hears the others.
type Ears interface {
	// Lives is told which nodes of the house do, and answers with one of them that is not heard, or 0.
	Lives(nodes []int64) (unheard int64)
	// Hears are those that are heard, itself among them; none where the bus does not reach this node.
	Hears() []int64
}

// Keep renews the lease until it is over, or ctx ends, and sweeps those of others. It says which tables are free then, each to one node alone.
func (l *Lease) Keep(ctx context.Context, log *slog.Logger, free func([]wire.ID), ears Ears) {
	var sweeps sync.WaitGroup
	defer sweeps.Wait()
	sweeps.Go(func() { l.sweep(ctx, log, free, ears) }) // beside the other: it may wait for somebody who sleeps
	pause := renewTime
	for well := true; l.sleep(ctx, pause); {
		within, cancel := context.WithTimeout(ctx, tryTime)
		err := l.renew(within, ears.Hears()...)
		cancel()
		if errors.Is(err, fact.ErrEpoch) {
			log.Error("the lease of this node is over, and its tables are given to others")
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
func (l *Lease) sweep(ctx context.Context, log *slog.Logger, free func([]wire.ID), ears Ears) {
	missed, less := 0, 0 // how often in a row some node was not heard, and how often others were a greater company
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
			unheard := ears.Lives(numbers(nodes))
			if missed++; unheard == 0 {
				if missed > 3 {
					log.Info("every node that lives is heard over the bus again")
				}
				missed = 0
			} else if missed == 3 { // one that has just begun is heard soon
				log.Warn("a node lives, and is not heard over the bus: nobody is taken for away until it is", "node", unheard)
			}
			if less++; !apart(l.node, ears.Hears(), nodes) {
				less = 0
			} else if less == deafTimes {
				close(l.deaf)
				return // it takes nothing any more
			}
		}
	}
}

// numbers are those of nodes.
func numbers(nodes []fact.Node) (all []int64) {
	for _, n := range nodes {
		all = append(all, n.Number)
	}
	return all
}

// apart tells whether one of them belongs to a greater company than this node, which hears these now: to more who hear each other, or where a bus has come apart into
// equal halves to that of the oldest. So of two nodes that do not hear each other one is apart, and none where the bus reaches nobody. Whom others do not hear is apart, whatever he hears.
func apart(node int64, hears []int64, nodes []fact.Node) bool {
	heard := map[int64][]int64{}
	for _, n := range nodes {
		heard[n.Number] = n.Hears
	}
	heard[node] = hears
	most, first := company(node, heard)
	return slices.ContainsFunc(nodes, func(n fact.Node) bool {
		more, oldest := company(n.Number, heard)
		return more > most || more == most && oldest < first
	})
}

// company is how many a node hears who hear it, itself among them, and the least of their numbers.
func company(node int64, heard map[int64][]int64) (n int, least int64) {
	for _, other := range heard[node] {
		if slices.Contains(heard[other], node) {
			if n++; n == 1 || other < least {
				least = other
			}
		}
	}
	return n, least
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
func (l *Lease) renew(ctx context.Context, hears ...int64) error {
	asked := l.clock.Now()
	err := l.deeds.Renew(ctx, leaseTime, hears...)
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
