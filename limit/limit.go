// Package limit says how much is too much: how fast somebody may ask (Buckets), and how much of what there is he may hold
// (Places), and whose turn it is (Turns). Whoever asks goes by one name, of a guest or of an address; the time that is handed in is now: one of before fills a bucket again.
package limit

import (
	"math"
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
	lately     map[string]int // what was taken here and is not told; nil where nobody is to know
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
func (b *Buckets) Allow(who string, now time.Time) bool {
	allowed := b.of(who).AllowN(now, 1)
	if allowed {
		b.note(who, 1)
	}
	return allowed
}

// Wait takes one out of somebody's bucket, and says how long he has to wait until it is there.
func (b *Buckets) Wait(who string, now time.Time) time.Duration {
	b.note(who, 1)
	return b.of(who).ReserveN(now, 1).DelayFrom(now)
}

// Owes tells whether somebody has spent more than he had.
func (b *Buckets) Owes(who string, now time.Time) bool { return b.of(who).TokensAt(now) < 0 }

// Spend takes n out of somebody's bucket, and he owes what was not in it. No single time takes more than all that fits.
func (b *Buckets) Spend(who string, n int, now time.Time) {
	b.note(who, n)
	b.owe(who, n, now)
}

func (b *Buckets) owe(who string, n int, now time.Time) {
	b.of(who).ReserveN(now, min(n, b.rate.AtOnce))
}

// Give puts one back into somebody's bucket, which holds no more for that.
func (b *Buckets) Give(who string, now time.Time) {
	b.note(who, -1)
	b.of(who).ReserveN(now, -1)
}

func (b *Buckets) note(who string, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lately != nil {
		b.lately[who] += n
	}
}

// Count is theirs, where a house has several nodes: what was taken at one is soon missing at all, and whoever had more than he may owes it. The time is
// asked for when another node is heard.
func (b *Buckets) Count(now func() time.Time) Count {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lately = make(map[string]int)
	return taken{b, now}
}

type taken struct {
	*Buckets
	now func() time.Time
}

// grain is in portions of how much it is told what was taken, as a part of what somebody may take in a second: it is no other node's business how long somebody's
// answers were.
const grain = 1.0 / 40

// Uses is who has taken how much here since it was asked last; what makes no portion is told later.
func (t taken) Uses() (all []Use) {
	portion := max(1, int(math.Ceil(t.rate.PerSecond*grain)))
	t.mu.Lock()
	defer t.mu.Unlock()
	for who, n := range t.lately {
		left := n % portion
		if n > left {
			all = append(all, Use{who, n - left})
		}
		if t.lately[who] = left; left == 0 {
			delete(t.lately, who)
		}
	}
	if len(t.lately) > enough {
		t.lately = make(map[string]int)
	}
	return most(all)
}

// Hear hears what was taken at another node.
func (t taken) Hear(_ int64, uses []Use) {
	for _, u := range uses {
		t.owe(u.Who, u.N, t.now())
	}
}

// Places are something of which there is only so much, such as connections. Nobody may hold more than a part of
// what is still free, one at least: the more come, the less each may have, and it takes very many to leave none for the next one.
// They may be used by many goroutines.
type Places struct {
	all, part int

	mu                sync.Mutex
	taken             int
	addresses, guests *Held
}

// NewPlaces makes so many places; one in part of those that are free is what somebody may hold at most.
func NewPlaces(all, part int) *Places {
	p := &Places{all: all, part: part}
	p.addresses, p.guests = newHeld(&p.mu), newHeld(&p.mu)
	return p
}

// Addresses and Guests are who holds how many, where a house has several nodes. The places of each node are its own; what somebody may hold is so at all
// of them together.
func (p *Places) Addresses() *Held { return p.held().addresses }
func (p *Places) Guests() *Held    { return p.held().guests }

func (p *Places) held() *Places {
	if p == nil {
		return NewPlaces(0, 1) // of which nobody holds any
	}
	return p
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
	if free <= 0 || p.addresses.of(address) >= most || guest != "" && p.guests.of(guest) >= max(leastEach, most/guestPart) {
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
	p.addresses.add(address, n)
	if guest != "" {
		p.guests.add(guest, n)
	}
}
