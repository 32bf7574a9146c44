package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// kills is how often the server is killed, players how many play on it meanwhile, each at tables of his own.
const (
	kills   = 20 // with -short a quarter of it
	players = 6
	// awayTime is how many seconds somebody may be gone from his table: longer than any node sleeps, or is in doubt, and than anybody takes to come back.
	awayTime = 30
)

func killsNow() int {
	if testing.Short() {
		return kills / 4
	}
	return kills
}

// TestKill kills the server twenty times in the middle of games, without a warning, and starts it again on the same file.
// Whatever was acknowledged is in the record, once; what was not is said again with the same id, and counts once; and
// every game goes on to its end, bots included.
func TestKill(t *testing.T) {
	p := newProcess(t)
	p.start()
	defer p.kill()
	rng := rand.New(rand.NewPCG(1, 2))
	games, moves := p.besieged(players, func(moves *atomic.Int64, broken func() bool) {
		for range killsNow() {
			before := moves.Load()
			for moves.Load() < before+20 && !broken() {
				time.Sleep(time.Duration(1+rng.IntN(20)) * time.Millisecond) // a moment that nobody has chosen
			}
			p.kill()
			p.start()
		}
	})
	t.Logf("%d moves acknowledged in %d games, %d kills", moves, games, killsNow())
}

// newProcess builds a server that is to be started on a file of its own.
func newProcess(t testing.TB, more ...string) *process {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "caveau")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return &process{t: t, bin: bin, addr: freeAddr(t), db: filepath.Join(t.TempDir(), "caveau.db"), more: more}
}

// besieged has so many people play while something is done to the server, lets them end their games, and fails the test where what was
// acknowledged is not what was written. What is done is told how many moves were acknowledged, and whether a player has given
// up.
func (p *process) besieged(players int, do func(moves *atomic.Int64, broken func() bool)) (games, acknowledged int64) {
	var stop atomic.Bool
	var moves, played atomic.Int64
	ends := make(chan error, players)
	for i := range players {
		go func() {
			var err error
			for err == nil && !stop.Load() {
				err = p.playGame(p.t.Context(), fmt.Sprintf("Player %d", i), &moves)
				played.Add(1)
			}
			ends <- err
		}()
	}
	do(&moves, func() bool { return len(ends) > 0 })
	stop.Store(true)
	late := time.After(forEver)
	for range players {
		select {
		case err := <-ends:
			if err != nil {
				p.t.Error(err)
			}
		case <-late:
			p.hangs("a game has no end")
		}
	}
	return played.Load(), moves.Load()
}

func freeAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A process is the server as others run it.
type process struct {
	t             testing.TB
	bin, addr, db string
	more, env     []string // flags, and variables "NAME=value"
	cmd           *exec.Cmd
	ended         chan struct{} // closed when that has
	end           error         // and how
	said          bytes.Buffer  // by the one that runs; to be read when that has ended
	thinks        atomic.Int64  // for how long people do before each move
}

// start begins it, as a unit does anew where a database is too slow for it: on a machine that has much else to do that one may be.
func (p *process) start() {
	p.t.Helper()
	err := p.open()
	for tries := 1; err != nil && tries < 3 && strings.Contains(p.said.String(), "does not answer in time"); tries++ {
		err = p.open()
	}
	if err != nil {
		p.t.Fatalf("caveau serve: %v\n%s", err, p.said.String())
	}
}

// open starts the server, and returns once it is open; with an error, and all that it said, if it ends before.
func (p *process) open() error {
	p.said.Reset()
	p.cmd = exec.Command(p.bin, append([]string{"serve", "--addr", p.addr, "--db", p.db}, p.more...)...)
	p.cmd.Stderr = &p.said
	p.cmd.Env = append(os.Environ(), p.env...)
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err == nil {
		_, err = awaitOpen(out)
		p.ended = make(chan struct{})
		go func() { p.end = p.cmd.Wait(); close(p.ended) }()
		if err != nil {
			p.cmd.Process.Kill()
			<-p.ended
		}
	}
	return err
}

// wait waits for the end of the server.
func (p *process) wait() error {
	<-p.ended
	return p.end
}

func (p *process) kill() {
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Error(err)
	}
	if err := p.wait(); err == nil {
		p.t.Error("the server had ended by itself")
	}
}

func (p *process) signal(s os.Signal) {
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Error(err)
	}
}

// until waits for so many more moves. Nobody makes any at a server that has ended by itself, or hangs.
func (p *process) until(broken func() bool, moves *atomic.Int64, more int64) {
	p.t.Helper()
	late := time.After(forEver)
	for before := moves.Load(); moves.Load() < before+more && !broken(); patience() {
		select {
		case <-p.ended: // never, where it is no process
			p.t.Fatalf("the server ends with %v, and says\n%s", p.end, p.said.String())
		case <-late:
			p.hangs(fmt.Sprintf("of %d moves %d are made", more, moves.Load()-before))
		default:
		}
	}
}

