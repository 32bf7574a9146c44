package nodes

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"caveau/bus"
	"caveau/game"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/terms"
	"caveau/wire"
)

var tables = flag.Int("tables", 200, "how many tables there are at the twenty nodes")

const (
	twenty = 20
	lost   = 3
	// wayTime is how long it takes to the database, and as long back.
	wayTime = 2 * time.Millisecond
	// dialTime is when a page dials again whose line broke: firstWait in web/src/wire/line.ts.
	dialTime = 250 * time.Millisecond
)

// TestTwenty places tables at twenty nodes, and loses three of these at once. At nine tables of ten two people play who came by any of the nodes, and whoever's turn it is says a
// move in the moment of the loss: until both have heard of it their game stands still. At the others bots play, and nobody looks. `-tables 10000 -v` are those of docs/scale.md.
//
// Time is virtual, and nobody waits for a processor in it: only for the database, which is as far away as wayTime, for each other, and for what nodes and pages wait for by themselves.
func TestTwenty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTown(t)
		defer h.close()
		h.fill(*tables)
		h.round()
		time.Sleep(pulse)
		h.says("at a calm time a move is heard of", h.round())
		time.Sleep(pulse)

		before, began := h.owners(), time.Now()
		was := func(id wire.ID) bool { return before[id] <= lost }
		if len(before) < *tables {
			t.Fatalf("of %d tables %d are awake", *tables, len(before))
		}
		var away []bool
		for _, p := range h.pairs {
			away = append(away, p.sat[0].in.Load() <= lost || p.sat[1].in.Load() <= lost)
		}
		for _, n := range h.nodes[:lost] {
			h.lose(n)
		}
		var theirs, ways, others []time.Duration
		for i, stood := range h.round() {
			switch {
			case was(h.pairs[i].table):
				theirs = append(theirs, stood)
			case away[i]:
				ways = append(ways, stood)
			default:
				others = append(others, stood)
			}
		}
		time.Sleep(3 * pulse)
		h.says("whose node is lost stand still", theirs)
		h.says("whose node is not, and the way of somebody to it, stand still", ways)
		h.says("all others stand still", others)
		var alone []time.Duration
		for _, id := range h.alone {
			if was(id) {
				alone = append(alone, h.woken[id].Sub(began))
			}
		}
		h.says("at which bots play, and whose node is lost, sleep", alone)
		if worst := slices.Max(slices.Concat(theirs, ways, others, alone)); worst > 5*time.Second {
			t.Errorf("a game stands still for %v", worst)
		}
		h.check(before)
	})
}

// check looks at who has what half a minute after the loss: all that was lost somebody else, and nobody anything else.
func (h *town) check(before map[wire.ID]int64) {
	owners := h.owners()
	for id, was := range before {
		switch is := owners[id]; {
		case was <= lost && is <= lost:
			h.t.Fatalf("table %s was that of node %d, which is lost, and is that of %d", id, was, is)
		case was > lost && (is != was || !h.woken[id].IsZero()):
			h.t.Errorf("table %s was that of node %d, which is not lost, and was woken; it is that of %d", id, was, is)
		}
	}
	has := make([]int, twenty-lost)
	for id, node := range owners {
		if !h.woken[id].IsZero() {
			has[node-lost-1]++
		}
	}
	h.t.Logf("%d tables were woken, and no other: %d at the node that woke most, %d at the one that woke fewest", len(h.woken), slices.Max(has), slices.Min(has))
	if h.fault != "" || h.did["somebody is away"] > 0 {
		h.t.Errorf("%s; somebody is taken for away: %d times", h.fault, h.did["somebody is away"])
	}
}

// A town is a house of many nodes, at which nothing goes wrong but that nodes are lost.
type town struct {
	*world
	t     *testing.T
	home  bus.Home
	nodes []*inn
	pairs []*pair
	alone []wire.ID // tables at which bots play, and nobody looks
	rng   *rand.Rand
	turn  int // whose it is where people play
	ctx   context.Context
	leave context.CancelFunc
	work  sync.WaitGroup

	losing atomic.Bool           // nodes are lost
	mu     sync.Mutex            // guards what follows
	woken  map[wire.ID]time.Time // when a table was taken since
}

// An inn is a node of it.
type inn struct {
	town *town
	*node
	*bus.Home
	lobby *lobby.Lobby
	gone  chan struct{} // closed when it is lost
}

