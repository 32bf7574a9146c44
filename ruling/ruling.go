// Package ruling is the word of whoever runs the house about a table, and what follows from it there.
package ruling

import (
	"caveau/ceremony"
	"caveau/fact"
	"caveau/game"
	"caveau/table"
	"caveau/wire"
)

// A Ruling is such a word. It is a fact of the log, and everybody there is told that it was he.
type Ruling struct {
	Verdict Verdict
	Guest   string // who is turned out, or had the game kept
}

// A Verdict is what is to be done.
type Verdict string

const (
	// Shut closes the table, whatever is going on there.
	Shut Verdict = "close"
	// Unlist takes it from the lobby's list.
	Unlist Verdict = "unlist"
	// TurnOut turns a guest out of it who sits there: before the start his seat is empty, afterwards a bot plays it, and he comes back if all agree who are there.
	TurnOut Verdict = "out"
	// Drop deletes a game of a device, if that guest alone had it kept. The house says so for him, and nothing is noted of it.
	Drop Verdict = "drop"
)

// Of is what follows from it at a table: no fact where all is as he wants it.
func (r Ruling) Of(t *table.Table) (fact.Any, error) {
	switch {
	case r.Verdict == Shut && t.Watchable() != nil: // it is closed
		return nil, nil
	case t.State() == table.Over:
		return nil, wire.Refuse(wire.CodeOver, "the game is over")
	}
	switch r.Verdict {
	case Shut:
		return &fact.Shut{Ruled: true}, nil
	case Unlist:
		if !t.Card("", table.Present{}).Listed {
			return nil, nil
		}
		return &fact.Unlisted{}, nil
	case TurnOut:
		return turnedOut(t, r.Guest)
	}
	return nil, wire.Refuse(wire.CodeBadCommand, "nobody rules %q", r.Verdict)
}

func turnedOut(t *table.Table, guest string) (fact.Any, error) {
	seat, running := t.SeatOf(guest), t.State() == table.Running
	switch {
	case seat == game.Watcher:
		return nil, wire.Refuse(wire.CodeNoSeat, "that guest does not sit there")
	case t.Sitter(seat).Freed:
		return nil, nil
	case !running && t.Ceremony().For != ceremony.Before:
		return nil, wire.Refuse(wire.CodeBusy, "it is being dealt, try again in a moment")
	}
	return &fact.Freed{Seat: seat, Left: running, All: running, Ruled: true}, nil
}
