package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/coder/websocket"

	"caveau/match"
)

const (
	pingEvery    = 20 * time.Second // how soon a browser that fell asleep is missed
	writeTimeout = 10 * time.Second
	busyTimeout  = 10 * time.Second // how long a command may wait for its table

	closeReload = websocket.StatusCode(4000)
	// readLimit is when the connection is closed at once; between longest and this, what is too long is refused.
	readLimit = 64 << 10
)

var errFlood = &match.Error{Code: "flood", Message: "too many messages: the connection is closed"}

// socket is one connection: what the client says is done in order, and what it is told is written by a goroutine of its
// own, so that a slow reader makes nobody wait.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	if s.open.Add(1) > int64(s.Limits.Sockets) || s.ctx.Err() != nil {
		s.open.Add(-1)
		refuse(w, http.StatusServiceUnavailable, match.CodeBusy, "too many are connected, try again later")
		return
	}
	defer s.open.Add(-1)
	s.sockets.Add(1)
	defer s.sockets.Done()
	guest, _ := s.whois(r)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{OriginPatterns: []string{s.origin.Host}})
	if err != nil {
		return // Accept has answered
	}
	defer conn.CloseNow()
	conn.SetReadLimit(readLimit)
	if r.URL.Query().Get("protocol") != strconv.Itoa(Protocol) {
		s.reload(conn)
		return
	}
	s.talk(conn, s.Lobby.Connect(guest))
}

// reload sends a client away that speaks another version.
func (s *Server) reload(conn *websocket.Conn) {
	s.say(s.ctx, conn, map[string]*match.Error{
		"error": {Code: "reload", Message: "this server speaks protocol " + strconv.Itoa(Protocol) + ": load the page again"},
	})
	conn.Close(closeReload, "reload")
}

// say writes one message; if that fails, the connection has ended, which its reader notices.
func (s *Server) say(ctx context.Context, conn *websocket.Conn, v any) {
	data, err := json.Marshal(v)
	if err == nil {
		err = within(ctx, func(ctx context.Context) error { return conn.Write(ctx, websocket.MessageText, data) })
	}
	if err != nil {
		s.Slog.Debug("a message was not delivered", "err", err)
	}
}

// talk is the life of a connection.
func (s *Server) talk(conn *websocket.Conn, client *match.Client) {
	// Not s.ctx: a server that stops says so, rather than to break off in the middle of a word.
	ctx, cancel := context.WithCancel(context.Background())
	written := make(chan struct{})
	go func() {
		defer close(written)
		defer cancel()
		s.write(ctx, conn, client)
	}()
	flooded := s.hear(ctx, conn, client)
	client.Close()
	if flooded {
		s.say(ctx, conn, map[string]*match.Error{"error": errFlood})
		conn.Close(websocket.StatusPolicyViolation, "flood")
	}
	cancel()
	<-written
}

// hear does what the client says until the connection ends; true if it floods.
func (s *Server) hear(ctx context.Context, conn *websocket.Conn, client *match.Client) (flooded bool) {
	pace := newPace(s.Limits, s.Clock)
	for {
		data, err := next(ctx, conn)
		if err != nil {
			return false
		}
		if !pace.next(ctx) {
			return ctx.Err() == nil
		}
		s.obey(ctx, client, data)
	}
}

// next is what the client says next: at most one byte more than it may, which tells that it is too long.
func next(ctx context.Context, conn *websocket.Conn) ([]byte, error) {
	_, r, err := conn.Reader(ctx)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, longest+1))
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	return data, err
}

func (s *Server) obey(ctx context.Context, client *match.Client, data []byte) {
	var cmd match.Command
	if len(data) > longest {
		client.Refuse("", &match.Error{Code: "too_long", Message: "a message has at most 4096 bytes"})
		return
	}
	if err := json.Unmarshal(data, &cmd); err != nil {
		client.Refuse("", &match.Error{Code: "bad_json", Message: "that is not the JSON of a command: " + err.Error()})
		return
	}
	if cmd.ID == "" || len(cmd.ID) > 64 {
		client.Refuse("", &match.Error{Code: match.CodeBadCommand, Message: "id: a command has one, of at most 64 characters"})
		return
	}
	ctx, cancel := context.WithTimeout(ctx, busyTimeout)
	defer cancel()
	client.Do(ctx, cmd)
}

// write writes what the client is told, and asks now and then whether it is still there.
func (s *Server) write(ctx context.Context, conn *websocket.Conn, client *match.Client) {
	for {
		ping, stop := s.Clock.Timer(pingEvery)
		var err error
		select {
		case data := <-client.Out():
			err = within(ctx, func(ctx context.Context) error { return conn.Write(ctx, websocket.MessageText, data) })
		case <-ping:
			err = within(ctx, conn.Ping)
		case <-client.Cut():
			conn.Close(websocket.StatusTryAgainLater, "slow")
			err = errors.New("slow")
		case <-s.ctx.Done():
			conn.Close(websocket.StatusGoingAway, "the server is stopping")
			err = errors.New("stopping")
		case <-ctx.Done():
			err = ctx.Err()
		}
		stop()
		if err != nil {
			return
		}
	}
}

func within(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return do(ctx)
}
