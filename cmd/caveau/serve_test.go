package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caveau/game"
	"caveau/record"
	"caveau/store"
)

// say runs caveau and answers with what it says.
func say(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

// What is not understood ends with 2, what cannot be done with 1 and one line that says what and what to do.
func TestExitCodes(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	db := filepath.Join(dir, "caveau.db")
	for _, x := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{}, exitUsage, "usage"},
		{[]string{"fly"}, exitUsage, "fly"},
		{[]string{"serve", "--fly"}, exitUsage, "fly"},
		{[]string{"serve", "now"}, exitUsage, "now"},
		{[]string{"serve", "--db", filepath.Join(dir, "none", "caveau.db")}, exitFault, "none"},
		{[]string{"serve", "--db", db, "--addr", taken.Addr().String()}, exitFault, "--addr"},
		{[]string{"serve", "--db", db, "--addr", "127.0.0.1:0", "--public-url", "example"}, exitFault, "--public-url"},
		{[]string{"serve", "--db", db, "--addr", "127.0.0.1:0", "--metrics", ":0"}, exitFault, "--metrics"}, // strangers would see it
		{[]string{"serve", "--db", db, "--addr", "127.0.0.1:0", "--metrics", taken.Addr().String()}, exitFault, "--metrics"},
		{[]string{"serve", "--db", db, "--addr", "127.0.0.1:0", "--pprof"}, exitFault, "--metrics"},
	} {
		code, stdout, stderr := say(t, x.args...)
		if code != x.code || stdout != "" || !strings.Contains(stderr, x.says) {
			t.Errorf("caveau %v: %d, %q, %q", x.args, code, stdout, stderr)
		}
		if x.code == exitFault && strings.Count(stderr, "\n") != 1 {
			t.Errorf("caveau %v says more than one line:\n%s", x.args, stderr)
		}
	}
	if code, stdout, _ := say(t, "help"); code != exitOK || !strings.Contains(stdout, "serve") {
		t.Errorf("caveau help: %d, %q", code, stdout)
	}
}

// inProcess serves until the test ends, and answers with the address.
func inProcess(t *testing.T, more ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan int, 1)
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "caveau.db")}, more...)
	var stderr bytes.Buffer
	go func() { ended <- run(ctx, args, strings.NewReader(""), in, &stderr); in.Close() }()
	t.Cleanup(func() {
		cancel()
		if code := <-ended; code != exitOK {
			t.Errorf("caveau serve ended with %d: %s", code, stderr.String())
		}
	})
	url, err := awaitOpen(out)
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	return url
}

// awaitOpen reads where the house is.
func awaitOpen(out io.Reader) (string, error) {
	var said []byte
	for b := make([]byte, 1); ; {
		if _, err := out.Read(b); err != nil {
			return "", err
		}
		said = append(said, b[0])
		if _, rest, ok := strings.Cut(string(said), "this machine"); ok && strings.HasSuffix(rest, "\n") {
			return strings.TrimSpace(rest), nil
		}
	}
}

// The archive is replayed by the first start of a program, and not by the next.
func TestTheArchiveIsReplayedOnce(t *testing.T) {
	db := filepath.Join(t.TempDir(), "caveau.db")
	// note is what the database says of who replayed the archive; with a name, it says that from now on.
	note := func(name string) string {
		s, err := store.Open(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if name != "" {
			err = s.Change(t.Context(), replayedBy, func(string) (string, error) { return name, nil })
		}
		last, err2 := s.Note(t.Context(), replayedBy)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		return last
	}
	if last := note(""); last != "" {
		t.Errorf("the archive of a new house was replayed by %q", last)
	}
	for _, x := range []struct {
		before   string
		replayed bool
	}{{"", true}, {"", false}, {"somebody else", true}} {
		note(x.before)
		if said := serveUntil(t, db, x.replayed); strings.Contains(said, "archive replayed") != x.replayed {
			t.Errorf("after %q the server says %s", x.before, said)
		}
		if last := note(""); last != program() || !strings.Contains(last, "dawn-under/1") {
			t.Errorf("the archive was replayed by %q, and this is %q", last, program())
		}
	}
}

// serveUntil opens the house until it is said where it is, and if so, that the archive was replayed, and closes it; it is
// what the server's log says.
func serveUntil(t *testing.T, db string, replayed bool) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	log := &logged{replayed: make(chan struct{})}
	ended := make(chan int)
	go func() {
		ended <- run(ctx, []string{"serve", "--addr", "127.0.0.1:0", "--db", db}, strings.NewReader(""), in, log)
	}()
	if _, err := awaitOpen(out); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	if replayed {
		<-log.replayed
	}
	cancel()
	if code := <-ended; code != exitOK {
		t.Errorf("it ended with %d", code)
	}
	return log.text.String()
}

