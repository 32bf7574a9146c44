package server_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"caveau/limit"
	"caveau/server"
	"caveau/store/storetest"
)

// said are the headers that answers may have. What stands in one may follow from who asks for what, and from nothing else.
var said = []string{
	"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy", "X-Robots-Tag", "Cross-Origin-Resource-Policy",
	"Permissions-Policy", "Cross-Origin-Opener-Policy", "Strict-Transport-Security",
	"Content-Type", "Content-Encoding", "Content-Length", "Content-Range", "Content-Disposition", "Accept-Ranges", "Cache-Control", "Etag", "Vary",
	"Allow", "Location", "Retry-After", "Set-Cookie",
	"Upgrade", "Connection", "Sec-Websocket-Accept", "Sec-Websocket-Extensions", "Sec-Websocket-Version", // of lines
}

// drawn is what is drawn by lot for whoever asks, so that it differs when he asks again: cookies, and parts of the body.
var drawn = map[string][]string{
	"POST /api/guest":         {"Set-Cookie", "id"},
	"POST /api/guest/way":     {"link", "qr"},
	"POST /api/passkeys/ask":  {"Set-Cookie", "challenge"},
	"POST /api/passkeys/make": {"Set-Cookie", "challenge"},
	"POST /api/programs":      {"id", "token"}, // the id is its number among those of its guest
	"POST /api/tables":        {"link", "table"},
}

// Who asks the same is answered the same, and finds out of nobody else how often, or what, he has asked meanwhile. No answer has a header that
// nobody thought of.
func TestAnAnswerTellsNothingOfOthers(t *testing.T) {
	all := routes(t)
	for name, way := range map[string]struct {
		method, host, origin string
		header               []string
		guest                bool
		before               int // how often he has asked already
		change               func(*server.Config)
	}{
		"a stranger":                         {},
		"a guest":                            {guest: true},
		"a stranger to a house by https":     {origin: "https://games.example.org"},
		"a guest of a house by https":        {guest: true, origin: "https://games.example.org"},
		"a stranger who asks for the header": {method: http.MethodHead},
		"a browser that unpacks":             {header: []string{"Accept-Encoding", "gzip, br", "Accept", "text/html"}},
		"somebody who wants a part":          {header: []string{"Range", "bytes=1-3"}},
		"somebody with another's cookie":     {header: []string{"Cookie", "caveau_guest=" + key + "." + key}},
		"somebody with another's token":      {header: []string{"Authorization", "Bearer " + key + "." + key}},
		"somebody who wants another house":   {host: "evil.example"},
		"a page elsewhere":                   {header: []string{"Origin", "https://evil.example"}},
		"somebody who has asked too much": {
			before: 2, change: func(c *server.Config) { c.Limits.Requests.Address = limit.Rate{AtOnce: 2, PerSecond: 1e-6} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, route := range all {
				m := storetest.Memory()
				clock := noon()
				s := indoors(t, m, m, func(c *server.Config) {
					c.Clock, c.Origin = clock, cmp.Or(way.origin, c.Origin)
					if way.change != nil {
						way.change(c)
					}
				}, owned(t, false))
				h := &house{t: t, server: s}
				q := request{route: route, name: h.table("198.51.100.1"), from: "203.0.113.9", method: way.method, host: way.host, header: way.header}
				if way.guest {
					q.header = h.cookie("198.51.100.2")
				}
				for range way.before {
					h.asks(q)
				}
				first := h.answer(q)
				for n := range 7 {
					h.table(fmt.Sprintf("198.51.100.%d", 10+n))
					h.asks(request{route: route, name: "nowhere", from: fmt.Sprintf("192.0.2.%d", 10+n)})
				}
				first.again(t, route, h.answer(q))
				s.Close()
			}
		})
	}
}

// table is one that a new guest makes.
func (h *house) table(from string) string {
	h.t.Helper()
	res := h.asks(request{route: "POST /api/tables", from: from, header: h.cookie(from)})
	var made struct{ Table string }
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil || made.Table == "" {
		h.t.Fatalf("a table is answered %s (%v)", res.Status, err)
	}
	return made.Table
}

