package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"caveau/load"
	"caveau/load/meter"
	"caveau/progress"
)

// A loading is what the flags of caveau load say.
type loading struct {
	load.Config
	url, db, profile string
	json             bool

	dir    string // for the databases of the servers that are started
	pinned string // the processor that they have for themselves; "" for none
}

func loadTest(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	l := loading{}
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.StringVar(&l.url, "url", "", "play on the server at this `address`, which serves with --no-limits, rather than on one of its own")
	flags.StringVar(&l.db, "db", "", "have its own keep everything in this PostgreSQL, postgres://user@host/database, rather than in a file")
	flags.IntVar(&l.Tables, "tables", 20, "how many tables play at once")
	flags.IntVar(&l.Seats, "seats", 4, "how many sit at each")
	flags.StringVar(&l.Game, "game", "dawn-under", "what is played")
	flags.StringVar(&l.Edition, "edition", "2004", "by which edition; its first where it is empty")
	flags.DurationVar(&l.Think, "think", 0, "how long people think about each move, on the average; 0 for as fast as they can")
	flags.IntVar(&l.Rounds, "rounds", 3, "how often the server and the yardstick take turns")
	flags.DurationVar(&l.WarmUp, "warm-up", 2*time.Second, "how long each round is played before it counts")
	flags.DurationVar(&l.Duration, "duration", 5*time.Second, "how long each round counts")
	flags.IntVar(&l.Moves, "moves", 0, "a round is over after so many moves, if that is sooner; 0 for no such end")
	flags.IntVar(&l.Idle, "idle", 0, "measure memory too, with so many idle sockets and a third as many tables")
	flags.StringVar(&l.Bot, "bot", "", "in further rounds this `bot` plays at other tables meanwhile, as fast as it can")
	flags.IntVar(&l.Beside, "beside", 0, "how many those are: at each somebody plays against the bot on all the other seats")
	flags.BoolVar(&l.json, "json", false, "write JSON")
	flags.StringVar(&l.profile, "cpuprofile", "", "write to this `file` where the server's time went")
	if code, ok := parse(flags, args, stderr); !ok {
		return code
	}
	report, err := l.run(ctx, stderr)
	if err == nil && l.json {
		err = report.JSON(stdout)
	} else if err == nil {
		err = report.Text(stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "caveau load: %s\n", strings.ReplaceAll(err.Error(), "\n", "; "))
		return exitFault
	}
	return exitOK
}

func (l *loading) run(ctx context.Context, stderr io.Writer) (_ *load.Report, err error) {
	if l.dir, err = os.MkdirTemp("", "caveau-load-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(l.dir)
	starters := load.Starters{House: l.startHouse, Bare: l.startBare}
	if l.url != "" {
		starters.House = func(context.Context, ...string) (load.Target, load.Stop, error) {
			return load.Target{URL: strings.TrimSuffix(l.url, "/")}, func() (string, error) { return "", nil }, nil
		}
	}
	report, err := load.Run(ctx, l.Config, starters, progress.Bar(stderr))
	if err == nil {
		report.Pinned = "nothing has a processor for itself"
		if l.pinned != "" {
			report.Pinned = "processor " + l.pinned + " is the server's and the yardstick's alone, each with GOMAXPROCS=1"
		}
	}
	return report, err
}

// startHouse starts a server with a database of its own.
func (l *loading) startHouse(ctx context.Context, env ...string) (load.Target, load.Stop, error) {
	dir, err := os.MkdirTemp(l.dir, "")
	if err != nil {
		return load.Target{}, nil, err
	}
	db := filepath.Join(dir, "caveau.db")
	args := []string{"serve", "--addr", "127.0.0.1:0", "--db", cmp.Or(l.db, db), "--key", db + "-key", "--no-limits"}
	if l.profile != "" && len(env) == 0 {
		path, err := filepath.Abs(l.profile)
		if err != nil {
			return load.Target{}, nil, err
		}
		args = append(args, "--profile", path)
	}
	return l.start(ctx, env, args...)
}

func (l *loading) startBare(ctx context.Context, seats, size int) (load.Target, load.Stop, error) {
	t, stop, err := l.start(ctx, nil, "yardstick", "--seats", fmt.Sprint(seats), "--size", fmt.Sprint(size))
	t.Bare = true
	return t, stop, err
}

// start starts this program once more, on a processor of its own, and returns once it says where it is open.
func (l *loading) start(ctx context.Context, env []string, args ...string) (t load.Target, _ load.Stop, err error) {
	self, err := os.Executable()
	if err != nil {
		return t, nil, err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(append(os.Environ(), "GOMAXPROCS=1"), env...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		return t, nil, err
	}
	if l.pinned, err = meter.StartOn(cmd.Start); err == nil && l.pinned != "" {
		err = meter.StayOff()
	}
	if err != nil {
		return t, nil, err
	}
	t.Process = cmd.Process.Pid
	if t.URL, err = openAt(out); err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return t, nil, fmt.Errorf("caveau %s: %w: %s", args[0], err, strings.TrimSpace(complaint.String()))
	}
	return t, func() (string, error) { return end(cmd, out, &complaint) }, nil
}

// end asks a process to end, and is the last line that it says.
func end(cmd *exec.Cmd, out io.Reader, complaint *bytes.Buffer) (string, error) {
	ask := cmd.Process.Signal(syscall.SIGTERM)
	if runtime.GOOS == "windows" {
		ask = cmd.Process.Kill()
	}
	said, err := io.ReadAll(out)
	if ended := cmd.Wait(); ended != nil && runtime.GOOS != "windows" {
		err = errors.Join(err, fmt.Errorf("%s: %w: %s", cmd.Args[1], ended, strings.TrimSpace(complaint.String())))
	}
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	return lines[len(lines)-1], errors.Join(ask, err)
}

// openAt reads up to the first address that a server says. It reads no byte more.
func openAt(out io.Reader) (string, error) {
	var line []byte
	for b := make([]byte, 1); ; {
		if _, err := out.Read(b); err != nil {
			return "", err
		}
		if line = append(line, b[0]); b[0] != '\n' {
			continue
		}
		if at := bytes.Index(line, []byte("http://")); at >= 0 {
			return strings.TrimSpace(string(line[at:])), nil
		}
		line = line[:0]
	}
}

// yardstick is a server that does nothing but tell, for load to compare with.
func yardstick(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("yardstick", flag.ContinueOnError)
	seats := flags.Int("seats", 4, "how many are told at each table")
	size := flags.Int("size", 1000, "how many bytes a message has")
	if code, ok := parse(flags, args, stderr); !ok {
		return code
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		fmt.Fprintf(stdout, "http://%s\n", listener.Addr())
		err = load.Bare(ctx, listener, *seats, *size)
	}
	if err != nil {
		fmt.Fprintf(stderr, "caveau yardstick: %v\n", err)
		return exitFault
	}
	return exitOK
}