// logged is a server's log.
type logged struct {
	text     bytes.Buffer
	replayed chan struct{} // closed when it says that the archive was
}

func (l *logged) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("archive replayed")) {
		close(l.replayed)
	}
	return l.text.Write(line)
}

// The house is called as this machine is, as its public address, and as it is told; and nothing else.
func TestNamesOfTheHouse(t *testing.T) {
	url := inProcess(t, "--host", "attic.example, games.lan", "--public-url", "https://play.example.org")
	machine, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{
		machine: http.StatusOK, "attic.example:8080": http.StatusOK, "games.lan": http.StatusOK, "play.example.org": http.StatusOK,
		"evil.example": http.StatusMisdirectedRequest,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/api/hello", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s is answered %s, want %d", host, res.Status, want)
		}
	}
}

// TestDawn plays a game of Dawn Under, two people and two bots, from the first click to the record, and replays that.
func TestDawn(t *testing.T) {
	ctx, url := t.Context(), inProcess(t)
	ana, err := newClient(ctx, url, "Ana")
	if err != nil {
		t.Fatal(err)
	}
	ben, err := newClient(ctx, url, "Ben")
	if err != nil {
		t.Fatal(err)
	}
	table, err := ana.makeTable(ctx, map[string]any{
		"game": "dawn-under", "edition": "2004", "seats": 4, "sit": true,
		"bots": []string{"random", "rules"}, "botTime": []int{0, 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	var f frame
	for i, c := range []*client{ana, ben} {
		if err := c.dial(ctx); err != nil {
			t.Fatal(err)
		}
		defer c.hangUp()
		if err := c.say(ctx, &f, map[string]any{"id": c.id(), "do": "watch", "table": table}); err != nil {
			t.Fatal(err)
		}
		if err := c.say(ctx, &f, map[string]any{"id": c.id(), "do": "sit", "table": table, "seat": "AB"[i : i+1]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := ana.say(ctx, &f, map[string]any{"id": ana.id(), "do": "start", "table": table}); err != nil {
		t.Fatal(err)
	}
	ends := make(chan error)
	for _, c := range []*client{ana, ben} {
		go func() { ends <- playOn(ctx, c, table) }()
	}
	for range 2 {
		if err := <-ends; err != nil {
			t.Error(err)
		}
	}
	r, err := ana.record(ctx, table)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, r)
	if len(r.Players) != 4 || r.Players[0] != "Ana" || r.Players[1] != "Ben" || r.Extra["table"] == nil {
		t.Errorf("the record is of %v, table %s", r.Players, r.Extra["table"])
	}
}

// playOn plays, always the move in the middle, until the game is over.
func playOn(ctx context.Context, c *client, table string) error {
	for {
		m, err := c.read(ctx)
		switch {
		case err != nil:
			return err
		case m.Error.Code != "" && m.Error.Code != "late":
			return errRefused
		case m.Frame == nil:
		case m.Frame.State == "over":
			return nil
		case len(m.Frame.Moves) > 0:
			err := c.send(ctx, map[string]any{
				"id": c.id(), "do": "play", "table": table, "seat": m.Frame.You, "seq": m.Frame.Seq, "move": m.Frame.Moves[len(m.Frame.Moves)/2],
			})
			if err != nil {
				return err
			}
		}
	}
}

// checkRecord replays a record to the end of its game.
func checkRecord(t *testing.T, r record.Record) {
	t.Helper()
	state, err := r.Start(shelf)
	if err != nil {
		t.Fatal(err)
	}
	err = r.Replay(state, func(_ int, s game.State, _ []game.Event) error { state = s; return s.Check() })
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if v := record.Verify(text, shelf); !v.OK() {
		t.Errorf("the record proves %+v", v.Checks)
	}
	if !state.Outcome().Over {
		t.Errorf("after %d moves the game goes on", len(r.Moves))
	}
}
