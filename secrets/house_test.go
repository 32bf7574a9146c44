package secrets

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/lobby"
	"caveau/match"
	"caveau/match/matchtest"
	"caveau/owner"
	"caveau/server"
	"caveau/server/servertest"
	"caveau/slots"
	"caveau/store/memory"
	"caveau/store/storetest"
	"caveau/wire"
)

// A house is all that caveau serve opens, in a bubble of virtual time: a lobby over a log, the server, and an http.Server
// whose connections are pipes, on which every byte is written down.
type house struct {
	t      *testing.T
	w      *world
	book   *book
	log    planting
	keeper storetest.Store
	rand   func() *rand.Rand // the stream that both worlds share: names of tables, the time that bots take
	guest  io.Reader         // and another, for the names of guests

	limits server.Limits
	notes  memory.Notes

	lobby *lobby.Lobby
	door  *server.Server
	http  *http.Server
	line  *servertest.Porch

	pauses int
	opened int // how often
	asked  int // whether it is ready
}

// A world is what may differ between twins.
type world struct {
	deal   game.State                  // what is dealt, whatever it should follow from
	secret func(fact.Entry) fact.Entry // plants the secret of the deal, where a table is made
}

// key is what the house signs cookies with.
const key = "a secret of the tests"

const origin = "http://192.168.1.7:8080"

// The client's files, as the server has them in its other tests.
var files = fstest.MapFS{
	"index.html":      {Data: []byte("<!doctype html>" + strings.Repeat("the client ", 50))},
	"assets/app-1.js": {Data: []byte("export {}")},
}

func newHouse(t *testing.T, w *world) *house {
	return &house{
		t: t, w: w, book: newBook(), log: planting{flaky(), w}, limits: server.NoLimits, keeper: storetest.Memory(), rand: matchtest.Rand(1), guest: rand.NewChaCha8([32]byte{7}),
	}
}

// flaky is an empty log that fails when it is told to.
func flaky() *matchtest.Flaky { return &matchtest.Flaky{Log: storetest.Memory()} }

// failOnce has the log fail at the next entry. If it kept that all the same, nobody knows.
func (h *house) failOnce(kept bool) {
	n := 0
	h.log.Fail(func(wire.ID, fact.Entry) matchtest.Fault {
		if n++; n > 1 {
			return matchtest.Fault{}
		}
		return matchtest.Fault{Err: errBroken, Kept: kept}
	})
}

// planting is a log in which a table finds another secret than the one that was drawn for it.
type planting struct {
	*matchtest.Flaky
	w *world
}

func (l planting) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	return l.Flaky.Append(ctx, id, l.w.secret(e))
}

