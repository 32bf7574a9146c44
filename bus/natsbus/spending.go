package natsbus

import (
	"sync"

	"caveau/bus"
)

const (
	// mostSpent is of how much is told at once. Of what is more than that the other nodes know nothing, and each counts its own.
	mostSpent = 200
	// timesSaid is in how many of the news it is told, for some are lost.
	timesSaid = 10
)

// A ledger is what was spent at this node of late, and what was heard of others.
type ledger struct {
	mu    sync.Mutex
	last  int64
	own   []spending
	heard map[int64]int64 // by node, the last that was heard of
	hear  func(bus.Spending)
}

type spending struct {
	bus.Spending
	said int // how often
}

// Spent has the other nodes know that somebody has had something, if there is room for it.
func (b *Bus) Spent(what, address, guest string) {
	l := &b.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.own) >= mostSpent {
		return
	}
	l.last++
	l.own = append(l.own, spending{Spending: bus.Spending{N: l.last, What: what, Address: address, Guest: guest}})
}

// HearSpent is who hears of what was spent at other nodes, once each. It may be said while the bus is joined.
func (b *Bus) HearSpent(hear func(what, address, guest string)) {
	l := &b.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hear = func(s bus.Spending) { hear(s.What, s.Address, s.Guest) }
}

// tell is what goes with the next news.
func (l *ledger) tell() (all []bus.Spending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var left []spending
	for _, s := range l.own {
		all = append(all, s.Spending)
		if s.said++; s.said < timesSaid {
			left = append(left, s)
		}
	}
	l.own = left
	return all
}

// read reads what came with somebody's news.
func (l *ledger) read(n bus.News) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range n.Spent {
		if s.N <= l.heard[n.From] {
			continue
		}
		if l.heard == nil {
			l.heard = make(map[int64]int64)
		}
		l.heard[n.From] = s.N
		if l.hear != nil {
			l.hear(s)
		}
	}
}
