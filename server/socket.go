package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"caveau/address"
	"caveau/guests"
	"caveau/lobby"
	"caveau/reply"
	"caveau/server/bundle"
	"caveau/wire"
)

const (
	pingEvery    = 20 * time.Second // how soon a browser that fell asleep is missed
	writeTimeout = 10 * time.Second

	closeReload = websocket.StatusCode(4000)
	closeEnded  = websocket.StatusCode(4001)
	// readLimit is when the connection is closed at once; between longest and this, what is too long is refused.
	readLimit = 64 << 10
)

var errFlood = &wire.Error{Code: "flood", Message: "too many messages: the connection is closed"}

// A socket is one connection. A goroutine of its own reads it for as long as it lives: what the client says is done in order.
// What he is told is written by a goroutine that is there only while there is something to write, so that a slow reader makes
// nobody wait, and an idle one costs little.
//
// Reads and writes have no context of their own, which would cost a timer each: whoever ends a connection closes it. So does the
// server's watch where a write is stuck.
type socket struct {
	server  *Server
	conn    *websocket.Conn
	line    *bundle.Bundle // under conn
	session *lobby.Session
	visitor lobby.Visitor
	from    string // his address
	badge   guests.Badge
	ctx     context.Context // ends with the connection
	cancel  context.CancelFunc
	writing atomic.Int64 // since when something is being written, in Unix nanoseconds; 0 for none
}

// socket answers the handshake. The connection outlives the request.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	v, badge := visitor(r), visited(r).badge
	if !s.admit(v) {
		reply.Refuse(w, http.StatusServiceUnavailable, wire.CodeBusy, "too many are connected, or the server is stopping: try again later")
		return
	}
	line := bundle.New()
	conn, err := websocket.Accept(line.Of(w), r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // guarded has looked at the origin
	if err != nil {
		s.dismiss(v, nil)
		s.warnOfHandshake(r)
		return // Accept has answered
	}
	conn.SetReadLimit(readLimit)
	if r.URL.Query().Get("protocol") != strconv.Itoa(Protocol) {
		go s.reload(v, conn)
		return
	}
	// Not the context of the request, which ends with it, nor s.ctx: a server that stops says so, rather than to break off in the
	// middle of a word.
	c := &socket{server: s, conn: conn, line: line, visitor: v, from: s.from(r), badge: badge}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.session = s.Lobby.Connect(v, func() { go c.flush() })
	s.keep(c)
	c.recheck(r.Context()) // the session may have ended before there was anything to close
	go c.talk()
}

// warnOfHandshake says once what whoever runs the house can do about a handshake that failed. Only a handshake has a key, which every
// proxy passes on.
func (s *Server) warnOfHandshake(r *http.Request) {
	bare := r.Header.Get("Upgrade") == "" || !strings.Contains(strings.ToLower(r.Header.Get("Connection")), "upgrade") || !r.ProtoAtLeast(1, 1)
	if bare && r.Header.Get("Sec-WebSocket-Key") != "" && s.told.First("handshake", "") {
		s.Slog.Warn("a browser's connection came without its Upgrade, so nobody can play; if there is a proxy in front, have it "+
			"pass WebSockets through: HTTP/1.1 with the headers Upgrade and Connection", "proxy", address.Parse(r.RemoteAddr))
	}
}

// reload sends a client away that speaks another version.
func (s *Server) reload(v lobby.Visitor, conn *websocket.Conn) {
	defer s.dismiss(v, nil)
	defer conn.CloseNow()
	ctx, cancel := context.WithTimeout(s.ctx, writeTimeout)
	defer cancel()
	conn.Write(ctx, websocket.MessageText, wire.Message(map[string]*wire.Error{
		"error": {Code: "reload", Message: "this server speaks protocol " + strconv.Itoa(Protocol) + ": load the page again"},
	})) // if that fails, the client has gone
	conn.Close(closeReload, "reload")
}

