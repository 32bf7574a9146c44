package lab

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"caveau/progress"
)

// Join is how to play together with other machines: over the bus with that address, until leave.
type Join func(ctx context.Context, bus string, say func(string)) (hand Hand, leave func(), err error)

// Command is caveau lab, with what follows these words: run or ladder, and their flags. It tells whether that was understood, and
// what could not be done.
func Command(ctx context.Context, args []string, shelf Shelf, join Join, stdout, stderr io.Writer) (understood bool, err error) {
	if len(args) > 0 {
		switch args[0] {
		case "run":
			return runFile(ctx, args[1:], shelf, join, stdout, stderr)
		case "ladder":
			return climb(ctx, args[1:], shelf, join, stdout, stderr)
		}
	}
	return false, errors.New("it knows run, ladder and duel, and each tells more with -h")
}

func runFile(ctx context.Context, args []string, shelf Shelf, join Join, stdout, stderr io.Writer) (understood bool, err error) {
	flags := flag.NewFlagSet("lab run", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: caveau lab run [flags] FILE")
		flags.PrintDefaults()
	}
	out := flags.String("out", "", "write `NAME`.jsonl, NAME.csv and NAME.html; FILE's own name where it is empty")
	first := flags.Int("first", 0, "for a shard: the `number` of its first game")
	number := flags.Int("number", -1, "for a shard: how `many` games it has; -1 for all from there on")
	bus := busFlag(flags)
	if understood, ready := parsed(flags, args, 1, stderr); !ready {
		return understood, nil
	}
	name := flags.Arg(0)
	if *out == "" {
		*out = strings.TrimSuffix(name, filepath.Ext(name))
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	shard, err := ReadShard(text, shelf, *first, *number)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	rows, err := join.play(ctx, *bus, shard, shelf, *out+".jsonl", stderr)
	if err == nil {
		err = write(*out+".csv", func(w io.Writer) error { return WriteCSV(rows, w) })
	}
	if err == nil {
		err = write(*out+".html", func(w io.Writer) error { return Report(shard.Experiment, shelf, rows, w) })
	}
	if err == nil {
		fmt.Fprintf(stdout, "%d games are in %s.jsonl and %s.csv; %s.html says what came out\n", len(rows), *out, *out, *out)
	}
	return true, err
}

func busFlag(flags *flag.FlagSet) *string {
	return flags.String("bus", "", "play together with all machines that are told the same, over the NATS server at this `address`: nats://host:4222")
}

// play plays alone where no bus is named.
func (join Join) play(ctx context.Context, bus string, s Shard, shelf Shelf, file string, stderr io.Writer) ([]Row, error) {
	hand := Shard.Run
	if bus != "" {
		crew, leave, err := join(ctx, bus, func(sentence string) { fmt.Fprintf(stderr, "caveau lab: %s\n", sentence) })
		if err != nil {
			return nil, err
		}
		defer leave()
		hand = crew
	}
	return s.Play(ctx, shelf, file, hand, progress.Count(stderr, "games", s.Number))
}

// write writes a file whole, or leaves it as it is.
func write(name string, to func(io.Writer) error) error {
	var text bytes.Buffer
	if err := to(&text); err != nil {
		return err
	}
	return os.WriteFile(name, text.Bytes(), 0o666)
}

func climb(ctx context.Context, args []string, shelf Shelf, join Join, stdout, stderr io.Writer) (understood bool, err error) {
	var l Rungs
	flags := flag.NewFlagSet("lab ladder", flag.ContinueOnError)
	flags.StringVar(&l.Game, "game", "", "one `game`; all where it is empty")
	flags.StringVar(&l.Edition, "edition", "", "one `edition` of it; all where it is empty")
	flags.Func("players", "how `many` sit at a table; may be said again; else any number", func(n string) error {
		players, err := strconv.Atoi(n)
		l.Players = append(l.Players, players)
		return err
	})
	flags.Func("bot", "`who` plays; to be said again for others; else all who are on the shelf", func(name string) error {
		l.Bots = append(l.Bots, name)
		return nil
	})
	flags.IntVar(&l.Deals, "deals", 100, "how many at each table; each is played once for every chair")
	flags.Uint64Var(&l.Seed, "seed", 1, "from which all deals follow")
	flags.IntVar(&l.Moves, "moves", 0, "stop a game after so many moves; 0: where its rules stop it")
	out := flags.String("out", "ladder.jsonl", "the `file` of the games")
	bus := busFlag(flags)
	if understood, ready := parsed(flags, args, 0, stderr); !ready {
		return understood, nil
	}
	shard, err := l.Shard(shelf)
	if err != nil {
		return false, err
	}
	rows, err := join.play(ctx, *bus, shard, shelf, *out, stderr)
	if err != nil {
		return true, err
	}
	fmt.Fprintf(stdout, "    %s\n", strings.Join(append([]string{"caveau lab ladder"}, args...), " "))
	return true, Ladder(shard.Experiment, shelf, rows, stdout)
}

// parsed reads flags, and so many words that follow them. Where there is nothing to be done then, it has been said why.
func parsed(flags *flag.FlagSet, args []string, words int, stderr io.Writer) (understood, ready bool) {
	flags.SetOutput(stderr)
	if err := flags.Parse(args); err != nil {
		return errors.Is(err, flag.ErrHelp), false
	}
	if flags.NArg() != words {
		flags.Usage()
		return false, false
	}
	return true, true
}
