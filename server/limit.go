package server

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"caveau/match"
)

// Visitors are the buckets of those who have asked for something lately, by address.
type visitors struct {
	rate    rate.Limit
	mu      sync.Mutex
	buckets map[string]*rate.Limiter
}

// mostVisitors is when the buckets are looked through for those that are full again.
const mostVisitors = 10_000

func newVisitors(perSecond float64) *visitors {
	return &visitors{rate: rate.Limit(perSecond), buckets: make(map[string]*rate.Limiter)}
}

func (v *visitors) allow(who string, now time.Time) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	bucket := v.buckets[who]
	if bucket == nil {
		v.makeRoom(now)
		bucket = rate.NewLimiter(v.rate, v.burst())
		v.buckets[who] = bucket
	}
	return bucket.AllowN(now, 1)
}

func (v *visitors) burst() int { return max(1, int(5*v.rate)) }

// makeRoom forgets whoever has a full bucket: he is like somebody who was never here.
func (v *visitors) makeRoom(now time.Time) {
	if len(v.buckets) < mostVisitors {
		return
	}
	for who, bucket := range v.buckets {
		if bucket.TokensAt(now) >= float64(v.burst()) {
			delete(v.buckets, who)
		}
	}
}

// address is where a request comes from, without the port.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// A limiter limits how fast one connection may speak: it is slowed down first, and flooding if it goes on.
type limiter struct {
	clock  match.Clock
	bucket *rate.Limiter
	flood  int
	slowed int // messages in a row that had to wait
}

func newLimiter(l Limits, clock match.Clock) *limiter {
	return &limiter{clock: clock, bucket: rate.NewLimiter(rate.Limit(l.Commands), l.Burst), flood: l.Flood}
}

// next waits until the connection may speak again; false if it floods or ctx ends.
func (p *limiter) next(ctx context.Context) bool {
	now := p.clock.Now()
	if p.bucket.AllowN(now, 1) {
		p.slowed = 0
		return true
	}
	wait := p.bucket.ReserveN(now, 1).DelayFrom(now)
	if p.slowed++; p.slowed > p.flood {
		return false
	}
	over, stop := p.clock.Timer(wait)
	defer stop()
	select {
	case <-over:
		return true
	case <-ctx.Done():
		return false
	}
}
