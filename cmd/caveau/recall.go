package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"caveau/catalog"
	"caveau/game"
	"caveau/record"
	"caveau/table"
)

// recall says of every move of a bot in a record what the bot had forgotten when it was asked: its memory follows from what its seat was told
// and from its seed, and both stand in the record (docs/bots.md).
func recall(_ context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("recall", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprintln(stderr, "usage: caveau recall FILE|-") }
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitOK
	} else if err != nil {
		return exitUsage
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return exitUsage
	}
	if err := recallFile(flags.Arg(0), stdin, stdout); err != nil {
		fmt.Fprintf(stderr, "caveau recall %s: %s\n", flags.Arg(0), err)
		return exitFault
	}
	return exitOK
}

func recallFile(name string, stdin io.Reader, stdout io.Writer) error {
	text, err := readInput(name, stdin)
	if err != nil {
		return err
	}
	rec, err := record.Read(text)
	if err != nil {
		return err
	}
	note, err := rec.Note()
	if err != nil {
		return err
	}
	byBot := make(map[int]bool)
	for _, n := range note.ByBot {
		byBot[n] = true
	}
	start, err := rec.Start(shelf)
	if err != nil {
		return rec.Explain(err, shelf)
	}
	told, before := make([][]game.Event, len(rec.Players)), start
	return rec.Explain(rec.Replay(start, func(ply int, now game.State, events []game.Event) error {
		if byBot[ply] {
			s := before.Turn()
			robot := note.Bots[s.String()]
			if robot.Bot == "" {
				robot.Bot = note.Standin
			}
			seen := table.Seen{Seat: s, View: before.View(s), Events: told[s], Moves: before.Moves(), Seed: robot.Seed, Aid: game.Aid(note.Aid)}
			if b, _ := shelf.Bot(rec.Game, robot.Bot); b != nil {
				fmt.Fprintf(stdout, "%d %s: %s\n", ply, rec.Moves[ply-1], forgotten(b, seen))
			}
		}
		for s := range told {
			for _, e := range events {
				told[s] = append(told[s], e.For(game.Seat(s)))
			}
		}
		before = now
		return nil
	}), shelf)
}

// forgotten is what a bot had forgotten, in words.
func forgotten(b any, seen table.Seen) string {
	f, ok := b.(catalog.Forgetful)
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