// open opens the doors, for the first time or again: all that was is in the log.
func (h *house) open(s slots.Shelf) {
	var err error
	said := slog.New(slog.NewTextHandler(written{h.book}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	called := func(id wire.ID, game string, c match.Call) { said.Info("called", "table", id, "game", game, "what", c) }
	h.lobby, err = lobby.Open(h.t.Context(), lobby.Config{Log: h.log, Shelf: s, Clock: matchtest.Clock{}, Rand: h.rand, Call: called, Slog: said})
	if err != nil {
		h.t.Fatal(err)
	}
	h.door, err = server.New(server.Config{
		Lobby: h.lobby, Keeper: h.keeper, Secret: []byte(key), Origin: origin, Random: h.guest, Version: "test", Client: files,
		Ready: h.ready, Push: []byte("the key for push services"),
		Clock: matchtest.Clock{}, Slog: said, Limits: h.limits, Others: others{said}, Owner: h.ownedBy(owner.Config{Slog: said}),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.line = servertest.NewPorch()
	h.http = &http.Server{Handler: h.door, ErrorLog: slog.NewLogLogger(said.Handler(), slog.LevelDebug)}
	go h.http.Serve(h.line)
	time.Sleep(time.Second) // until all the tables that were running have hung out their signs, in whatever order
	synctest.Wait()
}

// Others are the other nodes of the house, who hear what was made. They are in the book, too.
type others struct{ said *slog.Logger }

func (o others) Spent(what, address, guest string) {
	o.said.Info("made", "what", what, "from", address, "guest", guest)
}
func (others) HearSpent(func(what, address, guest string)) {}

// errBroken is what goes wrong in the house, in words for whoever runs it.
var errBroken = errors.New("/home/ana/caveau.db: the disk does not turn")

// ready says that the log cannot be reached every other time.
func (h *house) ready(context.Context) error {
	if h.asked++; h.asked%2 == 1 {
		return errBroken
	}
	return nil
}

// close closes them, in the order of caveau serve.
func (h *house) close() {
	if err := h.http.Shutdown(context.Background()); err != nil {
		h.t.Fatal(err)
	}
	h.door.Close()
	h.lobby.Close()
	synctest.Wait()
}

// pause waits until nothing moves any more, and then a little, each time for a little longer: so no two clocks in the
// house strike at once, and what comes first does not depend on the scheduler.
func (h *house) pause() {
	synctest.Wait()
	h.pauses++
	time.Sleep(time.Millisecond + time.Duration(h.pauses)*7*time.Nanosecond)
	synctest.Wait()
}

// A book is all that left the house, by the listener that it was for, in order.
type book struct {
	mu    sync.Mutex
	start time.Time
	ply   int
	pages map[listener][]heard
}

// A listener is somebody, and the way on which something comes to him.
type listener struct {
	seat game.Seat // whose eyes he has: a seat's, or the Watcher's
	name string
	path string
}

func (e listener) String() string { return e.name + ", by " + e.path }

// heard is what was written at one moment.
type heard struct {
	ply   int // how many moves had been made, or were being made; -1 before the deal
	at    time.Duration
	data  []byte
	sizes []int // of the writes
}

func newBook() *book { return &book{start: time.Now(), ply: -1, pages: make(map[listener][]heard)} }

func (b *book) add(e listener, data []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list, now := b.pages[e], time.Since(b.start)
	if n := len(list); n == 0 || list[n-1].at != now || list[n-1].ply != b.ply {
		list = append(list, heard{ply: b.ply, at: now})
	}
	last := &list[len(list)-1]
	last.data, last.sizes = append(last.data, data...), append(last.sizes, len(data))
	b.pages[e] = list
}

func (b *book) turn(ply int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ply = ply
}

// serverLog is who reads the server's own log. He may know less than anybody: the two worlds are one to him to the end.
var serverLog = listener{game.NoSeat, "the operator", "the server's log"}

// numbers is who watches over the house, for whom it counts. What he knows is no more than what the log's reader knows.
var numbers = listener{game.NoSeat, "the operator", "the numbers"}

// written is the server's log.
type written struct{ book *book }

func (w written) Write(data []byte) (int, error) {
	w.book.add(serverLog, data)
	return len(data), nil
}

// A tap is the server's end of a pipe: what goes through it is written down.
type tap struct {
	net.Conn
	book     *book
	listener listener
}

func (w tap) Write(data []byte) (int, error) {
	w.book.add(w.listener, data)
	return w.Conn.Write(data)
}

// RemoteAddr is where somebody asks from: everybody from somewhere else.
func (w tap) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(10, 20, 30, byte(100+slices.Index(everybody, w.listener.name))), Port: 50000}
}

// everybody are all who ever ask for something.
var everybody = append(slices.Clone(people), "Eve", "Max", "Zed", "Ada", "a stranger")

func (h *house) dial(e listener) net.Conn {
	here, there := net.Pipe()
	h.line.Call(tap{there, h.book, e})
	return here
}

// A person is somebody with a cookie or without, and a socket once he listens.
type person struct {
	h      *house
	name   string
	seat   game.Seat
	cookie string
	id     string
	socket *socket
	n      int // commands said
}

func (p *person) listensBy(path string) listener { return listener{p.seat, p.name, path} }

// ask sends a request as it is written here, and waits for the end of the answer.
func (p *person) ask(r request) string {
	conn := p.h.dial(p.listensBy("HTTP"))
	go io.WriteString(conn, r.text(p.cookie))
	answer, err := io.ReadAll(conn)
	if err != nil && err != io.ErrClosedPipe {
		p.h.t.Fatalf("%s %s: %v", r.method, r.path, err)
	}
	conn.Close()
	p.h.pause()
	return string(answer)
}

// A request is one over HTTP. A TABLE in it is the table's name.
type request struct {
	method, path, body string
	header             string // one more line, if it is not empty
}

func (r request) text(cookie string) string {
	text := r.method + " " + r.path + " HTTP/1.1\r\nHost: 192.168.1.7:8080\r\nConnection: close\r\n"
	if cookie != "" {
		text += "Cookie: " + cookie + "\r\n"
	}
	if r.header != "" {
		text += r.header + "\r\n"
	}
	if r.body != "" {
		text += fmt.Sprintf("Content-Length: %d\r\n", len(r.body))
	}
	return text + "\r\n" + r.body
}

// A socket is a WebSocket, by hand: nothing in it is drawn at random, as the key and the masks of a real client are.
type socket struct {
	conn net.Conn
	out  chan []byte
	gone chan struct{}

	mu  sync.Mutex
	seq map[string]int // the newest frame of each table
}

// listen opens the socket; it answers pings, and writes nothing else by itself.
func (p *person) listen() {
	s := &socket{conn: p.h.dial(p.listensBy("WebSocket")), out: make(chan []byte, 64), gone: make(chan struct{}), seq: make(map[string]int)}
	go s.write()
	s.out <- []byte(request{method: "GET", path: "/ws?protocol=3", header: handshake}.text(p.cookie))
	go s.read()
	p.socket = s
	p.h.pause()
}

const handshake = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="

func (p *person) hangUp() {
	if p.socket != nil {
		p.socket.conn.Close()
		p.socket = nil
	}
	p.h.pause()
}

func (s *socket) write() {
	for {
		select {
		case data := <-s.out:
			if _, err := s.conn.Write(data); err != nil {
				return
			}
		case <-s.gone:
			return
		}
	}
}

// The kinds of WebSocket messages (RFC 6455, section 5.2).
const (
	opText  = 1
	opClose = 8
	opPing  = 9
	opPong  = 10
)

// frame is a client's message; its mask is zero, so the text stands in it as it is.
func frame(op byte, text []byte) []byte {
	f := binary.BigEndian.AppendUint16([]byte{0x80 | op, 0x80 | 126}, uint16(len(text)))
	return append(append(f, 0, 0, 0, 0), text...)
}

func (s *socket) read() {
	defer close(s.gone)
	defer s.conn.Close()
	r := bufio.NewReader(s.conn)
	if _, err := http.ReadResponse(r, nil); err != nil {
		return
	}
	for {
		op, text, err := readFrame(r)
		switch {
		case err != nil || op == opClose:
			return
		case op == opPing:
			s.out <- frame(opPong, text)
		case op == opText:
			s.note(text)
		}
	}
}

// readFrame reads a server's message.
func readFrame(r io.Reader) (op byte, text []byte, err error) {
	head := make([]byte, 2)
	if _, err := io.ReadFull(r, head); err != nil {
		return 0, nil, err
	}
	long := map[byte]int{126: 2, 127: 8}[head[1]]
	n := uint64(head[1])
	if long > 0 {
		size := make([]byte, 8)
		if _, err := io.ReadFull(r, size[8-long:]); err != nil {
			return 0, nil, err
		}
		n = binary.BigEndian.Uint64(size)
	}
	text = make([]byte, n)
	_, err = io.ReadFull(r, text)
	return head[0] & 15, text, err
}

// note remembers the number of a frame, which the next move names.
func (s *socket) note(text []byte) {
	var m struct {
		Table string
		Frame *struct{ Seq int }
	}
	if json.Unmarshal(text, &m) == nil && m.Frame != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seq[m.Table] = m.Frame.Seq
	}
}

func (s *socket) seen(table string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq[table]
}

// say says something on the socket, and waits until nothing moves any more.
func (p *person) say(text string) {
	p.socket.out <- frame(opText, []byte(text))
	p.h.pause()
}
