package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	"time"

	"caveau/address"
	"caveau/fact"
	"caveau/lobby"
	"caveau/metrics"
	"caveau/server"
	"caveau/store"
	"caveau/wire"
)

// What is counted while a house is open, for whoever watches over it. No label is a name or an id, so there are as many numbers as there
// are words in the program.
type watched struct {
	writes metrics.Histogram // how long an entry took until it was durable
	lines  metrics.Counts    // of the log, by their level
}

// A timedLog counts how long its entries take.
type timedLog struct {
	fact.Log
	writes *metrics.Histogram
}

func (l timedLog) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	began := time.Now()
	err := l.Log.Append(ctx, id, e)
	l.writes.Took(time.Since(began))
	return err
}

// page is what is to be told now.
func (w *watched) page(log *store.Store, tables *lobby.Lobby, door *server.Server) *metrics.Page {
	var p metrics.Page
	house, wrote := tables.Counts(), log.Counts()
	states := map[string]float64{"open": 0, "running": 0, "over": 0, lobby.Resting: 0}
	for state, n := range house.Tables {
		states[state] = float64(n)
	}
	lines := map[string]float64{"warn": 0, "error": 0}
	for level, n := range w.lines.All() {
		lines[level] = n
	}
	p.Gauges("caveau_tables", "Tables in memory by what they are, and those that are not over and rest in the database.", "state", states)
	p.Gauge("caveau_sockets", "WebSockets that are open.", float64(door.Sockets()))
	p.Counters("caveau_answers_total", "Commands that were answered: ok, or the code of the refusal.", "code", door.Answers())
	p.Counter("caveau_entries_total", "Entries that were written.", float64(wrote.Entries))
	p.Counter("caveau_commits_total", "Commits that had an entry in them.", float64(wrote.Commits))
	p.Histogram("caveau_write_seconds", "How long an entry took from its table to the disk.", &w.writes)
	p.Gauges("caveau_bots", "Bots that think, and that wait until others have thought.", "state",
		map[string]float64{"thinking": float64(house.Thinking), "waiting": float64(house.Waiting)})
	p.Gauge("caveau_outages", "Times in the last hundred days in which the house was closed or stood still.", float64(house.Outages))
	p.Counters("caveau_log_lines_total", "Warnings and errors in the log.", "level", lines)
	p.Gauges("caveau_nodes", "Nodes of the house that live, and of which this one hears.", "state", map[string]float64{"living": float64(house.Living), "heard": float64(house.Heard)})
	p.Gauge("caveau_goroutines", "Goroutines.", float64(runtime.NumGoroutine()))
	return &p
}

// watch shows the numbers, and profiles if they are wanted, on an address of their own until it is stopped; without an address nowhere.
func (s serving) watch(page func() *metrics.Page) (url string, stop func(), err error) {
	if s.metrics == "" {
		if s.pprof {
			return "", nil, errors.New("--pprof shows profiles at the address of --metrics: give that too")
		}
		return "", func() {}, nil
	}
	if host, _, err := net.SplitHostPort(s.metrics); err != nil || host == "" {
		return "", nil, fmt.Errorf("--metrics: %q does not say for whom; give a host too, such as 127.0.0.1:9100", s.metrics)
	}
	listener, err := net.Listen("tcp", s.metrics)
	if err != nil {
		return "", nil, fmt.Errorf("--metrics: %w", err)
	}
	h := &http.Server{
		Handler: s.numbers(page), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(s.slog.Handler(), slog.LevelDebug),
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := h.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.slog.Error("the numbers are shown no more", "err", err)
		}
	}()
	return "http://" + listener.Addr().String() + "/metrics", func() { h.Close(); <-ended }, nil
}

// numbers answers whoever asks for an address or a name of the house: a page elsewhere may have its own name lead here.
func (s serving) numbers(page func() *metrics.Page) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) { page().ServeHTTP(w, r) })
	if s.pprof {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index) // with all profiles but these
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	names := address.NewNames("", append(words(s.hosts), s.machine))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !names.Have(address.Name(r.Host)) {
			http.Error(w, "elsewhere", http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// newLog is the log of a process, whose warnings and errors are counted.
func newLog(w io.Writer, count *watched) *slog.Logger {
	return slog.New(metrics.Lines(slog.NewTextHandler(w, nil), &count.lines))
}
