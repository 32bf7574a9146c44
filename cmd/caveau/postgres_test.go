//go:build linux

package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"caveau/store/pgtest"
)

// TestPostgres moves a house from its file into PostgreSQL while people play, kills and restarts PostgreSQL and the house, and moves it back into a file, as
// docs/operate.md says. What was acknowledged is in the record, once, every game goes on to its end, and nobody has to say his name anew.
func TestPostgres(t *testing.T) {
	server := pgtest.Start(t)
	address, dir := server.New(), t.TempDir()
	p := newProcess(t, "--key", filepath.Join(dir, "key"))
	p.start()
	move := func(to string) {
		p.close()
		copied := filepath.Join(t.TempDir(), "copy.db")
		for _, args := range [][]string{{"backup", "--db", p.db, copied}, {"restore", copied, "--db", to}} {
			code, stdout, stderr := say(t, args...)
			if code != exitOK || strings.Contains(stdout+stderr, pgtest.Password) {
				t.Errorf("caveau %v: %d, %s, %s", args[0], code, stdout, stderr)
			}
		}
		p.db = to
		p.start()
	}
	games, moves := p.besieged(players, func(moves *atomic.Int64, broken func() bool) {
		p.until(broken, moves, 20)
		move(address)
		for range killsNow() / 2 {
			p.until(broken, moves, 20)
			server.Kill()
			server.Begin()
		}
		p.until(broken, moves, 20)
		server.Restart()
		p.until(broken, moves, 20)
		p.kill()
		if strings.Contains(p.said.String(), pgtest.Password) {
			t.Error("the password is in the log")
		}
		p.start()
		p.until(broken, moves, 20)
		move(filepath.Join(dir, "back.db"))
		p.until(broken, moves, 20)
	})
	p.kill()
	t.Logf("%d moves acknowledged in %d games", moves, games)
}

// While PostgreSQL is away the house says that it is not ready, and who watches over it can tell why; then it goes on by itself.
func TestPostgresIsAway(t *testing.T) {
	server := pgtest.Start(t)
	p := newProcess(t, "--key", filepath.Join(t.TempDir(), "key"))
	p.db = server.New()
	p.start()
	never := func() bool { return false }
	p.awaitReady(never, http.StatusOK)
	server.Kill()
	p.awaitReady(never, http.StatusServiceUnavailable)
	server.Begin()
	p.awaitReady(never, http.StatusOK)
	p.kill()
	if said := p.said.String(); !strings.Contains(said, "cannot be reached") || strings.Contains(said, pgtest.Password) {
		t.Errorf("the log says\n%s", said)
	}
}
