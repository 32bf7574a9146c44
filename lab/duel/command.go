package duel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"caveau/lab"
	"caveau/progress"
)

// Command is caveau lab duel, with what follows these words. It tells whether that was understood, and what could not be done.
func Command(ctx context.Context, args []string, shelf lab.Shelf, stdout, stderr io.Writer) (understood bool, err error) {
	flags := flag.NewFlagSet("lab duel", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: caveau lab duel [flags] FILE")
		flags.PrintDefaults()
	}
	out := flags.String("out", "", "write `NAME`.deals.jsonl, NAME.jsonl and NAME.md; FILE's own name where it is empty")
	hours := flags.Float64("hours", 2, "after so much time of one core a duel is not told apart; with 0 nothing is played, and what is known is written")
	if err := flags.Parse(args); err != nil {
		return errors.Is(err, flag.ErrHelp), nil
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return false, nil
	}
	name := flags.Arg(0)
	if *out == "" {
		*out = strings.TrimSuffix(name, filepath.Ext(name))
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	cells, err := Read(text, shelf)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	rows, err := playAll(ctx, cells, shelf, *out+".deals.jsonl", 3600**hours, stderr)
	if err == nil {
		err = write(*out, rows, stdout)
	}
	return true, err
}

// playAll goes on with all duels, one after the other.
func playAll(ctx context.Context, cells []cell, shelf lab.Shelf, name string, seconds float64, stderr io.Writer) (rows []Row, err error) {
	f, err := open(name, cells)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for i, c := range cells {
		bar := progress.Bar(stderr)
		err := f.play(ctx, c, shelf, seconds, func(taken float64) { bar(min(taken/seconds, 0.999)) })
		bar(1)
		if errors.Is(err, context.Canceled) {
			return nil, fmt.Errorf("interrupted in duel %d of %d: the same command goes on with it, and with --hours 0 writes what is known", i+1, len(cells))
		}
		if err != nil {
			return nil, err
		}
		r := f.cells[c.digest()].row()
		fmt.Fprintf(stderr, "%d of %d: %s\n", i+1, len(cells), r.line())
		rows = append(rows, r)
	}
	return rows, f.Close()
}

// write writes what came out as lines of JSON and as a table in Markdown, and shows the table.
func write(name string, rows []Row, stdout io.Writer) error {
	var lines, table bytes.Buffer
	out := json.NewEncoder(&lines)
	for _, r := range rows {
		if err := out.Encode(r); err != nil {
			return err
		}
	}
	table.WriteString(head)
	for _, r := range rows {
		fmt.Fprintln(&table, r.line())
	}
	_, err := stdout.Write(table.Bytes())
	return errors.Join(os.WriteFile(name+".jsonl", lines.Bytes(), 0o666), os.WriteFile(name+".md", table.Bytes(), 0o666), err)
}

const head = "| one | among | at | fair | won, % | 99 % | games | core | so it is |\n|---|---|---|--:|--:|--:|--:|--:|---|\n"

// line is a row of the table.
func (r Row) line() string {
	at := strings.TrimSpace(r.Game + " " + r.Edition)
	won, between := "–", "–"
	if r.Games > 0 {
		won, between = fmt.Sprintf("%.1f", 100*r.Won), fmt.Sprintf("%.1f–%.1f", 100*r.Low, 100*r.High)
	}
	return fmt.Sprintf("| `%s` | `%s` | %s, %d | %.1f | %s | %s | %d | %s | %s |", r.One, r.Among, at, r.Players, 100*r.Fair, won, between, r.Games, took(r.Seconds), r.Told)
}

// took is a time that it took.
func took(seconds float64) string {
	switch {
	case seconds < 60:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 6000:
		return fmt.Sprintf("%.0f min", seconds/60)
	default:
		return fmt.Sprintf("%.1f h", seconds/3600)
	}
}
