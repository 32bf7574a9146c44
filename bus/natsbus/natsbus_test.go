package natsbus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"caveau/bus"
	"caveau/catalog"
	"caveau/fact"
	"caveau/lobby"
	"caveau/match"
	"caveau/match/matchtest"
	"caveau/slots"
	"caveau/store/memory"
	"caveau/terms"
	"caveau/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A post is a NATS server of the test's own. Its port stays the same when it begins again.
type post struct {
	t      testing.TB
	with   server.Options
	server *server.Server
}

func newPost(t testing.TB, with server.Options) *post {
	t.Helper()
	with.Host, with.Port, with.NoLog, with.NoSigs = "127.0.0.1", server.RANDOM_PORT, true, true
	p := &post{t: t, with: with}
	p.begin()
	p.with.Port = p.server.Addr().(*net.TCPAddr).Port
	t.Cleanup(p.end)
	return p
}

func (p *post) begin() {
	p.t.Helper()
	with := p.with
	s, err := server.NewServer(&with)
	if err != nil {
		p.t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		p.t.Fatal("the server does not begin")
	}
	p.server = s
}

func (p *post) end() {
	p.server.Shutdown()
	p.server.WaitForShutdown()
}

func (p *post) address() string { return fmt.Sprintf("nats://127.0.0.1:%d", p.with.Port) }

// A diary is a log of the server that can be waited for.
type diary struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (d *diary) Write(text []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(text)
}

func (d *diary) count(what string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Count(d.text.String(), what)
}

// until waits for something that has to happen.
func until(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("in a minute it was not so: %s", what)
		}
	}
}

