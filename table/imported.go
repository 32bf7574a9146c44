package table

import (
	"strings"

	"caveau/fact"
	"caveau/game"
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
	m, err := movedIn(move)
	if err != nil {
		return err
	}
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

// movedIn is a move as a record has it.
func movedIn(move string) (m fact.Moved, err error) {
	letter, words, _ := strings.Cut(move, " ")
	m.Words = words
	m.Seat, err = game.ParseSeat(letter)
	return m, err
}
