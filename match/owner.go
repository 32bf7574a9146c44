// Package match owns tables that are played at.
//
// An Owner is a function of what comes to it: Step(input, now) answers with effects, and does nothing itself. It decides, has
// it written, and only then tells: one entry is on its way to the log at a time, and what comes meanwhile waits in order. It has
// no goroutine, clock, chance or map order in it, so the same inputs at the same times give the same effects. What it does
// by itself, and when, stands in one table of timers (timers.go). A Runner (package match/runner) is the goroutine around an owner.
package match

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"caveau/fact"
	"caveau/fair"
	"caveau/ruling"
	"caveau/table"
	"caveau/wire"
)

// A Visitor is who asks for something: a guest, and where he asks from. The zero Guest is anybody whom we have not named.
type Visitor struct {
	wire.Guest
	From string // an address, as it is counted: what comes from one is the doing of one household
}

// A Client is a connection of a visitor, as an owner knows it: a value. An owner names it in its effects, and whoever does what they want finds it.
type Client struct {
	Way     int64 // by which it is reached (package bus); 0: it is the owner's own node that it is connected to
	Page    int64 // the number by which its node knows it
	Visitor Visitor
}

// Who is whose it is.
func (c Client) Who() Visitor { return c.Visitor }

// What comes to an owner.
type (
	// Said is a command that a client said. After Until nobody waits for it any more, and it is not done.
	Said struct {
		Client  Client
		Command wire.Command
		Until   time.Time
		Ruling  ruling.Ruling // stands in the place of a command where whoever runs the house says it; he is no guest
		N       int64         // its number, where it came from another node
		Nth     int           // of all that was said here it is that one
	}
	// Again is a client that watched at another owner, and was told all up to an entry.
	Again struct {
		Client Client
		Since  int
	}
	// Gone is a client that stopped watching, or is no longer there; missed where his node is not heard.
	Gone struct {
		Client Client
		Missed bool
	}
	// Idle is that nobody had the table meanwhile.
	Idle struct{ fact.Idle }
	// Unheard is that a node lives and has not been heard since then, or none any more: nobody knows who is at its pages, so nobody's absence goes on, nor does the clock of
	// whoever may be there. Where it has gone instead, whoever was there is on his way to another: his clock stands for a moment, and nobody's absence does.
	Unheard struct {
		Since, Till time.Time // by then whoever was there is missed
		Gone        bool
	}
	// Appended is the answer to Append.
	Appended struct{ Err error }
	// ReadOn is the answer to Read.
	ReadOn struct {
		Entries []fact.Entry
		Err     error
	}
	// Confirmed is the answer to Confirm: the last entry in the log, 0 where the table is not this node's any more, and how much had been said when
	// that was asked.
	Confirmed struct {
		Last, Said int
		Err        error
	}
	// Founded is the answer to Found.
	Founded struct {
		ID  wire.ID
		Err error
	}
	// Answered is what a bot says to the question of that number.
	Answered struct {
		N     int
		Words string
	}
	// Waits is that no processor is free for the question of that number, or that one is at last.
	Waits struct {
		N  int
		So bool
	}
	// Slept is the answer to Sleep.
	Slept struct{ Err error }
	// Closed is that the house was closed for a time.
	Closed struct{ fact.Outage }
	// Named is what a guest is called from now on; no name: he was erased.
	Named struct{ Guest, Name string }
	// Lost is that the table is another's, or was deleted.
	Lost struct{ Deleted bool }
	// Tick is time that passed.
	Tick struct{}
)

