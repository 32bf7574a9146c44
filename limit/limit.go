// Package limit says how much is too much: how fast somebody may ask (Buckets), and how much of what there is he may hold
// (Places), and whose turn it is (Turns). Whoever asks goes by one name, of a guest or of an address; time is handed in.
package limit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// A Rate is how much of something one may have: so much at once, and so much a second from then on.
type Rate struct {
	AtOnce    int
	PerSecond float64
}

// Buckets are a token bucket for each of those who have asked for something lately. They may be used by many goroutines.
type Buckets struct {
	rate Rate

	mu         sync.Mutex
	young, old map[string]*rate.Limiter
}

// enough is how many buckets are kept before half of them are forgotten. Whoever is forgotten begins anew with a full bucket: so
// many addresses have no need of that.
const enough = 10_000

// NewBuckets makes the buckets, all full.
func NewBuckets(r Rate) *Buckets { return &Buckets{rate: r, young: make(map[string]*rate.Limiter)} }

// of is somebody's bucket. Those that were not asked for since the last turn are the old ones, and go with the next.
func (b *Buckets) of(who string) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	bucket := b.young[who]
	if bucket != nil {
		return bucket
	}
	if bucket = b.old[who]; bucket == nil {
		bucket = rate.NewLimiter(rate.Limit(b.rate.PerSecond), b.rate.AtOnce)
	}
	if len(b.young) >= enough {
		b.old, b.young = b.young, make(map[string]*rate.Limiter)
	}
	b.young[who] = bucket
	return bucket
}

// Allow takes one out of somebody's bucket; false if it is empty.
func (b *Buckets) Allow(who string, now time.Time) bool { return b.of(who).AllowN(now, 1) }

// Wait takes one out of somebody's bucket, and says how long he has to wait until it is there.
func (b *Buckets) Wait(who string, now time.Time) time.Duration {
	return b.of(who).ReserveN(now, 1).DelayFrom(now)
}

// Owes tells whether somebody has spent more than he had.
func (b *Buckets) Owes(who string, now time.Time) bool { return b.of(who).TokensAt(now) < 0 }

// Spend takes n out of somebody's bucket, and he owes what was not in it. No single time takes more than all that fits.
func (b *Buckets) Spend(who string, n int, now time.Time) {
	b.of(who).ReserveN(now, min(n, b.rate.AtOnce))
}

// Give puts one back into somebody's bucket, which holds no more for that.
func (b *Buckets) Give(who string, now time.Time) { b.of(who).ReserveN(now, -1) }

// Places are something of which there is only so much, such as connections. Nobody may hold more than a part of
// what is still free, one at least: the more come, the less each may have, and it takes very many to leave none for the next one.
// They may be used by many goroutines.
type Places struct {
	all, part int

	mu    sync.Mutex
	taken int
	by    map[string]int
}

// NewPlaces makes so many places; one in part of those that are free is what somebody may hold at most.
func NewPlaces(all, part int) *Places {
	return &Places{all: all, part: part, by: make(map[string]int)}
}

// guestPart is the part of what an address may hold that one guest there may: many share an address.
const guestPart = 10

// leastEach is what a guest may hold where his address still has some.
const leastEach = 3

// Take takes a place for a guest at an address; false if either of them has too many. A guest "" is anybody whom we have not
// named, and only his address counts. Of nil Places everybody may have as many as he likes.
func (p *Places) Take(address, guest string) bool {
	if p == nil {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	free := p.all - p.taken
	most := max(1, free/p.part)
	if free <= 0 || p.by["@"+address] >= most || guest != "" && p.by[guest] >= max(leastEach, most/guestPart) {
		return false
	}
	p.taken++
	p.add(address, guest, 1)
	return true
}

// Hold takes a place, whoever has how many.
func (p *Places) Hold(address, guest string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken++
	p.add(address, guest, 1)
}

// Give gives a place back that was taken for them.
func (p *Places) Give(address, guest string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	p.add(address, guest, -1)
}

func (p *Places) add(address, guest string, n int) {
	for _, who := range []string{"@" + address, guest} {
		if p.by[who] += n; p.by[who] == 0 {
			delete(p.by, who)
		}
	}
}