// An answer is all that somebody hears but what is drawn.
type answer struct {
	status int
	header http.Header
	body   string
}

func (h *house) answer(q request) answer {
	h.t.Helper()
	res := h.asks(q)
	body, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, name := range drawn[q.route] {
		if name == "Set-Cookie" {
			for i, c := range res.Header[name] {
				res.Header[name][i] = regexp.MustCompile(`=[^;]+`).ReplaceAllString(c, "=drawn")
			}
		}
		body = regexp.MustCompile(`"`+name+`":"([^"\\]|\\.)*"`).ReplaceAll(body, []byte(`"`+name+`":"drawn"`))
	}
	return answer{res.StatusCode, res.Header, string(body)}
}

// again compares it with the answer to the same.
func (a answer) again(t *testing.T, route string, b answer) {
	t.Helper()
	for _, header := range []http.Header{a.header, b.header} {
		onlySaid(t, route, header)
	}
	if a.status != b.status || !maps.EqualFunc(a.header, b.header, slices.Equal) || a.body != b.body {
		t.Errorf("%s is answered\n%d %v %s\nand then\n%d %v %s", route, a.status, a.header, a.body, b.status, b.header, b.body)
	}
}

// onlySaid checks that there are no headers but those.
func onlySaid(t *testing.T, what string, header http.Header, more ...string) {
	t.Helper()
	for name := range header {
		if !slices.Contains(said, name) && !slices.Contains(more, name) {
			t.Errorf("%s: an answer has the header %s: %q", what, name, header[name])
		}
	}
}

// What somebody's program calls itself, and where he says that he comes from, changes nothing of what he is answered: who may know something is known by a cookie or a token.
func TestWhatAProgramCallsItselfOpensNothing(t *testing.T) {
	all := routes(t)
	for _, invited := range []bool{false, true} {
		m := storetest.Memory()
		s := indoors(t, m, m)
		name := (&house{t: t, server: s}).table("198.51.100.1")
		s.Close()
		s = indoors(t, m, m, owned(t, invited))
		h := &house{t: t, server: s}
		for _, route := range all {
			ask := func(n int, header ...string) answer {
				return h.answer(request{route: route, name: name, from: fmt.Sprintf("203.0.113.%d", n), header: header})
			}
			plain := ask(1)
			for n, header := range [][]string{
				{"User-Agent", "facebookexternalhit/1.1"}, {"User-Agent", "Twitterbot/1.0"}, {"User-Agent", "TelegramBot (like TwitterBot)"}, {"User-Agent", "WhatsApp/2.23"},
				{"User-Agent", "Discordbot/2.0"}, {"User-Agent", "Slackbot-LinkExpanding 1.0"}, {"User-Agent", "Googlebot/2.1"}, {"User-Agent", "Mozilla/5.0"}, {"User-Agent", "caveau"},
				{"Referer", "http://192.168.1.7:8080/t/" + name}, {"Purpose", "prefetch"}, {"Sec-Purpose", "prefetch"}, {"X-Forwarded-For", "127.0.0.1"}, {"Forwarded", "for=127.0.0.1"},
				{"X-Real-Ip", "127.0.0.1"}, {"X-Requested-With", "XMLHttpRequest"}, {"From", "ana@example.org"}, {"X-Forwarded-Proto", "https"}, {"X-Original-Url", "/api/owner/house"},
			} {
				plain.again(t, route, ask(2+n, header...))
			}
		}
		s.Close()
	}
}

// On its way nothing comes to it but the date.
func TestTheHeadersOnTheWire(t *testing.T) {
	h := open(t)
	ana := h.as("Ana")
	for _, path := range []string{"/", "/t/k3x", "/api/hello", "/api/tables/k3x", "/ws", "/nothing"} {
		onlySaid(t, path, ana.do(http.MethodGet, path, "").Header, "Date")
	}
	for _, query := range []string{"?protocol=3", "?protocol=2"} {
		conn, res, err := ana.dial(query)
		if err != nil {
			t.Fatal(err)
		}
		onlySaid(t, query, res.Header, "Date")
		conn.CloseNow()
	}
}