// What an owner wants to be done. Append, Read, Confirm, Found and Sleep are answered, and no second of them comes before the answer.
type (
	// Append is an entry to be made durable.
	Append struct{ Entry fact.Entry }
	// Read asks for the entries after one.
	Read struct{ After int }
	// Confirm asks whether the table still is this node's, and for the last entry in the log.
	Confirm struct{}
	// Found is a table to be made, with what chance it needs, as a visitor wished.
	Found struct {
		Founding fact.Founding
		For      Visitor
	}
	// Sleep is a rest to be noted.
	Sleep struct{ Rest fact.Rest }
	// Send is a message for a client; Answer, if there is one, is told before it, and both in one go.
	Send struct {
		To      Client
		Message []byte
		Answer  []byte
		Re      int64 // the number of what it answers
		Seq     int   // the entry up to which it tells, if it is a frame
	}
	// Ask is a question to a bot; Cancel, that its answer is not wanted any more.
	Ask struct {
		N    int
		Bot  string
		Seen table.Seen
	}
	Cancel struct{ N int }
	// Sign is the table's door sign, where it may have changed, and the guests who may be named on it.
	Sign struct {
		Card   wire.Card
		Guests []string
	}
	// Report is a line for the server's log. It has no words of a game in it.
	Report struct {
		Level slog.Level
		Text  string
		Args  []any
	}
)

// An Owner is the owner of one table.
type Owner struct {
	id    wire.ID
	table *table.Table
	spare fair.Bits // chance: how long bots take, and secrets for deals that are not sealed yet, or again
	out   []Effect

	now     time.Time // never goes back
	subs    []Client  // who watches, in the order in which they came
	gone    map[string]time.Time
	arrived map[string]int // the first frame that each guest can have had who has watched since the table was loaded
	loaded  int            // the last entry then
	since   time.Time      // who never watched since the table was loaded is gone from now at the latest
	quiet   time.Time      // since when nobody watches
	touched time.Time      // when somebody last came, went or said something
	hours   Hours
	changed time.Time            // somebody came or went, or has another name, and the others are told soon; zero if nobody did
	talks   map[string]talk      // of guests who say something
	renamed bool                 // somebody has another name, and the log tells of him
	retry   time.Time            // nothing is done by itself before: the log failed
	rest    fact.Rest            // the note that the log has
	idle    fact.Idle            // when no clock ran, as the log does not say yet: nobody had the table, or the log took nothing
	unheard Unheard              // the zero value where all nodes that live are heard, and none has just gone
	went    map[string]time.Time // when a guest who belongs to the table went who has not come again, if he was not only missed
	deaf    bool                 // one was not: since is when that ended, if it has
	spared  time.Time            // when one was not, or had just gone, last
	left    bool                 // nobody needs the owner any more
	begun   time.Time            // when the game began, if that was here
	called  map[string]int       // the last call to each guest

	asks     int // questions to bots so far
	question *question
	pending  *pending
	unsure   bool // the log may have more than the table: nothing is decided before it was read
	looked   int  // how much had been said when the log was last asked, and had no more than the table
	disowned bool // the table is another's: nothing is done or told any more
	queue    []Input
}

// An Input is one of the types above that come to an owner, an Effect one of those that it wants to be done.
type (
	Input  any
	Effect any
)

// A question is what a bot thinks about, or has thought about: it says nothing before its time, so that nobody learns how long it thought.
type question struct {
	n     int
	by    string // fact.ByBot or fact.ByClock
	asked int    // the entry that brought the position
	said  bool
	waits bool      // for a processor
	words string    // that it will say
	since time.Time // when it was asked
	heard time.Time // when it was answered
}

// Pending is what is on its way: an entry, and whoever is to be answered.
type pending struct {
	decision *table.Decision // nil while a table is founded, or the log is read first
	at       time.Time
	said     *Said // nil for what the owner decided by itself
	failed   bool  // the log failed, and is read to find out whether it has the entry
	resting  bool
	idle     bool // it says when nobody had the table
}

// Hours are what an owner knows of the house.
type Hours struct {
	Opened    time.Time     // when it opened
	Untouched time.Duration // how long a table that has not begun stands there when nobody comes
	Shared    bool          // other nodes write to its log as well
}

