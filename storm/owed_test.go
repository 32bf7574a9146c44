package storm

import (
	"fmt"
	"slices"
	"time"

	"caveau/company"
	"caveau/fact"
	"caveau/game"
	"caveau/table"
	"caveau/wire"
)

// A closing is a time in which the house was not open; orderly: it closed by itself, and noted when; sick: it could not note lately that it
// was open, and perhaps not at once that it is again.
type closing struct {
	from, to time.Time
	orderly  bool
	sick     bool
	checked  bool
}

// How long after it was closed clocks begin to run again, and how long before the house may have noted for the last time that it was open.
const (
	grace = 3 * time.Second
	pulse = 12 * time.Second
)

// outages are those that the log has.
func (w *World) outages() []fact.Outage {
	w.mu.Lock()
	woke := w.woke
	w.woke = false
	w.mu.Unlock()
	if woke {
		all, err := w.log.Outages(w.house.ctx, time.Unix(0, 0))
		if err != nil {
			w.fail("the log does not know when the house was closed: %v", err)
		}
		w.noted = all
	}
	return w.noted
}

// checkClosed: each time in which the house was closed is noted, and no other.
func (w *World) checkClosed() {
	if w.everSet || w.house.closing {
		return
	}
	all := w.outages()
	from := func(c closing, o fact.Outage) bool {
		early := c.from.Sub(o.From)
		return (early > -2*time.Second || c.sick && (early > -time.Minute || o.From.Before(w.emptied))) && (early < 2*time.Second || !c.orderly && (early < pulse || c.sick))
	}
	to := func(c closing, o fact.Outage) bool {
		late := o.To.Sub(c.to)
		return late > -2*time.Second && (late < 2*time.Second || c.sick && (late < 2*time.Minute || o.To.Before(w.emptied.Add(2*time.Minute))))
	}
	fits := func(c closing, o fact.Outage) bool { // those that could not be noted at once may be one
		if !c.sick {
			return from(c, o) && to(c, o)
		}
		sick := func(is func(closing, fact.Outage) bool) bool {
			return slices.ContainsFunc(w.closed, func(c closing) bool { return c.sick && is(c, o) })
		}
		shifted := o.From.Before(w.emptied) && o.To.Sub(o.From) >= c.to.Sub(c.from) // while there was no room the time was an earlier one
		return sick(from) && sick(to) && (!o.From.After(c.to) || shifted) && !c.from.After(o.To)
	}
	for i, c := range w.closed {
		found := c.checked || c.to.IsZero() || c.to.Sub(c.from) < time.Second
		for _, o := range all {
			found = found || fits(c, o)
		}
		if !found {
			w.fail("the house was closed from %s to %s, and has noted %v", c.from.Format(time.TimeOnly), c.to.Format(time.TimeOnly), all)
		}
		w.closed[i].checked = !c.to.IsZero()
	}
	for _, o := range all[max(0, len(all)-3):] {
		found := false
		for _, c := range w.closed {
			found = found || fits(c, o)
		}
		for _, u := range w.unheard { // so that nobody loses it whose clock began then
			found = found || o.From.Sub(u.from) > -2*time.Second && o.To.Sub(u.to) < 2*time.Second
		}
		if !found {
			w.fail("the house has noted that it was closed from %s to %s, and it was open", o.From.Format(time.TimeOnly), o.To.Format(time.TimeOnly))
		}
	}
}

// spent is how much of a time has gone by at a table that began then: what has gone by since, and in which the house was open and could write, as it has noted.
func (w *World) spent(e *evening, at, until time.Time) time.Duration {
	d := until.Sub(at)
	all := slices.Concat(w.outages(), e.paper.gaps)
	slices.SortStableFunc(all, func(a, b fact.Outage) int { return a.From.Compare(b.From) })
	for _, o := range all {
		from, to := o.From, o.To.Add(grace)
		if from.Before(at) {
			from = at
		}
		if to.After(until) {
			to = until
		}
		if to.After(from) {
			d -= to.Sub(from)
			at = to
		}
	}
	return max(0, d)
}

