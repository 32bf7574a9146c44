package limit

import "sync"

// Once is what was said already, by kind: what comes again and again is said once, and no stranger fills the log. The zero Once has
// said nothing.
type Once struct {
	mu    sync.Mutex
	kinds map[string]map[string]bool
}

// mostSaid is how many names of a kind are said.
const mostSaid = 20

// First tells whether something of a kind has not been said before, and may be said now.
func (o *Once) First(kind, name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	names := o.kinds[kind]
	if names[name] || len(names) >= mostSaid {
		return false
	}
	if o.kinds == nil {
		o.kinds = make(map[string]map[string]bool)
	}
	if names == nil {
		names = make(map[string]bool)
		o.kinds[kind] = names
	}
	names[name] = true
	return true
}
