package table

import (
	"encoding/json"

	"caveau/fact"
	"caveau/record"
	"caveau/terms"
	"caveau/wire"
)

// Record is the game written down, as docs/record.md says, with the names that people have now. It has no secrets, and is made only after the end, when the seal of its deal is
// opened too.
func (t *Table) Record() (record.Record, error) {
	switch {
	case t.deal == nil:
		return record.Record{}, wire.Refuse(wire.CodeNotStarted, "the game has not begun")
	case t.State() != Over:
		return record.Record{}, wire.Refuse(wire.CodeRunning, "there is a record when the game is over")
	case t.kept != nil:
		return record.Read(t.kept.Record)
	}
	r := record.Record{
		Game: t.setup.Game, Edition: t.setup.Edition, Options: t.setup.Options, Players: t.people.Names.Chairs(t.players), Deal: t.deal,
		Extra: map[string]json.RawMessage{"table": wire.Message(t.note())},
	}
	for _, m := range t.moves {
		r.Moves = append(r.Moves, m.Seat.String()+" "+m.Words)
	}
	if t.proof == nil {
		return r, nil
	}
	return r, r.Prove(*t.proof)
}

// OnPaper is a table that is over and that the rules of today do not allow: what was said there, whatever it means now. Nothing but its
// record is to be had of it. False if there is no such game.
func OnPaper(shelf terms.Shelf, entries []fact.Entry) (*Table, bool) {
	t := New(shelf)
	for _, e := range entries {
		f, by, end, err := fact.Read(e.Data)
		if err != nil {
			return nil, false
		}
		switch f := f.(type) {
		case *fact.Dealt:
			t.keepDeal(f)
			for _, move := range f.Moves {
				seat, words, err := record.SplitMove(move)
				if err != nil {
					return nil, false
				}
				t.moves = append(t.moves, fact.Moved{Seat: seat, Words: words})
			}
		case *fact.Moved:
			t.moves, t.end = append(t.moves, *f), end
		default:
			if err := t.apply(f, nil, by, end, e.At); err != nil {
				return nil, false
			}
			continue
		}
		t.seq++
	}
	if t.deal == nil || !entries[len(entries)-1].Over { // a game that runs has secrets
		return nil, false
	}
	t.over = true
	return t, true
}

// Endings are how the game ends by the rules of today, and whether it is over by them; and how it ended by those that it was played
// by, as far as the log knows. There are none of a game that has not begun.
func (t *Table) Endings() (today *fact.Ending, over bool, then *fact.Ending) {
	if t.state == nil {
		return nil, t.ended, nil
	}
	return t.ending(t.state, ""), t.ended, t.end
}

// Moves is how many were made.
func (t *Table) Moves() int { return len(t.moves) }

// revision is of the rules that the game was played by, as far as the log knows it.
func (t *Table) revision() int {
	if t.end != nil {
		return t.end.Revision
	}
	return t.game.Info().Revision
}

func (t *Table) note() record.Note {
	n := record.Note{
		Revision: t.revision(), Aid: string(t.setup.Aid), MoveTime: t.setup.MoveTime, Bots: make(map[string]record.Robot),
		Standin: t.standin, ByBot: []int{}, ByClock: []int{}, Why: t.Outcome().Why, Imported: t.imports(), Programs: t.players.Programs(),
	}
	for i, m := range t.moves {
		switch m.By {
		case fact.ByBot:
			n.ByBot = append(n.ByBot, i+1)
		case fact.ByClock:
			n.ByClock = append(n.ByClock, i+1)
		default:
			continue
		}
		n.Bots[m.Seat.String()] = record.Robot{Bot: t.people.Chairs[m.Seat].Bot, Seed: t.seeds[m.Seat]}
	}
	return n
}

// A table that begins with the position of a record (terms.Import) says everywhere what it is.

// Keeps tells whether the game was played on a device, and that guest brought it.
func (t *Table) Keeps(guest string) bool { return t.kept != nil && t.kept.Guest.ID == guest }

// imports is how many moves came with the table's position; nil where it was dealt.
func (t *Table) imports() *int {
	if t.imported == nil {
		return nil
	}
	return new(len(t.imported.Moves))
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
