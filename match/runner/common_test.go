package runner

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// hands are those of a machine's clock, which somebody moves.
type hands struct {
	Clock
	at time.Time
}

func (h *hands) Now() time.Time { return h.at }

// Whatever a machine shows, its node goes by the log's clock: at once when it begins, and then so slowly that no second is shorter or longer than it is by more than a twentieth.
func TestCommon(t *testing.T) {
	machine := &hands{at: time.Date(2026, 11, 1, 20, 0, 0, 0, time.UTC)}
	wrong, there, back, fails := 2*time.Second, time.Duration(0), time.Duration(0), error(nil)
	ask := func(context.Context) (time.Time, error) {
		machine.at = machine.at.Add(there)
		at := machine.at.Add(wrong)
		machine.at = machine.at.Add(back)
		return at, fails
	}
	clock, err := NewCommon(t.Context(), machine, machine.at, ask)
	if err != nil {
		t.Fatal(err)
	}
	last := clock.Now()
	mustBeWrong := func(what string, want time.Duration) {
		t.Helper()
		if got := clock.Now().Sub(machine.at.Add(wrong)); got != want {
			t.Errorf("%s: it is wrong by %v, want %v", what, got, want)
		}
	}
	goesBy := func(seconds int) {
		t.Helper()
		for range seconds {
			machine.at = machine.at.Add(time.Second)
			now := clock.Now()
			if took := now.Sub(last); took < 950*time.Millisecond || took > 1050*time.Millisecond {
				t.Fatalf("a second takes %v", took)
			}
			last = now
		}
	}
	mustBeWrong("it begins", 0)
	wrong -= time.Second
	goesBy(10)
	mustBeWrong("nobody has said so yet", time.Second)
	if err := clock.Ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	goesBy(10)
	mustBeWrong("half of it is made up for", time.Second/2)
	goesBy(20)
	mustBeWrong("all of it is", 0)

	there, back = 500*time.Millisecond, 100*time.Millisecond // which is as if it were wrong by 200
	if err := clock.Ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	last = clock.Now()
	goesBy(20)
	mustBeWrong("a slow answer counts for nothing", 0)
	fails = errors.New("nobody answers")
	if err := clock.Ask(t.Context()); err != fails {
		t.Errorf("it says %v", err)
	}
	fails = nil
	last = clock.Now()
	goesBy(600)
	if err := clock.Ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	last = clock.Now()
	goesBy(20)
	mustBeWrong("but after ten minutes, in which the machine's may have gone wrong by as much", 200*time.Millisecond)

	there, back = 0, 0
	wrong += time.Second
	goesBy(10)
	mustBeWrong("it shows too little, and nobody has said so yet", -800*time.Millisecond)
	if err := clock.Ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	goesBy(20)
	mustBeWrong("what it shows too little is made up for as slowly", 0)
}

// Time goes on from where the log has come to, and is slow until the log's clock has come there.
func TestCommonNeverGoesBack(t *testing.T) {
	machine := &hands{at: time.Date(2026, 11, 1, 20, 0, 0, 0, time.UTC)}
	latest := machine.at.Add(time.Second)
	clock, err := NewCommon(t.Context(), machine, latest, func(context.Context) (time.Time, error) { return machine.at, nil })
	if err != nil || !clock.Now().Equal(latest) {
		t.Fatalf("it begins at %v (%v), want %v", clock.Now(), err, latest)
	}
	for range 60 {
		machine.at = machine.at.Add(time.Second)
		clock.Now()
	}
	if now := clock.Now(); !now.Equal(machine.at) {
		t.Errorf("a minute later it is %v, want %v", now, machine.at)
	}
	if _, err := NewCommon(t.Context(), machine, latest, func(context.Context) (time.Time, error) { return time.Time{}, context.Canceled }); err != context.Canceled {
		t.Errorf("where nobody answers it begins: %v", err)
	}
}

// A machine's clock leaps because somebody sets it, or because the machine has slept. Which of both it was the log knows: until it is asked the house's time
// goes on from where it was.
func TestCommonLeaps(t *testing.T) {
	begins := time.Date(2026, 11, 1, 20, 0, 0, 0, time.UTC)
	for name, x := range map[string]struct{ set, slept time.Duration }{
		"an hour later": {set: time.Hour},
		"it has slept":  {slept: time.Hour},
		"both":          {set: -40 * time.Minute, slept: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			machine, truly, takes := &hands{at: begins}, begins, time.Duration(0)
			goesBy := func(d time.Duration) { machine.at, truly = machine.at.Add(d), truly.Add(d) }
			clock, err := NewCommon(t.Context(), machine, begins, func(context.Context) (time.Time, error) {
				at := truly
				goesBy(takes)
				return at, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			mustBe := func(what string, want time.Time) {
				t.Helper()
				if now := clock.Now(); !now.Equal(want) {
					t.Errorf("%s: it is %v, want %v", what, now, want)
				}
			}
			goesBy(time.Second)
			clock.Now()
			machine.at = machine.at.Add(x.set)
			goesBy(x.slept)
			mustBe("nobody knows", begins.Add(time.Second))
			for range 10 {
				goesBy(time.Second)
				clock.Now()
			}
			mustBe("it goes on", begins.Add(11*time.Second))
			takes = leap
			if err := clock.Ask(t.Context()); err != nil {
				t.Fatal(err)
			}
			mustBe("so slow an answer may be of before", begins.Add(11*time.Second+leap))
			takes = 0
			if err := clock.Ask(t.Context()); err != nil {
				t.Fatal(err)
			}
			mustBe("it is known", truly)
			for range 10 {
				goesBy(time.Second)
				clock.Now()
			}
			mustBe("it goes as before", truly)
		})
	}
}

// What was known before a leap does not count any more, however slow the answer is after it.
func TestCommonForgetsWhatWasBeforeALeap(t *testing.T) {
	machine, truly, takes := &hands{at: time.Date(2026, 11, 1, 20, 0, 0, 0, time.UTC)}, time.Date(2026, 11, 1, 20, 0, 0, 0, time.UTC), time.Duration(0)
	goesBy := func(d time.Duration) { machine.at, truly = machine.at.Add(d), truly.Add(d) }
	clock, err := NewCommon(t.Context(), machine, truly, func(context.Context) (time.Time, error) {
		at := truly
		goesBy(takes)
		return at, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	machine.at = machine.at.Add(10 * time.Second)
	clock.Now()
	takes = 200 * time.Millisecond
	if err := clock.Ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		goesBy(time.Second)
		if wrong := clock.Now().Sub(truly).Abs(); wrong > takes {
			t.Fatalf("it is wrong by %v", wrong)
		}
	}
}

// After a leap it is asked at once.
func TestCommonFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		machine, asked := &hands{at: time.Now()}, 0
		clock, err := NewCommon(t.Context(), machine, machine.at, func(context.Context) (time.Time, error) {
			asked++
			return machine.at, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		var work sync.WaitGroup
		work.Go(func() { clock.Follow(ctx) })
		for range 2 {
			machine.at = machine.at.Add(time.Hour)
			clock.Now()
			synctest.Wait()
			if now := clock.Now(); !now.Equal(machine.at) {
				t.Errorf("it is %v, want %v", now, machine.at)
			}
		}
		stop()
		work.Wait()
		if asked != 3 {
			t.Errorf("it was asked %d times, want 3", asked)
		}
	})
}
