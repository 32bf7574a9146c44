package memory

import (
	"context"
	"maps"
	"sync"
)

// Notes are what a house notes for itself, in memory: as a store on a disk keeps them. The zero value has none.
type Notes struct {
	mu  sync.Mutex
	all map[string]string
}

// Note is what is noted by that name; "" if nothing is.
func (n *Notes) Note(_ context.Context, name string) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.all[name], nil
}

// Change notes what change makes of what is noted. Where it fails all stays as it is, and its error is the answer.
func (n *Notes) Change(_ context.Context, name string, change func(string) (string, error)) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	value, err := change(n.all[name])
	if err != nil {
		return err
	}
	if n.all == nil {
		n.all = map[string]string{}
	}
	n.all[name] = value
	return nil
}

// All is everything that is noted.
func (n *Notes) All() map[string]string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return maps.Clone(n.all)
}
