package match

import (
	"errors"
	"log/slog"
	"slices"
	"time"

	"caveau/ceremony"
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

const (
	unloadAfter  = time.Minute            // a table that nobody looks at, and that has nothing to do, is unloaded
	debounceTime = 200 * time.Millisecond // how long comings and goings are collected
	retryTime    = time.Second            // after the log has failed
	dealRetry    = time.Minute            // after a deal was refused
	lapseTime    = 5 * time.Minute        // how long people are asked whether they agree
	numberTime   = 5 * time.Second        // how long a deal waits for whoever does not open his number, or seal another
	cutTime      = 5 * time.Second        // how soon it is written that the clock of somebody who is cut off stands, and a third of how often; whoever has the table next knows no more
	overtime     = 250 * time.Millisecond // how long a bot takes for the move of somebody whose time is up
	never        = 200 * 365 * 24 * time.Hour
)

// A State is what an owner waits for.
type State string

// The states of an owner. It is in exactly one.
const (
	Writing  State = "writing"  // for the log
	Unsure   State = "unsure"   // for the log to be read: an entry may be there or not
	Open     State = "open"     // for people
	Called   State = "called"   // for people to open their numbers
	Sealing  State = "sealing"  // for people to seal others, since one was not opened
	Asked    State = "asked"    // for a person
	Botted   State = "botted"   // for a bot that has thought, or is to be asked
	Thinking State = "thinking" // for a bot that thinks
	Over     State = "over"     // for nobody
)

// State is what the owner waits for now.
func (o *Owner) State() State {
	phase := o.table.Ceremony().For
	switch state := o.table.State(); {
	case o.pending != nil:
		return Writing
	case o.unsure:
		return Unsure
	case state == table.Over:
		return Over
	case state == table.Open && phase == ceremony.Open:
		return Called
	case state == table.Open && phase == ceremony.Sealing:
		return Sealing
	case state == table.Open:
		return Open
	case o.question != nil && !o.question.said:
		return Thinking
	case o.table.Sitter(o.table.Turn()).Bot != "":
		return Botted
	}
	return Asked
}

// A timer is something that an owner does by itself when its time has come, in the states in which it runs.
type timer struct {
	name string
	in   []State
	due  func(*Owner) (at time.Time, ok bool) // worked out anew each time, so there is nothing to be kept in step
	fire func(*Owner)
}

// timers are all that an owner does by itself. In Writing none runs: the answer of the log comes first.
var timers []timer

func init() { // the functions look at the table themselves
	running := []State{Asked, Botted, Thinking}
	waiting := append([]State{Open, Called, Sealing}, running...)
	timers = []timer{
		{"read on", []State{Unsure}, (*Owner).atOnce, func(o *Owner) { o.pending = &pending{at: o.now}; o.do(Read{o.table.Seq()}) }},
		{"clocks stood", waiting[1:], (*Owner).idleDue, (*Owner).noteIdle},
		{"tell who is there", append([]State{Over}, waiting...), (*Owner).tellDue, func(o *Owner) { o.broadcast(o.table.Seq(), nil) }},
		{"seal the deal", []State{Open}, (*Owner).sealDue, func(o *Owner) { o.write(table.ByHouse(&fact.Resealed{Secret: o.spare}), nil) }},
		{"deal", []State{Called}, (*Owner).dealDue, (*Owner).deal},
		{"begin again", []State{Called}, (*Owner).anewDue, func(o *Owner) { o.write(table.ByHouse(&fact.Anew{Secret: o.fresh()}), nil) }},
		{"call again", []State{Sealing}, (*Owner).callDue, func(o *Owner) { o.write(table.ByHouse(&fact.Called{}), nil) }},
		{"put away", []State{Open}, (*Owner).shutDue, func(o *Owner) { o.write(table.ByHouse(&fact.Shut{}), nil) }},
		{"another host", waiting, (*Owner).hostDue, func(o *Owner) { o.write(table.ByHouse(&fact.Hosted{Seat: o.nextHost()}), nil) }},
		{"host is back", waiting, (*Owner).resumeDue, func(o *Owner) { o.write(table.ByHouse(&fact.Resumed{}), nil) }},
		{"all agree", running, (*Owner).agreedDue, func(o *Owner) { o.write(o.table.Carried(), nil) }},
		{"nobody answers", running, (*Owner).lapseDue, func(o *Owner) { o.write(table.ByHouse(&fact.Declined{Seat: game.NoSeat}), nil) }},
		{"back", running, (*Owner).backDue, func(o *Owner) { o.write(table.ByHouse(&fact.Returned{Seat: o.returns()}), nil) }},
		{"away", running, (*Owner).awayDue, (*Owner).miss},
		{"ask a bot", []State{Botted}, (*Owner).askDue, func(o *Owner) { o.think(fact.ByBot) }},
		{"time is up", []State{Asked}, (*Owner).clockDue, func(o *Owner) { o.think(fact.ByClock) }},
		{"bot's move", []State{Asked, Botted}, (*Owner).botDue, (*Owner).speak},
		{"call", running, (*Owner).callDueTo, (*Owner).call},
		{"unload", append([]State{Over}, running...), (*Owner).unloadDue, (*Owner).unload},
	}
}

// first is the timer that is due first.
func (o *Owner) first() (first *timer, at time.Time) {
	state := o.State()
	for i := range timers {
		t := &timers[i]
		if !slices.Contains(t.in, state) {
			continue
		}
		due, ok := t.due(o)
		if due = later(due, o.retry); ok && (first == nil || due.Before(at)) {
			first, at = t, due
		}
	}
	return first, at
}

// Alarm is when something is to be done next: then, or later, the owner wants a Tick.
func (o *Owner) Alarm() (at time.Time, ok bool) {
	first, at := o.first()
	return at, first != nil
}

// fire does what is due first, if its time has come.
func (o *Owner) fire() {
	if t, at := o.first(); t != nil && !at.After(o.now) {
		t.fire(o)
	}
}

// stood: no clock runs while nobody has the table, or its log takes nothing. Where people wait for it to begin there is none, and an entry would make a
// table that nobody touches as new.
func (o *Owner) stood(from, to time.Time) {
	if o.stands() {
		from = o.idle.From
	}
	if o.table.State() != table.Open || o.table.Ceremony().For != ceremony.Before {
		o.idle = fact.Idle{From: from.UTC(), To: to.UTC()}
	}
}

// stands tells whether the log is still to be told that no clock ran.
func (o *Owner) stands() bool { return o.idle.From.Before(o.idle.To) }

// hour is the time as people are told it: until that is written clocks stand where they stood.
func (o *Owner) hour() time.Time {
	if o.stands() {
		return o.idle.From
	}
	return o.now
}

// idleDue: it is written before anything else is done that is due.
func (o *Owner) idleDue() (at time.Time, ok bool) {
	since, cutOff := o.cutOff()
	if !cutOff {
		return at, o.stands()
	}
	return since.Add(min(max(cutTime, since.Sub(o.unheard.Since)), 3*cutTime)), true
}

// noteIdle: if nobody knows whether it is written it is once more, which is the same.
func (o *Owner) noteIdle() {
	f := o.idle
	o.write(table.ByHouse(&f), nil)
	o.pending.idle = true
}

func (o *Owner) atOnce() (time.Time, bool) { return o.retry, true }

func (o *Owner) tellDue() (time.Time, bool) { return o.changed.Add(debounceTime), !o.changed.IsZero() }

// sealDue: a table that was made before deals were sealed gets its secret.
func (o *Owner) sealDue() (time.Time, bool) { return o.since, o.table.Sealable() }

// dealDue: when the start was said it is dealt as soon as every number is open; at a table that is as old as that, without those that are not.
func (o *Owner) dealDue() (time.Time, bool) {
	at, wait := o.numbersDue()
	return at, !wait.Fails
}

// anewDue: when a number is not opened in time the ceremony begins again.
func (o *Owner) anewDue() (time.Time, bool) {
	at, wait := o.numbersDue()
	return at, wait.Fails
}

// callDue: then the numbers are opened as soon as all have sealed again who had given one, or without those who do not.
func (o *Owner) callDue() (time.Time, bool) {
	at, _ := o.numbersDue()
	return at, true
}

// numbersDue is when nobody is waited for any more who has a number to open or to seal.
func (o *Owner) numbersDue() (time.Time, ceremony.Wait) {
	wait := o.table.Ceremony()
	if !wait.Waits {
		return wait.Since, wait
	}
	at := o.table.Deadline(wait.Since, numberTime)
	if spared := o.spared.Add(fact.Grace); spared.Before(wait.Since.Add(aroundTime)) { // whoever is cut off may say it soon
		at = later(at, spared)
	}
	return at, wait
}

// fresh is a secret for the next attempt. The one before is known when the game is over, and tells nothing of it.
func (o *Owner) fresh() fair.Bits { return fair.SpareSecret(o.spare, o.table.Failed()) }

func (o *Owner) deal() {
	d, err := o.table.Dealt()
	if err != nil {
		o.report(slog.LevelError, "a table cannot be dealt", "err", err)
		o.retry = o.now.Add(dealRetry)
		return
	}
	o.write(d, nil)
}

// shutDue: a table that has not begun, and that nobody has touched for long, is put away. After the house was closed people have a minute to come back to it.
func (o *Owner) shutDue() (time.Time, bool) {
	return later(o.touched.Add(o.hours.Untouched), o.since.Add(unloadAfter)), len(o.subs) == 0
}

// hostDue: a table whose host is gone too long gets another, if somebody who sits there is here. A game over days is his for longer.
func (o *Owner) hostDue() (time.Time, bool) {
	since, gone := o.absent(o.table.Host())
	patience := o.table.Away()
	if _, limit := o.table.Clock(); o.overDays() && o.table.State() == table.Running {
		patience = limit
	}
	return o.table.Deadline(since, patience), gone && o.nextHost() != game.NoSeat
}

// nextHost is the first seat whose player is here and has not left the game. Programs are no hosts but of what they have made.
func (o *Owner) nextHost() game.Seat {
	for s := range game.Seat(o.table.Seats()) {
		if c := o.table.Sitter(s); c.Guest != "" && !c.Left && !wire.IsProgram(c.Guest) && o.here(c.Guest) {
			return s
		}
	}
	return game.NoSeat
}

func (o *Owner) resumeDue() (time.Time, bool) {
	return o.now, o.table.Host() != o.table.Founder() && o.here(o.table.Founder())
}

// agreedDue: what was proposed is done when all who are there have agreed; who goes is not waited for.
func (o *Owner) agreedDue() (at time.Time, ok bool) {
	if _, _, asked := o.table.Proposed(0); !asked {
		return at, false
	}
	for _, at := range o.leavings() {
		if _, settled, _ := o.table.Proposed(o.around(at)); settled {
			return at, true
		}
	}
	return at, false
}

// leavings are now, and the times at which whoever has just gone does not count any more, in order.
func (o *Owner) leavings() []time.Time {
	all := []time.Time{o.now}
	for s := range game.Seat(o.table.Seats()) {
		since, gone := o.absent(o.table.Sitter(s).Guest)
		if at := o.table.Deadline(since, aroundTime); gone && at.After(o.now) {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return all
}

// lapseDue: what nobody answers is not asked for ever. What all had agreed to by then is done, however late it was written.
func (o *Owner) lapseDue() (time.Time, bool) {
	at, _, asked := o.table.Proposed(0)
	due := o.table.Deadline(at, lapseTime)
	_, agreed, _ := o.table.Proposed(o.around(due))
	return due, asked && !agreed
}

func (o *Owner) backDue() (time.Time, bool) { return o.now, o.returns() != game.NoSeat }

// returns is the first seat whose player was away and is here.
func (o *Owner) returns() game.Seat {
	for s := range game.Seat(o.table.Seats()) {
		if who := o.table.Sitter(s); who.Away && !who.Left && o.here(who.Guest) {
			return s
		}
	}
	return game.NoSeat
}

// awayDue: a bot plays for somebody who is gone too long, until he is back. Over days everybody is gone most of the time, and has his time for each move.
func (o *Owner) awayDue() (time.Time, bool) {
	_, at, ok := o.misses()
	return at, ok && !o.overDays()
}

func (o *Owner) miss() {
	seat, _, _ := o.misses()
	o.write(table.ByHouse(&fact.Missed{Seat: seat}), nil)
}

// misses is the seat whose player will be gone too long first, and when.
func (o *Owner) misses() (seat game.Seat, at time.Time, ok bool) {
	for s := range game.Seat(o.table.Seats()) {
		who := o.table.Sitter(s)
		if who.Guest == "" || who.Left || who.Away {
			continue
		}
		since, gone := o.absent(who.Guest)
		if due := o.table.Deadline(since, o.table.Away()); gone && (!ok || due.Before(at)) {
			seat, at, ok = s, due, true
		}
	}
	return seat, at, ok
}

// askDue: a bot is asked at once.
func (o *Owner) askDue() (time.Time, bool) {
	at, _ := o.table.Reached()
	return at, o.question == nil
}

// clockDue: when the time for a move runs out, a bot makes that one move.
func (o *Owner) clockDue() (time.Time, bool) {
	began, limit := o.table.Clock()
	_, cutOff := o.cutOff()
	return later(o.table.Deadline(began, limit), o.unheard.Till), limit > 0 && o.question == nil && !cutOff
}

// cutOff tells whether whoever is waited for is not here, had not gone before, and may be at a page of a node that is not heard, where he cannot move; and since when. Over days nobody is asked for so little.
func (o *Owner) cutOff() (since time.Time, so bool) {
	if o.unheard.Since.IsZero() || o.State() != Asked {
		return since, false
	}
	_, limit := o.table.Clock()
	guest := o.table.Sitter(o.table.Turn()).Guest
	went, himself := o.went[guest]
	if gone, missed := o.gone[guest]; missed && !himself { // of his node too it was known only after a while that it was not heard; until then he moved, or did not
		went = gone.Add(o.unheard.Since.Sub(o.unheard.Till))
	}
	return later(later(o.unheard.Since, o.table.At()), went), limit > 0 && !o.overDays() && !o.here(guest) && !(himself && went.Before(o.unheard.Since))
}

// think has a bot think.
func (o *Owner) think(by string) {
	turn := o.table.Turn()
	bot := o.table.Sitter(turn).Bot
	if by == fact.ByClock {
		bot = o.table.Standin()
	}
	_, asked := o.table.Reached()
	o.asks++
	o.question = &question{n: o.asks, by: by, since: o.now, asked: asked}
	o.do(Ask{o.asks, bot, o.table.Seen(turn)})
}

// botDue: a bot says what it has thought of when people could follow; where nobody looks, at once. Whose time was up has what is left of it where the house was closed.
func (o *Owner) botDue() (time.Time, bool) {
	q := o.question
	switch {
	case q == nil:
		return time.Time{}, false
	case q.by == fact.ByClock:
		return later(terms.Said(q.since, q.heard, overtime), o.table.Deadline(o.table.Clock())), true
	case o.alone():
		return q.since, true
	}
	at, _ := o.table.Reached()
	return terms.Said(at, q.heard, o.table.BotTime(o.spare)), true
}

// unloadDue: a table is unloaded when nobody has looked at it for a while, if it is over or has nothing to do for a while.
func (o *Owner) unloadDue() (time.Time, bool) {
	at := o.quiet.Add(unloadAfter)
	if len(o.subs) > 0 || o.left || o.question != nil || !o.changed.IsZero() {
		return at, false
	}
	if o.State() == Over {
		return at, true
	}
	until, ok := o.nextDuty()
	return at, ok && until.Sub(later(at, o.now)) >= unloadAfter
}

// nextDuty is when something besides unloading is due.
func (o *Owner) nextDuty() (at time.Time, ok bool) {
	state := o.State()
	for i := range timers[:len(timers)-1] {
		t := &timers[i]
		if !slices.Contains(t.in, state) {
			continue
		}
		if due, runs := t.due(o); runs && (!ok || due.Before(at)) {
			at, ok = due, true
		}
	}
	return at, ok
}

// unload notes when the table is to be woken, unless the log knows that already, and lets the owner go.
func (o *Owner) unload() {
	until, _ := o.nextDuty()
	if o.State() == Over {
		if o.table.Finished() {
			o.left = true
			return
		}
		// It is over by the rules of today, or there is more in the log than its end: nobody need wake it, ever.
		until = o.now.Add(never)
	}
	rest := fact.Rest{Seq: o.table.Seq(), Until: until, Since: o.goneSince()}
	if rest.Same(o.rest) {
		o.left = true
		return
	}
	o.rest = rest
	o.pending = &pending{resting: true}
	o.do(Sleep{rest})
}

// goneSince is since when everybody has been gone: the last of them counts for all.
func (o *Owner) goneSince() time.Time {
	since := o.since
	for _, at := range o.gone {
		since = later(since, at)
	}
	return since
}

func (o *Owner) slept(err error) {
	switch {
	case errors.Is(err, fact.ErrEpoch), errors.Is(err, fact.ErrAnothers):
		o.disown()
	case err == nil:
		o.pending, o.left = nil, true
	default:
		o.pending, o.rest, o.unsure, o.retry = nil, fact.Rest{}, true, o.now.Add(retryTime)
		o.report(slog.LevelError, "a table's rest cannot be noted", "err", err)
	}
}

// Left tells whether nobody needs the owner any more: all of it is in the log, and on its sign.
func (o *Owner) Left() bool {
	return o.left && o.pending == nil && len(o.queue) == 0 && o.changed.IsZero()
}
