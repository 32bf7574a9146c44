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

// Who measures when a bot says what it has thought of learns only how often its pause has gone by meanwhile, or a fifth of a second at a table whose bots have less time:
// nobody makes one to see how much there was to think about.
func TestNobodyMeasuresHowLongABotThought(t *testing.T) {
	from := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, pause := range []time.Duration{leastStep, 250 * time.Millisecond, time.Second} {
		for thought, pauses := range map[time.Duration]time.Duration{
			0: 1, time.Microsecond: 1, pause - 1: 1, pause: 1, pause + 1: 2, 2 * pause: 2, 7*pause - 1: 7, 7*pause + 1: 8,
		} {
			if said := Said(from, from.Add(thought), pause).Sub(from); said != pauses*pause {
				t.Errorf("it has %v and has answered after %v: it says so after %v, and not after %v", pause, thought, said, pauses*pause)
			}
		}
	}
	for _, pause := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond} {
		for thought, want := range map[time.Duration]time.Duration{
			0: pause, time.Millisecond: pause, instant: pause, 21 * time.Millisecond: leastStep, 199 * time.Millisecond: leastStep, 201 * time.Millisecond: 2 * leastStep,
		} {
			if said := Said(from, from.Add(thought), pause).Sub(from); said != want {
				t.Errorf("it has %v and has answered after %v: it says so after %v, and not after %v", pause, thought, said, want)
			}
		}
	}
}
