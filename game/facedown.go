package game

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A FaceDown is what lies face down before whom, in the words of the trace and of the deal (docs/record.md), and without the
// help of any View. A game says it a second time here, so that views, events and all that is made of them can be held
// against it (package secrets).
type FaceDown struct {
	// Open is a position in the words of the trace without what lies face down before seat s, or the Watcher. It is there to
	// be compared. It fails at a key that it does not know: what is said of no key would be taken for open.
	Open func(trace json.RawMessage, s Seat) (json.RawMessage, error)
	// Dealt tells whether seat s knows from the deal on what lies at a place of it, such as "hands", 2, 0: a hand that it took
	// up. Nil: nobody knows of any place.
	Dealt func(place []any, s Seat) bool
}

// Hidden makes Open of a function that hides, in a position, what lies face down before a seat. T is all of the trace's own
// keys, with a field each.
func Hidden[T any](hide func(*T, Seat)) func(json.RawMessage, Seat) (json.RawMessage, error) {
	return func(trace json.RawMessage, s Seat) (json.RawMessage, error) {
		var position T
		exact := json.NewDecoder(bytes.NewReader(trace))
		exact.DisallowUnknownFields()
		if err := exact.Decode(&position); err != nil {
			return nil, fmt.Errorf("what lies face down is not said of this trace: %w", err)
		}
		hide(&position, s)
		return json.Marshal(position)
	}
}

// face is what stands where something lies face down.
const face = "face down"

// Hide turns the words of a list face down, from one place up to another or the end.
func Hide(list []string, from, to int) {
	for i := from; i < min(to, len(list)); i++ {
		list[i] = face
	}
}
