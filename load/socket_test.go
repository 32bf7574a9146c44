package load

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// serve has a server of the library's talk to a socket of ours.
func serve(t *testing.T, talk func(context.Context, *websocket.Conn)) *socket {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("who"); err != nil || c.Value != "Ana" {
			http.Error(w, "who?", http.StatusForbidden)
			return
		}
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.CloseNow()
		conn.SetReadLimit(1 << 20)
		talk(r.Context(), conn)
	}))
	t.Cleanup(server.Close)
	s, err := dial(t.Context(), server.URL, "who=Ana")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	if _, err := dial(t.Context(), server.URL, ""); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("without a cookie: %v", err)
	}
	if _, err := dial(t.Context(), "https://games.example", ""); err == nil || !strings.Contains(err.Error(), "http alone") {
		t.Errorf("by https: %v", err)
	}
	return s
}

// Messages of every kind of length come and go as they are.
func TestSocket(t *testing.T) {
	s := serve(t, func(ctx context.Context, conn *websocket.Conn) {
		for {
			kind, text, err := conn.Read(ctx)
			if err != nil {
				return
			}
			if err := conn.Write(ctx, kind, text); err != nil {
				t.Error(err)
			}
		}
	})
	for _, n := range []int{0, 1, 125, 126, 127, 65_535, 65_536, 200_000, 3} {
		want := bytes.Repeat([]byte{'a' + byte(n%26)}, n)
		if err := s.say(want); err != nil {
			t.Fatal(err)
		}
		if got, err := s.read(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("of %d bytes came %d, %v", n, len(got), err)
		}
	}
}

// A ping is answered while a message is waited for, and the reason of an end is told.
func TestSocketPingAndEnd(t *testing.T) {
	s := serve(t, func(ctx context.Context, conn *websocket.Conn) {
		ctx = conn.CloseRead(ctx)
		if err := conn.Ping(ctx); err != nil { // returns when it is answered
			t.Error(err)
		}
		if err := conn.Write(ctx, websocket.MessageText, []byte("here")); err != nil {
			t.Error(err)
		}
		conn.Close(4000, "reload")
	})
	if got, err := s.read(); err != nil || string(got) != "here" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := s.read(); err == nil || !strings.Contains(err.Error(), "4000 reload") {
		t.Errorf("the end is told as %v", err)
	}
}

// A server that says what ours do not say is refused, and not waited for.
func TestSocketRefuses(t *testing.T) {
	for name, bytes := range map[string][]byte{
		"a compressed frame":         {0xC1, 0x00},
		"a frame of 2^62":            {0x81, 127, 0x40, 0, 0, 0, 0, 0, 0, 0},
		"a frame of 32 MiB":          {0x81, 127, 0, 0, 0, 0, 2, 0, 0, 0},
		"a ping inside of a message": {0x01, 1, 'a', 0x89, 0},
		"half a frame":               {0x81, 5, 'a'},
	} {
		ours, theirs := net.Pipe()
		go func() { theirs.Write(bytes); theirs.Close() }()
		if _, err := newSocket(ours).read(); err == nil {
			t.Errorf("%s is read", name)
		}
		ours.Close()
	}
}
