// Package runner keeps a table's owner going (package match): its mailbox, its clock, and the goroutine that does what it wants done. A
// Runner decides nothing.
package runner

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"caveau/fact"
	"caveau/fair"
	"caveau/match"
	"caveau/ruling"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// A Clock tells the time and wakes.
type Clock interface {
	Now() time.Time
	// Timer sends the time once, after d; stop it when it is not needed any more.
	Timer(d time.Duration) (fires <-chan time.Time, stop func() bool)
}

// A House is what runners are handed. All of it may be called from many goroutines.
type House interface {
	Log() fact.Log
	Deeds() fact.Deeds
	Lease() *Lease // nil where the house is alone with its log
	Shelf() terms.Shelf
	// Now is the time. If the process was stopped for a while, that is known before it is told.
	Now() time.Time
	Timer(d time.Duration) (fires <-chan time.Time, stop func() bool)
	Hours() match.Hours
	// Outages are the times in which the house was closed, as far as they are known.
	Outages() []fact.Outage
	// Secret is 256 bits that nobody can guess.
	Secret() fair.Bits
	// Found makes a table of that name, as a visitor wished, unless it is there, and answers once it is durable.
	Found(context.Context, wire.ID, fact.Founding, match.Visitor) error
	// Drop deletes a game of a device, if that guest had it kept and the table is this node's.
	Drop(ctx context.Context, id wire.ID, guest string) error
	// Introduce is what a guest is called. If that stands nowhere yet it is noted as he says it.
	Introduce(context.Context, wire.Guest) (name string, err error)
	// Sign hangs out a table's door sign for a term, on which those guests may be named.
	Sign(term int64, sign wire.Card, guests []string)
	// Own is that the table is owned here for a term, by whoever that posts to, and answers with what he has to know first; Disown, that it is not any more. An error is
	// why something that somebody has said is not taken.
	Own(id wire.ID, term int64, post func(match.Input) error) (first []match.Input)
	Disown(id wire.ID, term int64)
	// Pass hands on what came for a table that another node has; false if there is no way to it.
	Pass(wire.ID, match.Input) bool
	// Strike ends what pages have with a table that is not there any more.
	Strike(id wire.ID, why error)
	// Tell tells clients of a table what its owner says, in that order; it must not block. Cut has one disconnected that has missed something.
	Tell(id wire.ID, all []match.Send)
	Cut(match.Client)
	// Call has somebody told, who plays that game at the table and does not look, that he is waited for. It must not block.
	Call(id wire.ID, game string, c match.Call)
	// Ask has a bot think, in a slot of its own when there is one, and calls answer with its words; ctx ends when they are not
	// wanted any more. Where there is none, waits hears so, and when there is.
	Ask(ctx context.Context, id wire.ID, bot string, game string, seen table.Seen, waits func(so bool), answer func(words string))
	Slog() *slog.Logger
}

// mostMail is how much may wait in a mailbox. What comes then is refused as busy.
const mostMail = 4096

// A Runner is the goroutine around an owner, and its mailbox. What the owner wants done it does at once and in order, and
// gives the answer back, so a Runner that waits for the log takes nothing else from the mailbox.
type Runner struct {
	house House
	id    wire.ID

	mu      sync.Mutex     // guards what follows, up to wake
	mail    []any          // inputs, and visits
	outages []match.Closed // that the owner does not know of; they come before all mail
	closed  bool
	hung    bool            // a step takes too long: whatever comes is refused, until it is over
	said    int             // how much was put into the mailbox that somebody said
	guests  map[string]bool // whose names the table has
	wake    chan struct{}   // has room for one: there is mail

	stepping atomic.Int64 // since when the owner thinks about a step, in Unix nanoseconds; 0 while it does not

	// What follows belongs to the goroutine of Run.
	owner  *match.Owner
	term   int64           // for which the table is this node's
	begun  context.Context // never ends: whoever said it may hang up, and the server may be stopping, but what is begun is finished
	doing  any             // what was taken from the mailbox last, until it is done
	now    time.Time
	sends  []match.Send               // room
	cancel map[int]context.CancelFunc // of the questions that bots think about
}

