//go:build linux

package main

import (
	"context"
	"io"
	"net"
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
// in the record, once, and whoever has slept opens anew by himself. So do both where the database was away for longer than their leases.
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
	houseOf := func(n int, broken func() bool) {
		for nodes := 0; nodes != n && !broken(); patience() {
			if err := database.QueryRow(t.Context(), "SELECT count(*) FROM nodes").Scan(&nodes); err != nil {
				t.Error(err)
				return
			}
		}
	}
	games, moves := people.besieged(3, func(moves *atomic.Int64, broken func() bool) {
		b.until(broken, moves, 20)
		a.kill()
		way.leads(b)
		houseOf(1, broken)
		b.until(broken, moves, 20)
		a.start()
		b.signal(syscall.SIGSTOP)
		way.leads(a)
		houseOf(1, broken)
		a.until(broken, moves, 20)
		b.signal(syscall.SIGCONT)
		houseOf(2, broken)
		way.leads(b)
		b.until(broken, moves, 20)
		postgres.End(syscall.SIGINT)
		time.Sleep(4 * time.Second)
		postgres.Begin()
		b.until(broken, moves, 20)
		way.leads(a)
		a.until(broken, moves, 20)
	})
	b.close()
	a.close()
	if first, second := a.reopened(), b.reopened(); first < 1 || second < 2 || first+second > 5 { // once the machine may have stood still, for both
		t.Errorf("whoever was not made to sleep has opened anew %d times, and whoever was, %d times, which had to once more", first, second)
	}
	t.Logf("%d moves acknowledged in %d games", moves, games)
}

// reopened is how often a node that has ended had opened anew.
func (p *process) reopened() int { return strings.Count(p.said.String(), "this node is open again") }

// Whoever has had as many tables made as he may has so at the other node as well, which hears of it soon; and another may still have some there. Whoever asks both as fast as
// he can is answered no more often than by one, but for what each gives at once.
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
		within, cancel := context.WithTimeout(t.Context(), 5*time.Second) // and does not wait for a minute, as he is told
		defer cancel()
		_, err := c.makeTable(within, map[string]any{"game": "dawn-under", "seats": 2})
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
	const atOnce, perSecond, lasts = 100, 20, 6 * time.Second
	twin := *ben
	twin.url = "http://" + a.addr
	var both sync.WaitGroup
	var answered, refused atomic.Int64
	began := time.Now()
	for _, c := range []*client{ben, &twin} {
		both.Go(func() {
			for time.Since(began) < lasts {
				if c.get(t.Context(), "/api/hello", nil) == nil {
					answered.Add(1)
				} else {
					refused.Add(1)
				}
			}
		})
	}
	both.Wait()
	may := int64(2*atOnce + perSecond*time.Since(began).Seconds()*5/4) // at one node a hundred less, at two without a word as much again each second
	if n := answered.Load(); n > may {
		t.Errorf("in %v somebody is answered %d times by two nodes, and may be %d times", time.Since(began), n, may)
	}
	t.Logf("%d times answered, of at most %d, and %d times refused", answered.Load(), may, refused.Load())
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
