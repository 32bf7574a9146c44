package server

import (
	"bufio"
	"net"
	"net/http"
	"sync"
)

// A bundle is the network's side of a socket. While it is held, what is written to it waits, so that several messages go out with
// one call of the system. The library's own messages (ping, pong, close) come from other goroutines, hence the lock.
type bundle struct {
	net.Conn

	lock chan struct{} // full while somebody has it, which may be as long as a client does not read: a channel, since storm cannot see who waits for a mutex
	held *bufio.Writer // nil while nothing is held; whoever has the lock may look
}

func newBundle() *bundle { return &bundle{lock: make(chan struct{}, 1)} }

func (b *bundle) take() { b.lock <- struct{}{} }
func (b *bundle) give() { <-b.lock }

// holders have the room for what waits; a bundle has one only while it is held, so an idle socket has none.
var holders = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

// Write is net.Conn's. Of what waits no write tells an error; release does.
func (b *bundle) Write(data []byte) (int, error) {
	b.take()
	defer b.give()
	if b.held != nil {
		return b.held.Write(data)
	}
	return b.Conn.Write(data)
}

// hold has what is written wait until release. Both are called by the goroutine that writes the socket's messages, and may be
// called again, to no effect.
func (b *bundle) hold() {
	b.take()
	defer b.give()
	if b.held == nil {
		b.held = holders.Get().(*bufio.Writer)
		b.held.Reset(b.Conn)
	}
}

// release writes what waited, if anything did.
func (b *bundle) release() error {
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

// A bundler answers a handshake, and has the connection that the handshake leads to go through its bundle.
type bundler struct {
	http.ResponseWriter
	bundle *bundle
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