// A visit is something to be looked up at the table.
type visit struct {
	look func(*table.Table, wire.Card)
	done chan error // has room for one
}

// answer says how it went. Who was told that the house is busy hears nothing more.
func (v visit) answer(err error) {
	select {
	case v.done <- err:
	default:
	}
}

// New makes a runner of the table; call Run.
func New(h House, id wire.ID) *Runner {
	return &Runner{
		house: h, id: id, guests: make(map[string]bool), wake: make(chan struct{}, 1), cancel: make(map[int]context.CancelFunc),
	}
}

// Outage is that the house was closed for a time. The owner knows of it before it is told any later time.
func (r *Runner) Outage(o fact.Outage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outages = append(r.outages, match.Closed{Outage: o})
	select {
	case r.wake <- struct{}{}: // the time has jumped, and what was to be due in a while may be
	default:
	}
}

// look looks at the clock: if the house was closed until then, the owner is told.
func (r *Runner) look() {
	r.now = r.house.Now()
	r.mu.Lock()
	outages := r.outages
	r.outages = nil
	r.mu.Unlock()
	for _, o := range outages {
		r.think(func() { r.owner.Step(o, r.now) })
	}
}

// Post puts an input into the mailbox. False: the owner has gone, and somebody else has to take it. An error: it is too full for what somebody
// asks, or the table hangs.
func (r *Runner) Post(in match.Input) (taken bool, err error) { return r.post(in) }

func (r *Runner) post(item any) (taken bool, err error) {
	r.mu.Lock()
	switch {
	case r.closed:
		r.mu.Unlock()
		return false, nil
	case isAsked(item) && (r.hung || len(r.mail) >= mostMail):
		r.mu.Unlock()
		return true, match.ErrBusy
	}
	r.mail = append(r.mail, r.count(item))
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
	return true, nil
}

// count counts what is said. The caller holds mu.
func (r *Runner) count(item any) any {
	s, is := item.(match.Said)
	if !is {
		return item
	}
	r.said++
	s.Nth = r.said
	return s
}

// isAsked tells whether somebody waits for what becomes of it, and tries again. Who has gone, what a bot has said, what somebody is called
// now is told once: it waits, however long the table takes.
func isAsked(item any) bool {
	switch item.(type) {
	case match.Said, visit:
		return true
	}
	return false
}

// Look has the table and its door sign looked at between two steps, and waits until that is done. False: as with Post.
func (r *Runner) Look(ctx context.Context, look func(*table.Table, wire.Card)) (taken bool, err error) {
	v := visit{look, make(chan error, 1)}
	if taken, err = r.post(v); !taken || err != nil {
		return taken, err
	}
	select {
	case err = <-v.done:
		return true, err
	case <-ctx.Done():
		return true, match.ErrBusy
	}
}

// Show is Look where somebody else can show the table as well: false, too, where it turns out to be another node's.
func (r *Runner) Show(ctx context.Context, look func(*table.Table, wire.Card)) (taken bool, err error) {
	if taken, err = r.Look(ctx, look); err == ErrAnothers {
		return false, nil
	}
	return taken, err
}

// Run is the life of a runner: until nobody needs it, its rules break, or ctx ends. Whatever waits then is answered.
func (r *Runner) Run(ctx context.Context) {
	r.begun = context.WithoutCancel(ctx)
	err := r.claim(ctx)
	if err == nil {
		r.begin(r.house.Own(r.id, r.term, func(in match.Input) error { _, err := r.post(in); return err }))
		err = r.own(ctx)
		r.house.Disown(r.id, r.term)
	}
	r.close(err)
	if err == errNoTable {
		r.house.Strike(r.id, err)
	}
	if r.term > 0 && err != ErrAnothers { // whoever has lost it leaves it to be swept: then it is woken elsewhere
		r.give(ctx)
	}
}

