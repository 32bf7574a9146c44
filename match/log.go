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

// A Log keeps the entries of many matches. Append returns once the entry is durable, and ErrConflict unless e.Seq follows
// the last entry of the match; that is the only lock there is.
type Log interface {
	Append(ctx context.Context, id ID, e Entry) error
	// Entries are the match's entries with a higher number than after, in order; none for an unknown match.
	Entries(ctx context.Context, id ID, after int) ([]Entry, error)
	// Running are the matches that have an entry and whose last entry is not Over, oldest first.
	Running(ctx context.Context) ([]ID, error)
	// Finished are the matches whose last entry is Over, oldest first.
	Finished(ctx context.Context) ([]ID, error)
}
