package terms

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"caveau/game"
	"caveau/record"
	"caveau/wire"
)

// A table may begin with the position of a record instead of a deal: to go on with a game, or to try a puzzle. Whoever brings
// a record knows every card in it, so there is nothing to be sealed or proved, and the table says everywhere what it is.

// An Import is the position that a table begins with.
type Import struct {
	Deal  json.RawMessage `json:"deal"`  // in the record's words
	Moves []string        `json:"moves"` // those that came with it, each with its seat
	Seeds []uint64        `json:"seeds"` // by seat, for the bots
}

var errUnplayable = wire.Refuse(wire.CodeBadCommand, "this position came here when the rules were others, and by those of today it cannot be played on: make another table")

// Playable is nil, or why nobody can begin with it: a ruling has been mended since it came.
func (i *Import) Playable(g game.Game, rules game.Setup) error {
	state, err := g.Read(rules, i.Deal)
	for _, move := range i.Moves {
		if err == nil {
			state, err = played(state, move)
		}
	}
	if err != nil || state.Outcome().Over {
		return errUnplayable // not why: what lies hidden there is nobody's
	}
	return nil
}

func played(state game.State, move string) (game.State, error) {
	seat, words, err := record.SplitMove(move)
	if err == nil {
		state, _, err = state.Play(seat, words)
	}
	return state, err
}

// Agreed is the set-up, checked, and the position to begin with, nil where it is to be dealt. What the record says, the set-up
// says then. Refused with the code bad_command is besides what cannot be played at all a record that does not agree with the
// set-up, is none, or cannot be played as far as that, and a game that is over there.
func (s Setup) Agreed(shelf Shelf) (Setup, *Import, error) {
	if s.Record == nil {
		if s.Ply != nil {
			return s, nil, wire.Refuse(wire.CodeBadCommand, "ply: there is no record of which it could be a move")
		}
		s, _, err := s.checked(shelf)
		return s, nil, err
	}
	rec, err := record.Read(s.Record)
	if err != nil {
		return s, nil, badRecord(err)
	}
	if s.Ply != nil {
		n := *s.Ply
		if n < 0 || n > len(rec.Moves) {
			return s, nil, wire.Refuse(wire.CodeBadCommand, "ply: the record has %d moves, and no position after %d", len(rec.Moves), n)
		}
		rec.Moves = rec.Moves[:n]
	}
	if fault := s.unlike(rec); fault != "" {
		return s, nil, wire.Refuse(wire.CodeBadCommand, "%s", fault)
	}
	s.Game, s.Edition, s.Options, s.Seats = rec.Game, rec.Edition, rec.Options, len(rec.Players)
	s.Record, s.Ply = nil, nil
	s, g, err := s.checked(shelf)
	if err != nil {
		return s, nil, err
	}
	over, err := overAtEnd(rec, g, shelf)
	switch {
	case err != nil:
		return s, nil, badRecord(rec.Explain(err, shelf))
	case over:
		return s, nil, wire.Refuse(wire.CodeBadCommand, "record: the game is over there: give an earlier ply")
	}
	return s, &Import{Deal: rec.Deal, Moves: rec.Moves}, nil
}

// unlike says what the set-up says otherwise than the record; "" if nothing.
func (s Setup) unlike(rec record.Record) string {
	switch {
	case s.Game != "" && s.Game != rec.Game, s.Edition != "" && s.Edition != rec.Edition:
		return fmt.Sprintf("record: it is of %s %s, not %s %s", rec.Game, rec.Edition, s.Game, s.Edition)
	case s.Seats != 0 && s.Seats != len(rec.Players):
		return fmt.Sprintf("record: it has %d players, not %d", len(rec.Players), s.Seats)
	case len(s.Options) > 0 && !maps.Equal(s.Options, rec.Options):
		return fmt.Sprintf("record: it has the options %v, not %v", rec.Options, s.Options)
	case s.First != "" || len(s.Choices) > 0:
		return "first and choices are for those who deal, and the record is dealt"
	}
	return ""
}

// overAtEnd plays the record, and tells whether there is nothing left to be played.
func overAtEnd(rec record.Record, g game.Game, shelf Shelf) (over bool, err error) {
	if len(rec.Moves) >= g.Info().MaxMoves {
		return true, nil // a table would stop it there
	}
	start, err := rec.Start(shelf)
	if err != nil {
		return false, err
	}
	err = rec.Replay(start, func(_ int, s game.State, _ []game.Event) error {
		over = s.Outcome().Over
		return nil
	})
	return over, err
}

func badRecord(err error) *wire.Error {
	told := wire.Refuse(wire.CodeBadCommand, "record: %v", err)
	var r game.Refusal
	if errors.As(err, &r) {
		told.Rule = r.Rule
	}
	return told
}
