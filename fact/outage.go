package fact

import (
	"slices"
	"time"
)

// An Outage is a time in which the house was closed, or nobody had a table: no clock runs in it.
type Outage struct{ From, To time.Time }

// during is how much of the time between two moments the house was closed.
func (o Outage) during(from, to time.Time) time.Duration {
	if o.From.After(from) {
		from = o.From
	}
	if o.To.Before(to) {
		to = o.To
	}
	return max(0, to.Sub(from))
}

// Outages are all that matter to a clock, in order.
type Outages []Outage

// Grace is how long after an outage clocks begin to run again: browsers have to find the way back. It is not written with it.
const Grace = 3 * time.Second

// Add adds outages.
func (all *Outages) Add(outages ...Outage) {
	*all = append(*all, outages...)
	slices.SortStableFunc(*all, func(a, b Outage) int { return a.From.Compare(b.From) })
	for i, o := range *all {
		if i > 0 && o.From.Before((*all)[i-1].To) {
			(*all)[i].From = (*all)[i-1].To // no time is counted twice
		}
		if (*all)[i].To.Before((*all)[i].From) {
			(*all)[i].To = (*all)[i].From
		}
	}
}

// Elapsed is how much time went by between two moments in which the house was open.
func (all Outages) Elapsed(from, to time.Time) time.Duration {
	d := to.Sub(from)
	for _, o := range all {
		d -= o.during(from, to)
	}
	return max(0, d)
}

// Deadline is when so much time has gone by since a moment, outages left out.
func (all Outages) Deadline(from time.Time, d time.Duration) time.Time {
	at := from.Add(d)
	for _, o := range all { // each may move it into the next
		if o.From.Before(at) {
			at = at.Add(o.during(from, o.To))
		}
	}
	return at
}