// NewOwner is the owner of a table that was read from the log. Rest is the log's note of it, zero if it did not rest. Nobody is
// blamed for having been away before the house opened. Spare is chance that nobody can guess: how long bots take
// follows from it, and secrets of attempts after the first; it is the secret of a table that has none.
func NewOwner(id wire.ID, t *table.Table, rest fact.Rest, hours Hours, spare fair.Bits, now time.Time) *Owner {
	o := &Owner{
		id: id, table: t, spare: spare, gone: make(map[string]time.Time), went: make(map[string]time.Time), arrived: make(map[string]int), called: make(map[string]int), talks: make(map[string]talk), loaded: t.Seq(), now: now, since: now, quiet: now, touched: t.At(), hours: hours, rest: rest,
	}
	if rest.Seq == t.Seq() {
		o.since = later(rest.Since, hours.Opened)
	}
	o.sign()
	return o
}

// Begin is what follows from a table's having been read.
func (o *Owner) Begin() []Effect { return o.out }

// Table is the table; nobody but the owner changes it.
func (o *Owner) Table() *table.Table { return o.table }

// Step is what follows from an input. The effects are good until the next Step.
func (o *Owner) Step(in Input, now time.Time) []Effect {
	o.now = later(o.now, now)
	if !o.unheard.Since.IsZero() {
		if o.spared = o.now; !o.unheard.Gone {
			o.since, o.deaf = o.now, true
		}
	}
	if since, so := o.cutOff(); so {
		o.stood(since, o.now)
	}
	o.out = o.out[:0]
	switch in := in.(type) {
	case Appended:
		o.appended(in.Err)
	case ReadOn:
		o.readOn(in)
	case Confirmed:
		o.confirmed(in)
	case Founded:
		o.founded(in)
	case Slept:
		o.slept(in.Err)
	case Lost:
		if o.disowned = true; !in.Deleted {
			o.disown()
		}
	case Idle:
		if o.stood(later(in.From, o.table.At()), in.To); o.stands() {
			o.fire() // before anybody hears how much time is left
		}
	case Unheard:
		o.unheard = in
	case Closed:
		o.table.AddOutages(in.Outage)
	case Named:
		if o.table.Call(in.Guest, in.Name) {
			o.renamed = true
			o.presenceChanged()
		}
	default:
		o.queue = append(o.queue, in)
	}
	for o.pending == nil && len(o.queue) > 0 {
		in, o.queue = o.queue[0], o.queue[1:]
		o.take(in)
	}
	return o.out
}

func (o *Owner) do(e Effect) { o.out = append(o.out, e) }

// take handles an input when nothing is on its way.
func (o *Owner) take(in Input) {
	o.left = false
	switch in := in.(type) {
	case Said:
		o.hear(in)
	case Again:
		o.regain(in)
	case Gone:
		o.lose(in)
	case Waits:
		o.waits(in)
	case Answered:
		o.answered(in)
	case Tick:
		o.fire()
	default:
		panic(fmt.Sprintf("match: %T is no input", in))
	}
}

// hear does what a client says.
func (o *Owner) hear(s Said) {
	o.quiet, o.touched = o.now, o.now // a visit: the table is not unloaded at once
	switch {
	case o.now.After(s.Until) && !o.table.Done(s.Command, s.Client.Who().Guest):
		o.refuse(&s, ErrBusy)
	case s.Command.Do == "watch":
		o.watch(s)
	case s.Command.Do == "phrase":
		o.say(s)
	case o.unsure:
		o.pending = &pending{said: &s, at: o.now}
		o.do(Read{o.table.Seq()})
	case s.Command.Do == "rematch":
		o.rematch(s)
	default:
		o.decide(s)
	}
}

var errRestless = wire.Refuse(wire.CodeTooMany, "you have changed much about the table lately: wait a moment")

// ErrBusy is for whoever comes when a table has too much to do.
var ErrBusy = wire.Refuse(wire.CodeBusy, "the table is busy, try again")

func (o *Owner) decide(s Said) {
	d, err := o.decided(s)
	switch {
	case err == nil && d != nil && s.Command.Do != "play" && o.table.Restless(s.Client.Who().ID, o.now):
		o.deny(&s, errRestless)
	case err != nil:
		o.deny(&s, err)
	case d == nil:
		o.already(&s)
	default:
		o.write(d, &s)
	}
}

