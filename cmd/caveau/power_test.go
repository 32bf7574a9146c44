package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"caveau/store/disktest"
)

// cuts is how often the power fails.
const cuts = 20 // with -short a quarter of it

// TestPowerCut has the power fail in the middle of games, at any change of the disk, while the server opens too: of what was not synced
// by then something is there afterwards, by sectors, or all of it, or nothing. The server is started again on that. Whatever was
// acknowledged is in the record, once, whatever was told is still so, and every game goes on to its end.
func TestPowerCut(t *testing.T) {
	n := cuts
	if testing.Short() {
		n /= 4
	}
	games, moves := powerFails(t, n, 1)
	t.Logf("%d moves acknowledged in %d games, %d power cuts", moves, games, n)
}

// powerFails plays at a house of its own whose power fails so many times.
func powerFails(t *testing.T, n int, seed uint64) (games, moves int64) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, bin: self, addr: freeAddr(t), db: filepath.Join(t.TempDir(), "caveau.db"), more: []string{"--no-limits"}}
	games, moves = p.besieged(players, func(_ *atomic.Int64, broken func() bool) {
		for i := range n {
			p.env = []string{"CAVEAU_TEST_IS_CAVEAU=1", "CAVEAU_TEST_DISK=" + filepath.Dir(p.db), "CAVEAU_TEST_SEED=" + fmt.Sprint(seed<<32+uint64(i))}
			p.open() // or the power fails sooner
			p.darken(broken)
		}
		p.env = []string{"CAVEAU_TEST_IS_CAVEAU=1"}
		p.start()
	})
	p.kill()
	return games, moves
}

// darken waits until the power has failed, or everybody has given up.
func (p *process) darken(broken func() bool) {
	for {
		select {
		case <-p.ended:
			err := p.end
			if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != -1 {
				p.t.Errorf("it was not the power that ended the server: %v\n%s", err, p.said.String())
			}
			return
		case <-time.After(100 * time.Millisecond):
			if broken() {
				p.cmd.Process.Kill()
			}
		}
	}
}

// endWithThePower puts a disk whose power fails under the server that this process is, if it is to be so.
func endWithThePower() {
	dir := os.Getenv("CAVEAU_TEST_DISK")
	if dir == "" {
		return
	}
	seed, err := strconv.ParseUint(os.Getenv("CAVEAU_TEST_SEED"), 10, 64)
	if err != nil {
		panic(err)
	}
	d, err := disktest.At(dir)
	if err != nil {
		panic(err)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	d.Cut = 1 + rng.IntN([]int{60, 600, 3000}[rng.IntN(3)])
	d.TakesProcess(rng, []float64{0, 1, rng.Float64()}[rng.IntN(3)])
}
