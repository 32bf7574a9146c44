package storm

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"testing/synctest"
	"time"

	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/server"
	"caveau/slots"
)

// A process is one run of caveau serve: a lobby over the log, a server, and its connections.
type process struct {
	w      *World
	life   int
	ctx    context.Context
	clock  *clock
	gate   *gate
	lobby  *lobby.Lobby
	server *server.Server
	http   *http.Server
	door   *door

	fail, lose, unread int // how many calls of the log from now on have that fate

}

// untouched is how long an open table waits.
const untouched = 40 * time.Minute

const origin = "http://192.168.1.7:8080"

// begin starts a process.
func (w *World) begin() {
	w.life++
	w.note("a process begins")
	p := &process{w: w, life: w.life, ctx: context.Background(), clock: &clock{skew: &w.skew}, door: newDoor()}
	w.house, w.set = p, w.drifts != 0
	p.gate = &gate{Log: w.log, w: w}
	log := slog.New(slog.NewTextHandler(hearing{w, p}, &slog.HandlerOptions{Level: slog.LevelInfo, ReplaceAttr: known}))
	var err error
	p.lobby, err = lobby.Open(p.ctx, lobby.Config{Log: p.gate, Shelf: w.shelf(), Clock: p.clock, Rand: w.rand, Untouched: untouched, Slog: log})
	if err != nil {
		w.fail("the house does not open: %v", err)
	}
	p.server, err = server.New(server.Config{
		Lobby: p.lobby, Secret: []byte("a secret of the tests"), Origin: origin, Random: w.random(), Version: "storm", Clock: p.clock, Slog: log,
		Ready: func(context.Context) error { return nil }, Limits: server.NoLimits,
	})
	if err != nil {
		w.fail("the server does not open: %v", err)
	}
	p.http = &http.Server{
		Handler: p.server, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
	}
	go p.http.Serve(p.door)
	w.settle()
}

// shelf is what is played: the toy, or the games of the house.
func (w *World) shelf() slots.Shelf {
	if w.story.Real {
		return realShelf
	}
	return matchtest.Shelf{}
}

// random is where the ids of guests come from.
func (w *World) random() io.Reader {
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[:], w.story.Seed)
	seed[31] = byte(w.life)
	return rand.NewChaCha8(seed)
}

// hearing writes down what the house says of itself.
type hearing struct {
	w *World
	p *process
}

func (h hearing) Write(line []byte) (int, error) {
	h.w.mu.Lock()
	defer h.w.mu.Unlock()
	if !h.p.gate.isDead() {
		h.w.lines = append(h.w.lines, string(bytes.TrimSpace(line)))
	}
	return len(line), nil
}

// known leaves out what is another at every run.
func known(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey || a.Key == "stack" {
		return slog.Attr{}
	}
	return a
}

// fate is what becomes of a call.
func (p *process) fate(c *call) fate {
	switch {
	case c.what == "read" && p.unread > 0:
		p.unread--
		return failed
	case c.what == "read":
		return answered
	case p.fail > 0:
		p.fail--
		return failed
	case p.lose > 0:
		p.lose--
		return lost
	}
	return answered
}

// kill kills the process: nothing that it does from now on is seen by anybody. Of what was on its way to the log some is written,
// as n will have it.
func (w *World) kill(n int) {
	p := w.house
	w.note("the process is killed")
	for i, c := range p.gate.kill() {
		f := dead
		if n>>(i%16)&1 == 1 {
			f = lost // it is written, and nobody hears of it
		}
		w.note("log %s %s %d: %v", c.what, c.id, c.seq, f)
		c.pass <- f
		synctest.Wait()
	}
	w.cutAll()
	p.goOn()
	p.close()
	w.look()
}

// end closes the house as its owner would.
func (w *World) end() {
	w.note("the house closes")
	w.calmLog()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer w.stir()
		w.house.close()
	}()
	for range 60 {
		w.wait(time.Second)
		select {
		case <-done:
			w.cutAll()
			w.settle()
			return
		default:
		}
	}
	w.fail("the house does not close within a minute")
}

// calmLog ends all trouble of the log.
func (w *World) calmLog() {
	p := w.house
	w.latency, p.fail, p.lose, p.unread = usualLatency, 0, 0, 0
	p.gate.fill(false)
}

// close is what caveau serve does at its end.
func (p *process) close() {
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	p.http.Shutdown(ctx) // whoever is still connected then is cut off
	p.http.Close()
	p.server.Close()
	p.lobby.Close()
}

// pause stops the process, as the system does; goOn has it go on.
func (p *process) pause() {
	p.w.note("the process is stopped")
	p.clock.pause()
}

func (p *process) goOn() {
	p.w.note("the process goes on")
	p.clock.goOn()
	for _, person := range p.w.people {
		for _, page := range person.pages {
			page.deliver()
		}
	}
}

// cutAll breaks every line.
func (w *World) cutAll() {
	for _, p := range w.people {
		for _, page := range p.pages {
			page.cut()
		}
	}
}

// cutPower is what a kill is followed by when the power fails: what no sync has made sure of may be gone. A log in memory knows no such
// thing.
func (w *World) cutPower(int) {}