// decided is what follows from a guest's command, or from the word of whoever runs the house.
func (o *Owner) decided(s Said) (*table.Decision, error) {
	if s.Ruling.Verdict == "" {
		return o.table.Decide(s.Command, s.Client.Who().Guest, o.around(o.now))
	}
	f, err := s.Ruling.Of(o.table)
	if f == nil || err != nil {
		return nil, err
	}
	return table.ByHouse(f), nil
}

// rematch founds a table for another game, when somebody asks first. A link may not lead to nowhere: where it cannot be written, the table waits for whoever asks again.
func (o *Owner) rematch(s Said) {
	f, err := o.table.Rematch(s.Client.Who().Guest)
	switch {
	case err != nil:
		o.deny(&s, err)
	case f == nil:
		o.already(&s)
	default:
		o.pending = &pending{said: &s, at: o.now}
		o.do(Found{*f, s.Client.Who()})
	}
}

func (o *Owner) founded(in Founded) {
	s := o.pending.said
	o.pending = nil
	if in.Err != nil {
		o.refuse(s, in.Err)
		return
	}
	o.write(o.table.Again(in.ID, s.Command, s.Client.Who().Guest), s)
}

// write has a decision written; said is nil where the owner decided by itself.
func (o *Owner) write(d *table.Decision, said *Said) {
	o.pending = &pending{decision: d, said: said, at: o.now}
	o.do(Append{o.table.Entry(d, o.now)})
}

// appended: the entry on its way is durable, or it is not, or nobody knows. Then the log is read before anything else.
func (o *Owner) appended(err error) {
	p := o.pending
	switch {
	case err == nil:
		o.pending = nil
		o.apply(p)
		return
	case errors.Is(err, fact.ErrEpoch):
		o.disown()
		return
	case errors.Is(err, wire.ErrNotYet) && p.idle:
		o.pending, o.idle, o.retry = nil, fact.Idle{}, o.now.Add(retryTime)
		return
	case errors.Is(err, wire.ErrNotYet) && p.said != nil: // it is not written, and nothing is wrong with the log
		o.pending = nil
		o.refuse(p.said, err)
		return
	}
	if p.failed = !errors.Is(err, fact.ErrConflict); p.failed && !o.stands() { // it has been said
		o.report(slog.LevelError, "an entry cannot be written", "seq", o.table.Seq()+1, "err", err)
	}
	o.unsure = true
	o.do(Read{o.table.Seq()})
}

// apply makes what is durable part of the table, and tells it.
func (o *Owner) apply(p *pending) {
	since, was := o.table.Seq(), o.table.State()
	if err := o.table.Apply(p.decision, p.at); err != nil {
		// It was decided from the very table that now will not have it: a rule is broken, not a log.
		panic(fmt.Sprintf("match: table %s, entry %d: %v", o.id, o.table.Seq(), err))
	}
	if p.idle {
		o.idle = fact.Idle{}
	}
	o.begins(was)
	o.moved()
	o.broadcast(since, p.said)
}

// moved drops the bot's question where the position is another or somebody else is to answer it.
func (o *Owner) moved() {
	if q := o.question; q != nil && !o.wanted(q) {
		o.drop()
	}
}

// wanted tells whether the answer to a question still is what the table waits for.
func (o *Owner) wanted(q *question) bool {
	_, asked := o.table.Reached()
	turn := o.table.Turn()
	return asked == q.asked && o.table.State() == table.Running && (q.by == fact.ByBot) == (o.table.Sitter(turn).Bot != "")
}

func (o *Owner) drop() {
	if o.question != nil {
		o.do(Cancel{o.question.n})
		o.waits(Waits{o.question.n, false})
		o.question = nil
	}
}

