package terms

import (
	"testing"
	"time"

	"caveau/fair"
)

// How long a bot takes is drawn anew for each move and at each table, anywhere between the least and the most, both included.
func TestPauses(t *testing.T) {
	s := Setup{BotTime: &[2]int{1000, 1009}}
	drawn, alike := map[time.Duration]int{}, 0
	for seq := range 1000 {
		pause := s.Pause(fair.Bits{1}, seq, time.Hour)
		drawn[pause]++
		if pause == s.Pause(fair.Bits{2}, seq, time.Hour) {
			alike++
		}
		if again := s.Pause(fair.Bits{1}, seq, time.Hour); again != pause {
			t.Fatalf("the pause before entry %d is %s, and then %s", seq, pause, again)
		}
	}
	for ms := 1000; ms < 1010; ms++ {
		if n := drawn[time.Duration(ms)*time.Millisecond]; n < 60 || n > 140 {
			t.Errorf("of 1000 pauses %d are of %d ms", n, ms)
		}
	}
	if len(drawn) != 10 || alike > 140 {
		t.Errorf("there are %d pauses, and at two tables %d of 1000 are alike", len(drawn), alike)
	}
}

// Where the table does not say how long bots take, they go on while pages show what happened, until these lie too far behind; where somebody's
// time runs they wait for the pages.
func TestPausesWhilePagesShow(t *testing.T) {
	free, timed := Setup{}, Setup{MoveTime: 15}
	most := func(s Setup, behind time.Duration) (most time.Duration) {
		for seq := range 200 {
			most = max(most, s.Pause(fair.Bits{1}, seq, behind))
		}
		return most
	}
	behind := free.Behind(0, 1)
	if behind < 1200*time.Millisecond || most(free, behind) > 400*time.Millisecond {
		t.Errorf("after one thing to look at pages lie %s behind, and a bot takes up to %s", behind, most(free, behind))
	}
	if most(timed, timed.Behind(0, 1)) < behind {
		t.Errorf("where time runs a bot takes at most %s", most(timed, timed.Behind(0, 1)))
	}
	for range 100 {
		behind = free.Behind(behind, 1)
	}
	if lies := free.Behind(behind, 1); lies != behind || most(free, behind) < free.Behind(0, 1) {
		t.Errorf("pages lie %s behind, then %s, and a bot takes at most %s", behind, lies, most(free, behind))
	}
	if free.Behind(-time.Hour, 1) != free.Behind(0, 1) {
		t.Error("what was seen long ago is waited for")
	}
}
