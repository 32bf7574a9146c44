package runner

import (
	"context"
	"errors"
	"testing"
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
	machine.at = machine.at.Add(time.Minute)
	if now := clock.Now(); !now.Equal(machine.at) {
		t.Errorf("a minute later it is %v, want %v", now, machine.at)
	}
	if _, err := NewCommon(t.Context(), machine, latest, func(context.Context) (time.Time, error) { return time.Time{}, context.Canceled }); err != context.Canceled {
		t.Errorf("where nobody answers it begins: %v", err)
	}
}