// readOn: what the log has more than the table is replayed and told. Then it is known what became of the entry on its way: it
// is there, or it is decided again, or it could not be written.
func (o *Owner) readOn(in ReadOn) {
	p := o.pending
	if in.Err == nil && p.decision != nil && !p.failed && len(in.Entries) == 0 { // it takes no next entry, and has none
		o.disown()
		return
	}
	o.pending = nil
	if in.Err != nil {
		if !o.stands() {
			o.report(slog.LevelError, "the log cannot be read on", "err", in.Err)
		}
		o.fail(p, in.Err)
		return
	}
	if o.unsure = false; p.failed && len(in.Entries) == 0 {
		o.stood(p.at, o.now)
	}
	wrote := p.decision != nil && len(in.Entries) > 0 && bytes.Equal(in.Entries[0].Data, o.table.Entry(p.decision, p.at).Data)
	o.catchUp(in.Entries)
	switch {
	case p.said == nil && p.failed:
		o.retry = o.now.Add(retryTime)
	case p.said == nil: // the timers say what is to be done now
	case wrote:
		o.acknowledge(p.said)
	case p.failed && !o.table.Done(p.said.Command, p.said.Client.Who().Guest):
		o.refuse(p.said, errStorage)
	default:
		o.hear(*p.said)
	}
}

var errStorage = errors.New("an entry cannot be written")

func (o *Owner) fail(p *pending, err error) {
	o.retry = o.now.Add(retryTime)
	o.stood(p.at, o.now)
	if p.said != nil {
		o.refuse(p.said, err)
	}
}

// catchUp replays what somebody else wrote, or this owner without knowing it.
func (o *Owner) catchUp(entries []fact.Entry) {
	for _, e := range entries {
		was := o.table.State()
		if err := o.table.Replay(e); err != nil {
			// Half of it may have happened: the table is read again from the log, by whoever comes next.
			panic(fmt.Sprintf("match: table %s: %v", o.id, err))
		}
		o.touched = later(o.touched, e.At) // somebody came, if not here
		o.begins(was)
		o.moved()
		o.broadcast(e.Seq-1, nil)
	}
}

// answered notes what a bot will say.
func (o *Owner) answered(in Answered) {
	q := o.question
	if q == nil || q.n != in.N {
		return
	}
	o.waits(Waits{in.N, false})
	q.said, q.words, q.heard = true, in.Words, o.now
	if !o.wanted(q) {
		o.question = nil // the timers ask again
	}
}

// waits notes that a bot has to wait before it can think, for those who wait for it.
func (o *Owner) waits(in Waits) {
	if q := o.question; q != nil && q.n == in.N && q.waits != in.So {
		q.waits = in.So
		o.presenceChanged()
	}
}

// speak plays what a bot says.
func (o *Owner) speak() {
	q := o.question
	o.question = nil
	d, legal := o.table.Moved(o.table.Turn(), q.words, q.by)
	if !legal {
		o.report(slog.LevelError, "a bot said no legal move", "seat", o.table.Turn())
	}
	o.write(d, nil)
}

func (o *Owner) done(s *Said) []byte { return wire.Done(s.Command.ID, o.table.Seq()) }

func (o *Owner) acknowledge(s *Said) {
	o.do(Send{To: s.Client, Message: o.done(s), Re: s.N})
}

// refuse says why something was not done. Whoever was late gets the newest frame with it, and what brought it about.
func (o *Owner) refuse(s *Said, err error) {
	o.do(s.Refused(err))
	if wire.AsError(err).Code == wire.CodeLate {
		seq := o.table.Seq()
		f := o.table.Frames(o.id, o.present(), o.missed(s.Client, seq-1), true, o.hour())
		o.do(Send{To: s.Client, Message: f.For(o.audience(s.Client), o.hosts(s.Client)), Seq: seq})
	}
}

// Refused is the answer to what was not done.
func (s Said) Refused(err error) Send {
	return Send{To: s.Client, Message: wire.Refused(s.Command.ID, err), Re: s.N}
}

func (o *Owner) report(level slog.Level, text string, args ...any) {
	o.do(Report{level, text, append([]any{"table", o.id}, args...)})
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// watching tells whether a client watches.
func (o *Owner) watching(c Client) bool { return slices.Contains(o.subs, c) }