// begin puts what has to be known first before all mail.
func (r *Runner) begin(first []match.Input) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var mail []any
	for _, in := range first {
		mail = append(mail, r.count(in))
	}
	r.mail = append(mail, r.mail...)
}

// claim makes the table this node's own, if it is nobody else's.
func (r *Runner) claim(ctx context.Context) (err error) {
	r.term, err = r.house.Deeds().Take(ctx, r.id)
	if err == nil && r.term == 0 {
		var entries []fact.Entry
		if entries, err = r.house.Log().Entries(ctx, r.id, 0); err == nil && len(entries) == 0 {
			return errNoTable
		}
	}
	switch {
	case ctx.Err() != nil:
		return errStopping
	case errors.Is(err, fact.ErrEpoch):
		err = ErrAnothers
	case err != nil:
		r.house.Slog().Error("it cannot be found out whose a table is", "table", r.id, "err", err)
	case r.term == 0:
		err = ErrAnothers
	}
	return err
}

// give gives the table back, however long that takes: a node that lives and does not would have it for ever, awake nowhere. Whoever comes before that begins another
// term, which this leaves alone.
func (r *Runner) give(ctx context.Context) {
	for said := false; ; said = true {
		err := r.house.Deeds().Give(r.begun, r.id, r.term, r.left())
		if err == nil || errors.Is(err, fact.ErrEpoch) {
			return
		}
		if !said {
			r.house.Slog().Error("a table cannot be given back; it is tried again", "table", r.id, "err", err)
		}
		again, stop := r.house.Timer(renewTime)
		select {
		case <-again:
		case <-ctx.Done():
			stop()
			return // the node's lease ends with it
		}
	}
}

// left is how the table is left.
func (r *Runner) left() fact.Left {
	switch {
	case r.owner == nil:
		return fact.Unread
	case r.owner.Left():
		return fact.Rests
	}
	return fact.Stopped
}

// own is what an owner's life is.
func (r *Runner) own(ctx context.Context) error {
	err := r.load(ctx)
	if err == nil {
		if err = r.live(ctx); err != nil && err != ErrAnothers {
			r.broke()
		}
		return err
	}
	if wire.AsError(err).Code == wire.CodeStorage {
		r.house.Sign(r.term, wire.Card{Table: r.id, State: Unread}, nil) // nobody can come in
	}
	return err
}

// Unread is what a door sign says of a table that cannot be read. It is for the lobby, which takes the sign away.
const Unread = "unread"

// load makes an owner of the table.
func (r *Runner) load(ctx context.Context) (err error) {
	defer r.rescue(&err)
	t, err := r.read(ctx)
	if err != nil {
		return err
	}
	rest, _, err := r.house.Log().Resting(ctx, r.id)
	if ctx.Err() != nil {
		return errStopping
	}
	if err != nil {
		r.house.Slog().Error("a table's rest cannot be read", "table", r.id, "err", err)
		return err
	}
	asked := r.house.Now() // when the answer comes it is already older than it says
	ago, err := r.idle(ctx)
	if err != nil {
		return err
	}
	if ago > 0 {
		rest = fact.Rest{} // it was awake since, and nobody knows who looked
	}
	r.now = r.house.Now()
	since := asked.Add(-ago)
	r.owner = match.NewOwner(r.id, t, rest, r.house.Hours(), r.house.Secret(), r.now)
	r.step(ctx, r.do(ctx, r.owner.Begin()))
	if ago > 0 { // what has begun may have waited for the lease
		r.look()
		r.step(ctx, match.Idle{Idle: fact.Idle{From: since, To: r.now}})
	}
	return nil
}

