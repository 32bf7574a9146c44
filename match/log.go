package match

import (
	"context"
	"errors"
	"time"

	"caveau/table"
)

// ErrConflict is what Append returns for an entry that does not follow the last one, and Rest for a note that was made for
// another entry than the last.
var ErrConflict = errors.New("another entry has this number already, or one before it is missing")

// A Log keeps the entries of many tables. Append returns once the entry is durable, and ErrConflict unless e.Seq follows
// the last entry of the table; that is the only lock there is.
//
// A table that is not over is awake, or it rests: nobody need wake it before a time that was noted. An entry ends the rest.
type Log interface {
	Append(ctx context.Context, id table.ID, e table.Entry) error
	// Entries are the table's entries with a higher number than after, in order; none for an unknown table.
	Entries(ctx context.Context, id table.ID, after int) ([]table.Entry, error)
	// Finished are the tables whose last entry is Over, oldest first.
	Finished(ctx context.Context) ([]table.ID, error)

	// Rest notes, durably, that a table rests; ErrConflict unless its last entry is r.Seq.
	Rest(ctx context.Context, id table.ID, r Rest) error
	// Resting is the note of a table that rests, and false if it does not.
	Resting(ctx context.Context, id table.ID) (Rest, bool, error)
	// Awake are the tables that are not over and do not rest, oldest first.
	Awake(ctx context.Context) ([]table.ID, error)
	// Due are the tables whose rest ends at or before by, earliest first.
	Due(ctx context.Context, by time.Time) ([]table.ID, error)

	// Alive notes, durably, that the house was open at that time.
	Alive(ctx context.Context, at time.Time) error
	// Woke notes that the house is open from that time on, and, in the same commit, the outage since it was last known to be:
	// since the latest Alive, Woke or entry. Where there are entries and no Alive or Woke, from before they were kept, the outage
	// began with the zero time. A house without an entry had none.
	Woke(ctx context.Context, at time.Time) error
	// Outages are those that ended after that time, in order; no two overlap.
	Outages(ctx context.Context, after time.Time) ([]table.Outage, error)
}

// A Rest is a note about a table that nobody watches and that has nothing to do until a time.
type Rest struct {
	Seq   int       // its last entry
	Until time.Time // when it is to be woken
	Since time.Time // since when everybody has been gone
}
