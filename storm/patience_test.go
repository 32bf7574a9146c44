package storm

import (
	"time"

	"caveau/company"
	"caveau/fact"
	"caveau/game"
	"caveau/match"
	"caveau/wire"
)

// Whoever has just gone comes back mostly: pages are loaded again, and lines break. Before that time is over nobody is called, and nothing is done without him.

// aroundTime is how long somebody who has gone still counts as there, where people are asked.
const aroundTime = 30 * time.Second

// seenLast is how long the house had been open when somebody was last at a table, by his own going; 0 where nobody knows, as it hung up on him.
func (w *World) seenLast(p *person, e *evening) time.Duration {
	if at := w.lastHere(p, e.id); p != nil && p.hungUp < at-time.Second {
		return at
	}
	return 0
}

// tooEarly is what speaks against calling somebody now: he may be on his way back, or has seen that it is his turn; "" for nothing.
func (w *World) tooEarly(e *evening, c called) string {
	p := w.guest(c.call.Guest)
	if p == nil || w.set {
		return ""
	}
	here, came := w.seenLast(p, e), e.ran
	if c.call.Why == match.Begun {
		came = e.begun - e.behind
	}
	switch gone := w.opened() - max(here, came); {
	case gone < callTime-time.Second:
		return "he was there, or it came to that, " + gone.String() + " ago"
	case c.call.Why == match.Turned && e.loaded < e.ran && e.reached > max(w.resumed, w.begun) && here-e.reached-w.idled(e) > seenTime+time.Second:
		return "he was there for " + (here - e.reached).String() + ", and has seen it"
	}
	return ""
}

// idled is for how long no clock ran at a table, as its log took nothing.
func (w *World) idled(e *evening) (d time.Duration) {
	for _, gap := range e.paper.gaps {
		d += gap.To.Sub(gap.From) + grace
	}
	return d
}

// checkNotMissed: what all have to agree to is not done without somebody who was there a moment ago, nor is his seat taken from him by the word of one alone.
func (w *World) checkNotMissed(e *evening, f fact.Any, by fact.Receipt) {
	if w.set || e.elsewhere[len(e.log)+1] || !e.paper.dealt {
		return
	}
	var asked, agreed game.Seats
	q := e.paper.asks
	all := func(do string) bool {
		if by.ID == "" && q != nil && q.do == do {
			asked, agreed = e.paper.allAsked(), q.agreed
		}
		return by.ID == "" && q != nil
	}
	switch f := f.(type) {
	case *fact.Broke:
		if !all(company.ToBreak) {
			asked = 1<<len(e.paper.seats) - 1
		}
	case *fact.Sat:
		all(company.ToSit)
	case *fact.Returned:
		if e.paper.seats[f.Seat].left {
			all(company.ToSit)
		}
	case *fact.Freed:
		if f.Ruled || wire.IsProgram(e.paper.seats[f.Seat].guest) {
			return
		}
		if !all(company.ToFree) {
			asked = asked.With(f.Seat)
		}
	}
	for _, s := range (asked &^ agreed).List() {
		p, seat := w.guest(e.paper.seats[s].guest), e.paper.seats[s]
		if p == nil || p.brings != nil || seat.guest == by.Guest || seat.left && (q == nil || q.do != company.ToSit || q.seat != s) {
			continue
		}
		if here := w.seenLast(p, e); here > seat.sat && w.opened()-here < aroundTime-time.Second {
			w.fail("table %s: %s is done, %s was there %v ago, and has not agreed", e.id, wire.Message(f), p.name, w.opened()-here)
		}
	}
}
