package guests

import (
	"context"
	"sync"
)

// Turns are whose turn it is: for one guest one thing is done at a time, and nobody else waits for it.
type turns struct {
	mu    sync.Mutex
	taken map[string]chan struct{} // closed when it is over
}

// of waits until it is the turn of a guest's next thing, which ends with over. Whoever does not wait any more gets ctx's error.
func (t *turns) of(ctx context.Context, guest string) (over func(), err error) {
	for {
		t.mu.Lock()
		before := t.taken[guest]
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
	t.taken[guest] = done
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.taken, guest)
		close(done)
	}, nil
}