// idle is for how long nobody had the table.
func (r *Runner) idle(ctx context.Context) (ago time.Duration, err error) {
	if deeds, shared := r.house.Deeds().(fact.Shared); shared {
		ago, err = deeds.Idle(ctx, r.id, r.term)
	}
	if ctx.Err() != nil {
		return 0, errStopping
	}
	if err != nil {
		r.house.Slog().Error("it cannot be found out for how long nobody had a table", "table", r.id, "err", err)
	}
	return ago, err
}

// read is the table as the log has it.
func (r *Runner) read(ctx context.Context) (*table.Table, error) {
	entries, err := r.entries(ctx, 0)
	if err == nil && len(entries) == 0 {
		err = errNoTable
	}
	if err != nil {
		return nil, err
	}
	t := table.New(r.house.Shelf())
	t.AddOutages(r.house.Outages()...)
	return t, r.replay(ctx, t, entries)
}

func (r *Runner) entries(ctx context.Context, after int) ([]fact.Entry, error) {
	entries, err := r.house.Log().Entries(ctx, r.id, after)
	if ctx.Err() != nil {
		return nil, errStopping
	}
	if err != nil {
		r.house.Slog().Error("a table cannot be read", "table", r.id, "err", err)
	}
	return entries, err
}

// replay has a table go on with entries, and know what people are called now.
func (r *Runner) replay(ctx context.Context, t *table.Table, entries []fact.Entry) (err error) {
	r.now = r.house.Now()
	for _, e := range entries {
		r.think(func() { err = t.Replay(e) })
		if err != nil {
			r.house.Slog().Error("a table cannot be replayed", "table", r.id, "err", err)
			return wire.Refuse(wire.CodeStorage, "the table's log cannot be read")
		}
	}
	return r.name(ctx, t, t.Guests())
}

// Read is the life of a runner without an owner, at a table that sleeps: whoever asks looks at what the log says, and nothing is done. It lingers
// after the last question, and then has to read no more than what was written since. A table that hangs keeps it, and so one processor at most, however
// many come to look.
func (r *Runner) Read(ctx context.Context, lingers time.Duration) { r.close(r.showAll(ctx, lingers)) }

func (r *Runner) showAll(ctx context.Context, lingers time.Duration) (err error) {
	defer r.rescue(&err)
	var t *table.Table
	for until := r.house.Now().Add(time.Second); ctx.Err() == nil; { // whoever has sent for it asks at once
		if !r.next(ctx) {
			if r.now = r.house.Now(); r.now.Before(until) {
				r.wait(ctx, until, true)
			} else if r.leave() {
				return nil
			}
			continue
		}
		if t, err = r.current(ctx, t); err != nil { // for each anew: so it is all the same who came a moment before the log was asked
			return err
		}
		r.show(r.doing.(visit), t, func() wire.Card { return t.Card(r.id, table.Present{}) })
		r.done()
		until = r.now.Add(lingers)
	}
	return nil
}

// current is a table that was read before, if it was, as the log has it now. Another node may have written there, or deleted it.
func (r *Runner) current(ctx context.Context, t *table.Table) (*table.Table, error) {
	if t == nil {
		return r.read(ctx)
	}
	entries, err := r.entries(ctx, t.Seq()-1)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 || !entries[0].At.Equal(t.At()) {
		return r.read(ctx) // it is gone, or was made anew
	}
	return t, r.replay(ctx, t, entries[1:])
}

// show has somebody look, at a table with that door sign.
func (r *Runner) show(v visit, t *table.Table, sign func() wire.Card) {
	r.think(func() { v.look(t, sign()) })
	v.answer(nil)
}

// name tells a table that was read what those are called of whom its log tells.
func (r *Runner) name(ctx context.Context, t *table.Table, guests []string) error {
	r.know(true, guests...)
	names, err := r.house.Log().Names(ctx, guests...)
	if ctx.Err() != nil {
		return errStopping
	}
	if err != nil {
		r.know(false, guests...)
		r.house.Slog().Error("the names of those at a table cannot be read", "table", r.id, "err", err)
		return err
	}
	for guest, name := range names {
		t.Call(guest, name)
	}
	return nil
}

