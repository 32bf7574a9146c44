package runner

import (
	"testing"
	"time"
)

// A set clock shows what somebody has set it to.
type setClock struct {
	Wall
	at   time.Time
	gone time.Duration
}

func (c *setClock) Now() time.Time         { return c.at }
func (c *setClock) Elapsed() time.Duration { return c.gone }

func (c *setClock) passes(d time.Duration) { c.at, c.gone = c.at.Add(d), c.gone+d }

// A bare clock counts nothing.
type bareClock struct{ c *setClock }

func (b bareClock) Now() time.Time { return b.c.at }
func (b bareClock) Timer(d time.Duration) (<-chan time.Time, func() bool) {
	return b.c.Timer(d)
}

// What has gone by until somebody set the clock back is not lost, so no lease lasts for longer.
func TestSteadyGoesOn(t *testing.T) {
	start := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	for _, back := range []time.Duration{time.Second, time.Hour} {
		c := &setClock{at: start, gone: time.Minute}
		counted, bare := Steady(c, start), Steady(bareClock{c}, start)
		is := func(what string, bareToo, want time.Duration) {
			t.Helper()
			if got := counted.Now().Sub(start); got != want {
				t.Errorf("%s, set back by %v: it is %v later, want %v", what, back, got, want)
			}
			if got := bare.Now().Sub(start); got != bareToo {
				t.Errorf("%s, set back by %v: by a clock that counts nothing it is %v later, want %v", what, back, got, bareToo)
			}
		}
		is("at first", 0, 0)
		c.passes(time.Minute)
		is("a minute later", time.Minute, time.Minute)
		c.passes(400 * time.Millisecond)
		c.at = c.at.Add(-back)
		is("as it is set", time.Minute, time.Minute+400*time.Millisecond)
		c.passes(time.Second)
		is("a second later", time.Minute+time.Second, time.Minute+1400*time.Millisecond)
		c.at = c.at.Add(10 * time.Second)
		is("as it is set forward", time.Minute+11*time.Second, time.Minute+11400*time.Millisecond)
	}
	late := Steady(&setClock{at: start, gone: time.Minute}, start.Add(time.Hour))
	if got := late.Now(); !got.Equal(start.Add(time.Hour)) {
		t.Errorf("behind the log it is %v", got)
	}
}
