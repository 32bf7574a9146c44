package main

import (
	"context"
	"fmt"
	"io"

	"caveau/lab"
	"caveau/lab/crew"
	"caveau/lab/duel"
)

// laboratory has bots play in order to count (docs/lab.md).
func laboratory(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var understood bool
	var err error
	if len(args) > 0 && args[0] == "duel" {
		understood, err = duel.Command(ctx, args[1:], shelf.Laboratory(), stdout, stderr)
	} else {
		understood, err = lab.Command(ctx, args, shelf.Laboratory(), join, stdout, stderr)
	}
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

// join is for machines of this build: others may have other bots.
func join(ctx context.Context, bus string, say func(string)) (lab.Hand, func(), error) {
	c, err := crew.Join(ctx, bus, version(), say)
	if err != nil {
		return nil, nil, err
	}
	return c.Run, c.Close, nil
}
