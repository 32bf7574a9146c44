//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"caveau/cluster"
)

// A notes keeps what nodes say.
type notes struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(p)
}

// last is the end of what they have said.
func (n *notes) last() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	text := n.text.String()
	return text[max(0, len(text)-1<<17):]
}

// TestCluster has people play at three nodes while one of them is killed, sleeps for longer than its lease, is cut off from all others or from the bus alone, and while the database and the bus
// end and begin again: all of it twice, and then for as long as CAVEAU_CHAOS says. What was acknowledged is in the record, once; what was not is said again with the same id, and counts once; and every game goes on to its end.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute: make test-all")
	}
	p := newProcess(t)
	var said notes
	c, err := cluster.Start(t.Context(), cluster.Config{Caveau: p.bin, Nodes: 3, More: []string{"--no-limits", "--no-push"}, Log: &said})
	if err != nil {
		t.Fatalf("%v\n%s", err, said.last())
	}
	defer c.Close()
	p.addr = strings.TrimPrefix(c.URL(), "http://")
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	var node *cluster.Node
	harms := []struct {
		name string
		do   func()
	}{
		{"a node is killed", func() { must(t, node.Signal(syscall.SIGKILL)) }},
		{"a node sleeps for longer than its lease", func() {
			must(t, node.Signal(syscall.SIGSTOP))
			time.Sleep(4 * time.Second)
			must(t, node.Signal(syscall.SIGCONT))
		}},
		{"a node is cut off", func() {
			node.CutOff(true)
			time.Sleep(4 * time.Second)
			node.CutOff(false)
		}},
		{"a node is cut off from the bus alone, and closes", func() {
			node.CutOffBus(true)
			for began := time.Now(); slices.Contains(c.Proxy.Ready(), node.Addr()); patience() {
				if time.Since(began) > time.Minute {
					t.Error("a node that the bus does not reach goes on for a minute")
					break
				}
			}
			node.CutOffBus(false)
		}},
		{"the bus ends", func() {
			c.EndBus()
			time.Sleep(2 * time.Second)
			must(t, c.BeginBus())
		}},
		{"the database is stopped", func() {
			c.Postgres.End(syscall.SIGINT)
			time.Sleep(time.Second)
			must(t, c.Postgres.Begin())
		}},
		{"the database is away for longer than any lease", func() {
			c.Postgres.End(syscall.SIGINT)
			time.Sleep(4 * time.Second)
			must(t, c.Postgres.Begin())
		}},
		{"the database is killed", func() {
			must(t, c.Postgres.Kill())
			must(t, c.Postgres.Begin())
		}},
	}
	began, long, done := time.Now(), chaosTime(t), make([]int, len(harms))
	games, moves := p.besieged(2*players, func(moves *atomic.Int64, broken func() bool) {
		defer func() { // before what players say, which is at the end then
			if broken() {
				t.Logf("the nodes say\n%s", said.last())
			}
		}()
		for order := rng.Perm(2 * len(harms)); len(order) > 0 || time.Since(began) < long; order = order[1:] {
			if len(order) == 0 {
				order = rng.Perm(len(harms))
			}
			n := order[0] % len(harms)
			p.until(broken, moves, 20)
			if broken() {
				return
			}
			for len(c.Proxy.Ready()) < len(c.Nodes) && !broken() { // whoever has died or closed is there again
				patience()
			}
			node = c.Nodes[rng.IntN(len(c.Nodes))]
			harms[n].do()
			p.until(broken, moves, 20) // people play on, at whichever nodes there are
			fmt.Fprintf(&said, "after: %s\n", harms[n].name)
			done[n]++
		}
	})
	for n, times := range done {
		t.Logf("%s: %d times, and all goes on", harms[n].name, times)
	}
	t.Logf("%d moves acknowledged in %d games", moves, games)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
