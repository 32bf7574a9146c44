package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"caveau/fair"
	"caveau/game"
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

// told is what one record proves: who could have chosen its deal, if anybody, and a line for each thing that was looked at.
func told(name string, v record.Verdict) string {
	var s strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&s, "  "+format+"\n", args...) }
	claim := v.Proof.Claim()
	if v.OK() {
		fmt.Fprintf(&s, "%s: %s\n", name, headlines[claim.Case])
		for _, sentence := range claimed(claim, v.Record.Players) {
			line("%s", sentence)
		}
	} else {
		fmt.Fprintf(&s, "%s: NOT PROVEN\n", name)
	}
	for _, c := range v.Checks {
		line("%-6s %s", c.What, cmp.Or(c.Fault, "ok"))
	}
	if len(v.Checks) == 1 {
		return s.String()
	}
	// Who was there knows whether that is so; a server that knows the numbers could make the seals up, and choose the deal.
	for i, a := range append(slices.Clone(v.Proof.Failed), v.Proof.Attempt) {
		line("seal   %s of attempt %d: to be compared with what the table showed", a.Seal, i+1)
	}
	if first := v.Proof.First; first != "" {
		line("the table had chosen who begins: seat %s", first)
	}
	for _, what := range slices.Sorted(maps.Keys(v.Proof.Choices)) {
		line("the table had chosen %s: %s", what, strings.Join(v.Proof.Choices[what], " "))
	}
	for i, seats := range claim.Shut {
		line("attempt %d: sealed a number, and it was not opened in time: %s", i+1, people(seats, v.Record.Players))
	}
	for _, n := range v.Proof.Numbers {
		if n.Number != nil {
			line("gave the number %s: %s", n.Number, people([]string{n.Seat}, v.Record.Players))
		}
	}
	return s.String()
}

// headlines say in short what a claim means.
var headlines = map[fair.Case]string{
	fair.Unchosen: "nobody chose this deal",
	fair.Rejected: "this deal was not the first",
	fair.Picked:   "this deal could have been picked",
	fair.House:    "the server could have chosen this deal",
}

// claimed is what a claim means, in full.
func claimed(c fair.Claim, players []string) (sentences []string) {
	switch c.Case {
	case fair.Unchosen:
		sentences = []string{"every number was opened at the first attempt"}
	case fair.Rejected:
		sentences = []string{
			"where a number was not opened in time all began again, with a new secret and new numbers: somebody in league with the server",
			fmt.Sprintf("could have rejected the deals of the attempts that failed (%d), each for one that he could not know; he could not pick one", c.Deals),
		}
	case fair.Picked:
		sentences = []string{
			"in this older record a number that was not opened in time was left out: a server that knew all the numbers could have left out",
			fmt.Sprintf("any of them, and so picked among %d deals", c.Deals),
		}
	case fair.House:
		return []string{"nobody gave a number to it: it follows from the server's secret alone"}
	}
	return append(sentences, "that is so as long as one of these, whose numbers made the deal, is not in league with the server: "+people(c.Gave, players))
}

// people are those on some seats.
func people(seats, players []string) string {
	var names []string
	for _, letter := range seats {
		name := "seat " + letter
		if seat, err := game.ParseSeat(letter); err == nil && int(seat) < len(players) {
			name = fmt.Sprintf("%s (%s)", players[seat], letter)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
