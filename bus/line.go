package bus

import (
	"slices"
	"time"

	"caveau/match"
	"caveau/wire"
)

// A line is the node's side: what its pages have with a table that lives elsewhere. It is a function of what comes to it.
type line struct {
	node     int64
	table    wire.ID
	number   func() int64 // each greater than the one before
	id       int64
	term     int64     // of the latest owner who has answered; none before him is believed
	owner    int64     // his node, if that hears rolls
	name     string    // by which pages may ask for it; "" for none
	asked    int64     // the number of the last Ask
	askedAt  time.Time // and when it was said
	since    int64     // the first since nobody answers; 0 while somebody does
	stood    time.Time // when he last said that he has heard it
	heard    int
	last     time.Time // when the owner was heard, or the line began
	watchers []Watcher
	said     []match.Said // not answered, in order
}

func newLine(node int64, table wire.ID, number func() int64, now time.Time) *line {
	return &line{node: node, table: table, number: number, id: number(), last: now}
}

// say notes what a page said.
func (l *line) say(s match.Said) {
	s.N = l.number()
	l.said = append(l.said, s)
	if s.Command.Do == "watch" && l.watcher(s.Client.Page) == nil {
		l.watchers = append(l.watchers, Watcher{Client: s.Client})
	}
}

// gone is the end of a watch, which the owner does not know of.
func (l *line) gone(c match.Client) {
	l.stood = time.Time{}
	l.watchers = slices.DeleteFunc(l.watchers, func(w Watcher) bool { return w.Client == c })
}

func (l *line) watcher(page int64) *Watcher {
	if i := slices.IndexFunc(l.watchers, func(w Watcher) bool { return w.Client.Page == page }); i >= 0 {
		return &l.watchers[i]
	}
	return nil
}

// fresh tells whether a page watches, and was not told anything yet.
func (l *line) fresh(c match.Client) bool {
	w := l.watcher(c.Page)
	return w != nil && w.Since == 0
}

// idle tells whether nobody here wants anything of the table.
func (l *line) idle() bool { return len(l.watchers) == 0 && len(l.said) == 0 }

// quiet tells whether nobody answers for the table.
func (l *line) quiet(now time.Time) bool { return now.Sub(l.last) >= quietTime }

// ask is what the node wants now.
func (l *line) ask(now time.Time) Ask {
	l.asked, l.askedAt, l.stood = l.number(), now, time.Time{}
	if l.since == 0 && l.quiet(now) {
		l.since = l.asked
	}
	a := Ask{From: l.node, Table: l.table, Line: l.id, N: l.asked, Heard: l.heard, Watch: slices.Clone(l.watchers)}
	for _, s := range l.said {
		a.Said = append(a.Said, Said{N: s.N, Client: s.Client, Command: s.Command, Ruling: s.Ruling, Within: s.Until.Sub(now)})
	}
	return a
}

// stands tells whether the owner knows what the node wants, and said so of late: then the table need not be asked, and is called with the others there. Once in a while it is all
// the same: whoever answers may not be whom others ask.
func (l *line) stands(now time.Time) bool {
	return l.owner != 0 && len(l.watchers) > 0 && len(l.said) == 0 && now.Sub(l.stood) < callTime && now.Sub(l.askedAt) < askTime
}

func (l *line) call() Call {
	return Call{Table: l.table, Term: l.term, Line: l.id, Ask: l.asked, Heard: l.heard}
}

// called tells whether it is this line, as it is now, that was called.
func (l *line) called(c Call) bool {
	return c.Line == l.id && c.Term == l.term && c.Ask == l.asked
}

