package fact_test

import (
	"testing"
	"time"

	"caveau/fact"
)

// Outages may be told in any order, and no time is counted twice: a table knows those of the house before it reads of its own.
func TestOutagesInAnyOrder(t *testing.T) {
	at := func(second int) time.Time { return time.Date(2026, 11, 23, 20, 0, second, 0, time.UTC) }
	a, b, c := fact.Outage{From: at(10), To: at(20)}, fact.Outage{From: at(15), To: at(25)}, fact.Outage{From: at(12), To: at(14)}
	for _, all := range [][]fact.Outage{{a, b, c}, {c, b, a}, {b, a, c}, {b, a, b, c, a}} {
		var o fact.Outages
		for _, one := range all {
			o.Add(one)
		}
		if d := o.Elapsed(at(0), at(30)); d != 15*time.Second {
			t.Errorf("%v: %v went by, want 15 s", all, d)
		}
		if due := o.Deadline(at(5), 10*time.Second); !due.Equal(at(30)) {
			t.Errorf("%v: ten seconds are over at %v, want 20:00:30", all, due)
		}
	}
}