// readOn reads what was written after an entry. Whoever sat down may have done so elsewhere, and have no name here.
func (r *Runner) readOn(after int) match.ReadOn {
	entries, err := r.house.Log().Entries(r.begun, r.id, after)
	for _, e := range entries {
		if guests := fact.Guests(e.Data); err == nil && len(guests) > 0 {
			err = r.name(r.begun, r.owner.Table(), guests)
		}
	}
	return match.ReadOn{Entries: entries, Err: err}
}

// know is that the table is to be told from now on when one of those is renamed, or need not be. It comes before their names are read,
// so that none is missed.
func (r *Runner) know(so bool, guests ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range guests {
		r.guests[g] = so
	}
}

// Knows tells whether the table is to be told when that guest is renamed.
func (r *Runner) Knows(guest string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.guests[guest]
}

// Guests are those of whom Knows says so.
func (r *Runner) Guests() (guests []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for g, so := range r.guests {
		if so {
			guests = append(guests, g)
		}
	}
	return guests
}

// meet has the table know what somebody is called who wants to sit down.
func (r *Runner) meet(ctx context.Context, s match.Said) error {
	who := s.Client.Who().Guest
	if s.Command.Do != "sit" || who.ID == "" || r.Knows(who.ID) {
		return nil
	}
	r.know(true, who.ID)
	name, err := r.house.Introduce(r.begun, who)
	if err != nil {
		r.know(false, who.ID) // another time
		return err
	}
	r.look() // the log may have been slow
	r.step(ctx, match.Named{Guest: who.ID, Name: name})
	return nil
}

// rescue ends an owner whose rules broke, so that no other table is harmed. Whoever watches is cut off, and the next visit
// replays the table from the log.
func (r *Runner) rescue(err *error) {
	if fault := recover(); fault != nil {
		r.house.Slog().Error("a table broke", "table", r.id, "kind", fmt.Sprintf("%T", fault), "stack", stack())
		*err = wire.Refuse(wire.CodeStorage, "the table broke; its log is whole, try again")
	}
}

// broke notes that the table was awake until now: whoever was there, and has written nothing, is not to be taken for gone since it rested last.
func (r *Runner) broke() {
	within, cancel := context.WithTimeout(r.begun, tryTime) // nobody who waits hears anything before
	defer cancel()
	rest := fact.Rest{Seq: r.owner.Table().Seq(), Until: r.now, Since: r.now}
	if err := r.house.Log().Rest(within, r.id, rest); err != nil && !errors.Is(err, fact.ErrConflict) { // then something was written since
		r.house.Slog().Error("it cannot be noted until when a table was awake that broke", "table", r.id, "err", err)
	}
}

// stack is where the rules broke. What they said then, and what each function was handed, may be a secret of the table: its log brings all of that back.
func stack() (lines []string) {
	called := make([]uintptr, 100)
	all := runtime.CallersFrames(called[:runtime.Callers(3, called)])
	for {
		f, more := all.Next()
		lines = append(lines, fmt.Sprintf("%s %s:%d", f.Function, filepath.Base(f.File), f.Line))
		if !more {
			return lines
		}
	}
}

// live takes mail, and wakes the owner when something is due: mail first, and what has come meanwhile, so that no timer beats what was there in time,
// however long the log takes for what came before.
func (r *Runner) live(ctx context.Context) (err error) {
	defer r.rescue(&err)
	for ctx.Err() == nil {
		for !r.owner.Disowned() && r.next(ctx) {
			r.handle(ctx, r.doing)
			r.done()
		}
		if r.owner.Disowned() {
			return ErrAnothers
		}
		if r.owner.Left() && r.leave() {
			return nil
		}
		at, ok := r.owner.Alarm()
		if r.look(); ok && !at.After(r.now) {
			r.step(ctx, match.Tick{})
			continue
		}
		r.wait(ctx, at, ok)
		select {
		case <-r.house.Lease().Ended():
			return ErrAnothers
		default:
		}
	}
	return nil
}

