package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"caveau/record"
)

// verify checks records without the server that wrote them (docs/fair.md).
func verify(_ context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprintln(stderr, "usage: caveau verify FILE…|-") }
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitOK
	} else if err != nil {
		return exitUsage
	}
	if flags.NArg() == 0 {
		flags.Usage()
		return exitUsage
	}
	code := exitOK
	for _, name := range flags.Args() {
		text, err := readInput(name, stdin)
		if err != nil {
			fmt.Fprintf(stderr, "caveau verify: %s\n", err)
			code = exitUsage
			continue
		}
		v := record.Verify(text, shelf)
		fmt.Fprint(stdout, told(name, v))
		if !v.OK() {
			code = max(code, exitFault)
		}
	}
	return code
}

// told is what one record proves, a line for each thing that was looked at.
func told(name string, v record.Verdict) string {
	var s strings.Builder
	if v.OK() {
		fmt.Fprintf(&s, "%s: all is well\n", name)
	} else {
		fmt.Fprintf(&s, "%s: NOT PROVEN\n", name)
	}
	for _, c := range v.Checks {
		if c.Fault != "" {
			fmt.Fprintf(&s, "  %-6s %s\n", c.What, c.Fault)
		} else {
			fmt.Fprintf(&s, "  %-6s ok\n", c.What)
		}
	}
	if len(v.Checks) == 1 {
		return s.String()
	}
	fmt.Fprintf(&s, "  seal   %s, shown before anyone sat down\n", v.Proof.Seal)
	// Who was there knows whether that is so; a server that knows the numbers could make it up, and choose the deal.
	if first := v.Proof.First; first != "" {
		fmt.Fprintf(&s, "  the table had chosen who begins: seat %s\n", first)
	}
	for _, what := range slices.Sorted(maps.Keys(v.Proof.Choices)) {
		fmt.Fprintf(&s, "  the table had chosen %s: %s\n", what, strings.Join(v.Proof.Choices[what], " "))
	}
	for _, n := range v.Proof.Numbers {
		if n.Number == nil {
			fmt.Fprintf(&s, "  seat %s sealed a number and did not open it: in league with the server he could have chosen between two deals\n", n.Seat)
		} else {
			fmt.Fprintf(&s, "  seat %s gave the number %s\n", n.Seat, n.Number)
		}
	}
	if len(v.Proof.Numbers) == 0 {
		s.WriteString("  nobody gave a number: this proves that the deal was fixed beforehand, not that the server did not choose it\n")
	}
	return s.String()
}