func dial(t testing.TB, address string) (*Bus, *diary) {
	t.Helper()
	d := &diary{}
	b, err := Dial(Config{Address: address, Slog: slog.New(slog.NewTextHandler(d, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b, d
}

// A register says which node owns which table.
type register struct {
	mu    sync.Mutex
	owner map[wire.ID]int64
	term  map[wire.ID]int64
	last  int64
	over  int64 // a node whose lease has ended
}

type deeds struct {
	*register
	node int64
	log  fact.Log
}

var _ fact.Shared = deeds{}

func (d deeds) Take(_ context.Context, id wire.ID) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch owner := d.owner[id]; {
	case d.over == d.node:
		return 0, fact.ErrEpoch
	case owner != 0 && owner != d.node && owner != d.over:
		return 0, nil
	}
	d.last++
	d.owner[id], d.term[id] = d.node, d.last
	return d.last, nil
}

func (d deeds) Give(_ context.Context, id wire.ID, term int64, _ fact.Left) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.owner[id] == d.node && d.term[id] == term {
		delete(d.owner, id)
	}
	return nil
}

func (d deeds) Confirm(ctx context.Context, id wire.ID, term int64) (last int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.owner[id] != d.node || d.term[id] != term || d.over == d.node {
		return 0, nil
	}
	all, err := d.log.Entries(ctx, id, 0)
	return len(all), err
}

func (d deeds) Renew(context.Context, time.Duration, ...int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over == d.node {
		return fact.ErrEpoch
	}
	return nil
}

func (deeds) Sweep(context.Context) ([]wire.ID, error) { return nil, nil }
func (deeds) Speaks(context.Context) (int, error)      { return wire.Speaks, nil }
func (deeds) Now(context.Context) (time.Time, error)   { return time.Now(), nil }

func (d deeds) Idle(context.Context, wire.ID, int64) (time.Duration, error) { return 0, nil }

func (d deeds) Living(context.Context, time.Duration) ([]fact.Node, error) { return nil, nil }

func (d deeds) Taken(context.Context) ([]wire.ID, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var others []wire.ID
	for id, owner := range d.owner {
		if owner != d.node {
			others = append(others, id)
		}
	}
	return others, nil
}

// end ends the lease of a node.
func (r *register) end(node int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = node
}

func (r *register) owns(id wire.ID) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.owner[id]
}

// A house is a log and who owns what, and its nodes.
type house struct {
	t     testing.TB
	log   fact.Log
	deeds *register
	shelf slots.Shelf
	nodes int64
}

func newHouse(t testing.TB, shelf slots.Shelf) *house {
	return &house{t: t, log: memory.New(), deeds: &register{owner: map[wire.ID]int64{}, term: map[wire.ID]int64{}}, shelf: shelf}
}

// A node is one of them, on a bus.
type node struct {
	*lobby.Lobby
	t     testing.TB
	diary *diary
}

func (h *house) node(by bus.Bus, d *diary) *node {
	h.t.Helper()
	h.nodes++
	l, err := lobby.Open(h.t.Context(), lobby.Config{
		Log: h.log, Bus: by, Node: h.nodes, Deeds: deeds{h.deeds, h.nodes, h.log}, Shelf: h.shelf, Clock: matchtest.Clock{}, Rand: matchtest.Rand(uint64(h.nodes)),
		Slog: slog.New(slog.NewTextHandler(d, nil)),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(l.Close)
	return &node{l, h.t, d}
}

// at is a node over NATS.
func (h *house) at(address string) *node {
	h.t.Helper()
	b, d := dial(h.t, address)
	return h.node(b, d)
}

func visitor(name string) lobby.Visitor {
	return lobby.Visitor{Guest: wire.Guest{ID: "id-of-" + name, Name: name}, From: "192.0.2.1"}
}

func (n *node) make(s terms.Setup) wire.ID {
	n.t.Helper()
	id, err := n.Make(n.t.Context(), visitor("Ana"), s)
	if err != nil {
		n.t.Fatal(err)
	}
	return id
}

var toy = terms.Setup{Game: "toy", Seats: 2, Sit: true, First: "A", BotTime: &[2]int{0, 0}}

// A person is somebody at a page, and what he was told.
type person struct {
	t     testing.TB
	name  string
	page  *lobby.Session
	news  chan struct{}
	table wire.ID
	n     int
	said  map[string]*wire.Error // the answers
	about wire.About
	frame wire.Frame
	seqs  []int
}

func (n *node) as(name string, id wire.ID) *person {
	n.t.Helper()
	p := &person{t: n.t, name: name, news: make(chan struct{}, 1), table: id, said: map[string]*wire.Error{}}
	p.page = n.Connect(visitor(name), func() {
		select {
		case p.news <- struct{}{}:
		default:
		}
	})
	n.t.Cleanup(p.page.Close)
	p.ok(wire.Command{Do: "watch"})
	return p
}

// hears waits until he was told what makes it so.
func (p *person) hears(what string, is func() bool) {
	p.t.Helper()
	late := time.After(time.Minute)
	for p.read(); !is(); p.read() {
		select {
		case <-p.news:
		case <-late:
			p.t.Fatalf("in a minute %s was not told: %s", p.name, what)
		}
	}
}

func (p *person) read() {
	for {
		messages, cut := p.page.Take(nil)
		if cut {
			p.t.Fatalf("%s is cut off", p.name)
		}
		if len(messages) == 0 {
			return
		}
		for _, m := range messages {
			p.hear(m.Text)
		}
	}
}

func (p *person) hear(text []byte) {
	var m struct {
		Re    string
		Error *wire.Error
		Frame *wire.Frame
	}
	if err := json.Unmarshal(text, &m); err != nil {
		p.t.Fatalf("%s is told %s: %v", p.name, text, err)
	}
	if m.Frame == nil {
		p.said[m.Re] = m.Error
		return
	}
	if m.Frame.Seq < p.frame.Seq {
		p.t.Errorf("%s is told of entry %d after %d", p.name, m.Frame.Seq, p.frame.Seq)
	}
	for _, e := range m.Frame.Events {
		if e.Verb == "keep" || e.Verb == "show" {
			p.seqs = append(p.seqs, m.Frame.Seq)
		}
	}
	if p.frame = *m.Frame; m.Frame.About != nil {
		p.about = *m.Frame.About
	}
}

// say says something, and what is the answer.
func (p *person) say(c wire.Command) *wire.Error {
	p.t.Helper()
	p.n++
	c.ID, c.Table = fmt.Sprint(p.name, p.n), p.table
	p.page.Do(c)
	p.hears("the answer to "+c.Do, func() bool { _, is := p.said[c.ID]; return is })
	return p.said[c.ID]
}

func (p *person) ok(c wire.Command) {
	p.t.Helper()
	if err := p.say(c); err != nil {
		p.t.Fatalf("%s says %+v: %v", p.name, c, err)
	}
}

// moves makes the first move that he may, as soon as he may.
func (p *person) moves() {
	p.t.Helper()
	p.hears("that it is his turn", func() bool { return len(p.frame.Moves) > 0 })
	p.ok(wire.Command{Do: "play", Seat: p.frame.You.String(), Seq: p.frame.Seq, Move: p.frame.Moves[0]})
}

// followed checks that he was told of so many moves, each once.
func (p *person) followed(want int) {
	p.t.Helper()
	p.hears("the end", func() bool { return p.about.State == "over" })
	if !slices.IsSorted(p.seqs) || len(slices.Compact(slices.Clone(p.seqs))) != want || len(p.seqs) != want {
		p.t.Errorf("%s was told of moves in the entries %v, want %d", p.name, p.seqs, want)
	}
}

// begun is a game of Ana's at one node and Ben's at another, where Eve looks on.
func begun(here, there *node) (ana, ben, eve *person) {
	id := here.make(toy)
	ana, ben, eve = here.as("Ana", id), there.as("Ben", id), there.as("Eve", id)
	ben.ok(wire.Command{Do: "sit", Seat: "B"})
	ana.ok(wire.Command{Do: "start"})
	return ana, ben, eve
}

func play(ana, ben *person, rounds int) {
	for range rounds {
		ana.moves()
		ben.moves()
	}
}

// A game is played at two nodes over NATS; and so it is where no letter has room for more than a line or two.
func TestAGame(t *testing.T) {
	for _, most := range []int32{0, 900} {
		p := newPost(t, server.Options{MaxPayload: most})
		h := newHouse(t, matchtest.Shelf{})
		ana, ben, eve := begun(h.at(p.address()), h.at(p.address()))
		play(ana, ben, 3)
		for _, p := range []*person{ana, ben, eve} {
			p.followed(6)
		}
	}
}

// The server dies in the middle of a game and comes back: nobody is cut off, nothing that was said is lost, nobody hears anything twice, and the
// nodes say when it was away.
func TestTheServerDies(t *testing.T) {
	p := newPost(t, server.Options{})
	h := newHouse(t, matchtest.Shelf{})
	here, there := h.at(p.address()), h.at(p.address())
	ana, ben, eve := begun(here, there)
	play(ana, ben, 1)
	ana.moves()
	ben.hears("that it is his turn", func() bool { return len(ben.frame.Moves) > 0 })
	p.end()
	for _, n := range []*node{here, there} {
		until(t, "a node knows that the bus is away", func() bool { return n.diary.count("the bus is away") > 0 })
	}
	move := wire.Command{ID: "while it was away", Do: "play", Table: ben.table, Seat: "B", Seq: ben.frame.Seq, Move: ben.frame.Moves[0]}
	ben.page.Do(move)
	p.begin()
	for _, n := range []*node{here, there} {
		until(t, "a node knows that the bus is back", func() bool { return n.diary.count("the bus is back") > 0 })
	}
	answered := func() bool { _, is := ben.said[move.ID]; return is }
	for ben.hears("the answer to what he said while it was away", answered); ben.said[move.ID] != nil; ben.hears("the answer", answered) {
		delete(ben.said, move.ID) // the machine is so busy that he has waited for too long, and says it again
		ben.page.Do(move)
	}
	play(ana, ben, 1)
	for _, p := range []*person{ana, ben, eve} {
		p.followed(6)
	}
	if owner := h.deeds.owns(ana.table); owner != 1 && owner != 0 {
		t.Errorf("node %d has the table, which the first one never lost", owner)
	}
}

// A node is cut off, and nobody is told so: its connection is there, and nothing goes over it. Its people are away then, and come back with it. Its bus
// takes another connection by itself.
func TestCutOff(t *testing.T) {
	p := newPost(t, server.Options{})
	h := newHouse(t, matchtest.Shelf{})
	w := newWall(t, p.with.Port)
	ana, ben, eve := begun(h.at(p.address()), h.at(w.address()))
	play(ana, ben, 1)
	ana.moves()
	ben.hears("that it is his turn", func() bool { return len(ben.frame.Moves) > 0 })
	w.stand()
	ana.hears("that Ben is not there", func() bool { return !ana.about.Seats[1].Here && ana.about.Watchers == 0 })
	until(t, "another connection is tried", func() bool { return w.tried() > 1 })
	w.fall()
	ana.hears("that Ben is there", func() bool { return ana.about.Seats[1].Here && ana.about.Watchers == 1 })
	ben.moves()
	play(ana, ben, 1)
	for _, p := range []*person{ana, ben, eve} {
		p.followed(6)
	}
}

// The owner's node is cut off, and its lease ends: another goes on with the game.
func TestTheOwnerIsCutOff(t *testing.T) {
	p := newPost(t, server.Options{})
	h := newHouse(t, matchtest.Shelf{})
	w := newWall(t, p.with.Port)
	there := h.at(p.address()) // the first, for what follows
	here := h.at(w.address())
	ana, ben, eve := begun(here, there)
	play(ana, ben, 1)
	ana.moves()
	ben.hears("that it is his turn", func() bool { return len(ben.frame.Moves) > 0 })
	w.stand()
	h.deeds.end(2)
	until(t, "the other has the table", func() bool { return h.deeds.owns(ana.table) == 1 })
	again := there.as("Ana", ana.table)
	ben.moves()
	play(again, ben, 1)
	for _, p := range []*person{ben, eve} {
		p.followed(6)
	}
}

// What is said while the server is away is not kept until it is back.
func TestNothingIsKept(t *testing.T) {
	p := newPost(t, server.Options{})
	b, d := dial(t, p.address())
	p.end()
	until(t, "it is away", func() bool { return d.count("the bus is away") > 0 })
	for range 1000 {
		b.tell(bus.Told{To: 2, Table: "t", Term: 1, Line: 1, First: 1})
	}
	if n, err := b.conn.Buffered(); n != 0 || err != nil {
		t.Errorf("%d bytes are kept (%v)", n, err)
	}
	if d.count("level=ERROR") > 0 {
		t.Error("each letter is a trouble")
	}
}

// A node is asked for the tables that it owns, and for none that it does not own any more.
func TestOwned(t *testing.T) {
	p := newPost(t, server.Options{})
	b, _ := dial(t, p.address())
	x := join(t, b, 1)
	for _, id := range []wire.ID{"t", "t", "u"} {
		x.Own(id, 1, func(match.Input) error { return nil })
	}
	x.Disown("u", 1)
	x.Own("v", 1, func(match.Input) error { return nil })
	subjects := func() (all []string) {
		z, err := p.server.Subsz(&server.SubszOptions{Subscriptions: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range z.Subs {
			if strings.HasPrefix(s.Subject, "caveau.") {
				all = append(all, s.Subject)
			}
		}
		slices.Sort(all)
		return all
	}
	until(t, "it listens to what it owns", func() bool {
		return slices.Equal(subjects(), []string{"caveau.ask.t", "caveau.ask.v", "caveau.news", "caveau.told.1"})
	})
}

// A wall stands between a node and the server, or does not: connections stay open, and what is said over them waits.
type wall struct {
	t    testing.TB
	port int
	near net.Listener

	mu    sync.Mutex
	open  chan struct{} // closed: nothing stands there
	conns []net.Conn
	work  sync.WaitGroup
}

func newWall(t testing.TB, port int) *wall {
	t.Helper()
	near, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wall{t: t, port: port, near: near, open: make(chan struct{})}
	close(w.open)
	w.work.Go(w.accept)
	t.Cleanup(func() {
		near.Close()
		w.fall()
		w.mu.Lock()
		for _, c := range w.conns {
			c.Close()
		}
		w.mu.Unlock()
		w.work.Wait()
	})
	return w
}

func (w *wall) address() string { return "nats://" + w.near.Addr().String() }

func (w *wall) accept() {
	for {
		near, err := w.near.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", w.port))
		if err != nil {
			near.Close()
			continue
		}
		w.mu.Lock()
		w.conns = append(w.conns, near, far)
		w.mu.Unlock()
		w.work.Go(func() { w.carry(near, far) })
		w.work.Go(func() { w.carry(far, near) })
	}
}

func (w *wall) carry(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	for text := make([]byte, 1<<16); ; {
		n, err := from.Read(text)
		if err != nil {
			return
		}
		w.mu.Lock()
		open := w.open
		w.mu.Unlock()
		<-open
		if _, err := to.Write(text[:n]); err != nil {
			return
		}
	}
}

// tried is how often a node has connected.
func (w *wall) tried() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.conns) / 2
}

func (w *wall) stand() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = make(chan struct{})
}

func (w *wall) fall() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.open:
	default:
		close(w.open)
	}
}

