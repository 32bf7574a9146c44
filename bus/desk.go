package bus

import (
	"maps"
	"slices"
	"time"

	"caveau/match"
	"caveau/wire"
)

// A desk is the owner's side, for one term: it knows what pages of other nodes want. It is a function of what comes to it.
type desk struct {
	table  wire.ID
	term   int64
	number func() int64 // each greater than the one before
	nodes  map[int64]*caller
	ways   map[int64]*caller // a way is a line's, so nothing that is meant for pages at an earlier line is told at another
}

// A caller is a node as a desk knows it.
type caller struct {
	node, line, n int64
	ask           int64 // the number of the last Ask, which may have been followed by rolls
	way           int64
	ways          []int64 // the latest, the last of which it is
	did           int64   // what was said last of what was begun
	asked         []int64 // the watches that were begun at this line
	heard         int     // how many lines of ours it has heard
	lines         []Line
	watching      []match.Client
	last          time.Time // when it was heard
	lost          bool      // it was not heard for too long: its line has ended
}

func newDesk(table wire.ID, term int64, number func() int64) *desk {
	return &desk{table: table, term: term, number: number, nodes: make(map[int64]*caller), ways: make(map[int64]*caller)}
}

// hear is what an owner has to know of a letter, and the answer to it; false for none, since another letter was quicker.
func (d *desk) hear(a Ask, now time.Time) (all []match.Input, t Told, answer bool) {
	c := d.nodes[a.From]
	if c == nil {
		c = &caller{node: a.From}
		d.nodes[a.From] = c
	}
	if a.N <= c.n {
		return nil, t, false
	}
	c.n, c.ask, c.last = a.N, a.N, now
	fresh := a.Line != c.line
	if !fresh && c.lost || fresh && a.Heard > 0 { // we have not told it what it has heard
		return nil, Told{To: a.From, Ask: a.N, Table: d.table, Term: d.term, Line: a.Line, First: 1, Anew: true}, true
	}
	var before []match.Client
	if fresh {
		before, c.watching = c.watching, nil
		d.open(c)
		all = c.begin(a)
	}
	all = append(all, c.take(a)...)
	for _, w := range before {
		all = append(all, match.Gone{Client: w})
	}
	c.drop(a.Heard)
	return all, d.told(c, 0), true
}

// told is what a node is told of its lines, from one of them on.
func (d *desk) told(c *caller, from int) Told {
	return Told{To: c.node, Ask: c.ask, Table: d.table, Term: d.term, Line: c.line, First: c.heard + from + 1, Lines: slices.Clone(c.lines[from:])}
}

// drop forgets the lines that a node has heard.
func (c *caller) drop(heard int) {
	k := min(max(0, heard-c.heard), len(c.lines))
	c.heard, c.lines = c.heard+k, c.lines[k:]
}

// What a call of a roll is answered.
const (
	overtaken = iota // nothing: another letter was quicker
	isHere
	isGone
	isBehind // it is told again what it has not heard
)

// call hears that a node wants of the table what it wanted.
func (d *desk) call(from, n int64, is Call, now time.Time) (answer int, t Told) {
	c := d.nodes[from]
	switch {
	case c != nil && n <= c.n:
		return overtaken, t
	case c == nil || c.lost || is.Term != d.term || is.Line != c.line || is.Ask != c.ask:
		return isGone, t
	}
	c.n, c.last = n, now
	if c.drop(is.Heard); len(c.lines) == 0 {
		return isHere, t
	}
	return isBehind, d.told(c, 0)
}

// mostWays is to how many lines of a node there may be answers yet. Of those before whoever said something has waited for too long, or says it again.
const mostWays = 8

// open opens another way to a node.
func (d *desk) open(c *caller) {
	c.way = d.number()
	d.ways[c.way] = c
	if c.ways = append(c.ways, c.way); len(c.ways) > mostWays {
		delete(d.ways, c.ways[0])
		c.ways = c.ways[1:]
	}
}

// begin begins a line: whoever has been told something watches again. Of what the line before had left the answers count, but for those that
// a frame comes with.
func (c *caller) begin(a Ask) (all []match.Input) {
	c.answersOnly()
	for _, s := range a.Said {
		if s.Command.Do == "watch" {
			c.lines = slices.DeleteFunc(c.lines, func(m Line) bool { return m.Re == s.N })
		}
	}
	c.line, c.heard, c.asked, c.lost = a.Line, 0, nil, false
	for _, w := range a.Watch {
		if w.Since > 0 {
			all = append(all, match.Again{Client: c.own(w.Client), Since: w.Since})
			c.watch(w.Client)
		}
	}
	return all
}

