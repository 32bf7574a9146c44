//go:build linux

package main

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"caveau/cluster"
)

// nextBuild is a build of after this one, as whoever adds something would make it (ADR 20): a fact, a key of a command, and a migration. One can wink.
var nextBuild = map[string][][2]string{
	"wire/wire.go": {
		{"const Speaks = 2\n", "const Speaks = 3\n"},
		{"\tBits string `json:\"bits,omitempty\"`\n", "\tBits string `json:\"bits,omitempty\"`\n\tWink string `json:\"wink,omitempty\"`\n"},
		{"Needs() int { return 0 }", "Needs() int { return min(3, 3*len(c.Wink)) }"},
	},
	"fact/fact.go": {
		{"&Kept{}, &Idle{},\n", "&Kept{}, &Idle{}, &Winked{},\n"},
		{"// Unlisted: ", `// Winked: whoever sits there winked.
type Winked struct {
	Seat game.Seat ` + "`json:\"seat\"`" + `
	Wink string ` + "`json:\"wink\"`" + `
}

func (*Winked) kind() string { return "wink" }
func (*Winked) needs() int { return 3 }

// Unlisted: `},
	},
	"fact/entry.go": {
		{`.TextIn("bits", r.Bits)`, `.TextIn("bits", r.Bits).TextIn("wink", r.Wink)`},
		{"r.Bot, r.Bits}", "r.Bot, r.Bits, r.Wink}"},
	},
	"table/decide.go": {
		{"\t\"decline\": decideDecline,\n", "\t\"decline\": decideDecline,\n\t\"wink\": func(t *Table, w wish) (fact.Any, error) { return &fact.Winked{Seat: t.SeatOf(w.guest.ID), Wink: w.Wink}, nil },\n"},
	},
	"table/apply.go": {{"\tcase *fact.Resumed:\n", "\tcase *fact.Winked:\n\tcase *fact.Resumed:\n"}},
	"bus/natsbus/letter.go": {
		{"\tVerdict string  `cbor:\"12,", "\tWink string `cbor:\"14,keyasint,omitempty\"`\n\tVerdict string  `cbor:\"12,"},
		{"Bot: c.Bot, Bits: c.Bits,\n", "Bot: c.Bot, Bits: c.Bits, Wink: c.Wink,\n"},
		{"Bot: s.Bot, Bits: s.Bits}", "Bot: s.Bot, Bits: s.Bits, Wink: s.Wink}"},
	},
	"store/postgres/schema/9999_winks.sql": {{"", "CREATE TABLE winks (match bigint NOT NULL); ALTER TABLE matches ADD COLUMN winks bigint NOT NULL DEFAULT 0; ALTER TABLE nodes ADD COLUMN winks bigint NOT NULL DEFAULT 0"}},
}

