package server_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"caveau/server"
)

// asked is how a request for that host is answered.
func (h *house) asked(method, path, host string, header ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	r.Host = host
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.server.ServeHTTP(w, r)
	return w.Result()
}

// The house answers to its own names; a name elsewhere that was made to lead here gets nothing.
func TestWhatTheHouseIsCalled(t *testing.T) {
	h := open(t, func(c *server.Config) {
		c.Origin = "https://Play.Example.org:8443"
		c.Hosts = []string{"Attic.home.example", "box"}
	})
	for host, ours := range map[string]bool{
		"192.168.1.7:8080": true, "127.0.0.1": true, "[::1]:8080": true, "[fe80::1]": true, "203.0.113.9": true,
		"localhost": true, "localhost:8080": true, "LOCALHOST.:8080": true, "caveau.localhost": true,
		"attic.local:8080": true, "attic.home.example": true, "attic": true, "ATTIC:8080": true, "box.:8080": true,
		"play.example.org": true, "play.example.org:8443": true, "PLAY.example.org.": true,
		"": true, // from no browser

		"evil.example": false, "evil.example:8080": false, "evil.example.": false, "example.org": false, "a.play.example.org": false,
		"attic.evil.example": false, "box.evil.example": false, "localhost.evil.example": false, "notlocalhost": false, "local": false,
		"attic.local.evil.example": false, "local.evil.example": false, "play.example.org.evil.example": false, "attic.localevil.example": false,
		"127.0.0.1.evil.example": false, "127.0.0.1.nip.io:8080": false, "192.168.1.7.evil.example": false,
	} {
		want := http.StatusMisdirectedRequest
		if ours {
			want = http.StatusOK
		}
		for _, path := range []string{"/", "/api/hello", "/healthz", "/assets/app-1.js", "/t/k3x"} {
			if res := h.asked(http.MethodGet, path, host); res.StatusCode != want {
				t.Errorf("%s of %q is answered %s, want %d", path, host, res.Status, want)
			}
		}
	}
	for _, r := range [][2]string{{http.MethodPost, "/api/guest"}, {http.MethodGet, "/ws?protocol=3"}, {http.MethodOptions, "/"}} {
		res := h.asked(r[0], r[1], "evil.example")
		if res.StatusCode != http.StatusMisdirectedRequest || len(res.Cookies()) > 0 {
			t.Errorf("%s %s: %s, %v", r[0], r[1], res.Status, res.Cookies())
		}
		said := fmt.Sprint(res.Header)
		if body, err := io.ReadAll(res.Body); err != nil {
			t.Error(err)
		} else {
			said = strings.ToLower(said + string(body))
		}
		for _, ours := range []string{"play.example.org", "attic", "box"} { // of what the house, and its machine, are called a stranger learns nothing
			if strings.Contains(said, ours) {
				t.Errorf("%s %s: whoever asks for another house is told %q: %s", r[0], r[1], ours, said)
			}
		}
	}
}

// Who asked by another name is told what to do, and so is whoever runs the house: once of each name, and of no more than twenty.
func TestAnotherName(t *testing.T) {
	var said strings.Builder
	h := open(t, func(c *server.Config) { c.Slog = slog.New(slog.NewTextHandler(&said, nil)) })
	for range 3 {
		res := h.asked(http.MethodGet, "/api/hello", "attic.example:8080")
		data, err := io.ReadAll(res.Body)
		if err != nil || !strings.Contains(string(data), `"attic.example"`) || !strings.Contains(string(data), "--host") || !strings.Contains(string(data), "--public-url") || strings.Contains(string(data), "protocol") {
			t.Errorf("%s, %v", data, err)
		}
	}
	if n := len(regexp.MustCompile("WARN.*--public-url.*--host.* host=attic.example").FindAllString(said.String(), -1)); n != 1 {
		t.Errorf("it was said %d times: %s", n, &said)
	}
	for i := range 100 {
		h.asked(http.MethodGet, "/", fmt.Sprintf("%d.example", i))
	}
	if n := strings.Count(said.String(), "level=WARN"); n != 20 {
		t.Errorf("of a hundred names the log was told %d", n)
	}
}
