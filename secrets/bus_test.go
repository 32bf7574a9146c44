package secrets

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caveau/bus"
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/lobby"
	"caveau/match"
	"caveau/match/matchtest"
	"caveau/terms"
	"caveau/wire"
)

// Twin worlds on the bus: the table is at one node, and whoever cannot tell the worlds apart at another. Whoever reads all letters between the two cannot
// either: every one of them is the same, and goes at the same time, while those who could tell them apart play at the table's own node. So what crosses is what pages
// there are told, and what they say, and nothing else.
func TestTwinLetters(t *testing.T) {
	for i, r := range oneEach() {
		for j, target := range r.audiences() {
			if testing.Short() && i%2 != j%2 {
				continue
			}
			t.Run(fmt.Sprintf("%s, %d players, aid %q, %s", r, r.players, r.aid, who(target)), func(t *testing.T) {
				t.Parallel()
				p, err := newPair(r.rulebook, target, sweptMoves, rand.New(rand.NewPCG(uint64(100*i)+uint64(target), 5)))
				if err != nil {
					t.Fatal(err)
				}
				one, two := p.post(t, 0, r.aid), p.post(t, 1, r.aid)
				for _, e := range []listener{asks, tolds, news(1), news(2)} {
					if difference := differ(one.pages[e], two.pages[e]); difference != "" {
						t.Errorf("%s, can tell two worlds apart that are one to %s:\n%s", e, who(target), difference)
					}
					if n := len(one.until(e, len(p.steps))); n < len(p.steps)/2 {
						t.Errorf("%s, has read only %d letters in %d moves", e, n, len(p.steps))
					}
				}
			})
		}
	}
}

// Whoever listens to the bus hears what is asked, and what is told.
var (
	asks  = listener{game.NoSeat, "a listener", "what is asked"}
	tolds = listener{game.NoSeat, "a listener", "what is told"}
)

func news(node int64) listener {
	return listener{game.NoSeat, "a listener", fmt.Sprintf("what node %d tells all", node)}
}

// post is one world of a pair, at two nodes: all letters between them, until the game is broken off.
func (p *pair) post(t *testing.T, which int, aid game.Aid) (heard *book) {
	synctest.Test(t, func(t *testing.T) {
		play := &play{pair: p, which: which, aid: aid, words: p.vocabulary(), rng: rand.New(rand.NewPCG(1, 3)), known: map[string]int{}}
		play.world = &world{deal: p.deals[which], secret: play.plant}
		play.house = newHouse(t, play.world)
		play.touchy = p.about(play.words)
		t.Cleanup(synctest.Wait)
		letters, owners := &letters{book: play.book}, &owners{of: map[wire.ID]int64{}}
		here, there := play.node(letters, owners, 1), play.node(letters, owners, 2)
		defer here.Close()
		defer there.Close()
		play.pause() // until both listen
		play.posted(here, there)
		heard = play.book
		letters.keepQuiet(play)
	})
	return heard
}

