package server_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"caveau/limit"
	"caveau/server"
)

// A journal is a server's log that is read while it is written.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
	told chan struct{} // has something in it when there is a new line
}

func (j *journal) Write(data []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	select {
	case j.told <- struct{}{}:
	default:
	}
	return j.text.Write(data)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// A line is what the log says of something that was refused.
type line struct {
	Msg, What, From, Guest, Host, Page string
	Unsaid                             int
}

// refused are the lines about what was refused.
func (j *journal) refused(t *testing.T) (list []line) {
	for text := range strings.Lines(j.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		if l.Msg == "refused" {
			list = append(list, l)
		}
	}
	return list
}

// await waits until so many lines are written.
func (j *journal) await(t *testing.T, n int) []line {
	t.Helper()
	for {
		if list := j.refused(t); len(list) >= n {
			return list
		}
		select {
		case <-j.told:
		case <-time.After(20 * time.Second):
			t.Fatalf("the log has only %+v", j.refused(t))
		}
	}
}

func written(j *journal) func(*server.Config) {
	j.told = make(chan struct{}, 1)
	return func(c *server.Config) {
		c.Slog = slog.New(slog.NewJSONHandler(j, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
}

// Who tries the doors stands in the log, with his address and what he tried, and without what he brought.
func TestAttempts(t *testing.T) {
	var j journal
	few := limit.Rate{AtOnce: 1, PerSecond: 0.001}
	h := open(t, written(&j), trusting(t, "127.0.0.1, ::1"), func(c *server.Config) { c.Limits.Tables.Guest = few })
	ana, ben := h.as("").at("192.0.2.1"), h.as("").at("192.0.2.2")
	var anas, bens struct{ ID string }
	ana.post("/api/guest", `{"name": "Ana"}`, http.StatusOK, &anas)
	ben.post("/api/guest", `{"name": "Ben"}`, http.StatusOK, &bens)
	id := ana.makeTable("")

	ana.do(http.MethodPost, "/api/tables", `{"game": "toy", "seats": 2}`)
	ben.do(http.MethodPost, "/api/tables", `{}`, "Origin", "https://evil.example")
	eve := h.as("").at("203.0.113.9")
	eve.do(http.MethodGet, "/api/hello", "", "Cookie", "caveau_guest=Zm9yZ2Vk.bWFyaw")
	h.asked(http.MethodGet, "/", "evil.example")
	ben.listen()
	ben.send(`{"id": "1", "do": "watch", "table": "` + id + `"}`)
	ben.send(`{"id": "2", "do": "seal", "table": "` + id + `", "bits": "` + strings.Repeat("ab", 32) + `"}`)
	ben.error("not_your_seat")
	want := []line{
		{Msg: "refused", What: "too much", From: "192.0.2.1", Guest: anas.ID},
		{Msg: "refused", What: "a page of another site", From: "192.0.2.2", Page: "https://evil.example"},
		{Msg: "refused", What: "a cookie with another mark than ours", From: "203.0.113.9"},
		{Msg: "refused", What: "a house of another name", From: "192.0.2.1", Host: "evil.example"},
		{Msg: "refused", What: "a command in another's name", From: "192.0.2.2", Guest: bens.ID},
	}
	got := j.await(t, len(want))
	for i, w := range want {
		if got[i] != w {
			t.Errorf("line %d is %+v, want %+v", i+1, got[i], w)
		}
	}
	for _, hidden := range []string{"Zm9yZ2Vk", "bWFyaw", secret, id, strings.Repeat("ab", 32)} {
		if strings.Contains(j.String(), hidden) {
			t.Errorf("the log has %q: %s", hidden, j.String())
		}
	}
}

// Who asks too much stands in the log, and not the table that he asked for, whose name is a key to it.
func TestTheLogHasNoKeys(t *testing.T) {
	var j journal
	few := limit.Rate{AtOnce: 4, PerSecond: 0.001}
	h := open(t, written(&j), func(c *server.Config) { c.Limits.Requests.Guest = few })
	ana := h.as("Ana")
	id := ana.makeTable("")
	for range 6 {
		ana.do(http.MethodGet, "/api/tables/"+id, "")
		ana.do(http.MethodGet, "/api/tables/"+id+"/record", "")
	}
	if ana.do(http.MethodGet, "/api/tables/"+id, "").StatusCode != http.StatusTooManyRequests {
		t.Fatal("so much is not too much")
	}
	j.await(t, 1)
	if strings.Contains(j.String(), id) {
		t.Errorf("the log has the name of a table: %s", j.String())
	}
}

// The log is not filled by one who tries again and again, nor by many who do; it says how many lines it did without, and has room again after
// a while, for those who come from elsewhere first.
func TestManyAttempts(t *testing.T) {
	var j journal
	clock := &calendar{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	h := open(t, written(&j), trusting(t, "192.0.2.0/24"), func(c *server.Config) { c.Clock = clock })
	try := func(address string) {
		h.asked(http.MethodGet, "/", "evil.example", "X-Forwarded-For", address)
	}
	for range 100 {
		try("203.0.113.1")
	}
	if n := len(j.refused(t)); n != 5 {
		t.Errorf("of one who tried a hundred times the log has %d lines", n)
	}
	try("203.0.113.2")
	if list := j.refused(t); list[5].From != "203.0.113.2" || list[5].Unsaid != 95 {
		t.Errorf("of another it says %+v", list[5])
	}
	for i := range 1000 {
		try(fmt.Sprintf("198.51.100.%d", i%250))
	}
	if n := len(j.refused(t)); n != 20 {
		t.Errorf("of many it has %d lines", n)
	}
	clock.now = clock.now.Add(10 * time.Second)
	try("203.0.113.3")
	if list := j.refused(t); len(list) != 21 || list[20].From != "203.0.113.3" || list[20].Unsaid != 986 {
		t.Errorf("after a while it has %d lines, and the last says %+v", len(list), list[len(list)-1])
	}
}
