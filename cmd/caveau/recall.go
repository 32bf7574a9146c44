package main

import (
	"context"
	"fmt"
	"io"

	"caveau/record"
)

// recall says of every move of a bot in a record what the bot had forgotten when it was asked (docs/bots.md).
func recall(_ context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) != 1 || args[0] == "-h" {
		fmt.Fprintln(stderr, "usage: caveau recall FILE|-")
		if len(args) == 1 {
			return exitOK
		}
		return exitUsage
	}
	text, err := readInput(args[0], stdin)
	if err == nil {
		var rec record.Record
		if rec, err = record.Read(text); err == nil {
			err = shelf.Recall(rec, stdout)
		}
	}
	if err != nil {
		fmt.Fprintf(stderr, "caveau recall %s: %s\n", args[0], err)
		return exitFault
	}
	return exitOK
}
