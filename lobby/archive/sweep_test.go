package archive_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"caveau/fact"
	"caveau/lobby/archive"
	"caveau/wire"
)

// A full log has tables that are over, and deletes none.
type full struct {
	fact.Log
	err error
}

func (full) Finished(context.Context, time.Time) ([]wire.ID, error) {
	return []wire.ID{"a", "b"}, nil
}
func (f full) Delete(context.Context, wire.ID) error { return f.err }

// Whatever becomes of it, a table that was kept from being woken while it is deleted is not any more.
func TestWhatCannotBeDeletedCanBeWoken(t *testing.T) {
	for _, err := range []error{nil, errors.New("the disk is full"), fact.ErrConflict, fact.ErrAnothers} {
		begun, ended := 0, 0
		_, got := archive.Sweep(t.Context(), full{err: err}, time.Now(), func() bool { return true }, func(wire.ID) bool { begun++; return true }, func() { ended++ })
		if begun == 0 || begun != ended {
			t.Errorf("%v: it is begun with %d, and ended with %d (%v)", err, begun, ended, got)
		}
	}
}
