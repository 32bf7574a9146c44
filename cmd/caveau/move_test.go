//go:build unix

package main

import (
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestMovingHouse moves a house to another machine while people play, as docs/operate.md says: the old one is closed, copied with its key,
// and restored where the address leads from then on. Nobody has to say his name anew or loses a move, and every game goes on to its end.
func TestMovingHouse(t *testing.T) {
	p := newProcess(t)
	p.start()
	copied, there := filepath.Join(t.TempDir(), "copy.db"), filepath.Join(t.TempDir(), "caveau.db")
	games, moves := p.besieged(players, func(moves *atomic.Int64, broken func() bool) {
		p.until(broken, moves, 20)
		p.close()
		for _, args := range [][]string{{"backup", "--with-key", "--db", p.db, copied}, {"restore", "--with-key", copied, "--db", there}} {
			if code, _, said := say(t, args...); code != exitOK {
				t.Errorf("caveau %v: %d, %s", args, code, said)
			}
		}
		p.db = there
		p.start()
		p.until(broken, moves, 20)
	})
	p.kill()
	t.Logf("%d moves acknowledged in %d games", moves, games)
}

// close asks the server to close, and waits until it has.
func (p *process) close() {
	p.signal(syscall.SIGTERM)
	if err := p.wait(); err != nil {
		p.t.Errorf("asked to close it ended with %v\n%s", err, p.said.String())
	}
}
