package table

import (
	"caveau/fact"
	"caveau/record"
)

// A table that begins with the position of a record (terms.Import) says everywhere what it is.

// imports is how many moves came with the table's position; nil where it was dealt.
func (t *Table) imports() *int {
	if t.imported == nil {
		return nil
	}
	n := len(t.imported.Moves)
	return &n
}

// bring plays a move that came with the position. What happened in it everybody finds in the log, and bots in what they were
// told, as if they had been there; it is no news that a page would show move by move.
func (t *Table) bring(move string) error {
	seat, words, err := record.SplitMove(move)
	if err != nil {
		return err
	}
	m := fact.Moved{Seat: seat, Words: words}
	r, err := t.play(&m)
	if err != nil {
		return t.unplayable(err)
	}
	for _, e := range r.events {
		t.lines = append(t.lines, line{event: e})
	}
	t.state, t.moves = r.after, append(t.moves, m)
	return nil
}
