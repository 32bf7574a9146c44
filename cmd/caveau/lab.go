package main

import (
	"context"
	"fmt"
	"io"

	"caveau/lab"
)

// laboratory has bots play in order to count (docs/lab.md).
func laboratory(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	understood, err := lab.Command(ctx, args, shelf.Laboratory(), stdout, stderr)
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
