package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"caveau/record"
)

// trace replays a record and prints the true position, hidden things included, after every move (docs/record.md).
func trace(_ context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("trace", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: caveau trace FILE|-")
		fmt.Fprintln(stderr, "       caveau trace --check DIR")
	}
	archive := flags.String("check", "", "replay every record in this `directory`, and compare the traces with its "+record.SumsFile)
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitOK
	} else if err != nil {
		return exitUsage
	}
	if *archive != "" && flags.NArg() == 0 {
		return check(*archive, stdout, stderr)
	}
	if *archive != "" || flags.NArg() != 1 {
		flags.Usage()
		return exitUsage
	}
	name := flags.Arg(0)
	if err := traceFile(name, stdin, stdout); err != nil {
		fmt.Fprintf(stderr, "caveau trace %s: %s\n", name, err)
		if illegal := (*record.MoveError)(nil); errors.As(err, &illegal) {
			return exitFault
		}
		return exitUsage
	}
	return exitOK
}

// check replays an archive, and says what differs.
func check(dir string, stdout, stderr io.Writer) int {
	a, err := record.CheckArchive(os.DirFS(dir), shelf)
	if err != nil {
		fmt.Fprintf(stderr, "caveau trace --check %s: %s\n", dir, err)
		return exitUsage
	}
	for _, f := range a.Faults {
		fmt.Fprintf(stdout, "%s: %s\n", f.Name, f.What)
	}
	if !a.Summed {
		fmt.Fprintf(stdout, "there is no %s: the records were replayed, and their traces compared with nothing\n", record.SumsFile)
	}
	fmt.Fprintf(stdout, "%d replayed, %d differ\n", len(a.Games), len(a.Faults))
	if len(a.Faults) > 0 {
		return exitFault
	}
	return exitOK
}

func traceFile(name string, stdin io.Reader, stdout io.Writer) error {
	text, err := readInput(name, stdin)
	if err != nil {
		return err
	}
	rec, err := record.Read(text)
	if err != nil {
		return err
	}
	start, err := rec.Start(shelf)
	if err != nil {
		return rec.Explain(err, shelf)
	}
	var lines bytes.Buffer
	err = rec.Trace(start, &lines) // up to a move that is not allowed
	if _, writing := lines.WriteTo(stdout); writing != nil {
		return writing
	}
	return rec.Explain(err, shelf)
}

func readInput(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}
