package nodes

import (
	"context"
	"fmt"
	"slices"
	"testing/synctest"
	"time"

	"caveau/match/matchtest"
	"caveau/table"
	"caveau/wire"
)

// Whoever looks at a list of his tables asks by any node how they stand: what he is shown is no older than his question, whoever has them and whatever that knows.

// A naming is what somebody is called from a time on.
type naming struct {
	name  string
	since time.Time
}

// named notes what somebody is called from now on, by the database.
func (b *base) named(guest, name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.called[guest] = append(b.called[guest], naming{name, time.Now()})
}

// goesBy tells whether somebody has been called that at some time since.
func (b *base) goesBy(guest, name string, since time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.called[guest]
	for i, c := range slices.Backward(all) {
		if c.name == name {
			return i == len(all)-1 || all[i+1].since.After(since)
		}
	}
	return len(all) == 0
}

// A question is what somebody wants to know of a table of his.
type question struct {
	*person
	n     *node
	id    wire.ID
	at    time.Time
	had   int       // of which entry somebody knew
	names time.Time // since when the names may be those that he is shown
}

// An account is what he is told.
type account struct {
	mine wire.Mine
	his  bool
	err  error
}

func (a account) String() string {
	if a.err != nil {
		return a.err.Error()
	}
	return fmt.Sprintf("%t, %s, listed %t, %s is asked since %v, %s sits there: %v", a.his, a.mine.State, a.mine.Listed, a.mine.Turn, a.mine.Since, a.mine.You, a.mine.Seats)
}

// asks is that somebody asks how a table stands, and others after him.
func (w *world) asks() {
	if w.still || w.fault != "" {
		return
	}
	defer func() { w.in(200*time.Millisecond+w.upTo(time.Second), w.asks) }()
	living := w.living()
	if len(living) == 0 {
		return
	}
	w.people[w.rng.IntN(len(w.people))].asks(living[w.rng.IntN(len(living))], w.tables[w.rng.IntN(len(w.tables))])
}

func (p *person) asks(n *node, id wire.ID) {
	w, now := p.w, time.Now()
	q := question{p, n, id, now, w.known[id], now}
	told := make(chan account, 1)
	n.hear(func() {
		go func() {
			within, cancel := context.WithTimeout(w.night, 20*time.Second)
			defer cancel()
			mine, his, err := n.house().Mine(within, id, p.guest.ID)
			told <- account{mine, his, err}
		}()
		synctest.Wait() // else it would be an accident who asks first of those who have waited for the node
	})
	const look = 100*time.Millisecond + 7*time.Microsecond // as in unlists
	var answered func()
	answered = func() {
		select {
		case a := <-told:
			w.note("%s is told by %v how %s stands: %v", p.name, n, w.name(id), a)
			q.answered(a)
		default:
			if !n.lives() || w.still {
				return
			}
			if now := time.Now(); now.Sub(q.at) > 5*time.Second && w.fine(q.at) {
				w.fail("%s asks %v how %s stands, and nobody answers", p.name, n, w.name(id))
			}
			w.in(look, answered)
		}
	}
	w.in(look, answered)
}

// answered looks at what somebody is told.
func (q question) answered(a account) {
	w := q.w
	if w.did["somebody asks how a table stands"]++; a.err != nil {
		if w.fine(q.at) {
			w.fail("%s asks %v how %s stands, and is told: %v", q.name, q.n, w.name(q.id), a.err)
		}
		return
	}
	if w.slowed() || q.n.slow {
		return
	}
	if w.base.had(q.id, q.at, func(node int64) bool { return node == q.n.number }) { // its owner hears of another name soon, or finds it out
		q.names = q.names.Add(-soonTold)
		if !w.fine(q.names) {
			q.names = time.Time{}
		}
	}
	if !q.isSo(a) {
		w.fail("%s asks %v how %s stands, and is told what was no more so when he asked, %v ago at entry %d: %v", q.name, q.n, w.name(q.id), time.Since(q.at), q.had, a)
	}
}

// isSo tells whether that was so at some time since the question.
func (q question) isSo(a account) bool {
	t := table.New(matchtest.Shelf{})
	for _, e := range q.w.base.entries(q.id) {
		for _, p := range q.w.people {
			t.Call(p.guest.ID, p.guest.Name)
		}
		if t.Seq() >= q.had && q.fits(t, a) {
			return true
		}
		if t.Replay(e) != nil {
			return false
		}
	}
	return q.fits(t, a)
}

func (q question) fits(t *table.Table, a account) bool {
	if his := t.Belongs(q.guest.ID) && t.State() != table.Over; his != a.his || a.mine.State != t.State() || a.mine.Listed != t.Card(q.id, table.Present{}).Listed {
		return false
	}
	if a.mine.You != t.SeatOf(q.guest.ID) || a.mine.Turn != t.Turn() {
		return false
	}
	if since, _ := t.Reached(); t.State() != table.Open && !a.mine.Since.Equal(since) {
		return false
	}
	for i, s := range t.Card(q.id, table.Present{}).Seats {
		told := a.mine.Seats[i]
		if told.Bot != s.Bot || (told.Name == "") != (s.Name == "") {
			return false
		}
		if guest := t.Sitter(s.Seat).Guest; guest != "" && told.Name != "" && !q.w.base.goesBy(guest, told.Name, q.names) {
			return false
		}
	}
	return true
}

// asksAsItIsTaken: somebody asks a node how a table stands just when that tries to take it, as the first who looks comes there. Another has it, and he is told all the same.
func (w *world) asksAsItIsTaken() {
	id, n := w.stage()
	i := slices.IndexFunc(w.living(), func(other *node) bool { return other != n })
	if n == nil || i < 0 {
		return
	}
	m := w.living()[i]
	w.all(id, func(p *page) { p.goes(n) })
	for k := range 4 {
		w.then(time.Duration(3+2*k)*time.Second, func() {
			if _, owner := w.stage(); owner != n || !m.lives() || slices.ContainsFunc(w.people, func(o *person) bool {
				return slices.ContainsFunc(o.pages, func(p *page) bool { return p.at == m && p.table == id })
			}) {
				return
			}
			p := w.people[k%len(w.people)]
			page := p.pages[0]
			page.goes(m)
			page.disconnect()
			page.connect()
			p.asks(m, id)
			w.did["somebody asks as a table is to be taken"]++
			w.then(time.Second, func() { page.goes(n) })
		})
	}
}
