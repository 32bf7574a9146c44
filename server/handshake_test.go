package server_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"caveau/server"
)

// Whoever runs a house whose pages cannot open their line is told what to do, once of each kind; a stranger who only looks at the
// address is no reason.
func TestHandshakesThatAreRefused(t *testing.T) {
	var said strings.Builder
	h := open(t, func(c *server.Config) { c.Slog = slog.New(slog.NewTextHandler(&said, nil)) })
	ana := h.as("")
	handshake := func(without string, header ...string) *http.Response {
		all := append(header, "Upgrade", "websocket", "Connection", "Upgrade",
			"Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version", "13")
		for i := 0; i < len(all); i += 2 {
			if all[i] == without {
				all[i+1] = ""
			}
		}
		return ana.do(http.MethodGet, "/ws?protocol=3", "", all...)
	}
	told := func(word string, want int) {
		t.Helper()
		if n := strings.Count(said.String(), word); n != want {
			t.Errorf("%s was said %d times, want %d: %s", word, n, want, &said)
		}
	}

	ana.answered(ana.do(http.MethodGet, "/ws", ""), http.StatusUpgradeRequired, nil)
	told("level=WARN", 0)
	for range 2 {
		ana.answered(handshake("Upgrade"), http.StatusUpgradeRequired, nil)
		ana.answered(handshake("Connection"), http.StatusUpgradeRequired, nil)
	}
	told("HTTP/1.1 with the headers Upgrade and Connection", 1)
	for range 2 {
		ana.answered(handshake("", "Origin", "https://play.example.org"), http.StatusForbidden, nil)
	}
	told("--public-url", 1)
	told("page=https://play.example.org house=http://192.168.1.7:8080", 1)
	told("level=WARN", 2)
}
