package main

import (
	"context"
	"fmt"
	"io"

	"caveau/lab"
	"caveau/lab/duel"
)

// laboratory has bots play in order to count (docs/lab.md).
func laboratory(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	command := lab.Command
	if len(args) > 0 && args[0] == "duel" {
		command, args = duel.Command, args[1:]
	}
	understood, err := command(ctx, args, shelf.Laboratory(), stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "caveau lab: %v\n", err)
	}
	switch {
	case !understood:
		return exitUsage
	case err != nil:
		return exitFault
	}
	return exitOK
}
