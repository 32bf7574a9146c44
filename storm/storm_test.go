package storm

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var (
	seed  = flag.Uint64("seed", 0, "tell the story of this seed alone")
	book  = flag.String("book", "", "write the trace of that story into this file")
	steps = flag.Int("steps", 150, "how long stories are")
)

// tell tells a story in a bubble of its own.
func tell(t *testing.T, s Story) (w *World, fault Fault) {
	t.Helper()
	done := watch(s)
	defer done()
	synctest.Test(t, func(t *testing.T) { w, fault = Run(t, s) })
	return w, fault
}

// watch ends the program if a story does not end: something in the house runs without ever waiting, and nothing in a bubble can tell.
func watch(s Story) (done func()) {
	var over atomic.Bool
	timer := time.AfterFunc(2*time.Minute, func() {
		if !over.Load() {
			panic("the house does not come to rest in this story:\n" + s.String())
		}
	})
	return func() { over.Store(true); timer.Stop() }
}

func TestStorm(t *testing.T) {
	first, last := uint64(1), uint64(40)
	if *seed != 0 {
		first, last = *seed, *seed
	}
	var all Numbers
	for n := first; n <= last; n++ {
		began := time.Now()
		w, fault := tell(t, Generate(n, *steps))
		t.Log(n, time.Since(began).Round(time.Millisecond), w.Told)
		if *book != "" {
			os.WriteFile(*book, []byte(w.Trace()), 0o600)
		}
		if fault != "" {
			t.Fatalf("seed %d: %s\n%s", n, fault, tail(w.Trace(), 40))
		}
		all.add(w.Told)
	}
	t.Log(all)
}

func (n *Numbers) add(o Numbers) {
	n.Steps, n.Entries, n.Messages, n.Lives, n.Over = n.Steps+o.Steps, n.Entries+o.Entries, n.Messages+o.Messages, n.Lives+o.Lives, n.Over+o.Over
	n.Time += o.Time
}

func (n Numbers) String() string {
	return fmt.Sprintf("%.0f hours: %d steps, %d processes, %d entries, %d messages, %d games", n.Time.Hours(), n.Steps, n.Lives, n.Entries, n.Messages, n.Over)
}

func tail(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var short []string
	for _, line := range lines[max(0, len(lines)-n):] {
		short = append(short, line[:min(len(line), 1000)])
	}
	return strings.Join(short, "\n")
}

// TestSame: one story has one trace.
func TestSame(t *testing.T) {
	for n := range uint64(16) {
		s := Generate(n+100, *steps)
		processors := runtime.GOMAXPROCS(1)
		one, _ := tell(t, s)
		runtime.GOMAXPROCS(max(2, processors))
		two, _ := tell(t, s)
		if a, b := strings.Split(one.Trace(), "\n"), strings.Split(two.Trace(), "\n"); one.Trace() != two.Trace() {
			for i := range a {
				if i >= len(b) || a[i] != b[i] {
					t.Fatalf("seed %d goes two ways at line %d:\n%s\n%s", n+100, i, tail(strings.Join(a[:i+9], "\n"), 14), tail(strings.Join(b[:i+9], "\n"), 14))
				}
			}
		}
	}
}
