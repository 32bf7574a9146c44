package storm

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"caveau/server/servertest"
)

// window is how much may lie in a cable until somebody at the other end reads.
const window = 4 << 10

// A cable is a connection: the server has one end, as a net.Conn, and the loop has the other, which never blocks. It can be cut,
// and it fills up when nobody reads.
type cable struct {
	from  net.Addr
	news  func() // something was written, or the server has hung up
	mu    sync.Mutex
	moved *sync.Cond
	in    []byte // on its way to the server
	out   []byte // from the server
	hung  bool   // the person has hung up: the server finds the end
	cut   bool   // the cable is broken, for both
	gone  bool   // the server has hung up
	stuck bool   // the person does not read
	room  int    // how much may lie there then

	readBy, writeBy deadline
}

// A deadline wakes whoever waits for too long.
type deadline struct {
	at   time.Time
	wake *time.Timer
}

func (d *deadline) set(at time.Time, wake func()) {
	if d.wake != nil {
		d.wake.Stop()
		d.wake = nil
	}
	if d.at = at; !at.IsZero() && at.After(time.Now()) {
		d.wake = time.AfterFunc(time.Until(at), wake)
	}
}

func (d *deadline) over() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }

func newCable(from net.Addr, news func()) *cable {
	c := &cable{from: from, news: news, room: window}
	c.moved = sync.NewCond(&c.mu)
	return c
}

func (c *cable) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.gone:
			return 0, net.ErrClosed
		case c.cut:
			return 0, syscall.ECONNRESET
		case c.readBy.over():
			return 0, os.ErrDeadlineExceeded
		case len(c.in) > 0:
			n := copy(p, c.in)
			c.in = c.in[n:]
			return n, nil
		case c.hung:
			return 0, io.EOF
		}
		c.moved.Wait()
	}
}

func (c *cable) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.gone:
			return 0, net.ErrClosed
		case c.cut, c.hung:
			return 0, syscall.EPIPE
		case c.writeBy.over():
			return 0, os.ErrDeadlineExceeded
		case !c.stuck || len(c.out) < c.room:
			c.out = append(c.out, p...)
			c.news()
			return len(p), nil
		}
		c.moved.Wait()
	}
}

func (c *cable) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = true
	c.readBy.set(time.Time{}, nil)
	c.writeBy.set(time.Time{}, nil)
	c.moved.Broadcast()
	c.news()
	return nil
}

func (c *cable) LocalAddr() net.Addr  { return servertest.Here }
func (c *cable) RemoteAddr() net.Addr { return c.from }

func (c *cable) SetDeadline(at time.Time) error {
	c.SetReadDeadline(at)
	return c.SetWriteDeadline(at)
}

func (c *cable) SetReadDeadline(at time.Time) error {
	c.change(func() { c.readBy.set(at, c.moved.Broadcast) })
	return nil
}

func (c *cable) SetWriteDeadline(at time.Time) error {
	c.change(func() { c.writeBy.set(at, c.moved.Broadcast) })
	return nil
}

// change changes something, and wakes whoever waits for it.
func (c *cable) change(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
	c.moved.Broadcast()
}

// send puts bytes on their way to the server.
func (c *cable) send(data []byte) { c.change(func() { c.in = append(c.in, data...) }) }

// take is what the server has written, unless nobody reads, and whether it has hung up.
func (c *cable) take() (data []byte, gone bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stuck && !c.gone {
		return nil, false
	}
	data, c.out = c.out, nil
	c.moved.Broadcast()
	return data, c.gone || c.cut
}

// sip is what lies there, of which somebody reads a little who does not read on.
func (c *cable) sip() (data []byte) {
	c.change(func() { data, c.out = c.out, nil })
	return data
}
