package limit

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// While something slow is done for ana, ben does not wait, and she does: until it is over, or she has waited enough.
func TestOneThingAtATimeForOneName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all Turns
		turn := func(ctx context.Context, name string) func() {
			over, err := all.Of(ctx, name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return over
		}
		first := turn(t.Context(), "ana")
		turn(t.Context(), "ben")()

		impatient, leave := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() {
			_, err := all.Of(impatient, "ana")
			left <- err
		}()
		began := 0
		for range 3 {
			go func() {
				defer turn(t.Context(), "ana")()
				began++
			}()
		}
		synctest.Wait()
		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("who waits no more is told %v", err)
		}
		if synctest.Wait(); began != 0 {
			t.Errorf("%d things were begun while the first was not over", began)
		}
		first()
		if synctest.Wait(); began != 3 {
			t.Errorf("%d of 3 that waited were begun", began)
		}
		if len(all.taken) != 0 {
			t.Errorf("all is over, and %d wait still", len(all.taken))
		}
	})
}
