package nodes

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"caveau/game"
	"caveau/lobby"
	"caveau/wire"
)

// awayTime is after how many seconds a bot plays for whoever is gone.
const awayTime = 12

// A person plays, by way of pages.
type person struct {
	w     *world
	name  string
	guest wire.Guest
	from  string // by what his address counts
	pages []*page
	hosts []wire.ID
	n     int // things said
	names int // that he has had
}

func (p *person) visitor() lobby.Visitor { return lobby.Visitor{Guest: p.guest, From: p.from} }

// arrives opens pages.
func (p *person) arrives() {
	for i, id := range p.w.tables {
		pages := 1 + p.w.rng.IntN(2)
		if p.w.scene != nil && i == 0 {
			pages = 2
		}
		for range pages {
			if i == 2 && !slices.Contains(p.hosts, id) || i > 0 && p.w.chance(30) {
				continue
			}
			page := &page{person: p, number: len(p.pages), table: id, old: !p.w.leads(), led: map[string]time.Time{}, shut: map[string]time.Time{}}
			p.pages = append(p.pages, page)
			p.w.in(p.w.upTo(time.Second), page.thinks)
		}
	}
}

// A page is a browser at a table, and finds another node when its own is gone.
type page struct {
	*person
	number  int
	table   wire.ID
	at      *node // nil: it has no connection
	session *lobby.Session
	since   time.Time // it has one
	away    time.Time // until then nobody looks
	left    bool      // for good
	quit    time.Time // when it had a connection last
	looks   time.Time // since when it watches
	watches bool      // since it was told so
	aside   wire.ID   // a table that it watches besides, and nobody looks at
	beside  wire.ID   // or did
	seq     int       // of the newest frame
	fresh   bool      // the next frame need not follow on that
	frame   wire.Frame
	knower  time.Time // since when whoever told it that has the table
	about   *wire.About
	term    int64 // the latest that its node heard while it watched
	open    *said // not answered
	kept    *said // to be said again
	wants   *node // where it connects, if that can be
	holds   bool  // nobody says anything there, and it waits for its node

	old   bool                 // it is of a build that does not know that one is led
	by    string               // the name by which it asks for a node, "" for any
	told  string               // of which node it was told as it came; "" for none
	stays string               // why it has not gone there
	came  time.Time            // since when it watches at this connection
	next  *dial                // to where it is led
	last  link                 // by which it came before, and where it is seen until it watches by another; it hears nothing there
	led   map[string]time.Time // when it was led to a node
	shut  map[string]time.Time // until when a node is not asked for by name, which did not let it in
}

// Something is said until it is answered.
type said struct {
	wire.Command
	first, at time.Time
	busy      time.Time // when he was told that the house is
	had       int       // how many entries there were when it was said first
	times     int
}

func (p *page) String() string { return fmt.Sprintf("%s%d", p.name, p.number) }

// connect connects to a node that seems to live, by the name by which it came, if by one.
func (p *page) connect() {
	p.next = nil
	living := p.w.living()
	if len(living) == 0 {
		return
	}
	n := living[p.w.rng.IntN(len(living))]
	if named := p.w.named(p.by); named != nil {
		n = named
	}
	if p.wants != nil && p.wants.lives() {
		n = p.wants
	}
	if n.paused {
		p.by = ""
		return // no handshake is answered
	}
	p.joins(n)
}

// joins is that it is connected to a node.
func (p *page) joins(n *node) {
	p.at, p.since, p.told, p.stays = n, time.Now(), "", ""
	p.session = n.house().Connect(p.visitor(), func() {})
	p.w.note("%v is at %v", p, n)
	p.says(&said{Command: wire.Command{Do: "watch", Seq: p.seq}})
}

// A link is a connection, or none.
type link struct {
	at      *node
	session *lobby.Session
}

// close ends it. The node hears of it, if it lives.
func (l link) close() {
	if l.session != nil && !l.at.dead.Load() && l.at.closed == nil {
		l.at.hear(l.session.Close)
	}
}

