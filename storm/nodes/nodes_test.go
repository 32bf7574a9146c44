package nodes

import (
	"flag"
	"maps"
	"slices"
	"testing"
	"time"
)

var (
	usual = flag.Uint64("nights", 0, "how many nights are told; 0 for as many as usual")
	seed  = flag.Uint64("seed", 0, "tell that of this seed alone")
	lasts = flag.Duration("lasts", 40*time.Second, "how long it storms")
	tail  = flag.Int("tail", 40, "how many lines of a night that goes wrong are shown")
)

// seldom are nights that found a mistake, planted or of ours, which none of the usual ones finds.
var seldom = []uint64{64, 146, 229, 309}

// TestNodes tells the usual nights, or those of the command line. Of one that goes wrong it shows the end.
func TestNodes(t *testing.T) {
	first, last := uint64(1), *usual
	switch {
	case *seed != 0:
		first, last = *seed, *seed
	case last == 0:
		last = some(60)
	}
	did := map[string]int{}
	nights := []uint64{}
	for n := first; n <= last; n++ {
		nights = append(nights, n)
	}
	if *seed == 0 && *usual == 0 && !testing.Short() {
		nights = append(nights, seldom...)
	}
	for _, n := range nights {
		w := inBubble(t, n, nil)
		if w.fault != "" {
			t.Fatalf("seed %d: %s\n%s", n, w.fault, w.tail(*tail))
		}
		for what, times := range w.did {
			did[what] += times
		}
	}
	for _, what := range slices.Sorted(maps.Keys(did)) {
		t.Log(did[what], what)
	}
}

// TestScenes tells nights of one thing each that is too seldom on the others.
func TestScenes(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			shown := 0
			for n := range max(*usual, 1+some(40)/10) {
				if w := inBubble(t, n, &s); w.fault != "" {
					t.Fatalf("night %d: %s\n%s", n, w.fault, w.tail(*tail))
				} else if w.did[s.name] == 0 {
					t.Errorf("night %d: it does not happen", n)
				} else {
					shown += w.did[s.shows]
				}
			}
			if s.shows != "" && shown == 0 && !testing.Short() {
				t.Errorf("%s: on no night, which shows little", s.shows)
			}
		})
	}
}

// some are so many nights, or with -short a tenth of them: the detector of races takes its time.
func some(n uint64) uint64 {
	if testing.Short() {
		return n / 10
	}
	return n
}