// forEver is for longer than anything here takes, however much else the machine has to do.
const forEver = 5 * time.Minute

// hangs fails the test, with what each goroutine of the server waits for.
func (p *process) hangs(what string) {
	p.t.Helper()
	if p.cmd == nil { // the server is nodes, or none of ours
		p.t.Fatalf("in %v %s", forEver, what)
	}
	p.signal(syscall.SIGQUIT)
	p.wait()
	p.t.Fatalf("in %v %s; the server says\n%s", forEver, what, p.said.String())
}

// A stubborn player says the same command again, with the same id, until it is answered.
type stubborn struct {
	*client
	table string
	frame frame
}

func (p *process) playGame(ctx context.Context, name string, moves *atomic.Int64) error {
	s := &stubborn{}
	defer func() {
		if s.client != nil {
			s.hangUp()
		}
	}()
	// Before there is a table nothing can be lost: a kill means to begin again.
	for s.table == "" {
		c, err := newClient(ctx, "http://"+p.addr, name)
		if err == nil {
			s.client = c
			s.stays = true
			s.table, err = c.makeTable(ctx, map[string]any{
				"game": "dawn-under", "seats": 4, "sit": true, "bots": []string{"random", "random", "rules"}, "botTime": []int{0, 1}, "awayTime": awayTime,
			})
		}
		if err != nil && !gone(err) {
			return err
		}
		if err != nil {
			patience()
		}
	}
	said, err := s.play(ctx, moves, func() { time.Sleep(time.Duration(p.thinks.Load())) })
	if err != nil {
		return err
	}
	r, err := s.record(ctx, s.table)
	for err != nil && gone(err) {
		patience()
		r, err = s.record(ctx, s.table)
	}
	if err != nil {
		return err
	}
	wrote := slices.DeleteFunc(slices.Clone(r.Moves), func(m string) bool { return !strings.HasPrefix(m, "A ") })
	if !slices.Equal(wrote, said) {
		return fmt.Errorf("table %s acknowledged\n%q\nand wrote\n%q\n%s", s.table, said, wrote, r.Extra["table"])
	}
	return nil
}

// gone tells whether an error is that of a server that was killed, or that could not write: what was said is said again.
func gone(err error) bool {
	return !errors.Is(err, errRefused) && !errors.Is(err, errReload) && !errors.Is(err, errUntold) && !errors.Is(err, errAway) && !errors.Is(err, context.Canceled)
}

// patience is how long somebody waits before he tries again.
func patience() { time.Sleep(5 * time.Millisecond) }

// play plays a game to its end and answers with the moves that were acknowledged, as the record has them.
func (s *stubborn) play(ctx context.Context, moves *atomic.Int64, think func()) (said []string, err error) {
	if err := s.insist(ctx, map[string]any{"id": s.id(), "do": "start", "table": s.table}); err != nil {
		return nil, err
	}
	for {
		if err := s.await(ctx); err != nil {
			return said, err
		}
		if s.frame.State == "over" {
			return said, nil
		}
		think()
		words := s.frame.Moves[len(s.frame.Moves)/2]
		err := s.insist(ctx, map[string]any{
			"id": s.id(), "do": "play", "table": s.table, "seat": "A", "seq": s.frame.Seq, "move": words,
		})
		if err != nil {
			return said, err
		}
		said = append(said, "A "+words)
		moves.Add(1)
		s.frame.Moves = nil
	}
}

// insist says a command until it is answered.
func (s *stubborn) insist(ctx context.Context, command map[string]any) error {
	for {
		err := s.watch(ctx)
		if err == nil {
			err = s.say(ctx, &s.frame, command)
		}
		if err == nil || !gone(err) {
			return err
		}
		s.again(err)
	}
}

// again has another connection tried, with some patience where a node said that it cannot.
func (s *stubborn) again(err error) {
	s.hangUp()
	s.conn = nil
	if errors.Is(err, errStorage) {
		patience()
	}
}

// await waits until there is something to say.
func (s *stubborn) await(ctx context.Context) error {
	for s.frame.State != "over" && len(s.frame.Moves) == 0 {
		err := s.watch(ctx)
		var m message
		if err == nil {
			m, err = s.read(ctx)
		}
		switch {
		case err == nil && m.Frame != nil:
			s.frame = *m.Frame
		case err == nil:
		case !gone(err):
			return err
		default:
			s.again(err)
		}
	}
	return ctx.Err()
}

// watch makes sure that there is a socket on which the table is watched.
func (s *stubborn) watch(ctx context.Context) error {
	if s.conn != nil {
		return nil
	}
	if err := s.dial(ctx); err != nil {
		patience()
		return err
	}
	return s.client.watch(ctx, s.table)
}