// disconnect is that nobody has the page open any more, or it begins anew.
func (p *page) disconnect() {
	p.breaks()
	p.next = nil
	p.withdraw()
}

// breaks is the end of its connection.
func (p *page) breaks() {
	link{p.at, p.session}.close()
	p.unlinks()
}

// unlinks is that it hears nothing more by its connection, and what is not answered is to be said again.
func (p *page) unlinks() {
	p.quits()
	if p.open != nil && p.open.Do != "watch" {
		p.kept = p.open
	}
	p.at, p.session, p.open, p.watches, p.aside = nil, nil, nil, false, ""
}

// hear is that something comes to a node from a page: when it is awake.
func (n *node) hear(do func()) {
	if n.paused {
		n.waits = append(n.waits, do)
		return
	}
	do()
}

// leave has all pages find out that their node is gone.
func (w *world) leave(n *node) {
	w.fewer = time.Now()
	for _, p := range w.people {
		for _, page := range p.pages {
			if page.last.at == n {
				page.withdraw()
			}
			if page.at == n {
				page.breaks()
				if w.chance(30) {
					page.disconnect()
					page.away = time.Now().Add(8 * time.Second)
				}
			}
		}
	}
}

// says says something, again perhaps.
func (p *page) says(s *said) {
	if s.ID == "" {
		p.n++
		s.ID, s.Table, s.first, s.had = fmt.Sprintf("%s-%d", p.name, p.n), p.table, time.Now(), len(p.w.base.entries(p.table))
	}
	s.at, s.busy = time.Now(), time.Time{}
	s.times++
	p.open, p.kept = s, nil
	if s.Do == "phrase" {
		p.w.uttered(s)
	}
	if s.Do == "watch" {
		p.fresh = true
		if !p.watches {
			p.term = 0
		}
	}
	p.w.note("%v says %s %s %s%s %d at %s, time %d", p, s.ID, s.Do, s.Seat, s.Move, s.Seq, p.w.name(s.Table), s.times)
	session, c := p.session, s.Command
	p.at.hear(func() { session.Do(c) })
}

// thinks is that somebody looks at the page, and again soon.
func (p *page) thinks() {
	defer func() { p.w.in(200*time.Millisecond+p.w.upTo(1200*time.Millisecond), p.thinks) }()
	p.mustHear()
	now := time.Now()
	if w := p.w; p.open != nil && p.at != nil && now.Sub(p.open.at) > 15*time.Second && now.Sub(w.trouble) > 15*time.Second {
		w.fail("%v has said %s %v ago, and nobody answers", p, p.open.ID, now.Sub(p.open.at))
	}
	switch {
	case p.left || now.Before(p.away) && !p.w.still:
		return
	case p.at == nil:
		p.connect()
		return
	case p.holds && p.watches:
		return
	case p.at.paused && now.Sub(p.at.since) > 3*time.Second && p.w.chance(30): // no sign of life
		p.w.note("%v hears nothing", p)
		p.breaks()
		p.next, p.by = nil, "" // whoever leads there may not know yet that nobody answers
		return
	case p.open != nil || p.at.paused && p.at.slow && now.Sub(p.at.since) < 3*time.Second: // then he tries the page that stands still, too
		return
	case !p.watches:
		p.says(&said{Command: wire.Command{Do: "watch", Seq: p.seq}})
		return
	case p.kept != nil:
		p.says(p.kept)
		return
	case p.w.still || now.Before(p.w.hush):
		return
	}
	switch n := p.w.rng.IntN(1000); {
	case n < 12:
		p.disconnect()
		p.away = now.Add(p.w.upTo(2 * awayTime * time.Second))
		p.w.note("%v looks away", p)
		return
	case n < 24: // it asks once more, as if it had missed something
		p.says(&said{Command: wire.Command{Do: "watch", Seq: p.seq}})
		return
	case n < 30:
		p.renames()
		return
	}
	if c, something := p.wish(); something {
		p.says(&said{Command: c})
	}
}

// knows is the page of this person that knows most of the table.
func (p *page) knows() (best *page) {
	best = p
	for _, other := range p.pages {
		if other.table == p.table && other.about != nil && other.seq > best.seq {
			best = other
		}
	}
	return best
}

