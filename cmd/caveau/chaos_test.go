//go:build linux

package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestChaos does its worst for as long as CAVEAU_CHAOS says, ten minutes for instance, or for a moment, while people play as fast as the server lets them:
// it is killed, it is stopped, as if nothing had been when it goes on, and its disk has no more room for a while. Then for as long the
// power fails. Nothing that was acknowledged is lost or doubled, and nothing that was told is taken back.
func TestChaos(t *testing.T) {
	long := chaosTime(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	killedAndStopped(t, long, rand.New(rand.NewPCG(seed, 0)))
	var games, moves, n int64
	for began := time.Now(); time.Since(began) < long && !t.Failed(); n += cuts {
		g, m := powerFails(t, cuts, seed+uint64(n))
		games, moves = games+g, moves+m
	}
	t.Logf("%d moves acknowledged in %d games, %d power cuts", moves, games, n)
}

func chaosTime(t *testing.T) time.Duration {
	t.Helper()
	long, err := time.ParseDuration(cmp.Or(os.Getenv("CAVEAU_CHAOS"), "2s"))
	must(t, err)
	return long
}

func killedAndStopped(t *testing.T, long time.Duration, rng *rand.Rand) {
	p := newProcess(t, "--no-limits")
	p.start()
	defer p.kill()
	kills, stops, fills := 0, 0, 0
	games, moves := p.besieged(24, func(_ *atomic.Int64, broken func() bool) {
		for began := time.Now(); time.Since(began) < long && !broken(); {
			pause(rng, 4*time.Second)
			if rng.IntN(3) == 0 {
				p.limit(uint64(rng.IntN(1 << 20)))
				pause(rng, 3*time.Second)
				fills++
			}
			if rng.IntN(3) == 0 {
				p.signal(syscall.SIGSTOP)
				pause(rng, 3*time.Second)
				stops++
			}
			if rng.IntN(4) == 0 { // one that was stopped, or had no room, just goes on
				p.limit(math.MaxUint64)
				p.signal(syscall.SIGCONT)
				continue
			}
			p.kill()
			p.start()
			kills++
		}
	})
	t.Logf("%d moves acknowledged in %d games, %d kills, %d stops, %d times without room", moves, games, kills, stops, fills)
}

func pause(rng *rand.Rand, most time.Duration) { time.Sleep(time.Duration(rng.Int64N(int64(most)))) }