// talk does what the client says until the connection ends.
func (c *socket) talk() {
	defer c.server.dismiss(c.visitor, c)
	flooded := c.listen()
	c.session.Close()
	if flooded {
		c.server.attempt(tooMuch, c.from, "guest", c.visitor.Guest.ID)
		c.write([]lobby.Message{{Text: wire.Message(map[string]*wire.Error{"error": errFlood})}})
		c.conn.Close(websocket.StatusPolicyViolation, "flood")
	}
	c.end()
}

// listen does what the client says; true if he floods.
func (c *socket) listen() (flooded bool) {
	limiter := c.server.newLimiter(c.visitor)
	for {
		_, r, err := c.conn.Reader(context.Background())
		if err != nil {
			return false
		}
		data := buffers.Get().(*[longest + 1]byte)
		n, err := readMessage(r, data)
		if err == nil && c.ctx.Err() != nil { // whoever is sent away says goodbye in his own time, and nothing else
			buffers.Put(data)
			continue
		}
		if err == nil && !limiter.next(c.ctx) {
			return c.ctx.Err() == nil
		}
		if err != nil {
			return false
		}
		c.obey(data[:n])
		buffers.Put(data)
	}
}

// buffers are for messages that are read; a socket has one only while it reads, so an idle one has none.
var buffers = sync.Pool{New: func() any { return new([longest + 1]byte) }}

// readMessage reads a message into data. If that is full, it is too long, and the rest is lost.
func readMessage(r io.Reader, data *[longest + 1]byte) (n int, err error) {
	for err == nil && n < len(data) {
		var more int
		more, err = r.Read(data[n:])
		n += more
	}
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	if err == io.EOF {
		err = nil
	}
	return n, err
}

func (c *socket) obey(data []byte) {
	switch cmd, err := wire.ReadCommand(data); {
	case len(data) > longest:
		c.session.Refuse("", &wire.Error{Code: "too_long", Message: "a message has at most 4096 bytes"})
	case err != nil:
		c.session.Refuse("", &wire.Error{Code: "bad_json", Message: "that is not the JSON of a command: " + err.Error()})
	case cmd.ID == "" || len(cmd.ID) > 64:
		c.session.Refuse("", &wire.Error{Code: wire.CodeBadCommand, Message: "id: a command has one, of at most 64 characters"})
	default:
		c.session.Do(cmd)
	}
}

// flush writes what the client is told until there is nothing more. The session calls for one flush at a time; after one that
// failed it calls for none, since that has not found nothing.
func (c *socket) flush() {
	var room [4]lobby.Message
	messages, cut := c.session.Take(room[:0])
	for ; len(messages) > 0 && !cut; messages, cut = c.session.Take(messages) {
		if c.write(messages) != nil {
			c.end()
			return
		}
		clear(messages)
	}
	if cut {
		c.conn.Close(websocket.StatusTryAgainLater, "slow")
		c.end()
	}
}

// end ends the connection, without a word.
func (c *socket) end() {
	c.cancel()
	c.conn.CloseNow()
}

// write writes messages; those that are told in one go with one call of the system, and no others, lest it depend on chance what
// goes out together. If that fails, the connection is of no use any more.
func (c *socket) write(messages []lobby.Message) (err error) {
	defer c.writing.Store(0)
	for i := 0; i < len(messages) && err == nil; i++ {
		c.writing.Store(c.server.Clock.Now().UnixNano()) // each has its time
		c.notice(messages[i].Text)
		if messages[i].More {
			c.line.Hold()
		}
		err = c.conn.Write(context.Background(), websocket.MessageText, messages[i].Text)
		if !messages[i].More || err != nil {
			err = cmp.Or(c.line.Release(), err)
		}
	}
	return err
}

// stuck tells whether a message is being written for too long.
func (c *socket) stuck(now time.Time) bool {
	since := c.writing.Load()
	return since != 0 && now.UnixNano()-since > int64(writeTimeout)
}

