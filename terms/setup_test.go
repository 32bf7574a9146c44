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
		pause := s.Pause(fair.Bits{1}, seq)
		drawn[pause]++
		if pause == s.Pause(fair.Bits{2}, seq) {
			alike++
		}
		if again := s.Pause(fair.Bits{1}, seq); again != pause {
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
