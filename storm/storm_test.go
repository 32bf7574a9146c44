package storm

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var (
	from  = flag.Uint64("from", 1, "the first evening that is told")
	usual = flag.Uint64("evenings", 0, "the last evening that is told; 0 for as many as usual")
	seed  = flag.Uint64("seed", 0, "tell the story of this seed alone")
	book  = flag.String("book", "", "write the trace of that story into this file")
	blow  = flag.Duration("blow", 0, "let it storm for so long, by seeds of the moment")
	tries = flag.Int("tries", 300, "how often a story that goes wrong is told to find a shorter one")
	steps = flag.Int("steps", 250, "how long stories are")
	rest  = flag.Duration("rest", 3*time.Minute, "how long a step may last before it is told that the house does not come to rest")
)

// tell tells a story in a bubble of its own.
func tell(t *testing.T, s Story) (w *World, fault Fault) {
	t.Helper()
	defer watch(s)()
	synctest.Test(t, func(t *testing.T) { w, fault = Run(t, s) })
	return w, fault
}

// done counts the steps of all stories.
var done atomic.Int64

// watch ends the program if a step of a story does not end: something in the house runs without ever waiting, or waits for a lock, and
// nothing in a bubble can tell. What runs so may heap up what it wants done: then nobody waits until there is no room left.
func watch(s Story) (over func()) {
	const most = 2 << 30
	looks := int(*rest / lookTime)
	stop := make(chan struct{})
	go func() {
		for before, same := int64(-1), 0; same < looks && heap() < most; same++ {
			if now := done.Load(); now != before {
				before, same = now, 0
			}
			select {
			case <-stop:
				return
			case <-time.After(lookTime):
			}
		}
		debug.SetTraceback("all")
		panic("the house does not come to rest in this story:\n" + s.String())
	}()
	return func() { close(stop) }
}

// lookTime is how often one looks whether a story goes on.
const lookTime = 2 * time.Second

// heap is how many bytes live on it.
func heap() uint64 {
	all := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(all)
	return all[0].Value.Uint64()
}

const someEvenings = 36

// The usual evenings, or those of the command line: make storm lets it blow for as long as one likes. Of a story that goes wrong the
// shortest is told that goes wrong as well.
func TestStorm(t *testing.T) {
	first, last := *from, *usual
	if last == 0 {
		last = some(someEvenings)
	}
	switch {
	case *seed != 0:
		first, last = *seed, *seed
	case *blow > 0:
		first, last = uint64(time.Now().UnixNano())>>20, math.MaxUint64
	}
	var all Numbers
	began := time.Now()
	for n := first; n <= last && (*blow == 0 || time.Since(began) < *blow); n++ {
		s := Generate(n, *steps)
		w, fault := tell(t, s)
		if *book != "" {
			must(t, os.WriteFile(*book, []byte(w.Trace()), 0o600))
		}
		if fault != "" {
			short, fault := shrink(t, s, fault)
			t.Fatalf("seed %d: %s\n%s", n, fault, short)
		}
		all.add(w.Told)
		if *blow > 0 && n%100 == 0 {
			t.Log(n, all)
		}
	}
	t.Log(all)
}

// TestHabits tells an evening of each thing that can happen, in which it happens often: what is seldom may not happen on any of the usual ones.
func TestHabits(t *testing.T) {
	for i, h := range slices.Concat(weather, seldom) {
		if testing.Short() && i%3 > 0 {
			continue
		}
		t.Run(strings.TrimSpace(h.who+" "+h.do), func(t *testing.T) {
			s := GenerateOf(h, uint64(i+1), *steps)
			w, fault := tell(t, s)
			if *book != "" {
				must(t, os.WriteFile(*book, []byte(w.Trace()), 0o600))
			}
			if fault != "" {
				short, fault := shrink(t, s, fault)
				t.Errorf("%s\n%s", fault, short)
			} else {
				t.Log(w.Told)
			}
		})
	}
}

// TestLooksAround tells evenings on which people look around all the time.
func TestLooksAround(t *testing.T) {
	looked := 0
	for n := range some(12) {
		s := GenerateOf(habit{do: "look"}, 1+n, *steps)
		w, fault := tell(t, s)
		if fault != "" {
			short, fault := shrink(t, s, fault)
			t.Fatalf("%s\n%s", fault, short)
		}
		looked += w.looked
	}
	if t.Log(looked); looked < 20 {
		t.Errorf("only %d times somebody looked around, and all was well", looked)
	}
}

// some are so many evenings, or with -short a third of them: the detector of races takes its time.
func some(n uint64) uint64 {
	if testing.Short() {
		return n / 3
	}
	return n
}

// shrinkTime is for how long a shorter story is looked for: one that goes wrong may take much longer to tell than others.
const shrinkTime = 5 * time.Minute

// shrink leaves out of a story what it does without, and is what still goes wrong. What went wrong is said before: whoever waits no longer knows it all the same.
func shrink(t *testing.T, s Story, fault Fault) (Story, Fault) {
	if *tries > 0 {
		fmt.Fprintf(os.Stderr, "seed %d: %s\nthe shortest story is looked for that goes wrong as well\n", s.Seed, fault)
	}
	told, began := 0, time.Now()
	goesOn := func() bool { return told < *tries && time.Since(began) < shrinkTime }
	for size := len(s.Steps) / 2; size > 0 && goesOn(); {
		shorter := false
		for at := 0; at < len(s.Steps) && goesOn(); {
			less := s
			less.Steps = slices.Delete(slices.Clone(s.Steps), at, min(at+size, len(s.Steps)))
			told++
			if _, found := tell(t, less); found != "" {
				s, fault, shorter = less, found, true
				continue
			}
			at += size
		}
		if !shorter {
			size /= 2
		}
	}
	return s, fault
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestStories tells the stories that once went wrong, each for its own reason.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.story")
	must(t, err)
	if len(files) == 0 {
		t.Fatal("there are no stories in testdata")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".story"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			must(t, err)
			s, err := ParseStory(string(text))
			must(t, err)
			w, fault := tell(t, s)
			if *book != "" {
				must(t, os.WriteFile(*book, []byte(w.Trace()), 0o600))
			}
			if fault != "" {
				t.Errorf("%s\n%s", fault, tail(w.Trace(), 20))
			}
		})
	}
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
		short = append(short, line[:min(len(line), 250)])
	}
	return strings.Join(short, "\n")
}

// TestSame: one story has one trace.
func TestSame(t *testing.T) {
	for n := range some(6) {
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