// stepTime is how long a step of the owner may take. It waits for nothing there, so what takes longer does not end at all.
const stepTime = 20 * time.Second

// think marks what the owner does, rules and all, so that somebody sees if it does not end.
func (r *Runner) think(step func()) {
	r.stepping.Store(r.now.UnixNano())
	step()
	r.stepping.Store(0)
	r.mu.Lock()
	r.hung = false
	r.mu.Unlock()
}

// Hangs tells whether the owner does not come back from a step. Nothing can end that; so whoever waits is refused, and whoever comes,
// until it comes back: it costs one table and a processor, and nobody else's evening.
func (r *Runner) Hangs(now time.Time) bool {
	since := r.stepping.Load()
	if since == 0 || now.UnixNano()-since < int64(stepTime) {
		return false
	}
	r.mu.Lock()
	if r.stepping.Load() != since { // it has just come back
		r.mu.Unlock()
		return false
	}
	first := !r.hung
	r.hung = true
	mail := r.waiting()
	if v, is := r.doing.(visit); is { // he waits as well, and hears nothing more
		mail = append(mail, v)
	}
	r.mu.Unlock()
	if first {
		r.house.Slog().Error("a table does not come back from a step of its rules; it is left alone", "table", r.id)
	}
	r.refuse(mail, match.ErrBusy)
	return true
}

// waiting takes out of the mailbox what somebody waits for. The caller holds mu.
func (r *Runner) waiting() (mail []any) {
	var rest []any
	for _, item := range r.mail {
		if isAsked(item) {
			mail = append(mail, item)
		} else {
			rest = append(rest, item)
		}
	}
	r.mail = rest
	return mail
}

// next takes one thing out of the mailbox, so that whoever waits behind it can be refused where it does not come to an end; false if there is none, or ctx has ended.
func (r *Runner) next(ctx context.Context) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.mail) == 0 || ctx.Err() != nil {
		return false
	}
	r.doing, r.mail[0], r.mail = r.mail[0], nil, r.mail[1:]
	return true
}

// done is that it has been dealt with.
func (r *Runner) done() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.doing = nil
}

// leave closes the mailbox, unless there is something in it.
func (r *Runner) leave() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = len(r.mail) == 0
	return r.closed
}

func (r *Runner) wait(ctx context.Context, at time.Time, ok bool) {
	var due <-chan time.Time
	if ok {
		fires, stop := r.house.Timer(at.Sub(r.now))
		defer stop()
		due = fires
	}
	var ended <-chan struct{}
	if r.owner != nil { // who reads needs no lease
		ended = r.house.Lease().Ended()
	}
	select {
	case <-r.wake:
	case <-due:
	case <-ended:
	case <-ctx.Done():
	}
}

func (r *Runner) handle(ctx context.Context, item any) {
	r.look()
	if v, ok := item.(visit); ok && !r.lasts(ctx) {
		v.answer(ErrAnothers)
		r.step(ctx, match.Lost{})
		return
	} else if ok {
		r.show(v, r.owner.Table(), r.owner.Card)
		return
	}
	if s, ok := item.(match.Said); ok && s.Ruling.Verdict == ruling.Drop {
		r.drop(ctx, s)
		return
	} else if ok {
		if err := r.meet(ctx, s); err != nil {
			r.deny(ctx, s, err)
			return
		}
	}
	r.step(ctx, item)
}

// drop has a game deleted by the node that has it, which alone may.
func (r *Runner) drop(ctx context.Context, s match.Said) {
	if err := r.house.Drop(ctx, r.id, s.Ruling.Guest); err != nil {
		r.deny(ctx, s, err)
	} else if r.doing != nil { // else he was told that the house is busy
		r.house.Tell(r.id, []match.Send{{To: s.Client, Message: wire.Done(s.Command.ID, 0), Re: s.N}})
	}
}

