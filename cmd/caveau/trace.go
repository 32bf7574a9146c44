package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"caveau/catalog"
	"caveau/record"
)

// trace replays a record and prints the true position, hidden things included, after every move (docs/record.md).
func trace(_ context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("trace", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprintln(stderr, "usage: caveau trace FILE|-") }
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitOK
	} else if err != nil {
		return exitUsage
	}
	if flags.NArg() != 1 {
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

func traceFile(name string, stdin io.Reader, stdout io.Writer) error {
	text, err := readInput(name, stdin)
	if err != nil {
		return err
	}
	rec, err := record.Read(text)
	if err != nil {
		return err
	}
	start, err := rec.Start(catalog.Shelf{})
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	err = rec.Trace(start, &lines) // up to a move that is not allowed
	if _, writing := lines.WriteTo(stdout); writing != nil {
		return writing
	}
	return err
}

func readInput(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}
