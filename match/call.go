package match

import (
	"time"

	"caveau/game"
	"caveau/table"
	"caveau/terms"
)

// Whoever is waited for and does not look is called, wherever he is: once in a turn, and once more where he has days for a move and few hours
// of them are left. What a call says is what everybody sees at the door: that it is his turn, and until when.

// A Call is that somebody is told of a table that he does not look at.
type Call struct {
	Guest string
	Why   string    // one of those below
	N     int       // of the calls of one table the later have greater ones; whoever was called with it need not be called again
	At    time.Time // the position that it is about was reached then
	Until time.Time // when his time is up; the zero time where no clock runs
}

// Why somebody is called.
const (
	Begun  = "begun" // the game begins
	Turned = "turn"  // it is his turn
	Late   = "late"  // his time is nearly over
)

const (
	callTime = 10 * time.Second // whoever was there a moment ago finds out by himself: pages are loaded again
	seenTime = 2 * time.Minute  // whoever was there for longer has seen that it is his turn; until then his line may have been dead
	lateTime = 6                // the part of a move's time that is left when somebody is told that it is nearly over: four hours of a day
)

func (o *Owner) overDays() bool {
	_, limit := o.table.Clock()
	return limit >= terms.Day
}

func (o *Owner) callDueTo() (time.Time, bool) {
	_, at, ok := o.calls()
	return at, ok
}

func (o *Owner) call() {
	c, _, _ := o.calls()
	o.called[c.Guest] = c.N
	o.do(c)
}

// calls is who is to be called first, and when.
func (o *Owner) calls() (first Call, at time.Time, ok bool) {
	for s := range game.Seat(o.table.Seats()) {
		who := o.table.Sitter(s)
		since, gone := o.absent(who.Guest)
		if who.Guest == "" || who.Left || !gone {
			continue
		}
		for _, c := range o.callsTo(s, since) {
			if c.N > o.called[who.Guest] && (!ok || c.due.Before(at)) {
				first, at, ok = c.Call, c.due, true
				first.Guest = who.Guest
			}
		}
	}
	return first, at, ok
}

// A due call is one that is due at a time.
type dueCall struct {
	Call
	due time.Time
}

// callsTo are those to whoever has that seat and has been gone for so long, the earlier first.
func (o *Owner) callsTo(s game.Seat, since time.Time) (all []dueCall) {
	soon := func(at time.Time) time.Time { return o.table.Deadline(later(at, since), callTime) }
	unseen := o.deaf && since.Equal(o.since) // he may have been here, and nobody was heard who would know
	if o.table.Turn() != s || o.State() != Asked || o.question != nil {
		if begun := o.begun; since.Before(begun) || unseen && !begun.IsZero() {
			all = append(all, dueCall{Call{Why: Begun, N: 1, At: begun}, soon(begun)})
		}
		return all
	}
	reached, n := o.table.Reached()
	began, limit := o.table.Clock()
	c := Call{Why: Turned, N: 2 * n, At: reached}
	if limit > 0 {
		c.Until = o.table.Deadline(began, limit)
	}
	if unseen || !since.After(o.table.Deadline(reached, seenTime)) { // while the house slept nobody can have been seen to look
		all = append(all, dueCall{c, soon(reached)})
	}
	if o.overDays() {
		c.Why, c.N = Late, c.N+1
		all = append(all, dueCall{c, later(o.table.Deadline(began, limit-limit/lateTime), soon(reached))})
	}
	return all
}

// begins notes that the game has begun, for those who are not there.
func (o *Owner) begins(was string) {
	if was == table.Open && o.table.State() == table.Running {
		o.begun = o.now
	}
}