// buildNext builds that one.
func buildNext(t *testing.T) (bin string) {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	for file, edits := range nextBuild {
		path, err := filepath.Abs(filepath.Join("../..", file))
		must(t, err)
		text, err := os.ReadFile(path)
		if is := edits[0][0]; is != "" {
			must(t, err)
		} else if !os.IsNotExist(err) {
			t.Fatalf("%s is there already: %v", file, err)
		}
		for _, e := range edits {
			if e[0] != "" && strings.Count(string(text), e[0]) != 1 {
				t.Fatalf("%s no longer has, once, what the next build changes; write that anew:\n%s", file, e[0])
			}
			text = []byte(strings.Replace(string(text), e[0], e[1], 1))
		}
		replace[path] = filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		must(t, os.WriteFile(replace[path], text, 0o600))
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	must(t, err)
	overlay, bin := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "caveau")
	must(t, os.WriteFile(overlay, text, 0o600))
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

// A winker is a guest whose page is of the next build.
type winker struct{ *client }

// wink winks at a node: it is done, or refused with a code and a sentence.
func (w winker) wink(ctx context.Context, n *cluster.Node, table string) (code, why string, err error) {
	_, port, err := net.SplitHostPort(n.Addr())
	if err != nil {
		return "", "", err
	}
	w.url = "http://localhost:" + port
	if err = w.dial(ctx); err != nil {
		return "", "", err
	}
	id := w.id()
	if err = w.send(ctx, map[string]any{"id": id, "do": "wink", "table": table, "wink": "left"}); err != nil {
		return "", "", err
	}
	for {
		m, err := w.read(ctx)
		if err != nil || m.Error.Code != "" || m.Re == id {
			return m.Error.Code, m.Error.Message, err
		}
	}
}

// TestUpgrade has people play at a hundred tables of three nodes while these become, one by one, those of a build with a new fact, a new key of a command and a migration. What is new
// is said and written when all nodes know it, and then it is; up to then one may go back, and then no more. No move is lost or counted twice, and no page has to be loaded again.
func TestUpgrade(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes three minutes: make test-all")
	}
	const tables = 100
	p := newProcess(t)
	older, newer := p.bin, buildNext(t)
	p.thinks.Store(int64(time.Second))
	var said notes
	c, err := cluster.Start(t.Context(), cluster.Config{Caveau: older, Nodes: 3, More: []string{"--no-limits", "--no-push"}, Log: &said})
	if err != nil {
		t.Fatalf("%v\n%s", err, said.text.String())
	}
	defer func() {
		c.Close()
		if t.Failed() {
			t.Logf("the nodes say\n%s", said.text.String())
		}
	}()
	p.addr = strings.TrimPrefix(c.URL(), "http://")
	database, err := pgx.Connect(t.Context(), c.Postgres.URL("postgres", ""))
	must(t, err)
	defer database.Close(context.Background())
	count := func(of string) (n int) {
		must(t, database.QueryRow(t.Context(), "SELECT count(*) FROM "+of).Scan(&n))
		return n
	}
	guest, err := newClient(t.Context(), c.URL(), "Winker")
	must(t, err)
	w := winker{guest}
	defer w.hangUp()
	table, err := w.makeTable(t.Context(), map[string]any{"game": "dawn-under", "seats": 2, "sit": true})
	must(t, err)
	const winks = "entries WHERE position(convert_to('\"kind\":\"wink\"', 'UTF8') IN data) > 0"

	games, moves := p.besieged(tables, func(moves *atomic.Int64, broken func() bool) {
		// await waits for what takes some seconds, or a minute.
		await := func(what string, is func() bool) {
			for began := time.Now(); !is() && !broken(); patience() {
				if time.Since(began) > 10*time.Minute {
					t.Fatalf("not in ten minutes: %s", what)
				}
			}
		}
		become := func(n *cluster.Node, bin string) {
			n.Become(bin)
			pid := n.Pid()
			must(t, n.Signal(syscall.SIGTERM))
			await("a node that begins again is open", func() bool { return n.Pid() != pid && len(c.Proxy.Ready()) == len(c.Nodes) })
			p.until(broken, moves, tables)
			t.Logf("node %d is another: %d tables are awake, %d moves acknowledged", n.Number, count("deeds"), moves.Load())
		}
		// insist winks at a node until it is done, or refused for good.
		insist := func(n *cluster.Node) (code, why string) {
			var err error
			defer func() {
				if t.Failed() {
					t.Logf("a wink at node %d: %q: %s (%v)", n.Number, code, why, err)
				}
			}()
			await("a wink is answered", func() bool {
				code, why, err = w.wink(t.Context(), n, table)
				return err == nil && (code != "busy" || strings.Contains(why, "older version"))
			})
			return code, why
		}
		await("a hundred tables are awake", func() bool { return count("deeds") >= tables })
		become(c.Nodes[0], newer)
		become(c.Nodes[0], older) // who thinks better of it
		become(c.Nodes[0], newer)
		become(c.Nodes[1], newer)
		for i, want := range []string{"busy", "busy", "bad_json"} {
			if code, why := insist(c.Nodes[i]); code != want {
				t.Errorf("while a node is older, a wink is answered at node %d with %q: %s", i+1, code, why)
			}
		}
		if n := count(winks); n > 0 {
			t.Errorf("%d winks are written that a node cannot read", n)
		}
		become(c.Nodes[2], newer)
		p.thinks.Store(int64(5 * time.Second)) // while the minute goes by after which the house rises
		for _, n := range c.Nodes {
			var code, why string
			await("a node hears that all are new", func() bool { code, why = insist(n); return code != "busy" })
			if code != "" {
				t.Errorf("when all are new a wink is answered at node %d with %q: %s", n.Number, code, why)
			}
		}
		t.Log("all nodes know that all are new")
		if n := count(winks); n < len(c.Nodes) {
			t.Errorf("%d winks are written of %d", n, len(c.Nodes))
		}
		within, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // else it has joined
		defer cancel()
		late := exec.CommandContext(within, older, "serve", "--addr", "127.0.0.1:0", "--db", c.Postgres.URL("postgres", ""), "--bus", "nats://127.0.0.1:1", "--key", filepath.Join(t.TempDir(), "key"))
		if out, err := late.CombinedOutput(); late.ProcessState.ExitCode() != exitFault || !strings.Contains(string(out), "start the newer program here") {
			t.Errorf("an older node that comes then ends with %v, and says\n%s", err, out)
		}
		p.thinks.Store(0)
		p.until(broken, moves, tables)
	})
	said.mu.Lock()
	defer said.mu.Unlock()
	for _, wrong := range []string{"cannot be replayed", "a letter cannot be read"} {
		if strings.Contains(said.text.String(), wrong) {
			t.Errorf("a node says that %s", wrong)
		}
	}
	t.Logf("%d moves acknowledged in %d games, %d leases lost", moves, games, strings.Count(said.text.String(), "the lease of this node is over"))
}
