// Package natsbus carries the letters of a house's nodes over NATS (ADR 17). Letters may be lost there, as on any bus, for they are said again:
// nothing waits for them, and none is kept while the bus is away. JetStream is not used.
//
// A node is told things on a subject of its own, HOUSE.told.NODE, and all that all are told on HOUSE.news. Whoever owns a table listens to HOUSE.ask.TABLE: what is asked of it comes to nobody else.
package natsbus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"caveau/broker"
	"caveau/bus"
	"caveau/wire"
)

// A Config is all that a bus is handed.
type Config struct {
	Address string // nats://… or tls://…, as in package broker
	House   string // the first word of all subjects, for several houses may share a server; "": caveau
	Node    string // by which pages may ask whoever leads them here for this node; "": they do not
	Slog    *slog.Logger
}

// A Bus is a node's way to the others.
type Bus struct {
	house  string
	node   string // what pages call it; "" if they do not
	log    *complaints
	conn   *nats.Conn
	in     chan *nats.Msg
	ledger ledger

	mu   sync.Mutex
	out  []any          // what is to be done, in order: newest, bus.Told, owned
	last map[newest]any // the letters of which only the newest counts
	wake chan struct{}  // has room for one: there is something
}

// newest is the place in the order of a letter of which only the newest counts: what is asked of a table, the roll that is called at a node, or the news.
type newest struct {
	table wire.ID
	node  int64
	news  bool
}

// owned is that a table is owned here, or not any more.
type owned struct {
	table wire.ID
	is    bool
}

const (
	// mostWaiting is how many letters may wait on either side. More are lost.
	mostWaiting = 1024
	// patience is how long the server may say nothing, or take nothing, before another connection is tried.
	patience = 2 * time.Second
)

// Dial connects to the bus. One that is not on this machine is refused without TLS and a password. Close it when nobody speaks any more.
func Dial(c Config) (*Bus, error) {
	at, err := broker.Parse(c.Address)
	if err == nil {
		err = at.Guarded()
	}
	house := cmp.Or(c.House, "caveau")
	if err == nil && !word.MatchString(house) {
		err = fmt.Errorf("a house is called by letters, digits, - and _ on the bus, and not %q", house)
	}
	if err == nil && c.Node != "" && !word.MatchString(c.Node) {
		err = fmt.Errorf("a node is called by letters, digits, - and _, and not %q", c.Node)
	}
	if err != nil {
		return nil, err
	}
	b := &Bus{house: house, node: c.Node, log: &complaints{slog: c.Slog}, in: make(chan *nats.Msg, mostWaiting), last: make(map[newest]any), wake: make(chan struct{}, 1)}
	b.conn, err = at.Connect("caveau "+house,
		func(err error) { c.Slog.Warn("the bus is away: tables of other nodes are waited for", "err", err) },
		func() { c.Slog.Info("the bus is back") },
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { b.trouble(err) }),
		nats.ReconnectBufSize(-1), // what was said while it was away is old, and is said again
		nats.IgnoreDiscoveredServers(),
		nats.NoEcho(),
		nats.PingInterval(patience/2),
		nats.MaxPingsOutstanding(2),
		nats.FlusherTimeout(patience),
		nats.ReconnectOnFlusherError(),
	)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// word is what may be one in a subject. All tables are called so, and what somebody asks for that is none may be called anything.
var word = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// Close is the end of it.
func (b *Bus) Close() { b.conn.Close() }

// Join brings a node its letters, and takes those of it, until ctx ends.
func (b *Bus) Join(ctx context.Context, x *bus.Exchange) {
	for _, subject := range []string{b.told(x.Node()), b.house + ".news"} {
		if _, err := b.conn.ChanSubscribe(subject, b.in); err != nil {
			b.trouble(err)
		}
	}
	var writing sync.WaitGroup
	defer writing.Wait()
	writing.Go(func() { b.write(ctx) })
	for {
		select {
		case m := <-b.in:
			letter, err := read(m.Data)
			if err != nil {
				b.log.complain(slog.LevelError, "a letter cannot be read", "err", err)
				continue
			}
			if n, is := letter.(bus.News); is {
				b.ledger.read(n)
			}
			x.Read(letter)
		case <-ctx.Done():
			return
		}
	}
}