// amid tells whether a time is amid one in which the house was closed: while that could not be noted its time went on from where it was.
func (w *World) amid(at time.Time) bool {
	return slices.ContainsFunc(w.outages(), func(o fact.Outage) bool { return o.From.Before(at) && at.Before(o.To) })
}

// A stall is that a table's log did not take an entry, or did not say that it did, or could not be read: so often, and since when. Owed: it did not take one, and what follows is not written yet.
type stall struct {
	from time.Time
	n    int
	owed bool
}

// stalled is that it has come to that, with an entry of that time or at that time.
func (w *World) stalled(id wire.ID, at time.Time, owed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.stalls[id]
	if s.n++; s.from.IsZero() || owed && !s.owed {
		s.from = at
	}
	s.owed = s.owed || owed
	w.stalls[id] = s
}

// unwaited is that somebody has gone who had the log write an entry, before it had: whoever founds a table may, and a table does not, whatever ends.
func (w *World) unwaited(id wire.ID, seq int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forsook = append(w.forsook, fmt.Sprintf("%d of %s", seq, id))
}

func (w *World) stall(e *evening) stall {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stalls[e.id]
}

// clocks tells whether anybody is waited for there for so long and no longer.
func (e *evening) clocks() bool { return e.paper.dealt || e.paper.phase != start }

// checkStall: while the log takes nothing no clock runs, and that is written before whatever the house does by itself.
func (w *World) checkStall(e *evening, f fact.Any, by fact.Receipt) {
	s := w.stall(e)
	idle, says := f.(*fact.Idle)
	switch {
	case says && (by.ID != "" || s.n == 0 || !w.everSet && (idle.From.Sub(s.from) < -time.Second || idle.To.After(time.Now().Add(time.Second)))):
		w.fail("table %s: no clock is said to have run from %s to %s, and of its log is known %+v", e.id, idle.From, idle.To, s)
	case s.owed && !says && by.ID == "" && e.clocks() && !e.elsewhere[len(e.log)+1]:
		w.fail("table %s: %s is written, and that nobody could move since %s is not", e.id, wire.Message(f), s.from)
	case says:
		s.n, s.owed, e.again = s.n-1, false, w.opened()
	case e.elsewhere[len(e.log)+1]:
		s.owed = false // it may be in the log, and nobody knows
	case !e.clocks():
		s = stall{}
	}
	w.mu.Lock()
	w.stalls[e.id] = s
	w.mu.Unlock()
}

// unstall is that another owner has the table, who knows nothing of it.
func (w *World) unstall(e *evening) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.stalls, e.id)
}

// about tells whether so much is left of the time for a move, to a second; while the log takes nothing, as much as was.
func (w *World) about(e *evening, left, limit time.Duration) bool {
	at := func(now time.Time) bool {
		return (left - max(0, limit-w.spent(e, e.paper.clock, now))).Abs() < 1500*time.Millisecond
	}
	s := w.stall(e)
	return !s.owed && at(time.Now()) || s.n > 0 && at(s.from)
}

// thinks tells whether a table waits for a bot.
func (w *World) thinks(e *evening) bool {
	if e.unknown() || e.shadow.State() != table.Running {
		return false
	}
	_, limit := e.shadow.Clock()
	return e.shadow.Sitter(e.shadow.Turn()).Bot != "" || limit > 0 && (w.everSet || w.spent(e, e.paper.clock, time.Now()) > limit-time.Second)
}

// A busy is how much bots have to do.
type busy struct {
	thinking, waiting, entries int
	since                      time.Duration
}

