package limit

import (
	"context"
	"sync"
)

// Turns are whose turn it is: for one name one thing is done at a time, and nobody else waits for it. The zero Turns are nobody's.
type Turns struct {
	mu    sync.Mutex
	taken map[string]chan struct{} // closed when it is over
}

// Of waits until it is the turn of the next thing for a name, which ends with over. Whoever does not wait any more gets ctx's error.
func (t *Turns) Of(ctx context.Context, name string) (over func(), err error) {
	for {
		t.mu.Lock()
		before := t.taken[name]
		if before == nil {
			break
		}
		t.mu.Unlock()
		select {
		case <-before:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	defer t.mu.Unlock()
	done := make(chan struct{})
	if t.taken == nil {
		t.taken = make(map[string]chan struct{})
	}
	t.taken[name] = done
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.taken, name)
		close(done)
	}, nil
}
