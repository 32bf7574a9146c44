package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"caveau/bus"
	"caveau/load"
	"caveau/load/meter"
	"caveau/metrics/metricstest"
	"caveau/store/pgtest"
)

// BenchmarkHouses: what a move takes of a house that keeps everything in a file, of one in PostgreSQL, and of one of three nodes, to which pages come in turn or each by the
// node of its table, one house after the other: of processors and not of time, as all of it is on one machine. First people play as fast as they can, then three times as many, and then they think for two seconds about each move. It says the tables of docs/performance.md: make bench-nodes.
func BenchmarkHouses(b *testing.B) {
	s := newStreet(b)
	fast := load.Config{Tables: 20, Seats: 4, Game: "dawn-under", Edition: "2004", Rounds: 1, WarmUp: time.Second, Duration: 4 * time.Second}
	full, slow := fast, fast
	full.Tables = 60
	slow.Tables, slow.Think, slow.WarmUp, slow.Duration = 200, 2*time.Second, 4*time.Second, 15*time.Second
	for b.Loop() {
		s.compare(fast, 3)
		s.compare(full, 1)
		s.compare(slow, 1)
	}
	b.ReportMetric(0, "ns/op")
}

// A street has houses beside each other, of which one is open at a time.
type street struct {
	*testing.B
	bin      string
	postgres *pgtest.Server
	database *pgx.Conn
	bus      *exec.Cmd
	at, varz string // of the bus
}

func newStreet(b *testing.B) *street {
	s := &street{B: b, bin: newProcess(b).bin, postgres: pgtest.Start(b)}
	var err error
	if s.database, err = pgx.Connect(b.Context(), s.postgres.URL("postgres", "")); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.database.Close(context.Background()) })
	s.bus = exec.Command(os.Args[0])
	s.bus.Env = append(os.Environ(), "CAVEAU_TEST_IS_A_BUS=1")
	out, err := s.bus.StdoutPipe()
	if err == nil {
		err = s.bus.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.bus.Process.Kill(); s.bus.Wait() })
	if _, err := fmt.Fscan(bufio.NewReader(out), &s.at, &s.varz); err != nil {
		b.Fatal(err)
	}
	return s
}

// aHouse is a house that is compared with others.
type aHouse struct {
	name  string
	nodes int  // that share a database; 0: there is a file
	led   bool // pages come by the node that has their table
}

// houses are all of them, in the order of the columns.
var houses = [...]aHouse{{"file", 0, false}, {"PostgreSQL", 1, false}, {"three nodes", 3, false}, {"each page at its table’s", 3, true}}

// compare plays so often at each house, and says what it took.
func (s *street) compare(c load.Config, times int) {
	s.Helper()
	var all [len(houses)][]*load.Report
	for range times {
		for i, h := range houses {
			house := func(context.Context, ...string) (load.Target, load.Stop, error) { return s.open(h) }
			report, err := load.Run(s.Context(), c, load.Starters{House: house, Bare: s.bare}, func(float64) {})
			if err != nil {
				s.Fatal(err)
			}
			all[i] = append(all[i], report)
		}
	}
	fmt.Printf("\n%d tables of %d, who think for %v; %d times each, and of these the median\n\n%s\n", c.Tables, c.Seats, c.Think, times, tableOf(all)) // of a log ten lines are shown
}

// open opens a house, each node of which has one processor at most.
func (s *street) open(h aHouse) (t load.Target, stop load.Stop, err error) {
	dir := s.TempDir()
	db, more := filepath.Join(dir, "caveau.db"), []string{"--no-limits", "--no-push", "--key", filepath.Join(dir, "key")}
	if h.nodes > 0 {
		db = s.postgres.New()
	}
	if h.nodes > 1 {
		more = append(more, "--bus", s.at)
	}
	var open []*process
	var addrs, counts []string
	for n := range max(1, h.nodes) {
		counts = append(counts, freeAddr(s))
		its := append(slices.Clone(more), "--metrics", counts[n])
		if h.led {
			its = append(its, "--node", strconv.Itoa(n))
		}
		p := &process{t: s, bin: s.bin, addr: freeAddr(s), db: db, env: []string{"GOMAXPROCS=1"}, more: its}
		p.start()
		open, addrs = append(open, p), append(addrs, p.addr)
	}
	time.Sleep(4 * bus.Beat)                 // until each node has heard what the others are called
	web := httptest.NewServer(inTurn(addrs)) // also where there is one: so players have the same to do
	return load.Target{URL: web.URL, Meters: s.meters(open, counts)}, func() (string, error) {
		web.CloseClientConnections()
		web.Close()
		for _, p := range open {
			p.close()
		}
		return "", nil
	}, nil
}

