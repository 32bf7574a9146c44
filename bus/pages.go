package bus

import (
	"sync"

	"caveau/match"
)

// Pages are who is connected here. Tables know them by their numbers, for whoever owns one may live elsewhere.
type pages struct {
	mu   sync.RWMutex
	last int64
	all  map[int64]Page
}

// A Page is told what tables say.
type Page interface {
	Tell(message []byte, more ...[]byte) // more is told in one go with it; must not block
	Cut()                                // it has missed something and is to be disconnected
}

func (ps *pages) open(who match.Visitor, p Page) match.Client {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.all == nil {
		ps.all = make(map[int64]Page)
	}
	ps.last++
	ps.all[ps.last] = p
	return match.Client{Page: ps.last, Visitor: who}
}

func (ps *pages) close(c match.Client) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	delete(ps.all, c.Page)
}

// tell tells a page something, if it is still there.
func (ps *pages) tell(s match.Send) {
	switch p := ps.of(s.To); {
	case p == nil:
	case s.Answer == nil:
		p.Tell(s.Message)
	default:
		p.Tell(s.Answer, s.Message)
	}
}

func (ps *pages) cut(c match.Client) {
	if p := ps.of(c); p != nil {
		p.Cut()
	}
}

func (ps *pages) of(c match.Client) Page {
	ps.mu.RLock()
	defer ps.mu.RUnlock()
	return ps.all[c.Page]
}
