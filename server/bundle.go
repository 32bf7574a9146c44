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

	mu   sync.Mutex    // guards what follows, and is held while what waited is written
	held *bufio.Writer // nil while nothing is held
}

// holders have the room for what waits; a bundle has one only while it is held, so an idle socket has none.
var holders = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

// Write is net.Conn's. Of what waits no write tells an error; release does.
func (b *bundle) Write(data []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held != nil {
		return b.held.Write(data)
	}
	return b.Conn.Write(data)
}

// hold has what is written wait until release. Both are called by the goroutine that writes the socket's messages, and may be
// called again, to no effect.
func (b *bundle) hold() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held != nil {
		return
	}
	b.held = holders.Get().(*bufio.Writer)
	b.held.Reset(b.Conn)
}

// release writes what waited, if anything did.
func (b *bundle) release() error {
	b.mu.Lock()
	defer b.mu.Unlock()
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
