package match

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// An ID names a match: drawn at random, unguessable, and the last part of the table's link.
type ID string

// An Entry is one line of a match's log. Seq counts from 1 without gaps. Data is one JSON object, written by this
// package and read by nobody else.
type Entry struct {
	Seq  int
	At   time.Time
	Data json.RawMessage
	Over bool // the match need not be woken again: nothing follows this entry but the wish for a rematch, Over as well
}

// ErrConflict is what Append returns for an entry that does not follow the last one.
var ErrConflict = errors.New("another entry has this number already, or one before it is missing")

// A Log keeps the entries of many matches, when each of them is to be woken, and when the house was open.
//
// A match that has an entry and is not over is awake or rests. What is durable is found again by whoever opens the log after
// a crash.
type Log interface {
	// Append returns once the entry is durable, and ErrConflict unless e.Seq follows the last entry of the match; that is the
	// only lock there is. The match is awake from then on or, if e.Over, over.
	Append(ctx context.Context, id ID, e Entry) error
	// Entries are the match's entries with a higher number than after, in order; none for an unknown match.
	Entries(ctx context.Context, id ID, after int) ([]Entry, error)
	// Finished are the matches that are over, oldest first.
	Finished(ctx context.Context) ([]ID, error)

	// Rest says, durably, that nobody need wake the match before that time; the next Append ends the rest, and another Rest
	// replaces it. A match that is over or unknown stays as it is.
	Rest(ctx context.Context, id ID, until time.Time) error
	// Due are the matches that are awake, oldest first, and then those whose rest ends at that time or before, in the order in
	// which it ends. What is over is never due.
	Due(ctx context.Context, by time.Time) ([]ID, error)

	// Alive says, durably, that the house was alive at that time. Append says the same with the time of its entry.
	Alive(ctx context.Context, at time.Time) error
	// Woke is said when the house opens. It is recorded as an outage, durably, if the house was last known to be alive before
	// that time; from then on it is known to be alive at that time.
	Woke(ctx context.Context, at time.Time) error
	// Outages are the recorded outages that ended after that time, in order.
	Outages(ctx context.Context, after time.Time) ([]Outage, error)
}

// An Outage is a time in which the house was closed: From is when it was last known to be alive, To when it opened again.
type Outage struct{ From, To time.Time }
