package server_test

import (
	"bufio"
	"encoding/base64"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"caveau/server"
	"caveau/wire"
)

// FuzzRequest: whatever is asked for, it is answered, with the headers of a hardened page; another's house has nothing, and nobody becomes
// somebody by asking.
func FuzzRequest(f *testing.F) {
	for _, seed := range [][4]string{
		{"GET", "/", "192.168.1.7:8080", ""},
		{"GET", "/api/hello", "evil.example", "Origin: https://evil.example"},
		{"POST", "/api/guest", "[::1]:8080", "Content-Length: 15\r\nOrigin: null\r\n\r\n{\"name\": \"Ana\"}"},
		{"POST", "/api/tables", "localhost", "Content-Length: 2\r\n\r\n{}"},
		{"GET", "/api/tables/%2e%2e/record", "attic.local", "X-Forwarded-For: , ,::1%eth0"},
		{"GET", "/t/%00", "127.0.0.1", "Accept-Encoding: gzip\r\nRange: bytes=-1,0-"},
		{"GET", "//evil.example/..//assets/app-1.js?x#y", "localhost.", "If-None-Match: \"\""},
		{"TRACE", "*", ":", "Cookie: caveau_guest=a.b; __Host-caveau_guest"},
		{"CONNECT", "evil.example:443", "evil.example", ""},
		{"GET", "http://evil.example/api/hello", "localhost", ""},
		{"GET", "/ws?protocol=3", "localhost", "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, method, target, host, rest string) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + rest + "\r\n\r\n")))
		if err != nil {
			return // net/http has refused it
		}
		r.RemoteAddr = "192.0.2.1:4711"
		w := httptest.NewRecorder()
		open(t).server.ServeHTTP(w, r)
		res := w.Result()
		if res.StatusCode >= http.StatusInternalServerError && res.StatusCode != http.StatusNotImplemented {
			t.Errorf("%s %q is answered %s", method, target, res.Status)
		}
		if p := res.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || res.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %q is answered with %v", method, target, res.Header)
		}
		if at := res.Header.Get("Location"); strings.HasPrefix(at, "//") || strings.Contains(at, "://") {
			t.Errorf("%s %q leads away, to %q", method, target, at)
		}
		named := res.StatusCode == http.StatusOK && method == http.MethodPost && r.URL.Path == "/api/guest"
		if len(res.Cookies()) > 0 && !named {
			t.Errorf("%s %q: somebody became %v", method, target, res.Cookies())
		}
		if strings.Contains(w.Body.String(), secret) {
			t.Errorf("%s %q is answered with the key", method, target)
		}
	})
}

// FuzzCookie: nobody is somebody by a cookie that the house has not given.
func FuzzCookie(f *testing.F) {
	clock := &calendar{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	good := marked("guest, since", `{"id":"0123","name":"Ana","since":1795300000}`)
	f.Add(good)
	f.Add(strings.Replace(good, ".", "", 1))
	f.Add(marked("guest", `{"id":"0123","name":"Ana","since":1795300000}`))
	f.Add(base64.RawURLEncoding.EncodeToString([]byte(`{"id":"0123"}`)) + ".")
	f.Fuzz(func(t *testing.T, value string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Cookie", "caveau_guest="+value)
		v := open(t, func(c *server.Config) { c.Clock = clock }).server.Identify(r)
		if c, err := r.Cookie("caveau_guest"); v.Guest != (wire.Guest{}) && (err != nil || c.Value != good) {
			t.Errorf("with %q one is %+v", value, v.Guest)
		}
	})
}

// FuzzCommand: whatever is said on a line, it is answered in JSON, and the line lives or is closed with a reason.
func FuzzCommand(f *testing.F) {
	for _, text := range []string{
		`{"id":"1","do":"watch","table":"k3x"}`, `{"id":"1","do":"sit","table":"TABLE","seat":"B"}`, `{"id":"1","do":"play","table":"TABLE","seat":"A","seq":-1,"move":"x"}`,
		`{"id":"1","do":"seal","table":"TABLE","bits":"00"}`, `{"id":"1","do":"bot","table":"TABLE","seat":"B","bot":"remembering:"}`,
		`{"id":"1","do":"agree","table":"TABLE","seq":99999999}`, `{"id":"1","do":"start","table":"TABLE"}`, `{"id":"1","do":"lobby"}`, `[`, "\xff", `{"id":"1","do":`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return // that is another test
		}
		h := open(t)
		ana := h.as("Ana")
		id := ana.makeTable("")
		ana.listen()
		ana.send(strings.ReplaceAll(text, "TABLE", id))
		ana.hear("an answer", func(m message) bool { return m.Re != "" || m.Error != nil })
		ana.alive()
	})
}

// FuzzPasskey: whatever is shown for a passkey, nobody is somebody by it who has none, and the house says why not.
func FuzzPasskey(f *testing.F) {
	device := &device{id: []byte("a device"), origin: public, rp: "games.example.org", handle: "0123", flags: 5}
	f.Add(device.shownAs(map[string]string{"clientDataJSON": "e30", "authenticatorData": "AAAA", "signature": "AA", "userHandle": "AA"}))
	f.Add(device.shownAs(map[string]string{"clientDataJSON": "e30", "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUA"}))
	f.Add(`{"name": "x", "made": {"id": "AA", "rawId": "AA", "type": "public-key", "response": {}}}`)
	f.Fuzz(func(t *testing.T, body string) {
		// Nothing is drawn and no time passes, or the same body would seem to do something else each time.
		h := open(t, func(c *server.Config) { c.Origin, c.Clock, c.Random = public, noon(), rand.NewChaCha8([32]byte{}) })
		b := h.nobody()
		b.posts("/api/passkeys/ask", "")
		if _, code := b.posts("/api/passkeys/show", body); code != "wrong_passkey" || b.guest().ID != "" {
			t.Errorf("%q is answered with %q", body, code)
		}
		ana := h.called("Ana")
		ana.posts("/api/passkeys/make", "")
		if _, code := ana.posts("/api/passkeys", body); code != "wrong_passkey" && code != "bad_name" || len(ana.passkeys()) != 0 {
			t.Errorf("%q is made with %q", body, code)
		}
	})
}
