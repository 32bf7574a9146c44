package storm

import (
	"encoding/json"
	"slices"
	"time"

	"caveau/game"
	"caveau/wire"
)

// What people say to each other at a table (match/phrase.go): it is told at once to all who look, in the order in which it was said, of nobody
// but who sits there, not too often, and is nowhere afterwards.

// How often somebody may say something, and about how exactly that is known here.
const (
	phrasesAtOnce = 3
	phraseTime    = 3 * time.Second
	roughly       = 600 * time.Millisecond
)

// talk is what somebody has said at a table since it was read from the log.
type talk struct {
	until time.Time // by which so much could have been said
	last  []*said
}

// A phrase is one that a page is told.
type phrase struct {
	page *page
	said *said
	seat game.Seat
}

// says is that somebody says something: where he sits mostly, several things in a row, the same once more, or as he goes.
func (g *page) says(n int) {
	w := g.p.w
	if g.cable == nil || len(g.order) == 0 {
		return
	}
	id := g.order[n%len(g.order)]
	for i := range g.order {
		if o := g.order[(n+i)%len(g.order)]; n/8%4 > 0 && g.seen[o].text("you") != "" {
			id = o
			break
		}
	}
	words := g.p.words()
	if n/32%16 == 0 {
		words = "you are a fool"
	}
	s := g.new(wire.Command{Do: "phrase", Table: id, Move: words})
	if n/512%8 == 1 {
		g.send(g.new(wire.Command{Do: "leave", Table: id}))
	}
	g.send(s)
	switch n / 512 % 8 {
	case 2, 3: // he chatters
		for range 3 + n/4096%3 {
			g.send(g.new(wire.Command{Do: "phrase", Table: id, Move: g.p.words()}))
			w.wait([]time.Duration{0, 0, time.Second, 3 * time.Second}[n/4096%4])
		}
	case 4: // he says it again, for all he knows it was lost
		w.wait([]time.Duration{10 * time.Millisecond, 4 * time.Second}[n/4096%2])
		g.send(s)
	case 6: // he says something else, and the first again
		g.send(g.new(wire.Command{Do: "phrase", Table: id, Move: g.p.words()}))
		w.wait([]time.Duration{0, 10 * time.Millisecond}[n/4096%2])
		g.send(s)
	case 5: // somebody comes a moment later
		w.people[n/4096%len(w.people)].pages[1].forgets()
		if o := w.people[n/4096%len(w.people)].pages[1]; o.cable != nil {
			o.watch(id)
		}
	}
}

// words are others than somebody has said for a while: so it is known which are told.
func (p *person) words() string {
	p.phrases++
	return wire.Phrases[p.phrases%len(wire.Phrases)]
}

// speaker is who sat on a seat after that entry, and could say something there.
func (e *evening) speaker(seq int, seat game.Seat) (guest string) {
	if seq < 1 || seq > len(e.sittings) || int(seat) >= len(e.sittings[seq-1]) {
		return ""
	}
	if s := e.sittings[seq-1][seat]; !s.left && !wire.IsProgram(s.guest) {
		return s.guest
	}
	return ""
}

// speaks tells whether somebody could say something at a table after that entry.
func (e *evening) speaks(seq int, guest string) bool {
	for seat := range game.Seat(len(e.paper.seats)) {
		if e.speaker(seq, seat) == guest {
			return true
		}
	}
	return false
}

// phrased: a page is told what somebody says. It knows of the same entries as the table does by then.
func (g *page) phrased(m message) {
	w, e, v := g.p.w, w0(g.p.w, m.Table), g.seen[m.Table]
	if v == nil || !v.watching || v.frame == nil {
		return // it has turned away
	}
	var told struct{ Seat, ID string }
	if err := json.Unmarshal(m.Phrase, &told); err != nil || len(told.Seat) != 1 {
		w.fail("%s is told %s: %v", g.label, m.text, err)
	}
	seat := game.Seat(told.Seat[0] - 'A')
	p := w.guest(e.speaker(v.seq, seat))
	if p == nil {
		w.fail("%s is told %s, and nobody sits there who could say it", g.label, m.text)
	}
	if p.brings != nil {
		w.fail("%s is told %s, and a program sits there: those say nothing", g.label, m.text)
	}
	var s *said
	for _, o := range p.all {
		if c := o.command; c.Do == "phrase" && o.times > 0 && c.Table == e.id && c.Move == told.ID && (s == nil || !o.said.Before(s.said)) {
			s = o
		}
	}
	if s == nil {
		w.fail("%s is told %s, and %s has not said it", g.label, m.text, p.name)
	}
	if !g.late {
		w.heard = append(w.heard, phrase{g, s, seat})
	}
}

