package server_test

import (
	"crypto/tls"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"caveau/server"
)

// A page of another site can neither post nor open a line in a guest's name.
func TestOtherSites(t *testing.T) {
	ana := open(t).as("Ana")
	for _, evil := range []string{"https://evil.example", "null", "http://192.168.1.7", "https://192.168.1.7:8080", "http://localhost:8080"} {
		ana.refused(ana.do(http.MethodPost, "/api/tables", `{}`, "Origin", evil), http.StatusForbidden, "bad_request")
		if _, res, err := ana.dial("?protocol=3", "Origin", evil); err == nil || res.StatusCode != http.StatusForbidden {
			t.Errorf("a page of %s may listen: %v", evil, err)
		}
		ana.get("/api/hello", http.StatusOK, nil)
	}
	ana.refused(ana.do(http.MethodPost, "/api/tables", `{}`, "Sec-Fetch-Site", "cross-site"), http.StatusForbidden, "bad_request")
	for _, good := range []string{ana.h.url, "http://192.168.1.7:8080"} {
		ana.answered(ana.do(http.MethodPost, "/api/guest", `{"name": "Ana"}`, "Origin", good), http.StatusOK, nil)
		conn, _, err := ana.dial("?protocol=3", "Origin", good)
		if err != nil {
			t.Errorf("a page of %s may not listen: %v", good, err)
			continue
		}
		conn.CloseNow()
	}
}

// Whose page a page is: by scheme, name and port, as its browser sees them.
func TestWhosePage(t *testing.T) {
	const public, home = "https://play.example.org", "http://192.168.1.7:8080"
	for _, x := range []struct {
		house, host, came, origin string
		ours                      bool
	}{
		{public, "play.example.org", "by a proxy", public, true},
		{public, "127.0.0.1:8080", "by a proxy", public, true}, // that keeps no Host
		{public, "play.example.org", "plain", public, true},    // from a proxy that says nothing of https
		{public, "play.example.org", "plain", "http://play.example.org", false},
		{public, "play.example.org", "by a proxy", "http://play.example.org", false},
		{public, "play.example.org", "by a proxy", "https://play.example.org:8443", false},
		{public, "play.example.org", "by a proxy", "https://a.play.example.org", false},
		{public, "192.168.1.7:8080", "plain", "http://192.168.1.7:8080", true}, // past the proxy
		{public, "192.168.1.7:8080", "plain", "http://192.168.1.7:9090", false},
		{public + ":443", "play.example.org:443", "by a proxy", public, true},
		{"https://Play.Example.org/", "play.example.org", "by a proxy", public, true},

		{home, "192.168.1.7:8080", "plain", home, true},
		{home, "192.168.1.7:8080", "plain", "https://192.168.1.7:8080", false},
		{home, "attic.local:8080", "plain", "http://attic.local:8080", true},
		{home, "attic.local:8080", "plain", "https://attic.local:8080", false},
		{home, "Attic.local:80", "plain", "http://attic.local", true},
		{home, "attic.local", "by https", "https://attic.local", true},
		{home, "attic.local", "by https", "http://attic.local", false},
		{home, "attic.local", "by a proxy", "https://attic.local", true},
		{home, "attic.local", "by a stranger", "https://attic.local", false}, // anybody can write that it came by https
		{home, "attic.local", "by a stranger", "http://attic.local", true},
	} {
		s := open(t, trusting(t, "127.0.0.1"), func(c *server.Config) { c.Origin = x.house }).server
		r := httptest.NewRequest(http.MethodPost, "/api/guest", strings.NewReader(`{"name": "Ana"}`))
		r.Host, r.RemoteAddr = x.host, "203.0.113.9:4711"
		r.Header.Set("Origin", x.origin)
		switch x.came {
		case "by https":
			r.TLS = new(tls.ConnectionState)
		case "by a proxy":
			r.RemoteAddr = "127.0.0.1:4711"
			fallthrough
		case "by a stranger":
			r.Header.Set("X-Forwarded-Proto", "https")
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if got := w.Code == http.StatusOK; got != x.ours {
			t.Errorf("house %s, asked as %s %s: a page of %s is answered %d", x.house, x.host, x.came, x.origin, w.Code)
		}
	}
}

// Where the links of a house have another port than the one under which people open it, whoever runs it is told, once. Another name is no
// reason: many lead to a house at home.
func TestLinksThatLeadElsewhere(t *testing.T) {
	var said strings.Builder
	h := open(t, func(c *server.Config) { c.Slog = slog.New(slog.NewTextHandler(&said, nil)) })
	for _, x := range []struct {
		host string
		says int
	}{{"192.168.1.7:8080", 0}, {"localhost:9090", 0}, {"192.168.1.7:9090", 1}, {"192.168.1.7:9091", 1}} {
		r := httptest.NewRequest(http.MethodPost, "/api/guest", strings.NewReader(`{"name": "Ana"}`))
		r.Host = x.host
		r.Header.Set("Origin", "http://"+x.host)
		w := httptest.NewRecorder()
		h.server.ServeHTTP(w, r)
		if n := strings.Count(said.String(), " links=http://192.168.1.7:8080"); n != x.says || w.Code != http.StatusOK {
			t.Errorf("after a page of %s, answered %d, the log says\n%s", x.host, w.Code, &said)
		}
	}
}