// node opens one.
func (p *play) node(by bus.Bus, o *owners, number int64) *lobby.Lobby {
	l, err := lobby.Open(p.t.Context(), lobby.Config{
		Log: p.log, Deeds: deeds{o, number}, Bus: by, Node: number, Shelf: shelf{examined, p}, Clock: matchtest.Clock{}, Rand: p.rand, Slog: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return l
}

// posted plays the game: the target, or else somebody who looks on, is at the other node, and all others are at the table's.
func (p *play) posted(here, there *lobby.Lobby) {
	host := match.Visitor{Guest: wire.Guest{ID: "Ana", Name: "Ana"}}
	id, err := here.Make(p.t.Context(), host, terms.Setup{Game: p.game, Edition: p.edition, Seats: p.players, Sit: true, Listed: true, First: p.deals[0].Turn().String(), Aid: p.aid})
	if err != nil {
		p.t.Fatal(err)
	}
	p.table = string(id)
	var far *pageOf
	var pages []*pageOf
	for seat := range game.Seat(p.players) {
		at := here
		if seat == p.target {
			at = there
		}
		one := p.page(at, people[seat], seat)
		if pages = append(pages, one); seat > 0 {
			one.say(wire.Command{Do: "sit", Seat: seat.String()})
		}
		if seat == p.target {
			far = one
		}
	}
	if far == nil {
		far = p.page(there, "Eve", game.Watcher)
	}
	pages[0].say(wire.Command{Do: "start"})
	p.mustBe("start")
	for i, s := range p.steps {
		p.book.turn(i + 1)
		if far.seat != s.seat {
			far.say(wire.Command{Do: "play", Seat: game.Seat(i % p.players).String(), Move: p.refused(&s)})
			far.say(wire.Command{Do: "watch"})
		}
		one := pages[s.seat]
		one.say(wire.Command{Do: "play", Seat: s.seat.String(), Move: s.words[p.which]})
		if _, e := p.newest(); e.Kind != "move" {
			p.t.Fatalf("after move %d the newest entry is a %q", i+1, e.Kind)
		}
		p.sleep(bus.Beat)
	}
}

// A pageOf somebody is at a node, and knows the newest frame.
type pageOf struct {
	*play
	session *lobby.Session
	name    string
	seat    game.Seat
	n, seq  int
}

func (p *play) page(at *lobby.Lobby, name string, seat game.Seat) *pageOf {
	one := &pageOf{play: p, name: name, seat: seat, session: at.Connect(match.Visitor{Guest: wire.Guest{ID: name, Name: name}}, func() {})}
	one.say(wire.Command{Do: "watch"})
	return one
}

// say says something, and waits until all have heard what there is to be heard.
func (o *pageOf) say(c wire.Command) {
	o.read()
	o.n++
	if c.ID, c.Table = fmt.Sprint(o.name, o.n), wire.ID(o.table); c.Do == "play" {
		c.Seq = o.seq
	}
	o.session.Do(c)
	o.pause()
}

func (o *pageOf) read() {
	for {
		messages, cut := o.session.Take(nil)
		if cut {
			o.t.Fatalf("%s is cut off", o.name)
		}
		if len(messages) == 0 {
			return
		}
		for _, m := range messages {
			var told struct{ Frame *struct{ Seq int } }
			if err := json.Unmarshal(m.Text, &told); err != nil {
				o.t.Fatal(err)
			}
			if told.Frame != nil {
				o.seq = told.Frame.Seq
			}
		}
	}
}

// Letters are a bus on which everything is written down.
type letters struct {
	bus.Home
	book *book
	mu   sync.Mutex
	all  bytes.Buffer
}

func (l *letters) Send(one bus.Letter) {
	switch is := one.(type) {
	case bus.Told:
		bare := is
		bare.Lines = nil
		text := fmt.Sprintf("%+v\n", bare)
		for _, m := range is.Lines {
			words := m
			words.Message, words.Answer = nil, nil
			text += fmt.Sprintf("\t%+v %s %s\n", words, m.Message, m.Answer)
		}
		l.write(tolds, text)
	case bus.News:
		l.write(news(is.From), string(wire.Message(is))+"\n")
	default:
		l.write(asks, fmt.Sprintf("%+v\n", one))
	}
	l.Home.Send(one)
}

func (l *letters) write(e listener, text string) {
	l.book.add(e, []byte(text))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all.WriteString(text)
}

// keepQuiet makes sure that neither the table's secret has crossed nor the deal. What bots draw from differs between the worlds.
func (l *letters) keepQuiet(p *play) {
	entries, err := p.log.Entries(p.t.Context(), wire.ID(p.table), 0)
	if err != nil {
		p.t.Fatal(err)
	}
	var hidden []string
	for _, e := range entries {
		read := readEntry(p.t, e)
		for key, value := range read.Fact {
			switch read.Kind + " " + key {
			case "made secret", "start deal":
				hidden = append(hidden, strings.Trim(string(value), `"`))
			}
		}
	}
	if len(hidden) < 2 || !strings.Contains(strings.Join(hidden, " "), fair.Bits{31: byte(p.which)}.String()) {
		p.t.Errorf("the log has the secrets %q", hidden)
	}
	for _, words := range hidden {
		if bytes.Contains(l.all.Bytes(), []byte(words)) {
			p.t.Errorf("on the bus was said %s", words)
		}
	}
}

// Owners are the nodes that have tables: whoever came first.
type owners struct {
	mu sync.Mutex
	of map[wire.ID]int64
}

// deeds are a node's.
type deeds struct {
	*owners
	node int64
}

var _ fact.Deeds = deeds{}

func (d deeds) Take(_ context.Context, id wire.ID) (term int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of[id] == 0 {
		d.of[id] = d.node
	}
	if d.of[id] == d.node {
		return 1, nil
	}
	return 0, nil
}

func (deeds) Give(context.Context, wire.ID, int64, fact.Left) error { return nil }
func (deeds) Renew(context.Context, time.Duration, ...int64) error  { return nil }
func (deeds) Sweep(context.Context) ([]wire.ID, error)              { return nil, nil }
func (deeds) Speaks(context.Context) (int, error)                   { return wire.Speaks, nil }