// deny tells somebody that what he said was not done. Where the table is another's, it may be by now: he comes again.
func (r *Runner) deny(ctx context.Context, s match.Said, err error) {
	lasts := r.lasts(ctx)
	switch {
	case r.doing == nil: // he was told that the house is busy
	case lasts:
		r.house.Tell(r.id, []match.Send{s.Refused(err)})
	default:
		r.house.Cut(s.Client)
	}
	if !lasts {
		r.step(ctx, match.Lost{})
	}
}

// step has the owner take an input, and does what follows, until nothing is on its way to the log.
func (r *Runner) step(ctx context.Context, in match.Input) {
	for in != nil {
		var effects []match.Effect
		r.think(func() { effects = r.owner.Step(in, r.now) })
		in = r.do(ctx, effects)
		r.look()
	}
}

// do does what the owner wants, in order; the answer of the log, or of the lobby, is the next input.
func (r *Runner) do(ctx context.Context, effects []match.Effect) (next match.Input) {
	if tells(effects) && !r.lasts(ctx) {
		return match.Lost{}
	}
	for i, effect := range effects {
		switch e := effect.(type) {
		case match.Send:
			r.tell(e, effects[i+1:])
		case match.Append:
			next = match.Appended{Err: r.house.Log().Append(r.begun, r.id, e.Entry)}
		case match.Read:
			next = r.readOn(e.After)
		case match.Confirm:
			next = r.confirm()
		case match.Found:
			id := rematch(r.id)
			next = match.Founded{ID: id, Err: r.house.Found(r.begun, id, e.Founding, e.For)}
		case match.Sleep:
			next = match.Slept{Err: r.house.Log().Rest(r.begun, r.id, e.Rest)}
		case match.Ask:
			r.ask(ctx, e)
		case match.Cancel:
			r.stop(e.N)
		case match.Sign:
			r.house.Sign(r.term, e.Card, e.Guests)
		case match.Call:
			r.house.Call(r.id, r.owner.Table().Game(), e)
		case match.Report:
			r.house.Slog().Log(ctx, e.Level, e.Text, e.Args...)
		}
	}
	return next
}

// rematch names the table where those of one play again. It is the same whoever founds it, and how often; whoever knows the one is told the other anyway.
func rematch(id wire.ID) wire.ID {
	sum := sha256.Sum256([]byte("the table after " + id))
	return wire.NewID(func(i, of int) int { return int(sum[i]) % of })
}

// doubtTime is how long somebody waits while nobody knows whether this node may tell him anything.
const doubtTime = 10 * time.Second

// lasts waits until it is known whether the lease does. Whoever has asked for something, and waits for long, is told that the house is busy, which nobody needs a lease
// for: what was begun of it goes on.
func (r *Runner) lasts(ctx context.Context) bool {
	lease := r.house.Lease()
	if lease.Sure() {
		return true
	}
	for {
		within, cancel := context.WithTimeout(ctx, doubtTime)
		lasts := lease.Lasts(within)
		late := !lasts && within.Err() != nil && ctx.Err() == nil
		cancel()
		if !late {
			return lasts
		}
		r.mu.Lock()
		mail := r.waiting()
		if isAsked(r.doing) {
			mail, r.doing = append([]any{r.doing}, mail...), nil
		}
		r.mu.Unlock()
		r.refuse(mail, match.ErrBusy)
	}
}

// confirm asks the log for the table, where others write to it as well.
func (r *Runner) confirm() (c match.Confirmed) {
	r.mu.Lock()
	c.Said = r.said
	r.mu.Unlock()
	c.Last, c.Err = r.house.Deeds().(fact.Shared).Confirm(r.begun, r.id, r.term)
	return c
}