// checkBots: a bot thinks, or waits for a processor, where a table waits for it, and nowhere else. Those who look are told that it waits while
// it does, and no longer.
func (w *World) checkBots() {
	counts := w.house.lobby.Counts()
	now := busy{counts.Thinking, counts.Waiting, 0, w.busy.since}
	asked, unseen := 0, 0
	for _, e := range w.tables {
		now.entries += len(e.log)
		if w.thinks(e) {
			asked++
		}
	}
	switch { // whom nobody wants to hear any more has a moment to come back
	case now.thinking+now.waiting <= asked:
		w.dropped = 0
	case w.dropped == 0:
		w.dropped = w.opened()
	case w.opened()-w.dropped > 200*time.Millisecond:
		w.fail("%d bots think and %d wait for a processor, and %d tables wait for them", now.thinking, now.waiting, asked)
	}
	if now != w.busy {
		now.since = w.opened()
		w.busy = now
	}
	if w.opened()-now.since < time.Second {
		w.odd = 0
		return
	}
	told := 0
	for _, e := range w.tables {
		looked, waits := false, false
		for _, p := range w.people {
			for _, g := range p.pages {
				if v := g.seen[e.id]; g.watches(e.id) && v.frame != nil && v.seq == len(e.log) && !g.late && !g.stuck() {
					if looked && waits != v.about.Waits {
						w.fail("table %s: one is told that the bot waits, and another that it does not", e.id)
					}
					looked, waits = true, v.about.Waits
				}
			}
		}
		switch {
		case waits && !w.thinks(e):
			w.fail("table %s: it is said that the bot waits for a processor, and there is none to be asked", e.id)
		case waits:
			told++
		case !looked && w.thinks(e):
			unseen++
		}
	}
	switch { // one may wait as another goes on, and be told of first
	case told <= now.waiting && told+unseen >= now.waiting:
		w.odd = 0
	case w.odd == 0:
		w.odd = w.opened()
	case w.opened()-w.odd > time.Second:
		w.fail("%d bots wait for a processor, and it is said of %d tables; at %d nobody looks", now.waiting, told, unseen)
	}
}

// An owed is what the house has to do at a table by itself, at that entry, and how long it had been open when that came up.
type owed struct {
	duty
	seq   int
	since time.Duration
}

// A duty is what is to be done, and within what time.
type duty struct {
	what   string
	within time.Duration
}

// atOnce is what nobody need wait for.
const atOnce = 3 * time.Second

// wakeAnew is how long a table is left alone that could not be read again and again.
const wakeAnew = 60 * pulse

// checkOwed: what the house has to do at a table it does soon, unless something is wrong.
func (w *World) checkOwed() {
	if w.since.IsZero() || w.house.clock.stopped {
		return
	}
	for _, e := range w.tables {
		var is duty
		if !e.unknown() && e.shadow.State() != table.Over && len(e.paper.seats) > 0 {
			is = w.duty(e)
		}
		if is.within == atOnce && (w.set || e.elsewhere[len(e.log)] || w.rests(e.id) == len(e.log) || w.resumed > 0 && w.opened()-w.resumed < pulse) {
			is.within = soon // nobody knows what time it is there, or whether it knows, or it may have to be woken, or it is not noted yet that the house was closed
		}
		if e.givenUp {
			is.within += wakeAnew
		}
		if is.what == "" || is.what != e.owed.what || e.owed.seq != len(e.log) || w.house.gate.waits(e.id) {
			e.owed = owed{is, len(e.log), w.opened()}
		}
		if since := max(e.owed.since, w.smooth, w.begun); is.what != "" && w.opened()-since > is.within {
			w.fail("table %s stands still for %v: %s", e.id, w.opened()-since, is.what)
		}
	}
}

