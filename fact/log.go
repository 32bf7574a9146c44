package fact

import (
	"context"
	"errors"
	"time"

	"caveau/wire"
)

// ErrConflict is what Append returns for an entry that does not follow the last one, Rest for a note that was made for another entry
// than the last, and Delete for a table that is not over.
var ErrConflict = errors.New("another entry has this number already, or one before it is missing")

// A Log keeps the entries of many tables. Append returns once the entry is durable, and ErrConflict unless e.Seq follows
// the last entry of the table; that is the only lock there is.
//
// A table that is not over is awake, or it rests: nobody need wake it before a time that was noted. An entry ends the rest.
//
// Entries name people by their ids alone. What they are called stands beside them, once for all tables.
type Log interface {
	Append(ctx context.Context, id wire.ID, e Entry) error
	// Entries are the table's entries with a higher number than after, in order; none for an unknown table.
	Entries(ctx context.Context, id wire.ID, after int) ([]Entry, error)
	// Finished are the tables whose last entry is Over, and of that time or before, oldest first.
	Finished(ctx context.Context, by time.Time) ([]wire.ID, error)
	// Delete forgets all of a table, durably; ErrConflict unless its last entry is Over, ErrAnothers where another node has it.
	Delete(ctx context.Context, id wire.ID) error

	// Rest notes, durably, that a table rests, instead of what was noted before; ErrConflict unless its last entry is r.Seq and
	// not Over, ErrAnothers where the house has several nodes and the table is not this one's.
	Rest(ctx context.Context, id wire.ID, r Rest) error
	// Resting is the note of a table that rests, and false if it does not.
	Resting(ctx context.Context, id wire.ID) (Rest, bool, error)
	// Due are the tables that are awake, oldest first, and then those whose rest ends at that time or before, in the order in
	// which it ends. What is over is never due.
	Due(ctx context.Context, by time.Time) ([]wire.ID, error)

	// Alive notes, durably, that the house was open at that time. Append says the same with the time of its entry.
	Alive(ctx context.Context, at time.Time) error
	// Woke is said when the house opens. It is recorded as an outage, in one commit, if the house was last known to be open before
	// that time; from then on it is known to be open at that time.
	Woke(ctx context.Context, at time.Time) error
	// LastAlive is when the house was last known to be open; the zero time for never.
	LastAlive(ctx context.Context) (time.Time, error)
	// Outages are the recorded outages that ended after that time, in order. No two overlap.
	Outages(ctx context.Context, after time.Time) ([]Outage, error)

	// Name notes, durably, what a guest is called from now on; no name: he is erased.
	Name(ctx context.Context, guest, name string) error
	// Introduce notes, durably, what a guest is called of whom nothing was noted, by whomever, and else nothing.
	Introduce(ctx context.Context, guest, name string) error
	// Names are what was noted last of these guests, by guest. Of whom nothing was noted there is nothing in it.
	Names(ctx context.Context, guests ...string) (map[string]string, error)
}

// A Rest is a note about a table that nobody watches and that has nothing to do until a time.
type Rest struct {
	Seq   int       // its last entry
	Until time.Time // when it is to be woken
	Since time.Time // since when everybody has been gone
}

// Same tells whether another note says the same.
func (r Rest) Same(o Rest) bool {
	return r.Seq == o.Seq && r.Until.Equal(o.Until) && r.Since.Equal(o.Since)
}
