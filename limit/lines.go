package limit

import (
	"sync"
	"time"
)

// Lines say how much of what strangers do is written down: of one kind so much, and less of one address, so that nobody fills a log, and one who tries does not hide
// the others. They may be used by many goroutines.
type Lines struct {
	kinds, addresses *Buckets

	mu     sync.Mutex
	unsaid map[string]int // by kind, since the last line
}

// NewLines makes them: nothing has been written.
func NewLines(kind, address Rate) *Lines {
	return &Lines{kinds: NewBuckets(kind), addresses: NewBuckets(address), unsaid: make(map[string]int)}
}

// Allow tells whether something of a kind is written that somebody at an address has done; then also how many of that kind were not since the last that was.
func (l *Lines) Allow(kind, address string, now time.Time) (unsaid int, said bool) {
	said = l.addresses.Allow(kind+address, now) && l.kinds.Allow(kind, now)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !said {
		l.unsaid[kind]++
		return 0, false
	}
	unsaid = l.unsaid[kind]
	delete(l.unsaid, kind)
	return unsaid, true
}
