//go:build unix

package cluster

import (
	"net"
	"sync"
)

// A line carries what a node and an engine say to each other. While it is held nothing comes through, and nobody is told: that is what a network does which is split. What
// was on its way comes later.
type line struct {
	net.Listener
	network, to string

	mu   sync.Mutex
	free *sync.Cond
	held bool
	gone bool
}

// newLine listens at an address, and leads to another.
func newLine(network, at, to string) (l *line, err error) {
	l = &line{network: network, to: to}
	l.free = sync.NewCond(&l.mu)
	if l.Listener, err = net.Listen(network, at); err == nil {
		go l.serve()
	}
	return l, err
}

// serve carries until the line is closed.
func (l *line) serve() {
	for {
		from, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			l.pass()
			to, err := net.Dial(l.network, l.to)
			if err != nil {
				from.Close()
				return
			}
			go l.carry(from, to)
			l.carry(to, from)
		}()
	}
}

func (l *line) carry(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	for said := make([]byte, 1<<16); ; {
		n, err := from.Read(said)
		if l.pass(); err != nil {
			return
		}
		if _, err := to.Write(said[:n]); err != nil {
			return
		}
	}
}

// pass waits while the line is held.
func (l *line) pass() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.held && !l.gone {
		l.free.Wait()
	}
}

// hold holds the line, or lets go of it.
func (l *line) hold(held bool) {
	l.mu.Lock()
	l.held = held
	l.mu.Unlock()
	l.free.Broadcast()
}

func (l *line) close() {
	l.mu.Lock()
	l.gone = true
	l.mu.Unlock()
	l.free.Broadcast()
	l.Close()
}