// What a node that is lost says nobody hears.
func (n *inn) Own(node int64, id wire.ID) {
	if !n.dead.Load() {
		n.Home.Own(node, id)
	}
}
func (n *inn) Disown(node int64, id wire.ID) {
	if !n.dead.Load() {
		n.Home.Disown(node, id)
	}
}
func (n *inn) Send(l bus.Letter) {
	if !n.dead.Load() {
		n.Home.Send(l)
	}
}
func (n *inn) There() bool                               { return true }
func (n *inn) Join(ctx context.Context, x *bus.Exchange) { n.Home.Join(ctx, x) }

func newTown(t *testing.T) *town {
	h := &town{world: newWorld(1), t: t, rng: rand.New(rand.NewPCG(1, 20)), woken: map[wire.ID]time.Time{}}
	h.ctx, h.leave = context.WithCancel(t.Context())
	for i := range twenty {
		time.Sleep(time.Duration(h.rng.Int64N(int64(bus.Beat)))) // nodes do nothing at the same time
		n := &inn{town: h, node: &node{w: h.world, number: int64(i + 1)}, Home: &h.home, gone: make(chan struct{})}
		n.far = n.walk
		h.base.lend(n.number)
		g := gate{h.base, n.node}
		var err error
		n.lobby, err = lobby.Open(h.ctx, lobby.Config{
			Log: g, Deeds: g, Bus: n, Node: n.number, Shelf: matchtest.Shelf{}, Clock: matchtest.Clock{}, Rand: matchtest.Rand(uint64(i)), Untouched: time.Hour,
			Slog: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		h.nodes = append(h.nodes, n)
	}
	return h
}

// walk is the way to the database and back.
func (n *inn) walk(what string, id wire.ID, do func() error) error {
	time.Sleep(wayTime)
	if n.dead.Load() {
		return errDead
	}
	err := do()
	if what == "take" && n.town.losing.Load() && n.town.base.has(id) == n.number {
		n.town.wake(id)
	}
	if time.Sleep(wayTime); n.dead.Load() {
		return errDead
	}
	return err
}

func (h *town) wake(id wire.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.woken[id].IsZero() {
		h.t.Errorf("table %s is woken twice", id)
	}
	h.woken[id] = time.Now()
}

// fill makes tables, as many at each node.
func (h *town) fill(number int) {
	h.pairs, h.alone = make([]*pair, number-number/10), make([]wire.ID, number/10)
	for i := range h.pairs {
		p := &pair{h: h, moved: make(chan time.Time, 2)}
		for seat := range p.sat {
			p.sat[seat] = &sitter{at: p, seat: game.Seat(seat), guest: wire.Guest{ID: fmt.Sprint(i, seat), Name: fmt.Sprint(i, " ", seat)}, node: h.nodes[h.rng.IntN(twenty)], wants: make(chan string, 4)}
		}
		h.pairs[i] = p
	}
	var made sync.WaitGroup
	for k, n := range h.nodes {
		made.Go(func() {
			for i := k; i < len(h.pairs); i += twenty {
				h.pairs[i].table = n.found(h.pairs[i].sat[0].visitor(), terms.Setup{Sit: true, First: "A", AwayTime: awayTime})
			}
			for i := k; i < len(h.alone); i += twenty {
				h.alone[i] = n.found(lobby.Visitor{Guest: wire.Guest{ID: "host", Name: "Host"}}, terms.Setup{Bots: []string{"first", "first"}, BotTime: &[2]int{5000, 9000}})
			}
		})
	}
	made.Wait()
	for _, p := range h.pairs {
		for _, s := range p.sat {
			h.work.Go(s.live)
		}
	}
	time.Sleep(time.Second)
	for _, p := range h.pairs {
		p.sat[1].wants <- "sit"
	}
	time.Sleep(time.Second)
	for _, p := range h.pairs {
		p.sat[0].wants <- "start"
	}
	time.Sleep(time.Second)
}

// found makes a table.
func (n *inn) found(host lobby.Visitor, setup terms.Setup) wire.ID {
	setup.Game, setup.Edition, setup.Seats = "toy", "endless", 2
	id, err := n.lobby.Make(n.town.ctx, host, setup)
	if err != nil {
		n.town.t.Error(err)
	}
	return id
}

// A pair is two people at a table.
type pair struct {
	h     *town
	table wire.ID
	sat   [2]*sitter
	due   atomic.Int64   // the entry that is the next move
	moved chan time.Time // somebody has heard of it
}

// A sitter is one of them, and his page. All of it but wants belongs to live, when that has begun.
type sitter struct {
	at    *pair
	seat  game.Seat
	guest wire.Guest
	wants chan string
	in    atomic.Int64 // the number of his node

	node    *inn
	session *lobby.Session
	more    chan struct{}
	seq     int
	ids     int
	moves   []string
	heard   int64         // the last move that he has said that he has heard of
	open    *wire.Command // not answered
}

func (s *sitter) visitor() lobby.Visitor { return lobby.Visitor{Guest: s.guest} }

// live is what somebody does, and hears.
func (s *sitter) live() {
	s.connect()
	for {
		select {
		case <-s.more:
		case what := <-s.wants:
			s.say(what)
		case <-s.node.gone:
			s.dial()
			continue
		case <-s.at.h.ctx.Done():
			return
		}
		for all, cut := s.session.Take(nil); len(all) > 0 || cut; all, cut = s.session.Take(nil) {
			if cut {
				s.dial()
				break
			}
			for _, m := range all {
				s.hear(m.Text)
			}
		}
	}
}

// dial finds a node that is not lost.
func (s *sitter) dial() {
	time.Sleep(dialTime)
	living := s.at.h.nodes[lost:]
	s.node = living[int(s.guest.ID[len(s.guest.ID)-2])*7%len(living)]
	s.connect()
	if s.open != nil {
		s.session.Do(*s.open)
	}
}

func (s *sitter) connect() {
	s.in.Store(s.node.number)
	more := make(chan struct{}, 1)
	s.more = more
	s.session = s.node.lobby.Connect(s.visitor(), func() {
		select {
		case more <- struct{}{}:
		default:
		}
	})
	s.session.Do(wire.Command{ID: "watch", Do: "watch", Table: s.at.table, Seq: s.seq})
}

// say says something until it is answered.
func (s *sitter) say(what string) {
	s.ids++
	c := wire.Command{ID: fmt.Sprint(s.guest.ID, "-", s.ids), Table: s.at.table, Do: what, Seat: s.seat.String()}
	if what == "play" {
		c.Seq, c.Move = s.seq, s.moves[0]
	}
	s.open = &c
	s.session.Do(c)
}

func (s *sitter) hear(text []byte) {
	var m message
	if err := decode(text, &m); err != nil {
		s.at.h.t.Error(err)
	}
	switch {
	case m.Frame != nil:
		s.seq, s.moves = max(s.seq, m.Frame.Seq), m.Frame.Moves
		if due := s.at.due.Load(); int64(s.seq) >= due && s.heard < due {
			s.heard = due
			s.at.moved <- time.Now()
		}
	case m.Error != nil && (m.Error.Code == wire.CodeBusy || m.Error.Code == wire.CodeStorage):
		time.Sleep(dialTime)
		if s.session.Do(wire.Command{ID: "watch", Do: "watch", Table: s.at.table, Seq: s.seq}); s.open != nil {
			s.session.Do(*s.open)
		}
	case m.Error != nil:
		s.at.h.t.Errorf("%s is told %s", s.guest.ID, text)
	case s.open != nil && m.Re == s.open.ID:
		s.open = nil
	}
}

// round has a move said at every table, and is how long it took each time until both had heard of it.
func (h *town) round() (took []time.Duration) {
	began := time.Now()
	for _, p := range h.pairs {
		p.due.Store(int64(len(h.base.entries(p.table)) + 1))
	}
	for _, p := range h.pairs {
		p.sat[h.turn].wants <- "play"
	}
	h.turn = 1 - h.turn
	for _, p := range h.pairs {
		first, second := <-p.moved, <-p.moved
		took = append(took, max(first.Sub(began), second.Sub(began)))
	}
	return took
}

// lose is the end of a node, of which nobody is told anything but those whose line to it breaks.
func (h *town) lose(n *inn) {
	h.losing.Store(true)
	n.dead.Store(true)
	close(n.gone)
	h.work.Go(n.lobby.Close)
}

// owners are the numbers of the nodes that have the tables.
func (h *town) owners() map[wire.ID]int64 {
	h.base.mu.Lock()
	defer h.base.mu.Unlock()
	return maps.Clone(h.base.owner)
}

// says says how long something took.
func (h *town) says(what string, took []time.Duration) {
	if len(took) == 0 {
		h.t.Fatalf("%s: no table is so", what)
	}
	slices.Sort(took)
	at := func(percent int) time.Duration { return took[(len(took)-1)*percent/100].Round(time.Millisecond) }
	h.t.Logf("%5d tables %s: median %v, 99th percentile %v, worst %v", len(took), what, at(50), at(99), at(100))
}

// close ends all of it.
func (h *town) close() {
	h.leave()
	for _, n := range h.nodes[lost:] {
		h.work.Go(n.lobby.Close)
	}
	h.work.Wait()
}
