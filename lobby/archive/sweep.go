package archive

import (
	"context"
	"errors"
	"time"

	"caveau/fact"
	"caveau/wire"
)

// Sweep deletes every table that was over by that time, one by one, and answers how many. Before each it rests; where that is said to be enough it ends. Begin keeps one from
// being woken until end; where it is awake it can wait.
func Sweep(ctx context.Context, log fact.Log, by time.Time, rest func() bool, begin func(wire.ID) bool, end func()) (n int, err error) {
	ids, err := log.Finished(ctx, by)
	for _, id := range ids {
		if err != nil || !rest() {
			break
		}
		if !begin(id) {
			continue
		}
		switch err = log.Delete(ctx, id); {
		case err == nil:
			n++
		case errors.Is(err, fact.ErrConflict), errors.Is(err, fact.ErrAnothers):
			err = nil // another node has deleted it already, or somebody looks at it there
		}
		end()
	}
	return n, err
}
