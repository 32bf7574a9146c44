package server_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"caveau/guests"
	"caveau/limit"
	"caveau/owner"
	"caveau/server"
	"caveau/store/memory"
	"caveau/store/storetest"
	"caveau/wire"
)

// owned is a house with an owner who says whether it is for invited people only. It comes after what else is changed.
func owned(t *testing.T, invited bool) func(*server.Config) {
	return func(c *server.Config) {
		o, err := owner.New(t.Context(), owner.Config{
			Secret: c.Secret, Notes: new(memory.Notes), Lobby: c.Lobby, Now: time.Now, Random: rand.Reader, Origin: c.Origin, Invited: invited, Slog: c.Slog,
			Sockets: func() int { return 0 },
		})
		if err != nil {
			t.Fatal(err)
		}
		c.Owner = o
	}
}

// key is what somebody has and nobody is to find in the log: it stands for the name of a table, an invitation, a token, a cookie.
const key = "sesame5Q2w"

// ways are how somebody asks of whom the log tells, and what it tells.
var ways = map[string]struct {
	says    string
	again   int // how often he asks before
	host    string
	header  []string
	invited bool
	change  func(*server.Config)
}{
	"as anybody does":               {},
	"with another's cookie":         {says: "a cookie with another mark than ours", header: []string{"Cookie", "caveau_guest=" + key + "." + key}},
	"with half a cookie":            {says: "a cookie with another mark than ours", header: []string{"Cookie", "caveau_guest=" + key}},
	"with another's token":          {says: "a token with another mark than ours", header: []string{"Authorization", "Bearer " + key + "." + key}},
	"as another's owner":            {says: "the owner's page", header: []string{"Cookie", "caveau_owner=" + key}},
	"for another house":             {says: "a house of another name", host: "evil.example"},
	"from another page":             {says: "a page of another site", header: []string{"Origin", "https://evil.example", "Referer", "https://evil.example/" + key}},
	"from a page of another port":   {says: "people open the house at another address", host: "192.168.1.7:9090", header: []string{"Origin", "http://192.168.1.7:9090"}},
	"from another table":            {header: []string{"Referer", "http://192.168.1.7:8080/t/" + key, "User-Agent", key}},
	"by a proxy":                    {says: "a proxy that is not trusted", header: []string{"X-Forwarded-For", "203.0.113.1"}},
	"with half a handshake":         {says: "came without its Upgrade", header: []string{"Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="}},
	"too often":                     {says: "too much", again: 2, change: func(c *server.Config) { c.Limits.Requests.Address = limit.Rate{AtOnce: 1, PerSecond: 1e-6} }},
	"for too much":                  {says: "too much", again: 2, change: func(c *server.Config) { c.Limits.Bytes = limit.Rate{AtOnce: 1, PerSecond: 1e-6} }},
	"of a house for invited people": {invited: true},
	"of a house that is not ready":  {says: "the log cannot be reached", change: func(c *server.Config) { c.Ready = func(context.Context) error { return errFull } }},
}

var errFull = errors.New("the disk is full")

// Whatever somebody asks for, in whatever way, and whatever the log tells of it, nobody learns from the log by what he could ask for it too.
func TestTheLogTellsNobodysKeys(t *testing.T) {
	all := routes(t)
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			told := ""
			for _, route := range all {
				var j journal
				m := storetest.Memory()
				change := []func(*server.Config){written(&j)}
				if way.change != nil {
					change = append(change, way.change)
				}
				s := indoors(t, m, m, append(change, owned(t, way.invited))...)
				h := &house{t: t, server: s}
				bears := append([]string{"Cookie", "theirs=" + key, "User-Agent", key}, way.header...) // whoever logs the headers of a request tells them all
				for range way.again + 1 {
					h.asks(request{route: route, name: key, query: "?protocol=2&key=" + key, host: way.host, header: bears})
				}
				s.Close()
				j.hides(t, route, key)
				told += j.String()
			}
			if !strings.Contains(told, way.says) {
				t.Errorf("the log does not say %q", way.says)
			}
		})
	}
}

// hides checks that the log does not say what is nobody's but who has it.
func (j *journal) hides(t *testing.T, route string, keys ...string) {
	t.Helper()
	for _, key := range keys {
		if said := j.String(); strings.Contains(strings.ToLower(said), strings.ToLower(key)) {
			t.Errorf("%s: %q stands in the log:\n%s", route, key, said)
		}
	}
}

// full is a keeper that reads no lists.
type full struct{ guests.Keeper }

func (full) Tables(context.Context, string) ([]guests.Table, error)     { return nil, errFull }
func (full) Passkeys(context.Context, string) ([]guests.Passkey, error) { return nil, errFull }
func (full) Way(context.Context, []byte, time.Time) (guests.Way, bool, error) {
	return guests.Way{}, false, errFull
}

