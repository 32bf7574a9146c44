// Package bundle is the network's side of a socket. While it is held, what is written to it waits, so that several messages go out with one
// call of the system.
package bundle

import (
	"bufio"
	"net"
	"net/http"
	"sync"
)

// A Bundle is a connection; call New. The library's own messages (ping, pong, close) come from other goroutines, hence the lock.
type Bundle struct {
	net.Conn

	lock chan struct{} // full while somebody has it, which may be as long as a client does not read: a channel, since storm cannot see who waits for a mutex
	held *bufio.Writer // nil while nothing is held; whoever has the lock may look
}

// New makes one of no connection yet: whoever hijacks by way of Of gives it one.
func New() *Bundle { return &Bundle{lock: make(chan struct{}, 1)} }

func (b *Bundle) take() { b.lock <- struct{}{} }
func (b *Bundle) give() { <-b.lock }

// holders have the room for what waits; a bundle has one only while it is held, so an idle socket has none.
var holders = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

// Write is net.Conn's. Of what waits no write tells an error; Release does.
func (b *Bundle) Write(data []byte) (int, error) {
	b.take()
	defer b.give()
	if b.held != nil {
		return b.held.Write(data)
	}
	return b.Conn.Write(data)
}

// Hold has what is written wait until Release. Both are called by the goroutine that writes the socket's messages, and may be
// called again, to no effect.
func (b *Bundle) Hold() {
	b.take()
	defer b.give()
	if b.held == nil {
		b.held = holders.Get().(*bufio.Writer)
		b.held.Reset(b.Conn)
	}
}

// Release writes what waited, if anything did.
func (b *Bundle) Release() error {
	b.take()
	defer b.give()
	if b.held == nil {
		return nil
	}
	err := b.held.Flush()
	b.held.Reset(nil)
	holders.Put(b.held)
	b.held = nil
	return err
}

// Of answers a handshake by w, and has the connection that the handshake leads to go through the bundle.
func (b *Bundle) Of(w http.ResponseWriter) http.ResponseWriter { return bundler{w, b} }

type bundler struct {
	http.ResponseWriter
	bundle *Bundle
}

// Hijack is http.Hijacker's.
func (b bundler) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(b.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	b.bundle.Conn = conn
	buffers.Writer.Reset(b.bundle)
	return b.bundle, buffers, nil
}
