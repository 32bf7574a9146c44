package fact

import "time"

// An Outage is a time in which the house was closed: no clock runs in it.
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

// Add adds outages that follow.
func (all *Outages) Add(outages ...Outage) {
	for _, o := range outages {
		if n := len(*all); n > 0 && o.From.Before((*all)[n-1].To) {
			o.From = (*all)[n-1].To // no time is counted twice
		}
		*all = append(*all, o)
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
