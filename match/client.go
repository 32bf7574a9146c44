package match

import (
	"context"
	"sync"
)

// enoughFrames is how much may wait for a client that reads slowly. Then he is cut off: that is kinder to everybody than
// to wait for him, and he catches up when he comes back.
const enoughFrames = 128

// A Client is one connection of one guest. What it is told waits in Out; it never makes a table wait.
type Client struct {
	Guest Guest

	lobby    *Lobby
	out      chan []byte
	cut      chan struct{}
	once     sync.Once
	watching map[ID]*match // belongs to whoever calls Do and Close
}

// Connect makes a client of the guest; the zero Guest may only watch. Close it when the connection is gone.
func (l *Lobby) Connect(guest Guest) *Client {
	return &Client{
		Guest: guest, lobby: l, out: make(chan []byte, enoughFrames), cut: make(chan struct{}), watching: make(map[ID]*match),
	}
}

// Out is what the client is told: JSON messages, in order.
func (c *Client) Out() <-chan []byte { return c.out }

// Cut is closed when the client has read too slowly. It has missed something and should be disconnected.
func (c *Client) Cut() <-chan struct{} { return c.cut }

// Tell says something to the client; it never blocks.
func (c *Client) Tell(v any) { c.tell(message(v)) }

func (c *Client) tell(data []byte) {
	select {
	case <-c.cut: // after a gap, nothing more
		return
	default:
	}
	select {
	case c.out <- data:
	default:
		c.once.Do(func() { close(c.cut) })
	}
}

// Refuse tells the client that what it called re was not done; with no re, something about the connection itself.
func (c *Client) Refuse(re string, err error) {
	if re == "" {
		c.Tell(struct {
			Error *Error `json:"error"`
		}{AsError(err)})
		return
	}
	c.Tell(answer{Re: re, Error: AsError(err)})
}

// Do does what the client says and tells it the answer. One command at a time: it returns when the answer is told. When
// ctx ends first, the command is done or not, and nobody waits for it.
func (c *Client) Do(ctx context.Context, cmd Command) {
	if cmd.long() {
		c.Refuse(cmd.ID, refuse(CodeBadCommand, "the words of a command have at most %d bytes each", longestWord))
		return
	}
	switch cmd.Do {
	case "ping":
		c.Tell(answer{Re: cmd.ID, OK: true})
	case "lobby":
		c.Tell(answer{Re: cmd.ID, OK: true})
		c.lobby.watch(c)
	case "unlobby":
		c.lobby.unwatch(c)
		c.Tell(answer{Re: cmd.ID, OK: true})
	case "watch":
		c.watch(ctx, cmd)
	case "unwatch":
		if m := c.watching[cmd.Table]; m != nil {
			delete(c.watching, cmd.Table)
			m.post(ctx, func() { m.lose(c) })
		}
		c.Tell(answer{Re: cmd.ID, OK: true})
	default:
		err := c.lobby.visit(ctx, cmd.Table, func(m *match) func() { return func() { m.do(c, cmd) } })
		if err != nil {
			c.Refuse(cmd.ID, err)
		}
	}
}

// mostWatched is how many tables one client may watch.
const mostWatched = 64

func (c *Client) watch(ctx context.Context, cmd Command) {
	if len(c.watching) >= mostWatched && c.watching[cmd.Table] == nil {
		c.Refuse(cmd.ID, refuse(CodeBusy, "you watch %d tables already", mostWatched))
		return
	}
	known := c.watching[cmd.Table]
	err := c.lobby.visit(ctx, cmd.Table, func(m *match) func() {
		c.watching[cmd.Table] = m // before the owner knows: whatever happens to ctx, Close will tell it
		return func() { m.watch(c, cmd) }
	})
	if err != nil {
		c.Refuse(cmd.ID, err)
		if known == nil {
			delete(c.watching, cmd.Table)
		}
	}
}

// Close takes the client from every table and from the lobby.
func (c *Client) Close() {
	c.lobby.unwatch(c)
	for _, m := range c.watching {
		m.post(c.lobby.ctx, func() { m.lose(c) })
	}
	clear(c.watching)
}