// inTurn leads each request to the next node, or to the one that it names. It cuts nobody off, as the proxy of a cluster does where a node is too busy to say that it is ready.
func inTurn(addrs []string) http.Handler {
	var n atomic.Int64
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			to := int(n.Add(1)) % len(addrs)
			if named, err := strconv.Atoi(r.In.URL.Query().Get("node")); err == nil {
				to = named
			}
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "http", addrs[to], r.In.Host
		},
		FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
	}
}

// bare opens the yardstick, which has one processor at most as well, and whichever is free.
func (s *street) bare(ctx context.Context, seats, size int) (t load.Target, _ load.Stop, err error) {
	var complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, s.bin, "yardstick", "--seats", fmt.Sprint(seats), "--size", fmt.Sprint(size))
	cmd.Env, cmd.Stderr = append(os.Environ(), "GOMAXPROCS=1"), &complaint
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		t.URL, err = openAt(out)
	}
	if err != nil {
		return t, nil, fmt.Errorf("%w: %s", err, &complaint)
	}
	t.Bare, t.Process = true, cmd.Process.Pid
	return t, func() (string, error) { return end(cmd, out, &complaint) }, nil
}

const (
	ofNodes    = "house, µs of a processor"
	ofPostgres = "PostgreSQL, µs"
	ofBus      = "NATS, µs"
	ofCommits  = "commits"
	ofLog      = "bytes that PostgreSQL logs"
	ofLetters  = "letters that the bus brings"
	ofBytes    = "bytes that it brings"
)

// meters are what is read of a house. What nobody uses does not grow, or hardly.
func (s *street) meters(open []*process, counts []string) load.Meters {
	return load.Meters{
		ofNodes: func() (sum float64) {
			for _, p := range open {
				used, _ := meter.Processor(p.cmd.Process.Pid)
				sum += float64(used.Microseconds())
			}
			return sum
		},
		ofPostgres: func() float64 { used, _ := meter.Family(s.postgres.Pid()); return float64(used.Microseconds()) },
		ofBus:      func() float64 { used, _ := meter.Processor(s.bus.Process.Pid); return float64(used.Microseconds()) },
		ofCommits: func() (sum float64) {
			for _, at := range counts {
				_, text := ask(s, "http://"+at+"/metrics", "")
				all, err := metricstest.Read(text)
				if err != nil {
					s.Error(err)
				}
				sum += all["caveau_commits_total"]
			}
			return sum
		},
		ofLog: func() (bytes float64) {
			if err := s.database.QueryRow(s.Context(), "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8").Scan(&bytes); err != nil {
				s.Error(err)
			}
			return bytes
		},
		ofLetters: func() float64 { return s.brought().Letters },
		ofBytes:   func() float64 { return s.brought().Bytes },
	}
}

// brought is what the bus says that it has brought.
func (s *street) brought() (all struct {
	Letters float64 `json:"out_msgs"`
	Bytes   float64 `json:"out_bytes"`
}) {
	_, text := ask(s, s.varz, "")
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		s.Error(err)
	}
	return all
}

// tableOf is a table for people: what a move takes at each house.
func tableOf(all [len(houses)][]*load.Report) string {
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 0, 1, ' ', 0)
	fmt.Fprint(t, "| a move takes\t")
	for _, h := range houses {
		fmt.Fprintf(t, "| %s\t", h.name)
	}
	fmt.Fprintf(t, "|\n|---\t%s|\n", strings.Repeat("|---\t", len(houses)))
	line := func(what, format string, of func(load.Round, load.Round) float64) {
		fmt.Fprintf(t, "| %s\t", what)
		for _, reports := range all {
			var rounds []float64
			for _, r := range reports {
				rounds = append(rounds, of(r.House[0], r.Bare[0]))
			}
			slices.Sort(rounds)
			fmt.Fprintf(t, "| "+format+"\t", rounds[len(rounds)/2])
		}
		fmt.Fprintf(t, "|\n")
	}
	for _, what := range []string{ofNodes, ofPostgres, ofBus, ofCommits, ofLog, ofLetters, ofBytes} {
		format := "%.0f"
		if what == ofCommits || what == ofLetters {
			format = "%.2f"
		}
		line(what, format, func(house, _ load.Round) float64 { return house.Metered[what] / float64(house.Moves) })
	}
	line("bytes that everybody is told", "%.0f", func(house, _ load.Round) float64 { return float64(house.Bytes) / float64(house.Moves) })
	line("the yardstick, µs of a processor", "%.0f", func(_, bare load.Round) float64 { return bare.Processor * 1e6 / float64(bare.Moves) })
	line("moves a second", "%.0f", func(house, _ load.Round) float64 { return float64(house.Moves) / house.Seconds })
	t.Flush()
	return text.String()
}