// tells tells whether anybody learns anything of effects. All of that is said, or nothing is.
func tells(effects []match.Effect) bool {
	return slices.ContainsFunc(effects, func(effect match.Effect) bool {
		switch effect.(type) {
		case match.Send, match.Sign, match.Call:
			return true
		}
		return false
	})
}

// tell tells what is to be told, and what follows on it in one go.
func (r *Runner) tell(s match.Send, then []match.Effect) {
	r.sends = append(r.sends, s)
	if len(then) > 0 {
		if _, more := then[0].(match.Send); more {
			return
		}
	}
	r.house.Tell(r.id, r.sends)
	clear(r.sends)
	r.sends = r.sends[:0]
}

func (r *Runner) ask(ctx context.Context, e match.Ask) {
	ctx, cancel := context.WithCancel(ctx)
	r.cancel[e.N] = cancel
	r.house.Ask(ctx, r.id, e.Bot, r.owner.Table().Game(), e.Seen, func(so bool) {
		r.post(match.Waits{N: e.N, So: so})
	}, func(words string) {
		cancel()
		r.post(match.Answered{N: e.N, Words: words})
	})
	for n := range r.cancel { // those that were answered
		if n < e.N {
			r.stop(n)
		}
	}
}

func (r *Runner) stop(n int) {
	if cancel := r.cancel[n]; cancel != nil {
		cancel()
		delete(r.cancel, n)
	}
}

// close answers whoever waits, with why the owner has gone, and cuts off whoever watches a table that broke.
func (r *Runner) close(err error) {
	for n := range r.cancel {
		r.stop(n)
	}
	r.mu.Lock()
	r.closed = true
	mail := r.mail
	if r.doing != nil {
		mail = append([]any{r.doing}, mail...)
	}
	switch {
	case r.owner == nil && err != ErrAnothers: // who wants something is told why not; who has gone is not there either when it is tried again
		mail = slices.DeleteFunc(mail, func(item any) bool {
			_, gone := item.(match.Gone)
			return gone && r.pass(item)
		})
	case err != ErrAnothers:
	case r.owner == nil: // before anybody sees that this one is closed, so all stays in order
		mail = slices.DeleteFunc(mail, r.pass)
	default: // some of it may have been done, so nobody is told that it was not
		mail = slices.DeleteFunc(mail, r.cut)
	}
	r.doing, r.mail = nil, nil
	r.mu.Unlock()
	stopping := err == nil
	if stopping {
		err = errStopping
	}
	r.refuse(mail, err)
	if r.owner != nil && !stopping {
		for _, c := range r.owner.Stranded() {
			r.house.Cut(c)
		}
	}
}

// cut has a page come again that waits for an answer; false for anything else.
func (r *Runner) cut(item any) bool {
	s, said := item.(match.Said)
	if said {
		r.house.Cut(s.Client)
	}
	return said
}

// pass hands on what pages said, or that they have gone; false for anything else.
func (r *Runner) pass(item any) bool {
	switch item.(type) {
	case match.Said, match.Gone:
		return r.house.Pass(r.id, item)
	}
	return false
}

// refuse answers mail that nobody takes any more.
func (r *Runner) refuse(mail []any, err error) {
	for _, item := range mail {
		switch in := item.(type) {
		case visit:
			in.answer(err)
		case match.Said:
			r.house.Tell(r.id, []match.Send{in.Refused(err)})
		case match.Again:
			r.house.Cut(in.Client) // he watched, and nobody tells him anything
		}
	}
}

// ErrAnothers is why nothing is done here at a table.
var ErrAnothers error = wire.Refuse(wire.CodeBusy, "another node has the table, try again in a moment")

var (
	errStopping       = wire.Refuse(wire.CodeBusy, "the server is stopping, try again in a moment")
	errNoTable  error = wire.Refuse(wire.CodeNoTable, "there is no such table")
)

// Closed tells whether the runner has gone, or is about to.
func (r *Runner) Closed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}