// hear is what is to be passed on of a letter. Again: ask at once, for something was missed.
func (l *line) hear(t Told, now time.Time) (pass []match.Send, again bool) {
	if t.Line != l.id || t.Term < l.term || t.From != 0 && t.Ask < l.since { // who was silent for so long may have lost the table when he said it, and another have done what he refuses
		return nil, false
	}
	l.last, l.owner, l.since = now, t.From, 0
	if t.Ask == l.asked {
		l.stood = now
	}
	later := t.Term > l.term
	l.term = t.Term
	if later && l.heard > 0 || t.Anew { // nothing more is passed on of this line, so everybody has what is said that he has
		l.id, l.heard = l.number(), 0
		return nil, true
	}
	if t.First > l.heard+1 {
		return nil, true
	}
	for _, m := range t.Lines[min(len(t.Lines), l.heard+1-t.First):] {
		l.heard++
		pass = append(pass, l.pass(m)...)
	}
	return pass, false
}

// pass is what pages are told by a line. Whoever was answered already, since it took too long, is not answered again. Who watches from now on is told first by
// which node he comes to the table without a way over the bus.
func (l *line) pass(m Line) (all []match.Send) {
	said, waits := l.answered(m.Re)
	switch {
	case m.Re > 0 && !waits && m.Answer == nil:
		return nil
	case !waits:
		m.Answer = nil
	case said.Command.Do != "watch":
	case m.Answer == nil && refusal(m.Message) != nil:
		l.unwatched(said.Client)
	case l.name != "" && l.fresh(said.Client):
		all = append(all, match.Send{To: said.Client, Message: wire.Message(whereabouts{l.table, l.name})})
	}
	for _, page := range m.Pages {
		w := l.watcher(page)
		if m.Re == 0 && (w == nil || l.fresh(w.Client) && l.wants(w.Client)) { // he has gone; or he comes again, and what he has missed comes with the answer
			continue
		}
		if w != nil && m.Seq > 0 {
			w.Since = m.Seq
		}
		all = append(all, match.Send{To: match.Client{Page: page}, Message: m.Message, Answer: m.Answer})
	}
	return all
}

// Whereabouts are by which node a page comes to a table that is elsewhere.
type whereabouts struct {
	Table wire.ID `json:"table"`
	Node  string  `json:"node"`
}

// answered is that something is answered, and what; false if it was before.
func (l *line) answered(n int64) (said match.Said, waits bool) {
	i := slices.IndexFunc(l.said, func(s match.Said) bool { return s.N == n })
	if i < 0 {
		return said, false
	}
	said = l.said[i]
	l.said = slices.Delete(l.said, i, i+1)
	return said, true
}

// unwatched is the end of a watch that was not granted. Who had been told something before watches on, and who has said it once more waits for that.
func (l *line) unwatched(c match.Client) {
	if l.fresh(c) && !l.wants(c) {
		l.gone(l.watcher(c.Page).Client)
	}
}

// wants tells whether a page has said that it watches, and was not answered.
func (l *line) wants(c match.Client) bool {
	return slices.ContainsFunc(l.said, func(s match.Said) bool { return s.Client == c && s.Command.Do == "watch" })
}

// late is how whoever has waited for long enough is answered.
func (l *line) late(now time.Time) (all []match.Send) {
	said := l.said
	l.said = nil
	for _, s := range said {
		if !now.After(s.Until) {
			l.said = append(l.said, s)
		}
	}
	for _, s := range said {
		if !now.After(s.Until) {
			continue
		}
		all = append(all, s.Refused(match.ErrBusy))
		if s.Command.Do == "watch" {
			l.unwatched(s.Client)
		}
	}
	return all
}

// home is what an owner has to know who lives here from now on. Whoever wanted to watch, and has gone since, has gone.
func (l *line) home() (all []match.Input) {
	for _, w := range l.watchers {
		if w.Since > 0 {
			all = append(all, match.Again{Client: w.Client, Since: w.Since})
		}
	}
	for _, s := range l.said {
		s.N = 0
		all = append(all, s)
	}
	for _, s := range l.said {
		if s.Command.Do == "watch" && l.watcher(s.Client.Page) == nil {
			all = append(all, match.Gone{Client: s.Client})
		}
	}
	return all
}
