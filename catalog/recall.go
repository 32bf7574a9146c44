package catalog

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"caveau/game"
	"caveau/record"
	"caveau/table"
)

// Recall writes of every move of a bot in a record what the bot had forgotten when it was asked, a line each: its memory follows from what
// its seat was told and from its seed, and both stand in the record. It fails where the game, the deal or a move is none of the shelf's.
func (s Shelf) Recall(rec record.Record, w io.Writer) error {
	note, err := rec.Note()
	if err != nil {
		return err
	}
	byBot := make(map[int]bool)
	for _, n := range slices.Concat(note.ByBot, note.ByClock) {
		byBot[n] = true
	}
	start, err := rec.Start(s)
	if err != nil {
		return rec.Explain(err, s)
	}
	told, before := make([][]game.Event, len(rec.Players)), start
	return rec.Explain(rec.Replay(start, func(ply int, now game.State, events []game.Event) error {
		if byBot[ply] {
			seat := before.Turn()
			robot := note.Bots[seat.String()]
			if robot.Bot == "" {
				robot.Bot = note.Standin
			}
			seen := table.Seen{Seat: seat, View: before.View(seat), Events: told[seat], Moves: before.Moves(), Seed: robot.Seed, Aid: game.Aid(note.Aid)}
			if b, _ := s.Bot(rec.Game, robot.Bot); b != nil {
				fmt.Fprintf(w, "%d %s: %s\n", ply, rec.Moves[ply-1], forgotten(b, seen))
			}
		}
		for s := range told {
			for _, e := range events {
				told[s] = append(told[s], e.For(game.Seat(s)))
			}
		}
		before = now
		return nil
	}), s)
}

// forgotten is what a bot had forgotten, in words.
func forgotten(b any, seen table.Seen) string {
	f, ok := b.(Forgetful)
	if !ok {
		return "remembers nothing"
	}
	lost, mixed := f.Forgotten(seen)
	said := "had forgotten nothing"
	if len(lost) > 0 {
		said = "had forgotten " + strings.Join(lost, ", ")
	}
	for _, pair := range mixed {
		said += fmt.Sprintf("; took %s for %s", pair[1], pair[0])
	}
	return said
}
