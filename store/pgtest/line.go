//go:build unix

package pgtest

import (
	"net"
	"os"
	"path/filepath"
	"sync"
)

// A Line leads to a server, and can be cut.
type Line struct {
	server *Server
	dir    string

	mu    sync.Mutex
	fault Fault
	done  chan struct{} // closed when the fault has happened
}

// A Fault is what happens to the line once.
type Fault int

const (
	// LoseQuestion cuts the line before the next words reach the server.
	LoseQuestion Fault = iota + 1
	// LoseAnswer cuts it when the server has answered, and before anybody hears that.
	LoseAnswer
)

// Line is a line to the server.
func (s *Server) Line() *Line {
	s.t.Helper()
	dir, err := os.MkdirTemp(s.dir, "line")
	if err != nil {
		s.t.Fatal(err)
	}
	l := &Line{server: s, dir: dir}
	listener, err := net.Listen("unix", filepath.Join(l.dir, ".s.PGSQL.5432"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("unix", filepath.Join(s.dir, ".s.PGSQL.5432"))
			if err != nil {
				client.Close()
				continue
			}
			go l.carry(client, server, LoseQuestion)
			go l.carry(server, client, LoseAnswer)
		}
	}()
	return l
}

// Next has a fault happen to the next that goes along the line, and is closed when it has.
func (l *Line) Next(f Fault) (happened <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault, l.done = f, make(chan struct{})
	return l.done
}

// carry carries what one end says to the other, until there is a fault of that kind.
func (l *Line) carry(from, to net.Conn, kind Fault) {
	defer from.Close()
	defer to.Close()
	for said := make([]byte, 1<<16); ; {
		n, err := from.Read(said)
		if err != nil || l.happens(kind) {
			return
		}
		if _, err := to.Write(said[:n]); err != nil {
			return
		}
	}
}

func (l *Line) happens(kind Fault) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fault != kind {
		return false
	}
	l.fault = 0
	close(l.done)
	return true
}

// New is the address of a place for a house that nobody has used, by this line.
func (l *Line) New() string { return l.server.newAt(l.dir) }
