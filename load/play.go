package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A round is one stretch of playing: the tables are made, everyone plays a while to warm up, and then it is counted.
type round struct {
	Config
	name     int64         // of its tables at a bare server, where those of the round before may not be empty yet
	counting atomic.Bool   // between the warm-up and the end
	stopping atomic.Bool   // nobody says a move any more
	stopped  chan struct{} // closed then
	moves    atomic.Int64

	failed chan error // the first errors of players; has room for one of each
	ended  chan bool  // a table's host has broken off its game, as the round is over; has room for all
	rested chan bool  // a table has had all the moves it was to have; has room for all
	work   sync.WaitGroup
	tables []*table
}

// A table is where the same people play one game after the other.
type table struct {
	round   *round
	players []*player
	bot     string // on all the other seats, where the table is one of those beside; its moves are not timed

	// mu guards what follows.
	mu      sync.Mutex
	name    string           // where its host is; "" at a bare server
	over    bool             // the last game has ended, as the round has
	moves   int              // how many are to be made before everyone rests, and one; 0 for no end
	pending map[int]*pending // moves that not all the others have heard of, by the seq of the frame that tells
	tally   tally
}

// A tally is what was counted at one table.
type tally struct {
	moves, frames, bytes int
	beside               int // frames at a table beside: as many moves
	waits                []time.Duration
}

type pending struct {
	sent    time.Time
	mover   *player
	left    int // others who have not heard of it
	counted bool
}

// A player sits at a table. All of it belongs to the goroutine that reads its socket.
type player struct {
	at     *table
	socket *socket
	name   string // of the table that is played at
	seat   string
	host   bool
	seq    int // of the newest frame
	said   int // the seq of the frame that was answered last
	ids    int
	state  string
	next   string
	chance *rand.Rand
	out    []byte
}

// play plays one round at the target, and is what was counted. Everything is closed when it returns.
func (c Config) play(ctx context.Context, t Target, progress func(time.Duration)) (Round, error) {
	r := newRound(c)
	defer r.close()
	for n := range c.Beside + c.Tables {
		bot := ""
		if n < c.Beside {
			bot = c.Bot
		}
		if err := r.seat(ctx, t, n, bot); err != nil {
			return Round{}, err
		}
		r.tables[n].begin() // at once: who reads nothing for long does not answer either whether he is there
	}
	if err := r.wait(ctx, c.WarmUp, 0, progress); err != nil {
		return Round{}, err
	}
	return r.count(ctx, t, progress)
}

func newRound(c Config) *round {
	return &round{
		Config: c, name: time.Now().UnixNano(), stopped: make(chan struct{}), failed: make(chan error, (c.Tables+c.Beside)*c.Seats),
		ended: make(chan bool, c.Tables+c.Beside), rested: make(chan bool, c.Tables+c.Beside),
	}
}

// begin has everybody at the table play.
func (t *table) begin() {
	for _, p := range t.players {
		t.round.work.Go(func() {
			if err := p.play(); !t.round.stopping.Load() {
				t.round.failed <- err
			}
		})
	}
}

// count is the part of the round that counts.
func (r *round) count(ctx context.Context, t Target, progress func(time.Duration)) (Round, error) {
	metered, before, began := t.Meters.read(), t.used(), time.Now()
	r.counting.Store(true)
	err := r.wait(ctx, r.Duration, r.Moves, progress)
	r.counting.Store(false)
	after, took := t.used(), time.Since(began)
	for what, now := range t.Meters.read() {
		metered[what] = now - metered[what]
	}
	r.stop()
	var sum tally
	for _, table := range r.tables {
		table.mu.Lock()
		sum.moves, sum.frames, sum.bytes = sum.moves+table.tally.moves, sum.frames+table.tally.frames, sum.bytes+table.tally.bytes
		sum.beside += table.tally.beside
		sum.waits = append(sum.waits, table.tally.waits...)
		table.mu.Unlock()
	}
	counted := sum.round(took, after-before)
	counted.Metered = metered
	return counted, err
}

// wait waits until the time is over, or so many moves were counted if that is not 0, or something fails.
func (r *round) wait(ctx context.Context, d time.Duration, moves int, progress func(time.Duration)) error {
	const look = 50 * time.Millisecond
	for left := d; left > 0 && (moves == 0 || r.moves.Load() < int64(moves)); left -= look {
		select {
		case err := <-r.failed:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(left, look)):
			progress(min(left, look))
		}
	}
	return nil
}