// attends tells whether a page has looked at a table all the time since the loop looked before, and read what it was told.
func (g *page) attends(id wire.ID) bool {
	v := g.seen[id]
	return g.watches(id) && v.frame != nil && v.came < g.p.w.looks && g.dozed < g.p.w.looks && !g.late && !g.stuck() && !g.cable.hung
}

// checkHeard: all who looked have heard the same, and what somebody was told that he has said.
func (w *World) checkHeard() {
	heard, done := w.heard, w.acked
	w.heard, w.acked = nil, nil
	if len(heard)+len(done) == 0 {
		return
	}
	for _, e := range w.tables {
		heard := slices.DeleteFunc(slices.Clone(heard), func(h phrase) bool { return h.said.command.Table != e.id })
		var most []phrase // that one page has heard
		somebody := false
		w.eachPage(func(g *page) {
			somebody = somebody || g.attends(e.id)
			if his := g.heard(heard); len(his) > len(most) {
				most = his
			}
		})
		w.eachPage(func(g *page) {
			if his := g.heard(heard); g.attends(e.id) && !slices.EqualFunc(his, most, phrase.same) {
				w.fail("table %s: %d phrases are told there, and %s looks and hears %d of them, or in another order", e.id, len(most), g.label, len(his))
			}
		})
		for _, h := range most {
			w.spoken(e, h)
		}
		for _, s := range done {
			if s.command.Table == e.id && somebody && s.told == 0 {
				w.fail("table %s: %s is told that %q is said, and nobody hears it", e.id, s.who.name, s.command.Move)
			}
		}
	}
}

func (w *World) eachPage(do func(*page)) {
	for _, p := range w.people {
		for _, g := range p.pages {
			do(g)
		}
	}
}

// heard are those of the phrases that this page was told.
func (g *page) heard(all []phrase) (his []phrase) {
	for _, h := range all {
		if h.page == g {
			his = append(his, h)
		}
	}
	return his
}

func (h phrase) same(o phrase) bool { return h.said == o.said && h.seat == o.seat }

// spoken: nothing is told twice that was said once, and nobody says too much.
func (w *World) spoken(e *evening, h phrase) {
	t, now := e.talks[h.said.who.guest], time.Now()
	if t == nil {
		t = new(talk)
		e.talks[h.said.who.guest] = t
	}
	if h.said.told++; h.said.told > h.said.times || slices.Contains(t.last, h.said) {
		w.fail("table %s: %s has said %q once, and all are told twice", e.id, h.said.who.name, h.said.command.Move)
	}
	t.last = append(t.last[max(0, len(t.last)-phrasesAtOnce+1):], h.said)
	if t.until.Before(now) {
		t.until = now
	}
	if t.until = t.until.Add(phraseTime); !w.set && t.until.Sub(now) > phrasesAtOnce*phraseTime+roughly {
		w.fail("table %s: %s says more than three phrases, and one in three seconds", e.id, h.said.who.name)
	}
}

// checkPhrase: who sits there says what can be said, and not too much; and nobody else does.
func (g *page) checkPhrase(s *said, refused *wire.Error) {
	w, e, v := g.p.w, g.p.w.evening(s.command.Table), g.seen[s.command.Table]
	if e == nil || e.unknown() {
		return
	}
	from, to := max(1, len(e.log)-4), len(e.log)
	if v != nil && v.watching && v.frame != nil { // it knows of the same entries as the table
		from, to = v.seq, v.seq
	}
	always, ever := true, false
	for seq := from; seq <= to; seq++ {
		sits := e.speaks(seq, g.p.guest)
		always, ever = always && sits, ever || sits
	}
	known := slices.Contains(wire.Phrases, s.command.Move)
	switch {
	case refused == nil && (!ever || !known):
		w.fail("table %s: %s says %q, where he does not sit: %t", e.id, g.label, s.command.Move, !ever)
	case refused == nil:
		w.acked = append(w.acked, s)
	case refused.Code == wire.CodeNotYourSeat && always, refused.Code == wire.CodeBadCommand && known, refused.Code == wire.CodeTooMany && w.lately(e, g.p.guest) <= phrasesAtOnce && w.well():
		w.fail("table %s: %s says %q, and is refused: %v", e.id, g.label, s.command.Move, refused)
	}
}

// lately is how often a guest has said something at a table, just now too, that may count still.
func (w *World) lately(e *evening, guest string) (n int) {
	for _, p := range slices.Concat(w.people, w.gone) {
		for _, s := range p.all {
			if p.guest == guest && s.command.Do == "phrase" && s.command.Table == e.id && time.Since(s.said) < phrasesAtOnce*phraseTime+patience {
				n += s.times
			}
		}
	}
	return n
}
