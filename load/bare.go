package load

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"

	"github.com/coder/websocket"
)

// A bare server is the yardstick: for each message it reads it writes one of a given size to every seat of the table, and does
// nothing else. Whoever is asked is told so in words that the load generator understands, the rest is blanks.
type bare struct {
	seats, size int

	mu     sync.Mutex
	tables map[string]*bareTable
}

// smallest is how many bytes a message needs for its words.
const smallest = 60

// A bareTable is the sockets that tell each other. mu guards it, and is held while they are told: what follows comes later.
type bareTable struct {
	mu    sync.Mutex
	conns map[int]*websocket.Conn
	seq   int
}

// Bare serves messages of that many bytes, to tables of that many seats, until ctx ends. A seat is taken with
// /?table=NAME&seat=NUMBER; a full table begins, with seat 0.
func Bare(ctx context.Context, l net.Listener, seats, size int) error {
	b := &bare{seats: seats, size: max(size, smallest), tables: map[string]*bareTable{}}
	h := &http.Server{Handler: b, BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() { h.Close() })
	defer stop()
	if err := h.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}

func (b *bare) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	seat, err := strconv.Atoi(r.URL.Query().Get("seat"))
	if err != nil {
		http.Error(w, "seat: a number", http.StatusBadRequest)
		return
	}
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has answered
	}
	defer conn.CloseNow()
	t := b.table(r.URL.Query().Get("table"))
	defer t.leave(seat)
	err = t.sit(r.Context(), b, seat, conn)
	for err == nil {
		if _, _, err = conn.Read(r.Context()); err == nil {
			err = t.tell(r.Context(), b)
		}
	}
}

func (b *bare) table(name string) *bareTable {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tables[name] == nil {
		b.tables[name] = &bareTable{conns: map[int]*websocket.Conn{}}
	}
	return b.tables[name]
}

func (t *bareTable) sit(ctx context.Context, b *bare, seat int, conn *websocket.Conn) error {
	t.mu.Lock()
	t.conns[seat] = conn
	full := len(t.conns) == b.seats
	t.mu.Unlock()
	if full {
		return t.tell(ctx, b)
	}
	return nil
}

func (t *bareTable) leave(seat int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.conns, seat)
	t.seq = 0
}

// tell tells everybody.
func (t *bareTable) tell(ctx context.Context, b *bare) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seq++
	asked, others := b.message(t.seq, `["x"]`), b.message(t.seq, `[]`)
	for seat, conn := range t.conns {
		text := others
		if seat == (t.seq-1)%b.seats {
			text = asked
		}
		if err := conn.Write(ctx, websocket.MessageText, text); err != nil {
			return err
		}
	}
	return nil
}

// message is b.size bytes.
func (b *bare) message(seq int, moves string) []byte {
	text := fmt.Appendf(make([]byte, 0, b.size), `{"frame":{"seq":%d,"moves":%s}`, seq, moves)
	for len(text) < b.size-1 {
		text = append(text, ' ')
	}
	return append(text, '}')
}
