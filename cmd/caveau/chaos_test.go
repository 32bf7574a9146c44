//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestChaos kills and stops the server at random for as long as CAVEAU_CHAOS says, ten minutes for instance, while people play
// as fast as it lets them. A server that is stopped goes on later as if nothing had been, and meanwhile everybody waits.
// Nothing that was acknowledged is lost or doubled.
func TestChaos(t *testing.T) {
	if os.Getenv("CAVEAU_CHAOS") == "" {
		t.Skip("CAVEAU_CHAOS=10m runs it for ten minutes")
	}
	long, err := time.ParseDuration(os.Getenv("CAVEAU_CHAOS"))
	if err != nil {
		t.Fatal(err)
	}
	p := newProcess(t, "--no-limits")
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	kills, stops := 0, 0
	games, moves := p.besieged(24, func(_ *atomic.Int64, broken func() bool) {
		for began := time.Now(); time.Since(began) < long && !broken(); {
			pause(rng, 4*time.Second)
			if rng.IntN(3) == 0 {
				p.signal(syscall.SIGSTOP)
				pause(rng, 3*time.Second)
				stops++
			}
			if rng.IntN(4) == 0 { // one that was stopped just goes on
				p.signal(syscall.SIGCONT)
				continue
			}
			p.kill()
			p.start()
			kills++
		}
	})
	t.Logf("seed %d: %d moves acknowledged in %d games, %d kills, %d stops", seed, moves, games, kills, stops)
}

func pause(rng *rand.Rand, most time.Duration) { time.Sleep(time.Duration(rng.Int64N(int64(most)))) }

func (p *process) signal(s os.Signal) {
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Error(err)
	}
}