func (r *round) stopNow() {
	if !r.stopping.Swap(true) {
		close(r.stopped)
	}
}

// sleep waits; false if the round is stopped meanwhile.
func (r *round) sleep(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-r.stopped:
		return false
	}
}

// stop has the hosts break off their games, so that the server has nothing to do afterwards, and waits until they are over.
func (r *round) stop() {
	r.stopNow()
	patience := time.After(5 * time.Second)
	for _, t := range r.tables {
		if name := t.playedAt(); name == "" || t.players[0].socket.say(fmt.Appendf(nil, `{"id":"stop","do":"break","table":%q}`, name)) != nil {
			r.ended <- true // a bare server has no games
		}
	}
	for range r.tables {
		select {
		case <-r.ended:
		case <-patience:
			return
		}
	}
}

// close closes the sockets.
func (r *round) close() {
	r.stopNow()
	for _, table := range r.tables {
		for _, p := range table.players {
			p.socket.close()
		}
	}
	r.work.Wait()
}

// seat makes a table, and has everybody sit down and watch: one, where a bot is to have the other seats.
func (r *round) seat(ctx context.Context, t Target, n int, bot string) error {
	table := &table{round: r, bot: bot, pending: map[int]*pending{}}
	r.tables = append(r.tables, table)
	people := r.Seats
	if bot != "" {
		people = 1
	}
	for i := range people {
		p := &player{at: table, host: i == 0, seat: string(rune('A' + i)), chance: rand.New(rand.NewPCG(uint64(n), uint64(i)))}
		var err error
		if t.Bare {
			p.socket, err = dial(ctx, fmt.Sprintf("%s/?table=%d-%d&seat=%d", t.URL, r.name, n, i), "")
		} else {
			err = p.comeIn(ctx, t, fmt.Sprintf("Player %d at %d", i, n))
		}
		if err != nil {
			return err
		}
		table.players = append(table.players, p)
	}
	if t.Bare {
		return nil
	}
	return table.players[0].order("start")
}

// comeIn makes a guest of the player, who goes to the table and sits down. The host, who comes first, makes it.
func (p *player) comeIn(ctx context.Context, t Target, name string) error {
	g, err := t.guest(ctx, name)
	if err != nil {
		return err
	}
	if p.host {
		setup := map[string]any{"game": p.at.round.Game, "edition": p.at.round.Edition, "seats": p.at.round.Seats, "sit": true}
		if p.at.bot != "" {
			setup["bots"], setup["botTime"] = slices.Repeat([]string{p.at.bot}, p.at.round.Seats-1), []int{0, 0}
		}
		p.name, err = g.makeTable(ctx, setup)
		p.at.move(p.name)
	} else {
		p.name = p.at.players[0].name
	}
	if err == nil {
		err = p.watch(ctx, g)
	}
	if err != nil || p.host {
		return err
	}
	p.begin("sit")
	p.out = fmt.Appendf(p.out, `,"seat":%q`, p.seat)
	_, err = p.ask()
	return err
}

// watch opens a socket and watches the table there; once more where the server says that another of its nodes has the table.
func (p *player) watch(ctx context.Context, g *guest) (err error) {
	for node, led := "", false; ; led = true {
		if p.socket, err = g.dial(ctx, node); err != nil {
			return err
		}
		p.begin("watch")
		if node, err = p.ask(); err != nil || node == "" || led {
			return err
		}
		p.socket.close()
	}
}

// order says a command without more than its table.
func (p *player) order(do string) error {
	p.begin(do)
	return p.end()
}

// ask says the command that p.out has, and waits until it is done. It answers with the node by which one comes to the table, if that was said meanwhile.
func (p *player) ask() (node string, err error) {
	if err := p.end(); err != nil {
		return "", err
	}
	for id, m := strconv.Itoa(p.ids), new(message); m.re != id; {
		text, err := p.socket.read()
		if err == nil {
			err = m.parse(text)
		}
		if err == nil && m.refused != nil {
			err = fmt.Errorf("%s is refused: %s", p.out, m.refused)
		}
		if err != nil {
			return "", err
		}
		if m.node != "" && m.table == p.name {
			node = m.node
		}
	}
	return node, nil
}

