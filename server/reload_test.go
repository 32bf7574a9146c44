package server_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"caveau/server"
	"caveau/server/servertest"
	"caveau/store/storetest"
)

// A caller is a page's end of a line, whose handshake is on its way.
type caller struct {
	net.Conn
	heard *bufio.Reader
}

// call begins a line. Its handshake is read; it need not be answered yet.
func call(t *testing.T, porch *servertest.Porch, query string) caller {
	near, far := net.Pipe()
	porch.Call(far)
	handshake := "GET /ws" + query + " HTTP/1.1\r\nHost: 192.168.1.7:8080\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
		"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
	if _, err := io.WriteString(near, handshake); err != nil {
		t.Fatal(err)
	}
	return caller{near, bufio.NewReaderSize(near, 16)} // a word is longer, and is not read to its end at once
}

// answered reads how its handshake is answered.
func (c caller) answered(t *testing.T) int {
	res, err := http.ReadResponse(c.heard, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode
}

// hears reads the beginning of what it is told.
func (c caller) hears(t *testing.T) {
	if _, err := c.heard.ReadByte(); err != nil {
		t.Fatal(err)
	}
}

// A page that speaks another protocol is sent away. Its place is free again soon after, whatever becomes of its line meanwhile, and the house can
// be closed at any time.
func TestWhoeverIsSentAwayKeepsNoPlace(t *testing.T) {
	for name, goes := range map[string]func(t *testing.T, page caller){
		"it hears all and waits":               func(t *testing.T, page caller) { go io.Copy(io.Discard, page.heard) },
		"it is cut before it is answered":      func(t *testing.T, page caller) { page.Close() },
		"it is cut once it is answered":        func(t *testing.T, page caller) { page.answered(t); page.Close() },
		"it is cut in the middle of the word":  func(t *testing.T, page caller) { page.answered(t); page.hears(t); page.Close() },
		"it does not read the word":            func(t *testing.T, page caller) { page.answered(t) },
		"it does not read the word to its end": func(t *testing.T, page caller) { page.answered(t); page.hears(t) },
		"it says what is no message": func(t *testing.T, page caller) {
			page.answered(t)
			go io.Copy(io.Discard, page.heard)
			page.Write([]byte("\xff\xff\xff\xff"))
		},
		"it says goodbye at once": func(t *testing.T, page caller) {
			page.answered(t)
			go io.Copy(io.Discard, page.heard)
			page.Write([]byte("\x88\x80\x00\x00\x00\x00")) // a close frame with nothing in it
		},
	} {
		for _, query := range []string{"", "?protocol=2"} {
			t.Run(name+query, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { sentAway(t, query, goes) })
			})
		}
	}
}

func sentAway(t *testing.T, query string, goes func(*testing.T, caller)) {
	m := storetest.Memory()
	s := indoors(t, m, m, func(c *server.Config) { c.Limits.Sockets = 50 }) // of which one address has one
	defer closes(t, s)
	porch := servertest.NewPorch()
	web := &http.Server{Handler: s}
	go web.Serve(porch)
	t.Cleanup(func() { web.Close() })

	for range 3 {
		page := call(t, porch, query)
		defer page.Close()
		goes(t, page)
		time.Sleep(time.Minute)
	}
	good := call(t, porch, "?protocol=3")
	defer good.Close()
	if status := good.answered(t); status != http.StatusSwitchingProtocols {
		t.Fatalf("the next page is answered %d", status)
	}
	good.Close()
	time.Sleep(time.Minute)

	last := call(t, porch, query) // it has just gone, or has not yet, when the house is closed
	t.Cleanup(func() { last.Close() })
	goes(t, last)
}

// closes has a server closed, and says so if that has no end.
func closes(t *testing.T, s *server.Server) {
	t.Helper()
	closed := make(chan struct{})
	go func() {
		s.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(time.Hour):
		t.Error("the server does not close")
	}
}

// Whose line is dead is missed within half a minute, whichever of all who are there he is: each is asked whether he hears, and does not answer.
func TestWhoeverIsGoneIsMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := storetest.Memory()
		s := indoors(t, m, m, func(c *server.Config) { c.Limits.Sockets = 5000 })
		defer closes(t, s)
		porch := servertest.NewPorch()
		web := &http.Server{Handler: s}
		go web.Serve(porch)
		t.Cleanup(func() { web.Close() })
		const all = 50
		for range all {
			page := call(t, porch, "?protocol=3")
			if code := page.answered(t); code != http.StatusSwitchingProtocols {
				t.Fatalf("the handshake is answered %d", code)
			}
			go io.Copy(io.Discard, page.heard)
		}
		synctest.Wait()
		if n := s.Sockets(); n != all {
			t.Fatalf("%d have a line", n)
		}
		time.Sleep(31 * time.Second)
		synctest.Wait()
		if n := s.Sockets(); n > 0 {
			t.Errorf("%d are there for ever", n)
		}
	})
}
