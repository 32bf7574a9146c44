//go:build linux

package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats-server/v2/server"

	"caveau/store/pgtest"
)

// TestNodes has people play at a house of two nodes, of which one is killed, and one sleeps through its lease. The tables go on at the other, what was acknowledged is
// in the record, once, and whoever has slept ends by himself, so that he is begun anew.
func TestNodes(t *testing.T) {
	postgres, bus := pgtest.Start(t), startBus(t)
	a := newProcess(t, "--key", filepath.Join(t.TempDir(), "key"), "--bus", bus)
	a.db = postgres.New()
	b := &process{t: t, bin: a.bin, addr: freeAddr(t), db: a.db, more: a.more}
	a.start()
	b.start()
	way := startWay(t)
	way.leads(a)
	people := &process{t: t, addr: way.addr()}
	database, err := pgx.Connect(t.Context(), a.db)
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close(t.Context())
	// Time goes by at those who live: so many moves.
	anew := 0
	tended := func(living []*process) {
		for _, node := range living {
			if node.tend() {
				anew++
			}
		}
	}
	plays := func(moves *atomic.Int64, broken func() bool, living ...*process) {
		for before := moves.Load(); moves.Load() < before+20 && !broken(); patience() {
			tended(living)
		}
	}
	swept := func(broken func() bool, living ...*process) {
		for nodes := 0; nodes != 1 && !broken(); patience() {
			tended(living)
			if err := database.QueryRow(t.Context(), "SELECT count(*) FROM nodes").Scan(&nodes); err != nil {
				t.Error(err)
				return
			}
		}
	}
	games, moves := people.besieged(3, func(moves *atomic.Int64, broken func() bool) {
		plays(moves, broken, a, b)
		a.kill()
		way.leads(b)
		swept(broken, b)
		plays(moves, broken, b)
		a.start()
		b.signal(syscall.SIGSTOP)
		way.leads(a)
		swept(broken, a)
		plays(moves, broken, a)
		b.signal(syscall.SIGCONT)
		if err := b.wait(); !b.lostItsLease() {
			t.Errorf("whoever has slept through his lease ends with %v, and says\n%s", err, b.said.String())
		}
		b.start()
		plays(moves, broken, a, b)
	})
	if anew > 2 { // once the machine may have stood still, for both
		t.Errorf("nodes have lost their leases %d times, and nobody did anything to them", anew)
	}
	b.awaitReady(func() bool { return false }, http.StatusOK)
	b.close()
	a.close()
	t.Logf("%d moves acknowledged in %d games", moves, games)
}

// tend begins a node anew that has ended by itself for want of a lease, as a unit of docs/operate.md does: a machine or a database that stands still for seconds costs one.
func (p *process) tend() (anew bool) {
	select {
	case <-p.ended:
		if !p.lostItsLease() {
			p.t.Fatalf("a node ends with %v, and says\n%s", p.end, p.said.String())
		}
		p.t.Logf("a node has lost its lease:\n%s", p.said.String())
		p.start()
		return true
	default:
		return false
	}
}

// lostItsLease tells whether a node that has ended did for that reason.
func (p *process) lostItsLease() bool {
	var ended *exec.ExitError
	return errors.As(p.end, &ended) && ended.ExitCode() == exitFault && strings.Contains(p.said.String(), "the lease of this node")
}

// Whoever has had as many tables made as he may has so at the other node as well, which hears of it soon; and another may still have some there.
func TestWhatIsMadeCountsAtAllNodes(t *testing.T) {
	postgres, bus := pgtest.Start(t), startBus(t)
	a := newProcess(t, "--key", filepath.Join(t.TempDir(), "key"), "--bus", bus)
	a.db = postgres.New()
	b := &process{t: t, bin: a.bin, addr: freeAddr(t), db: a.db, more: a.more}
	a.start()
	defer a.close()
	b.start()
	defer b.close()
	come := func(name string) *client {
		c, err := newClient(t.Context(), "http://"+a.addr, name)
		must(t, err)
		return c
	}
	ana, ben := come("Ana"), come("Ben")
	const most = 30
	tooOften := func(c *client) bool {
		_, err := c.makeTable(t.Context(), map[string]any{"game": "dawn-under", "seats": 2})
		return err != nil && strings.Contains(err.Error(), "many tables lately")
	}
	for n := 0; !tooOften(ana); n++ {
		if n > most {
			t.Fatalf("%d tables were asked for, and no end", n)
		}
	}
	ana.url, ben.url = "http://"+b.addr, "http://"+b.addr
	for n := 0; !tooOften(ana); n++ {
		if n > most/2 {
			t.Fatalf("at the other node as many are made again")
		}
		time.Sleep(200 * time.Millisecond) // a bit at a time: it is to be heard, and not counted here
	}
	if tooOften(ben) {
		t.Error("what one guest had made counts for another")
	}
}

// A second house has no database in common with one that is open, nor a node with a house alone; and a file is for one.
func TestNodesNeedABus(t *testing.T) {
	postgres, bus := pgtest.Start(t), startBus(t)
	p := newProcess(t, "--key", filepath.Join(t.TempDir(), "key"))
	p.db = postgres.New()
	p.start()
	for db, says := range map[string]string{p.db: "in use by another server", filepath.Join(t.TempDir(), "caveau.db"): "one node has to itself"} {
		if code, _, stderr := say(t, "serve", "--addr", "127.0.0.1:0", "--db", db, "--bus", bus); code != exitFault || !strings.Contains(stderr, says) {
			t.Errorf("a node ends with %d, %s", code, stderr)
		}
	}
	if code, _, stderr := say(t, "serve", "--addr", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "caveau.db"), "--node", "b"); code != exitFault || !strings.Contains(stderr, "which have a --bus") {
		t.Errorf("a house of one node that has a name ends with %d, %s", code, stderr)
	}
	p.close()
	p.more = append(p.more, "--bus", bus)
	p.start()
	if code, _, stderr := say(t, "serve", "--addr", "127.0.0.1:0", "--db", p.db); code != exitFault || !strings.Contains(stderr, "in use by another server") {
		t.Errorf("a second house ends with %d, %s", code, stderr)
	}
	p.close()
}

// startBus starts a bus, and is its address.
func startBus(t *testing.T) string {
	t.Helper()
	bus, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	bus.Start()
	t.Cleanup(bus.Shutdown)
	if !bus.ReadyForConnections(10 * time.Second) {
		t.Fatal("no bus")
	}
	return bus.ClientURL()
}

// A way leads to one node of a house, as a proxy before it does.
type way struct {
	net.Listener
	mu    sync.Mutex
	to    string
	conns []net.Conn
}

func startWay(t *testing.T) *way {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &way{Listener: l}
	t.Cleanup(func() { l.Close(); w.leads(&process{}) })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go w.carry(from)
		}
	}()
	return w
}

func (w *way) addr() string { return w.Addr().String() }

// leads has it lead to that node, and cuts off whoever was on the way to another.
func (w *way) leads(p *process) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = p.addr
	for _, c := range w.conns {
		c.Close()
	}
	w.conns = nil
}

func (w *way) carry(from net.Conn) {
	defer from.Close()
	w.mu.Lock()
	to, err := net.Dial("tcp", w.to)
	if err == nil {
		w.conns = append(w.conns, from, to)
	}
	w.mu.Unlock()
	if err != nil {
		return
	}
	defer to.Close()
	go func() {
		io.Copy(to, from)
		to.Close()
	}()
	io.Copy(from, to)
}
