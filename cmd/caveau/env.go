package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"caveau/env"
)

// environment serves games to a program that learns, over standard input and output (docs/env.md), until there is no more input.
func environment(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if code, ok := parse(flag.NewFlagSet("env", flag.ContinueOnError), args, stderr); !ok {
		return code
	}
	served := make(chan error, 1)
	go func() { served <- env.Serve(shelf, stdin, stdout) }()
	select {
	case <-ctx.Done(): // what waits for input ends with the process
	case err := <-served:
		if err != nil {
			fmt.Fprintf(stderr, "caveau env: %v\n", err)
			return exitFault
		}
	}
	return exitOK
}