// Nor does it tell a guest's own where the house cannot read or write what it should.
func TestTheLogOfAFaultTellsNobodysKeys(t *testing.T) {
	all := routes(t)
	for says, of := range map[string]func(*mute) guests.Keeper{
		"it cannot be read whether a session has ended":      func(m *mute) guests.Keeper { return m },
		"the end of a session cannot be noted":               func(m *mute) guests.Keeper { return unheard{m.Keeper} },
		"what is known of a guest cannot be read or written": func(m *mute) guests.Keeper { return full{m.Keeper} },
	} {
		t.Run(says, func(t *testing.T) {
			told := ""
			for _, route := range all {
				var j journal
				keeper := &mute{Keeper: storetest.Memory()}
				s := indoors(t, storetest.Memory(), of(keeper), written(&j), owned(t, false))
				h := &house{t: t, server: s}
				cookie := h.cookie("192.0.2.1")
				keeper.err = errFull
				h.asks(request{route: route, name: key, query: "?key=" + key, header: cookie})
				s.Close()
				text, mark, _ := strings.Cut(strings.TrimPrefix(cookie[1], "caveau_guest="), ".")
				j.hides(t, route, key, text, mark)
				told += j.String()
			}
			if !strings.Contains(told, says) {
				t.Errorf("the log does not say %q", says)
			}
		})
	}
}

// handed is what may be a key in what somebody is answered: long, and in one piece.
var handed = regexp.MustCompile(`[A-Za-z0-9_-]{20,}`)

// Nor does it tell what the house hands out: cookies, tokens, the code of a link to another device. What a guest and a table are called in it anybody may
// read who reads the log.
func TestTheLogTellsNothingThatIsHandedOut(t *testing.T) {
	var j journal
	m := storetest.Memory()
	s := indoors(t, m, m, written(&j), owned(t, false))
	defer s.Close()
	h := &house{t: t, server: s}
	ana := h.cookie("192.0.2.1")
	keys := handed.FindAllString(ana[1], -1)
	answered := func(q request) string {
		res := h.asks(q)
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, handed.FindAllString(string(body)+" "+res.Header.Get("Set-Cookie"), -1)...)
		return string(body)
	}
	var hello struct{ Guest wire.Guest }
	if err := json.Unmarshal([]byte(answered(request{route: "GET /api/hello", header: ana})), &hello); err != nil || hello.Guest.ID == "" {
		t.Fatalf("she is %+v (%v)", hello, err)
	}
	for _, route := range []string{"POST /api/guest/way", "POST /api/programs", "POST /api/passkeys/make", "POST /api/notices", "GET /api/guest/export"} {
		said := answered(request{route: route, name: "kitchen", header: ana})
		if _, code, ok := strings.Cut(said, "/move#"); ok {
			code, _, _ = strings.Cut(code, ".")
			answered(request{route: "POST /api/guest/way/take", body: strings.NewReader(`{"code": "` + code + `", "sure": true}`)})
		}
	}
	n := 0
	for _, key := range keys {
		if key != hello.Guest.ID {
			j.hides(t, "whatever was asked for", key)
			n++
		}
	}
	if n < 5 {
		t.Errorf("in what was answered there are %d keys", n)
	}
}

// Nor by what is said on a line, and how the line was asked for.
func TestTheLogOfALineTellsNobodysKeys(t *testing.T) {
	var j journal
	h := open(t, written(&j), func(c *server.Config) {
		c.Limits = server.Limits{Commands: limit.Rate{AtOnce: 4, PerSecond: 50}, Flood: 3}
	})
	for _, query := range []string{"?protocol=2&table=" + key, "?protocol=3&table=" + key} {
		ana := h.as("")
		var err error
		if ana.conn, _, err = ana.dial(query, "Cookie", "caveau_guest="+key, "Referer", h.url+"/t/"+key); err != nil {
			t.Fatal(err)
		}
		defer ana.conn.CloseNow()
		for _, text := range []string{
			`{"id": "1", "do": "watch", "table": "NAME"}`, `{"id": "2", "do": "sit", "table": "NAME", "seat": "A"}`, `{"id": "NAME", "do": "NAME"}`, `NAME`,
		} {
			ana.conn.Write(t.Context(), websocket.MessageText, []byte(strings.ReplaceAll(text, "NAME", key)))
		}
		for range 200 {
			if ana.conn.Write(t.Context(), websocket.MessageText, []byte(`{"id": "`+key+`", "do": "ping"}`)) != nil {
				break
			}
		}
		if strings.HasPrefix(query, "?protocol=3") {
			ana.hear("that it is too much", func(m message) bool { return m.Error != nil && m.Error.Code == "flood" })
		}
	}
	if said := j.await(t, 3); said[0].What != "a cookie with another mark than ours" || said[2].What != "too much" {
		t.Errorf("the log says %+v", said)
	}
	j.hides(t, "GET /ws", key)
}