// begin begins a command in p.out; p.ids is its id.
func (p *player) begin(do string) {
	p.ids++
	p.out = append(strconv.AppendInt(append(p.out[:0], `{"id":"`...), int64(p.ids), 10), `","do":"`...)
	p.out = append(append(append(p.out, do...), `","table":"`...), p.name...)
	p.out = append(p.out, '"')
}

func (p *player) end() error {
	p.out = append(p.out, '}')
	return p.socket.say(p.out)
}

// play reads what the player is told, and answers, until the socket is closed or something else goes wrong.
func (p *player) play() error {
	for m := new(message); ; {
		text, err := p.socket.read()
		now := time.Now()
		if err == nil {
			err = m.parse(text)
		}
		if err != nil {
			return err
		}
		if m.refused != nil && p.at.round.stopping.Load() {
			p.at.end(p) // it was over already
		} else if m.refused != nil {
			return fmt.Errorf("the server refuses: %s", m.refused)
		}
		if m.isFrame && (m.table == p.name || p.name == "") {
			p.at.heard(p, m.frame.seq, len(text), now)
			if err := p.hear(&m.frame); err != nil {
				return err
			}
		}
	}
}

// hear does what a frame asks for: a move, another game once this one is over, a seat at the next table.
func (p *player) hear(f *frame) error {
	p.seq = f.seq
	if f.state != "" {
		p.state = f.state
	}
	if f.next != "" {
		p.next = f.next
	}
	switch {
	case p.at.round.stopping.Load():
		if p.state == "over" {
			p.at.end(p)
		}
		return nil
	case p.next != "":
		return p.goOn()
	case p.state == "over" && p.host && p.said != p.seq:
		p.said = p.seq
		return p.order("rematch")
	case len(f.moves) > 0 && p.said != f.seq && !p.at.rests():
		return p.say(f)
	}
	return nil
}

// goOn goes to the next table.
func (p *player) goOn() error {
	if err := p.order("unwatch"); err != nil {
		return err
	}
	p.name, p.next, p.state, p.seq, p.said = p.next, "", "", 0, 0
	if err := p.order("watch"); err != nil || !p.host {
		return err
	}
	p.at.move(p.name)
	return p.order("start")
}

// say says one of the moves, when he has thought.
func (p *player) say(f *frame) error {
	p.said = f.seq
	if d := p.at.round.Think; d > 0 && p.at.bot == "" && !p.at.round.sleep(d/2+time.Duration(p.chance.Int64N(int64(d)))) {
		return nil
	}
	p.begin("play")
	p.out = append(append(append(p.out, `,"seat":"`...), f.you...), `","seq":`...)
	p.out = strconv.AppendInt(p.out, int64(f.seq), 10)
	p.out = append(append(append(p.out, `,"move":"`...), f.moves[p.chance.IntN(len(f.moves))]...), '"')
	if p.at.bot == "" {
		p.at.sent(p, f.seq+1, time.Now())
	}
	return p.end()
}

func (t *table) playedAt() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.name
}

func (t *table) move(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.name = name
}

// end is called when the host hears that the last game is over.
func (t *table) end(p *player) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p.host && !t.over {
		t.over = true
		t.round.ended <- true
	}
}

// rests tells whether all moves were made that were to be made; it is asked before each.
func (t *table) rests() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.moves == 0 {
		return false
	}
	if t.moves--; t.moves > 0 {
		return false
	}
	t.moves = 1
	select {
	case t.round.rested <- true:
	default: // it has been said
	}
	return true
}

// sent notes a move that the frame of that seq will tell of.
func (t *table) sent(p *player, seq int, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pending[seq] = &pending{sent: now, mover: p, left: len(t.players) - 1, counted: t.round.counting.Load()}
}

// heard notes that a frame has come to one of the players. A move is counted when the last of the others has heard of it.
func (t *table) heard(p *player, seq, size int, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case !t.round.counting.Load():
	case t.bot != "":
		t.tally.beside++
	default:
		t.tally.frames++
		t.tally.bytes += size
	}
	move := t.pending[seq]
	if move == nil || move.mover == p || p.seq >= seq {
		return
	}
	if move.left--; move.left > 0 {
		return
	}
	delete(t.pending, seq)
	if move.counted && t.round.counting.Load() {
		t.tally.moves++
		t.tally.waits = append(t.tally.waits, now.Sub(move.sent))
		t.round.moves.Add(1)
	}
}