// take is what was said and not begun yet, and who watches no more. A watch is begun again at a new line, for its frame may be lost.
func (c *caller) take(a Ask) (all []match.Input) {
	c.asked = slices.DeleteFunc(c.asked, func(n int64) bool { // what was answered is not said any more
		return !slices.ContainsFunc(a.Said, func(s Said) bool { return s.N == n })
	})
	for _, s := range a.Said {
		watch := s.Command.Do == "watch"
		if watch && slices.Contains(c.asked, s.N) || !watch && s.N <= c.did {
			continue
		}
		if c.did = max(c.did, s.N); watch {
			c.asked = append(c.asked, s.N)
			c.watch(s.Client)
		}
		all = append(all, match.Said{Client: c.own(s.Client), Command: s.Command, Ruling: s.Ruling, Until: c.last.Add(s.Within), N: s.N})
	}
	c.watching = slices.DeleteFunc(c.watching, func(w match.Client) bool {
		stays := slices.ContainsFunc(a.Watch, func(x Watcher) bool { return x.Client.Page == w.Page })
		if !stays {
			all = append(all, match.Gone{Client: w})
		}
		return !stays
	})
	return all
}

func (c *caller) own(page match.Client) match.Client {
	page.Way = c.way
	return page
}

func (c *caller) watch(page match.Client) {
	if page = c.own(page); !slices.Contains(c.watching, page) {
		c.watching = append(c.watching, page)
	}
}

// answersOnly forgets what frames there were.
func (c *caller) answersOnly() {
	var answers []Line
	for _, m := range c.lines {
		if m.Answer != nil {
			m.Message, m.Answer = m.Answer, nil
		}
		if m.Seq = 0; m.Re > 0 {
			answers = append(answers, m)
		}
	}
	c.lines = answers
}

// tell is what nodes are to be told of what the owner says to their pages.
func (d *desk) tell(sends []match.Send) (all []Told) {
	news := make(map[int64]int) // how many lines were there before
	for _, s := range sends {
		c := d.ways[s.To.Way]
		if c == nil {
			continue
		}
		if s.To.Way != c.way { // an answer is one whenever it comes
			if s.Re == 0 || slices.Contains(c.asked, s.Re) {
				continue
			}
			if s.Answer != nil {
				s.Message, s.Answer = s.Answer, nil
			}
			s.Seq = 0
		}
		if _, known := news[c.node]; !known {
			news[c.node] = len(c.lines)
		}
		c.add(s, news[c.node])
	}
	for _, node := range slices.Sorted(maps.Keys(news)) {
		c, from := d.nodes[node], news[node]
		if c.lost { // its line has ended, and what was on its way is not numbered any more
			continue
		}
		all = append(all, d.told(c, from))
	}
	return all
}

// add adds a message to the lines that are new. Who is told the same, and has heard nothing since, is told by the same line.
func (c *caller) add(s match.Send, from int) {
	m := Line{Pages: []int64{s.To.Page}, Message: s.Message, Answer: s.Answer, Re: s.Re, Seq: s.Seq}
	if s.Re == 0 {
		for i := len(c.lines) - 1; i >= from && !slices.Contains(c.lines[i].Pages, s.To.Page); i-- {
			if same := &c.lines[i]; same.Re == 0 && same.Seq == s.Seq && &same.Message[0] == &s.Message[0] {
				same.Pages = append(same.Pages, s.To.Page)
				return
			}
		}
	}
	c.lines = append(c.lines, m)
}

// miss is who is not there any more, since his node is not heard, or does not hear.
func (d *desk) miss(now time.Time) (all []match.Input) {
	for _, node := range slices.Sorted(maps.Keys(d.nodes)) {
		c := d.nodes[node]
		if c.lost || now.Sub(c.last) < silence && len(c.lines) <= mostLines {
			continue
		}
		for _, w := range c.watching {
			all = append(all, match.Gone{Client: w, Missed: true})
		}
		c.watching, c.lost = nil, true
		c.answersOnly()
	}
	return all
}
