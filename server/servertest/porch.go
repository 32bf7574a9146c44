// Package servertest is what tests of a whole server share.
package servertest

import (
	"net"
	"sync"
)

// Here is where a Porch says that it is.
var Here = &net.TCPAddr{IP: net.IPv4(192, 168, 1, 7), Port: 8080}

// A Porch is a net.Listener for callers in the same process. No network and no port is used, so in a bubble of testing/synctest all stands still
// when nobody has anything to do.
type Porch struct {
	calls  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// NewPorch is one to which nobody has come.
func NewPorch() *Porch { return &Porch{calls: make(chan net.Conn, 64), closed: make(chan struct{})} }

// Call brings the server's end of a line. It waits only while 64 are not yet taken.
func (p *Porch) Call(end net.Conn) { p.calls <- end }

// Accept is the next of these; net.ErrClosed once the porch is closed.
func (p *Porch) Accept() (net.Conn, error) {
	select {
	case end := <-p.calls:
		return end, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close lets nobody in any more.
func (p *Porch) Close() error { p.once.Do(func() { close(p.closed) }); return nil }

// Addr is Here.
func (p *Porch) Addr() net.Addr { return Here }