// join has a node of a test's own on a bus.
func join(t testing.TB, b *Bus, number int64) *bus.Exchange {
	x := bus.New(number, b, time.Now)
	ctx, leave := context.WithCancel(t.Context())
	var joined sync.WaitGroup
	joined.Go(func() { b.Join(ctx, x) })
	t.Cleanup(func() { leave(); joined.Wait() })
	return x
}

// listener hears everything that goes over a bus.
func listener(t testing.TB, p *post) chan *nats.Msg {
	t.Helper()
	conn, err := nats.Connect(p.address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	all := make(chan *nats.Msg, 10*mostWaiting)
	if _, err = conn.ChanSubscribe(">", all); err == nil {
		err = conn.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func next(t testing.TB, all chan *nats.Msg) *nats.Msg {
	t.Helper()
	select {
	case m := <-all:
		return m
	case <-time.After(time.Minute):
		t.Fatal("in a minute nothing was said")
		return nil
	}
}

// What hangs at one node is seen at the other, which is told of it as all are.
func TestNews(t *testing.T) {
	p := newPost(t, server.Options{})
	h := newHouse(t, matchtest.Shelf{})
	here, there := h.at(p.address()), h.at(p.address())
	listed := toy
	listed.Listed = true
	id := here.make(listed)
	until(t, "the sign hangs at the other node", func() bool {
		return slices.ContainsFunc(there.Cards(), func(c wire.Card) bool { return c.Table == id && c.Host == "Ana" })
	})
}

// A node's name comes with its news.
func TestTheNameOfANode(t *testing.T) {
	p := newPost(t, server.Options{})
	all := listener(t, p)
	b, err := Dial(Config{Address: p.address(), Node: "cellar-2", Slog: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.say(bus.News{From: 1, N: 1})
	letter, err := read(next(t, all).Data)
	if n, is := letter.(bus.News); err != nil || !is || n.Name != "cellar-2" {
		t.Errorf("others hear %+v (%v)", letter, err)
	}
}

// What was spent at one node is heard of at the others once, though it is said again and again; and at a node that says more than there is room for, as much as there is.
func TestSpent(t *testing.T) {
	p := newPost(t, server.Options{})
	here, _ := dial(t, p.address())
	there, _ := dial(t, p.address())
	var mu sync.Mutex
	var heard []string
	there.HearSpent(func(what, address, guest string) {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, strings.Join([]string{what, address, guest}, " "))
	})
	own := 0
	here.HearSpent(func(string, string, string) { own++ })
	x, y := join(t, here, 1), join(t, there, 2)
	here.Spent("table", "veil", "ana")
	here.Spent("guest", "veil", "")
	// It is said with every news, and what comes after is behind it.
	var news atomic.Int64
	y.Hear(func(bus.News, bool, []string) { news.Add(1) })
	says := func(more int64) {
		for want := news.Load() + more; news.Load() < want; time.Sleep(5 * time.Millisecond) {
			x.Report(nil)
		}
	}
	says(3)
	for range mostSpent + 10 {
		here.Spent("table", "veil", "ben")
	}
	says(timesSaid + 1)
	here.Spent("table", "veil", "carl")
	says(1)
	mu.Lock()
	defer mu.Unlock()
	if n := len(heard); n < 3 || heard[0] != "table veil ana" || heard[1] != "guest veil " || heard[n-1] != "table veil carl" || n > mostSpent+1 || n < mostSpent-1 || own != 0 {
		t.Errorf("%d are heard of, and of one’s own %d: %.5q", n, own, heard)
	}
}

// News for which there is no room are told in part.
func TestLongNews(t *testing.T) {
	p := newPost(t, server.Options{MaxPayload: 2000})
	all := listener(t, p)
	b, _ := dial(t, p.address())
	b.say(bus.News{From: 1, N: 1, Signs: make([]bus.Sign, 100), Changes: []bus.Change{{N: 1, Guest: "ana"}}})
	m := next(t, all)
	letter, err := read(m.Data)
	if n, is := letter.(bus.News); err != nil || !is || m.Subject != "caveau.news" || len(n.Signs) == 0 || len(n.Changes) != 1 {
		t.Errorf("on %s was said %+v (%v)", m.Subject, letter, err)
	}
}

// A letter for which there is no room is several, whose lines are numbered on. A line for which there is none in a letter of its own is left out, and
// who was to be told it is told so.
func TestLongLetters(t *testing.T) {
	p := newPost(t, server.Options{MaxPayload: 1000})
	all := listener(t, p)
	b, d := dial(t, p.address())
	join(t, b, 1)
	var lines []bus.Line
	for i := range 40 {
		lines = append(lines, bus.Line{Pages: []int64{int64(i + 1)}, Message: bytes.Repeat([]byte{'a' + byte(i%26)}, 100), Seq: i + 1})
	}
	lines[5].Message, lines[5].Re = bytes.Repeat([]byte("x"), 2000), 7
	lines[6].Message, lines[6].Answer = lines[5].Message, []byte("done")
	b.Send(bus.Told{To: 9, Table: "t", Term: 1, Line: 1, First: 3, Lines: lines})
	for first := 3; first < 43; {
		m := next(t, all)
		letter, err := read(m.Data)
		told, is := letter.(bus.Told)
		if err != nil || !is || m.Subject != "caveau.told.9" || told.First != first || len(told.Lines) == 0 {
			t.Fatalf("after line %d: on %s %+v (%v)", first-1, m.Subject, letter, err)
		}
		for _, got := range told.Lines {
			want := lines[first-3]
			switch first++; first - 4 {
			case 5:
				want.Message, want.Seq = []byte(`{"error":{"code":"busy","message":"what is told here is too long for the house’s bus"}}`), 0
			case 6:
				want.Message, want.Answer, want.Seq = []byte("done"), nil, 0
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("line %d is %+v, %s, want %s", first-1, got, got.Message, want.Message)
			}
		}
	}
	if d.count("a page is told more than a letter has room for") == 0 {
		t.Error("nobody says so in the house’s log")
	}
	b.Send(bus.Ask{From: 1, Table: "t", Line: 1, N: 1, Watch: make([]bus.Watcher, 500)})
	until(t, "it is said that too many watch", func() bool { return d.count("more pages of this node watch a table") > 0 })
}

// A roll of more tables than a letter has room for is called in several, and so it is answered.
func TestLongRolls(t *testing.T) {
	p := newPost(t, server.Options{MaxPayload: 1000})
	all := listener(t, p)
	b, _ := dial(t, p.address())
	join(t, b, 1)
	var calls []bus.Call
	for i := range 200 {
		calls = append(calls, bus.Call{Table: wire.ID(fmt.Sprintf("table%015d", i)), Term: 1e12, Line: 1e15, Ask: 1e15, Heard: i})
	}
	var called, here, gone []bus.Call
	b.Send(bus.Roll{From: 1, To: 9, N: 5, Calls: calls})
	for len(called) < len(calls) {
		m := next(t, all)
		letter, err := read(m.Data)
		r, is := letter.(bus.Roll)
		if err != nil || !is || m.Subject != "caveau.told.9" || r.From != 1 || r.N != 5 || len(r.Calls) == 0 {
			t.Fatalf("after %d calls: on %s %+v (%v)", len(called), m.Subject, letter, err)
		}
		called = append(called, r.Calls...)
		b.Send(bus.Present{To: 9, Here: r.Calls[1:], Gone: r.Calls[:1]})
		b.Send(bus.Present{To: 9, Here: r.Calls})
	}
	b.Send(bus.Present{To: 9, Here: calls}) // whoever called had more room
	for len(here)+len(gone) < 3*len(calls) {
		m := next(t, all)
		letter, err := read(m.Data)
		p, is := letter.(bus.Present)
		if err != nil || !is || m.Subject != "caveau.told.9" {
			t.Fatalf("after %d answers: on %s %+v (%v)", len(here)+len(gone), m.Subject, letter, err)
		}
		here, gone = append(here, p.Here...), append(gone, p.Gone...)
	}
	if !slices.Equal(called, calls) {
		t.Errorf("called were %v", called)
	}
}

// Two houses at one server do not hear each other, and nothing that somebody asks for gets into a subject.
func TestSubjects(t *testing.T) {
	p := newPost(t, server.Options{})
	all := listener(t, p)
	b, err := Dial(Config{Address: p.address(), House: "second", Slog: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	first, _ := dial(t, p.address())
	x, y := join(t, first, 1), join(t, b, 1)
	asked := make(chan match.Input, 10)
	x.Own("t", 1, func(match.Input) error { t.Error("a house is asked for another’s table"); return nil })
	y.Own("t", 1, func(in match.Input) error { asked <- in; return nil })
	other, err := Dial(Config{Address: p.address(), House: "second", Slog: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	z := join(t, other, 2)
	for _, table := range []wire.ID{"*", ">", "a b", "a.b", "t\r\nPUB x 0\r\n", "", "é"} {
		z.Pass(table, match.Said{Client: match.Client{Page: 1}, Command: wire.Command{Do: "watch"}, Until: time.Now().Add(time.Minute)})
	}
	page := match.Client{Page: 1, Visitor: visitor("Ana")}
	z.Pass("t", match.Said{Client: page, Command: wire.Command{Do: "watch"}, Until: time.Now().Add(time.Minute)})
	until(t, "the table is asked", func() bool { z.Beat(); return len(asked) > 0 })
	for len(all) > 0 {
		m := <-all
		if m.Subject != "second.ask.t" && m.Subject != "second.told.2" && m.Subject != "second.news" {
			t.Errorf("on %s was said %q", m.Subject, m.Data)
		}
	}
	if who := (<-asked).(match.Said).Client.Visitor; who != page.Visitor {
		t.Errorf("who asks is %+v", who)
	}
}

// A node that reads more slowly than others write loses letters, says so once, and goes on.
func TestSlow(t *testing.T) {
	p := newPost(t, server.Options{})
	b, d := dial(t, p.address())
	x := join(t, b, 1)
	busy, free := make(chan struct{}), make(chan struct{})
	var heard atomic.Int64
	x.Own("t", 1, func(in match.Input) error {
		if _, said := in.(match.Said); said && heard.Add(1) == 1 {
			close(busy)
		}
		<-free
		return nil
	})
	conn, err := nats.Connect(p.address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	n := int64(0)
	ask := func() {
		n++
		a := bus.Ask{From: 2, Table: "t", Line: 1, N: n, Said: []bus.Said{{N: n, Client: match.Client{Page: 1}, Command: wire.Command{Do: "watch"}}}}
		if err := conn.Publish("caveau.ask.t", writeAsk(a)); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "it reads", func() bool {
		ask()
		select {
		case <-busy:
			return true
		default:
			return false
		}
	})
	const slow = "letters come faster than this node reads them"
	for range 2 * mostWaiting {
		ask()
	}
	until(t, "it says that it is slow", func() bool { return d.count(slow) > 0 })
	close(free)
	until(t, "all that waited is read", func() bool { return len(b.in) == 0 })
	before := heard.Load()
	until(t, "it is asked, and hears it", func() bool { ask(); return heard.Load() > before })
	if heard.Load() >= n {
		t.Errorf("of %d letters none is lost", n)
	}
}

// Where the server takes nothing, nobody waits: letters are lost, and what is owned is not.
func TestNobodyWaits(t *testing.T) {
	p := newPost(t, server.Options{})
	b, d := dial(t, p.address())
	for i := range int64(3 * mostWaiting) { // and nobody has joined
		b.Send(bus.Told{To: 1, Table: "t", Term: 1, Line: 1, First: int(i) + 1})
		b.Send(bus.Present{To: 1})
	}
	for i := range int64(3 * mostWaiting) { // of these the newest counts, for each table
		b.Send(bus.Ask{From: 1, Table: wire.ID(fmt.Sprint(i % mostWaiting)), Line: 1, N: i + 1})
		b.Send(bus.Roll{From: 1, To: 2 + i%2, N: i + 1})
		b.Send(bus.News{From: 1, N: i + 1})
	}
	b.Own(1, "t")
	for place, letter := range b.last {
		newest := false
		switch l := letter.(type) {
		case bus.Ask:
			newest = l.Table == place.table && l.N > 2*mostWaiting
		case bus.Roll:
			newest = l.To == place.node && l.N >= 3*mostWaiting-1
		case bus.News:
			newest = l.N == 3*mostWaiting
		}
		if !newest {
			t.Errorf("of %v %+v waits", place, letter)
		}
	}
	if len(b.last) != mostWaiting+3 || len(b.out) != 2*mostWaiting+4 || d.count("the bus takes letters too slowly") == 0 {
		t.Errorf("%d wait, and it is said %d times that letters are lost", len(b.out), d.count("the bus takes letters too slowly"))
	}
}

// A letter of another time, and what is no letter, is left alone, and said.
func TestUnreadable(t *testing.T) {
	p := newPost(t, server.Options{})
	b, d := dial(t, p.address())
	join(t, b, 1)
	conn, err := nats.Connect(p.address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	until(t, "it is said", func() bool {
		conn.Publish("caveau.told.1", append([]byte{version + 1}, "whatever comes"...))
		return d.count("a letter cannot be read") > 0 && d.count("version 2") > 0
	})
}

// Whoever may not speak there is told why at the start, and no password.
func TestRefused(t *testing.T) {
	p := newPost(t, server.Options{Username: "house", Password: "hush"})
	for _, x := range []struct{ address, house, node, says string }{
		{"here", "", "", "an address like nats://host:4222"},
		{"nats://house:hush@bus.example:4222", "", "", "it needs TLS and a password"},
		{"nats://house:hush@127.0.0.1:1", "", "", "look whether it runs"},
		{strings.Replace(p.address(), "127", "house:hushhush@127", 1), "", "", "look at the user and the password"},
		{strings.Replace(p.address(), "127", "house:hush@127", 1), "two.words", "", "a house is called by letters"},
		{strings.Replace(p.address(), "127", "house:hush@127", 1), "", "a node", "a node is called by letters"},
		{strings.Replace(p.address(), "127", "house:hush@127", 1), "", "", ""},
	} {
		b, err := Dial(Config{Address: x.address, House: x.house, Node: x.node, Slog: slog.New(slog.DiscardHandler)})
		if err == nil {
			b.Close()
		}
		if (err == nil) != (x.says == "") || err != nil && (!strings.Contains(err.Error(), x.says) || strings.Contains(err.Error(), "hush")) {
			t.Errorf("%s: %v, want %q", x.address, err, x.says)
		}
	}
}

// A scribe writes letters down.
type scribe struct {
	*bus.Home
	mu    sync.Mutex
	asks  []bus.Ask
	tolds []bus.Told
}

func (s *scribe) Send(l bus.Letter) {
	s.mu.Lock()
	switch l := l.(type) {
	case bus.Ask:
		s.asks = append(s.asks, l)
	case bus.Told:
		s.tolds = append(s.tolds, l)
	}
	s.mu.Unlock()
	s.Home.Send(l)
}

// Whoever may speak and listen on a house's subjects alone can play; on another's he cannot, and his house's log says why.
func TestAccounts(t *testing.T) {
	own := &server.SubjectPermission{Allow: []string{"caveau.ask.*", "caveau.told.*", "caveau.news"}}
	p := newPost(t, server.Options{Users: []*server.User{{Username: "house", Password: "hush", Permissions: &server.Permissions{Publish: own, Subscribe: own}}}})
	address := strings.Replace(p.address(), "127", "house:hush@127", 1)
	h := newHouse(t, matchtest.Shelf{})
	ana, ben, eve := begun(h.at(address), h.at(address))
	play(ana, ben, 3)
	for _, p := range []*person{ana, ben, eve} {
		p.followed(6)
	}
	d := &diary{}
	b, err := Dial(Config{Address: address, House: "other", Slog: slog.New(slog.NewTextHandler(d, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	join(t, b, 1)
	until(t, "it says what it may not", func() bool { return d.count("the bus does not do what it should") > 0 && d.count("other.told.1") > 0 })
}

// lettersOfAGame are those of a game of Dawn Under, three of whose players and somebody who looks on are at another node than the table.
func lettersOfAGame(t testing.TB) ([]bus.Ask, []bus.Told) {
	h := newHouse(t, catalog.House)
	s := &scribe{Home: &bus.Home{}}
	here, there := h.node(s, &diary{}), h.node(s, &diary{})
	id := here.make(terms.Setup{Game: "dawn-under", Edition: "2017", Seats: 4, Sit: true, First: "A"})
	people := []*person{here.as("Ana", id)}
	for i, name := range []string{"Ben", "Cleo", "Dora"} {
		p := there.as(name, id)
		p.ok(wire.Command{Do: "sit", Seat: string(rune('B' + i))})
		people = append(people, p)
	}
	eve := there.as("Eve", id)
	people[0].ok(wire.Command{Do: "start"})
	eve.hears("that it begins", func() bool { return eve.about.State == "running" })
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 0; n < 300 && eve.about.State == "running"; n++ {
		p := people[eve.frame.Turn]
		p.hears("that it is his turn", func() bool { return len(p.frame.Moves) > 0 })
		rng.Shuffle(len(p.frame.Moves), func(i, j int) { p.frame.Moves[i], p.frame.Moves[j] = p.frame.Moves[j], p.frame.Moves[i] })
		p.moves()
		for _, other := range append(people, eve) {
			other.hears("of the move", func() bool { return other.frame.Seq >= p.frame.Seq })
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asks, s.tolds
}