// duty is what the house has to do there now.
func (w *World) duty(e *evening) duty {
	p, turn := e.paper, e.shadow.Turn()
	if q := p.asks; q != nil && (w.settled(e) || w.lapsed(e, q)) {
		return duty{fmt.Sprintf("what %s has asked for is agreed to, or nobody answers", q.by), atOnce}
	}
	if founder := w.guest(p.founder); p.host() != p.founder && founder != nil && founder.here(e.id) {
		return duty{"the host is back", atOnce}
	}
	base := max(e.loaded, w.begun)
	gone := func(guest string, sat, patience time.Duration) bool {
		who := w.guest(guest)
		return who != nil && !who.here(e.id) && !who.perhapsHere(e.id) && !w.set && w.opened()-max(base, sat, who.lastHere[e.id], who.hungUp) > patience
	}
	someone := false
	for i, s := range p.seats {
		who := w.guest(s.guest)
		here := who != nil && who.here(e.id)
		someone = someone || here && !s.left && !wire.IsProgram(s.guest)
		switch {
		case p.dealt && here && s.away && !s.left:
			return duty{fmt.Sprintf("%s is back", who.name), atOnce}
		case p.dealt && s.guest != "" && !s.left && !s.away && !e.overDays() && gone(s.guest, s.sat, e.shadow.Away()):
			return duty{fmt.Sprintf("whoever sits on %s is away", game.Seat(i)), soon}
		}
	}
	sat := time.Duration(0)
	if s := p.seatOf(p.host()); s >= 0 {
		sat = p.seats[s].sat
	}
	if someone && gone(p.host(), sat, e.patience()) {
		return duty{"the host is gone", soon}
	}
	latest := e.at
	if e.touched.After(latest) {
		latest = e.touched
	}
	switch _, limit := e.shadow.Clock(); {
	case p.phase == start && !p.dealt && !w.everSet && e.visits.life == w.life && time.Since(latest) > untouched+time.Minute:
		return duty{"nobody has touched it for long", soon}
	case p.phase == numbers && !p.dealt && !p.any(place.shut), p.phase == seals && !p.any(func(s place) bool { return s.gave && s.seal == nil }):
		return duty{"nobody has a number to open, or to seal", atOnce}
	case p.phase != start && !p.dealt && w.opened()-p.since > numberTime:
		return duty{"it is to be dealt", soon}
	case turn == game.NoSeat:
	case e.shadow.Sitter(turn).Bot != "":
		return duty{"it is the turn of a bot on " + turn.String(), soon}
	case limit > 0 && !w.everSet && w.spent(e, e.paper.clock, time.Now()) > limit:
		return duty{"the time of " + turn.String() + " is up", soon}
	}
	return duty{}
}

// lapsed tells whether people have had their time to answer. Where a clock was set it is not known which of the times in which the house was closed it has
// noted as what; then it is only told of what was asked since.
func (w *World) lapsed(e *evening, q *question) bool {
	if w.everSet {
		return q.at >= w.begun && w.opened()-max(q.at, e.again) > lapse
	}
	return w.spent(e, q.on, time.Now()) > lapse
}

// settled tells whether all have agreed who are there.
func (w *World) settled(e *evening) bool {
	p, q := e.paper, e.paper.asks
	var around game.Seats
	for i, s := range p.seats {
		who := w.guest(s.guest)
		if s.guest != "" && (who != nil && who.here(e.id) || w.opened()-max(w.lastHere(who, e.id), s.sat, e.loaded, w.begun) < time.Minute) {
			around = around.With(game.Seat(i))
		}
	}
	switch {
	case p.allAsked()&around&^q.agreed != 0:
		return false
	case q.do == company.ToBreak:
		return true
	case q.do == company.ToSit:
		if s := p.seats[q.seat]; s.guest != "" && s.guest != q.by && !s.freed && !wire.IsProgram(s.guest) {
			return q.agreed.Has(q.seat)
		}
	}
	return q.agreed != 0
}

// checkKnown: whatever was written while something was wrong, in the end the house knows each table that is not over, though nobody has come to it; or the log knows that it rests.
func (w *World) checkKnown() {
	for _, e := range w.tables {
		if known := e.visits.life == w.life || w.rests(e.id) == len(e.log); !known && !e.unknown() && !e.givenUp && e.shadow.State() != table.Over {
			w.fail("table %s is %s, and the house does not know it", e.id, e.shadow.State())
		}
	}
}
