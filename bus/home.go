package bus

import (
	"context"
	"slices"
	"sync"

	"caveau/wire"
)

// Home is a bus inside the process, for several nodes in it: letters come in order, once, and soon.
type Home struct {
	mu     sync.Mutex
	nodes  map[int64]*mailbox
	owners map[wire.ID][]int64
}

// A mailbox is what waits for a node.
type mailbox struct {
	letters []Letter
	wake    chan struct{} // has room for one: there is mail
}

// Join brings a node what is meant for it until ctx ends.
func (h *Home) Join(ctx context.Context, x *Exchange) {
	box := &mailbox{wake: make(chan struct{}, 1)}
	h.mu.Lock()
	if h.nodes == nil {
		h.nodes = make(map[int64]*mailbox)
	}
	h.nodes[x.node] = box
	h.mu.Unlock()
	for ctx.Err() == nil {
		select {
		case <-box.wake:
		case <-ctx.Done():
		}
		h.mu.Lock()
		letters := box.letters
		box.letters = nil
		h.mu.Unlock()
		for _, letter := range letters {
			x.Read(letter)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.nodes, x.node)
}

// Own has a node asked for a table; Disown, not any more.
func (h *Home) Own(node int64, table wire.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.owners == nil {
		h.owners = make(map[wire.ID][]int64)
	}
	if !slices.Contains(h.owners[table], node) {
		h.owners[table] = append(h.owners[table], node)
	}
}

func (h *Home) Disown(node int64, table wire.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.owners[table] = slices.DeleteFunc(h.owners[table], func(n int64) bool { return n == node }); len(h.owners[table]) == 0 {
		delete(h.owners, table)
	}
}

// There is that it is inside the process.
func (h *Home) There() bool { return true }

// Send brings a letter to whom it is for, if he is there.
func (h *Home) Send(l Letter) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch is := l.(type) {
	case Ask:
		for _, node := range h.owners[is.Table] {
			if node != is.From {
				h.bring(node, l)
			}
		}
	case News:
		for node := range h.nodes {
			if node != is.From {
				h.bring(node, l)
			}
		}
	case Told:
		h.bring(is.To, l)
	case Roll:
		h.bring(is.To, l)
	case Present:
		h.bring(is.To, l)
	}
}

func (h *Home) bring(node int64, l Letter) {
	if box := h.nodes[node]; box != nil {
		box.put(l)
	}
}

func (b *mailbox) put(letter Letter) {
	b.letters = append(b.letters, letter)
	select {
	case b.wake <- struct{}{}:
	default:
	}
}
