// Caveau serves games of the board to people and bots, and reads and writes their records.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// What a process ends with.
const (
	exitOK    = 0
	exitFault = 1 // it was understood, and could not be done
	exitUsage = 2 // it was not understood
)

// A command is one of the things that caveau does. It answers with the exit code. One without an about is for caveau itself.
type command struct {
	name  string
	about string
	run   func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int
}

var commands = []command{
	{"serve", "let people play in their browsers", serve},
	{"owner", "print a link that opens the owner's page once", ownersLink},
	{"backup", "copy the database of a house that is open", backup},
	{"restore", "put a copy where a house can open it", restore},
	{"health", "say whether a house that is open is well", health},
	{"trace", "replay a record and print every position", trace},
	{"verify", "check the deal and the moves of records", verify},
	{"recall", "say what the bots of a record had forgotten at each move", recall},
	{"lab", "have bots play in order to count: experiments, ladders", laboratory},
	{"env", "many games at once, for a program that learns to play", environment},
	{"load", "play on a server as many people would, and measure it", loadTest},
	{"yardstick", "", yardstick},
	{"version", "say which version this is", printVersion},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program; main only hands it the process.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		for _, c := range commands {
			if c.name == args[0] {
				return c.run(ctx, args[1:], stdin, stdout, stderr)
			}
		}
		if args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
			usage(stdout)
			return exitOK
		}
		fmt.Fprintf(stderr, "caveau: there is no command %q\n", args[0])
	}
	usage(stderr)
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: caveau <command> [flags]")
	for _, c := range commands {
		if c.about == "" {
			continue
		}
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.about)
	}
	fmt.Fprintln(w, "caveau <command> -h tells more")
}

// parse reads the flags of a command that takes nothing else. Where that fails it has been said why, and code is what
// the process ends with.
func parse(flags *flag.FlagSet, args []string, stderr io.Writer) (code int, ok bool) {
	flags.SetOutput(stderr)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK, false
	case err != nil:
		return exitUsage, false
	case flags.NArg() > 0:
		fmt.Fprintf(stderr, "caveau %s: %q is not understood\n", flags.Name(), flags.Arg(0))
		return exitUsage, false
	}
	return exitOK, true
}

func printVersion(_ context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
	fmt.Fprintln(stdout, version())
	return exitOK
}

// release is the name of a release; whoever makes one sets it.
var release string

// version is what the build says of itself.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return info.Main.Version
}
