package server

import "sync"

// told is what the log was told already, by kind: what comes again and again is said once, and no stranger fills the log.
type told struct {
	mu    sync.Mutex
	kinds map[string]map[string]bool
}

// mostTold is how many names of a kind the log is told.
const mostTold = 20

// first tells whether something of a kind has not been said before, and may be said now.
func (t *told) first(kind, name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	names := t.kinds[kind]
	if names[name] || len(names) >= mostTold {
		return false
	}
	if names == nil {
		names = make(map[string]bool)
		t.kinds[kind] = names
	}
	names[name] = true
	return true
}