// ping asks whether the client is still there; and, in a house of several nodes, whether his session was ended at another that nobody has heard.
func (c *socket) ping() {
	ctx, cancel := context.WithTimeout(c.ctx, writeTimeout)
	defer cancel()
	if c.conn.Ping(ctx) != nil || c.badge.ID != "" && c.server.Lobby.Shared() && errors.Is(c.server.guests.Check(ctx, c.badge), guests.ErrEnded) {
		c.end()
	}
}

// Sockets are all that are open.
type sockets struct {
	mu   sync.Mutex
	last int // the number of the last one that was kept
	open map[*socket]int
	all  sync.WaitGroup
}

// admit makes room for a connection, if there is any; dismiss gives it back. Once Close has locked mu nothing is added to what it
// waits for.
func (s *Server) admit(v lobby.Visitor) bool {
	s.sockets.mu.Lock()
	defer s.sockets.mu.Unlock()
	if s.ctx.Err() != nil || !s.spent.sockets.Take(v.From, v.Guest.ID) {
		return false
	}
	s.sockets.all.Add(1)
	return true
}

func (s *Server) keep(c *socket) {
	s.sockets.mu.Lock()
	defer s.sockets.mu.Unlock()
	s.sockets.last++
	s.sockets.open[c] = s.sockets.last
	if s.ctx.Err() != nil {
		go c.stop()
	}
}

func (s *Server) dismiss(v lobby.Visitor, c *socket) {
	s.sockets.mu.Lock()
	defer s.sockets.mu.Unlock()
	delete(s.sockets.open, c)
	s.spent.sockets.Give(v.From, v.Guest.ID)
	s.sockets.all.Done()
}

// endSockets closes the connections of a guest whose sessions have ended.
func (s *Server) endSockets(ctx context.Context, guest string) {
	s.sockets.mu.Lock()
	var his []*socket
	for c := range s.sockets.open {
		if c.badge.ID == guest {
			his = append(his, c)
		}
	}
	s.sockets.mu.Unlock()
	for _, c := range his {
		c.recheck(ctx)
	}
}

// recheck closes the connection if its session has ended; or if nobody knows.
func (c *socket) recheck(ctx context.Context) {
	if c.badge.ID == "" {
		return
	}
	code, why := closeEnded, "ended"
	switch err := c.server.guests.Check(ctx, c.badge); {
	case err == nil:
		return
	case !errors.Is(err, guests.ErrEnded):
		code, why = websocket.StatusTryAgainLater, "try again"
	}
	c.cancel()
	go func() {
		c.conn.Close(code, why)
		c.end()
	}()
}

// stop says that the server stops.
func (c *socket) stop() {
	c.conn.Close(websocket.StatusGoingAway, "the server is stopping")
	c.end()
}

// pingSteps is in how many parts the sockets are pinged, so that they do not all answer at once. It is odd: whatever else is
// due after so many seconds is not due in the same moment.
const pingSteps = 19

// watch pings every socket every pingEvery, and ends those that are stuck. Where there are other nodes all are told with each step, so about every
// second, that this one lives: whoever hears nothing goes to another.
func (s *Server) watch() {
	for step := 0; ; step = (step + 1) % pingSteps {
		due, stop := s.Clock.Timer(pingEvery / pingSteps)
		select {
		case <-due:
		case <-s.ctx.Done():
			stop()
			return
		}
		now, alive := s.Clock.Now(), wire.Message(map[string]bool{"alive": true})
		s.sockets.mu.Lock()
		for c, n := range s.sockets.open {
			switch {
			case c.stuck(now), s.bars(visit{badge: c.badge}):
				go c.end()
			case n%pingSteps == step:
				go c.ping()
			}
			if s.Lobby.Shared() && c.writing.Load() == 0 { // else he does not read, or is told something else just now
				c.session.Tell(alive)
			}
		}
		s.sockets.mu.Unlock()
	}
}