func (b *Bus) Own(_ int64, table wire.ID)    { b.do(owned{table, true}) }
func (b *Bus) Disown(_ int64, table wire.ID) { b.do(owned{table, false}) }
func (b *Bus) Send(l bus.Letter)             { b.do(l) }
func (b *Bus) There() bool                   { return b.conn.IsConnected() }

// do has something done soon: whoever wants it may not wait, and a server that takes nothing makes whoever writes to it wait.
func (b *Bus) do(what any) {
	b.mu.Lock()
	_, told := what.(bus.Told)
	_, is := what.(bus.Present)
	full := (told || is) && len(b.out) >= mostWaiting // of all else there is as much as there are tables
	if !full {
		b.put(what)
	}
	b.mu.Unlock()
	if full {
		b.log.complain(slog.LevelWarn, "the bus takes letters too slowly, and some are lost")
		return
	}
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// put puts it into the order. The caller holds mu.
func (b *Bus) put(what any) {
	var place newest
	switch what := what.(type) {
	case bus.Ask:
		place.table = what.Table
	case bus.Roll:
		place.node = what.To
	case bus.News:
		place.news = true
	default:
		b.out = append(b.out, what)
		return
	}
	if b.last[place] == nil {
		b.out = append(b.out, place)
	}
	b.last[place] = what
}

// write does what is to be done.
func (b *Bus) write(ctx context.Context) {
	tables := make(map[wire.ID]*nats.Subscription) // that are owned here
	for {
		select {
		case <-b.wake:
		case <-ctx.Done():
			return
		}
		b.mu.Lock()
		out, last := b.out, b.last
		b.out, b.last = nil, make(map[newest]any)
		b.mu.Unlock()
		for _, what := range out {
			if place, is := what.(newest); is {
				what = last[place]
			}
			switch what := what.(type) {
			case bus.Ask:
				b.ask(what)
			case bus.Told:
				b.tell(what)
			case bus.Roll:
				b.call(what)
			case bus.Present:
				b.answer(what)
			case bus.News:
				b.say(what)
			case owned:
				b.listen(tables, what)
			}
		}
	}
}

// listen listens to what is asked of a table as long as it is owned here.
func (b *Bus) listen(tables map[wire.ID]*nats.Subscription, o owned) {
	var err error
	switch sub := tables[o.table]; {
	case o.is && sub == nil:
		if sub, err = b.conn.ChanSubscribe(b.asked(o.table), b.in); err == nil {
			tables[o.table] = sub
		}
	case !o.is && sub != nil:
		delete(tables, o.table)
		err = sub.Unsubscribe()
	}
	if err != nil {
		b.trouble(err)
	}
}

func (b *Bus) asked(table wire.ID) string { return b.house + ".ask." + string(table) }
func (b *Bus) told(node int64) string     { return b.house + ".told." + strconv.FormatInt(node, 10) }

// ask sends an Ask. Who asks for what no table is called asks nobody.
func (b *Bus) ask(a bus.Ask) {
	if !word.MatchString(string(a.Table)) {
		return
	}
	text := writeAsk(a)
	if !b.fits(text) {
		b.log.complain(slog.LevelError, "more pages of this node watch a table than a letter has room for: the server’s max_payload has to be larger", "table", a.Table, "bytes", len(text))
		return
	}
	b.send(b.asked(a.Table), text)
}

// tell sends a Told, in several letters where one has not room enough: lines have numbers.
func (b *Bus) tell(t bus.Told) {
	text := writeTold(t)
	switch half := len(t.Lines) / 2; {
	case b.fits(text) || len(t.Lines) == 0:
		b.send(b.told(t.To), text)
	case half > 0:
		first, rest := t, t
		first.Lines, rest.Lines, rest.First = t.Lines[:half], t.Lines[half:], t.First+half
		b.tell(first)
		b.tell(rest)
	default:
		b.log.complain(slog.LevelError, "a page is told more than a letter has room for: the server’s max_payload has to be larger", "table", t.Table, "bytes", len(text))
		t.Lines = []bus.Line{instead(t.Lines[0])}
		b.send(b.told(t.To), writeTold(t))
	}
}

// call sends a Roll, in several letters where one has not room enough. answer does so with the answer.
func (b *Bus) call(r bus.Roll) {
	text := writeRoll(r)
	if half := len(r.Calls) / 2; !b.fits(text) && half > 0 {
		first, rest := r, r
		first.Calls, rest.Calls = r.Calls[:half], r.Calls[half:]
		b.call(first)
		b.call(rest)
		return
	}
	b.send(b.told(r.To), text)
}

func (b *Bus) answer(p bus.Present) {
	text := writePresent(p)
	if here, gone := len(p.Here)/2, len(p.Gone)/2; !b.fits(text) && len(p.Here)+len(p.Gone) > 1 { // half of what was called by a server that takes more
		b.answer(bus.Present{To: p.To, Here: p.Here[:here], Gone: p.Gone[gone:]})
		b.answer(bus.Present{To: p.To, Here: p.Here[here:], Gone: p.Gone[:gone]})
		return
	}
	b.send(b.told(p.To), text)
}

// say sends News, with what the bus itself has to say. More signs than there is room for are not said: the last of them are those that a list would leave out first.
func (b *Bus) say(n bus.News) {
	n.Name, n.Spent = b.node, b.ledger.tell()
	text := writeNews(n)
	if !b.fits(text) {
		n.Spent = nil
		text = writeNews(n)
	}
	for !b.fits(text) && len(n.Signs) > 0 {
		n.Signs = n.Signs[:len(n.Signs)/2]
		text = writeNews(n)
	}
	if !b.fits(text) {
		n.Uses = nil
		text = writeNews(n)
	}
	b.send(b.house+".news", text)
}

// instead is what is told in place of a line for which no letter has room, so that those behind it come: the answer, if it has one, else that it is missing.
func instead(m bus.Line) bus.Line {
	m.Message, m.Answer, m.Seq = m.Answer, nil, 0
	if m.Message == nil {
		m.Message = wire.Message(struct {
			Error *wire.Error `json:"error"`
		}{wire.AsError(wire.Refuse(wire.CodeBusy, "what is told here is too long for the house’s bus"))})
	}
	return m
}

func (b *Bus) fits(text []byte) bool { return int64(len(text)) <= b.conn.MaxPayload() }

// send sends a letter. While the bus is away there is nothing to be said of it: that was said.
func (b *Bus) send(subject string, text []byte) {
	if err := b.conn.Publish(subject, text); err != nil && !errors.Is(err, nats.ErrReconnectBufExceeded) && !errors.Is(err, nats.ErrConnectionClosed) {
		b.trouble(err)
	}
}

// trouble is what goes wrong with the bus, and does not end it.
func (b *Bus) trouble(err error) {
	if errors.Is(err, nats.ErrSlowConsumer) {
		b.log.complain(slog.LevelWarn, "letters come faster than this node reads them, and some are lost")
		return
	}
	b.log.complain(slog.LevelError, "the bus does not do what it should", "err", err)
}

// Complaints are what goes wrong, each sentence once in ten seconds.
type complaints struct {
	slog *slog.Logger

	mu   sync.Mutex
	last map[string]time.Time
}

func (c *complaints) complain(level slog.Level, what string, more ...any) {
	now := time.Now()
	c.mu.Lock()
	said := now.Sub(c.last[what]) < 10*time.Second
	if !said {
		if c.last == nil {
			c.last = make(map[string]time.Time)
		}
		c.last[what] = now
	}
	c.mu.Unlock()
	if !said {
		c.slog.Log(context.Background(), level, what, more...)
	}
}