// wish is what comes to somebody's mind.
func (p *page) wish() (c wire.Command, something bool) {
	k := p.knows()
	if k.about == nil {
		return c, false
	}
	you := k.frame.You
	n := p.w.rng.IntN(100)
	switch {
	case len(k.frame.Moves) > 0 && n < 80:
		return wire.Command{Do: "play", Seat: you.String(), Seq: k.seq, Move: k.frame.Moves[p.w.rng.IntN(len(k.frame.Moves))]}, true
	case you == game.NoSeat || you == game.Watcher:
		for _, c := range k.about.Seats {
			if c.Name == "" && c.Bot == "" && n < 30 {
				return wire.Command{Do: "sit", Seat: c.Seat.String()}, true
			}
		}
	case k.about.State == "open" && k.frame.Host && n < 25:
		if i := slices.IndexFunc(k.about.Seats, func(c wire.Chair) bool { return c.Name == "" && c.Bot == "" }); i >= 0 {
			return wire.Command{Do: "bot", Seat: k.about.Seats[i].Seat.String(), Bot: "first"}, n < 3
		}
		return wire.Command{Do: "start"}, true
	case n < 2:
		return wire.Command{Do: "leave"}, true
	case n < 10 && n > 6:
		return p.utter(you), true
	case n < 6: // he sits down, and may sit there already
		return wire.Command{Do: "sit", Seat: you.String()}, true
	}
	return c, false
}

// A message is one.
type message struct {
	Re    string
	OK    bool
	Seq   int
	Error *wire.Error
	Table wire.ID
	Node  string
	Frame *wire.Frame
}

// read takes what the page was told. What comes by the connection before is taken there, and nobody hears it.
func (p *page) read() {
	if l := p.last; l.session != nil && !l.at.paused {
		if _, cut := l.session.Take(nil); cut {
			p.w.in(0, func() { p.leaves(l) })
		}
	}
	for p.session != nil && !p.at.paused {
		all, cut := p.session.Take(nil)
		for _, m := range all {
			p.hears(m.Text)
		}
		switch {
		case cut:
			p.w.note("%v is cut off", p)
			p.w.did["cut off"]++
			if n := p.at; !p.w.base.had(p.table, time.Time{}, func(node int64) bool { return node == n.number }) {
				p.w.fail("%v is cut off, at a node that never had %s", p, p.w.name(p.table))
			}
			p.breaks()
		case len(all) == 0:
			return
		}
	}
}

func (p *page) hears(text []byte) {
	var m message
	if err := decode(text, &m); err != nil {
		p.w.fail("%v is told %s: %v", p, text, err)
	}
	switch {
	case m.Re == "aside" || p.aside != "" && m.Table == p.aside:
	case m.Frame != nil:
		p.sees(m.Frame)
	case m.Node != "":
		p.isTold(m)
	case m.Re != "":
		p.answered(m, text)
	case bytes.Contains(text, []byte(`"phrase"`)):
		p.hearsPhrase(text)
	default:
		p.w.fail("%v is told %s", p, text)
	}
}

// answered is that something is answered.
func (p *page) answered(m message, text []byte) {
	p.w.note("%v is answered %s", p, text)
	s := p.open
	if s == nil || s.ID != m.Re {
		p.w.fail("%v is answered %s, and has not asked", p, text)
		return
	}
	p.open = nil
	switch {
	case m.OK && s.Do == "watch":
		p.stands()
	case m.OK && s.Do == "phrase":
		p.w.spoken(s)
	case m.OK:
		p.w.acknowledged(p, s, m.Seq)
	case m.Error.Code == wire.CodeBusy || m.Error.Code == wire.CodeStorage:
		p.w.busy(p, s, m.Error.Code)
		if s.Do != "watch" && s.times < 20 {
			p.kept, s.busy = s, time.Now()
		}
	default:
		if m.Error.Code == wire.CodeLate {
			p.fresh = true
		}
		if s.Do != "phrase" {
			p.w.refused(p, s, m.Error)
		}
	}
}
