package storm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"caveau/fact"
	"caveau/guests"
	"caveau/wire"
)

// What goes wrong with a log.
var (
	errDead = errors.New("the process is dead")
	errDisk = errors.New("the disk does not take it")
	errLost = errors.New("the answer of the disk was lost")
	errFull = errors.New("the disk is full")
)

// A fate is what becomes of a call.
type fate int

const (
	answered fate = iota
	failed        // nothing was done
	lost          // it was done, and the caller is told that it was not
	late          // it was done, and the caller is told so in a while
	gone          // nobody waits for it any more, and nothing was done
	dead          // the process was killed before the answer came
)

// A gate stands before the log of one process: whoever appends or reads waits there until the loop lets him pass, one at a time
// and in an order that is no accident.
type gate struct {
	fact.Log
	w *World

	mu     sync.Mutex
	calls  []*call
	closed bool // the process is dead
	dead   int  // how often it has asked since
	full   bool

	sick, then ailment         // what is wrong, of all that does not stop here; and what will be when something was done
	owners     map[wire.ID]int // how often somebody has made each table his own
}

// A call waits at the gate.
type call struct {
	what string
	id   wire.ID
	seq  int
	came time.Time
	from time.Time // when it may pass
	pass chan fate
	own  bool // an entry of what the house does by itself, and nobody's move
}

func (g *gate) wait(ctx context.Context, what string, id wire.ID, seq int, own bool) fate {
	g.mu.Lock()
	if g.closed {
		g.dead++
		restless := g.dead > 1000
		g.mu.Unlock()
		if restless { // who asks again and again would let no time go by
			time.Sleep(time.Second)
		}
		return dead
	}
	// As with timers, no two calls are answered at one moment, if they did not come at one.
	took := g.w.latency + time.Duration(time.Now().UnixNano()*31%997)*time.Microsecond
	c := &call{what, id, seq, time.Now(), time.Now().Add(took), make(chan fate, 1), own}
	g.calls = append(g.calls, c)
	g.mu.Unlock()
	time.AfterFunc(took, g.w.stir)
	g.w.stir()
	select {
	case f := <-c.pass:
		return f
	case <-ctx.Done():
	}
	if g.leaves(c) {
		return gone
	}
	return <-c.pass
}

// leaves is that a call goes away, if it has not been let pass.
func (g *gate) leaves(c *call) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	before := len(g.calls)
	g.calls = slices.DeleteFunc(g.calls, func(o *call) bool { return o == c })
	return len(g.calls) < before
}

// pass does what a call wants, as fate will have it.
func (g *gate) pass(ctx context.Context, what string, id wire.ID, seq int, do func() error) error {
	return g.passes(ctx, what, id, seq, false, do)
}

func (g *gate) passes(ctx context.Context, what string, id wire.ID, seq int, own bool, do func() error) error {
	f := g.wait(ctx, what, id, seq, own)
	switch f {
	case gone:
		return ctx.Err()
	case dead:
		return errDead
	case failed:
		return errDisk
	}
	err := do()
	if err == nil && f == lost {
		return errLost
	}
	return err
}

func (g *gate) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	f, by, _, err := fact.Read(e.Data)
	_, move := f.(*fact.Moved)
	err = g.passes(ctx, "append", id, e.Seq, err == nil && by.ID == "" && !move, func() error { return g.append(id, e) })
	switch {
	case err != nil && ctx.Err() != nil && e.Seq > 1 && !g.isDead():
		g.w.unwaited(id, e.Seq)
	case err != nil && ctx.Err() == nil && !errors.Is(err, fact.ErrConflict) && e.Seq > 1: // what is not founded has no clock; a rematch may be once more
		there, _ := g.Log.Entries(context.Background(), id, e.Seq-1) // another process may have written that one at the same moment
		g.w.stalled(id, e.At, !errors.Is(err, errLost) && len(there) == 0)
	}
	return err
}

func (g *gate) append(id wire.ID, e fact.Entry) error {
	if g.isFull() {
		return errFull
	}
	if g.w.disk != nil && e.Seq%3 == 0 {
		defer g.crowds()()
	}
	ctx := context.Background()
	if g.w.disk != nil && e.Seq%3 == 1 {
		ctx = &hangsUp{Context: ctx}
	}
	err := g.Log.Append(ctx, id, e)
	if err == nil {
		e.Data = bytes.Clone(e.Data)
		g.w.wrote(id, e)
	}
	return err
}

// hangsUp is the context of somebody who waits until the database has taken what he wants, and then no longer: who asks a second time finds him gone.
type hangsUp struct {
	context.Context
	asked atomic.Int32
}

func (h *hangsUp) Done() <-chan struct{} {
	if h.asked.Add(1) == 1 {
		return nil
	}
	gone := make(chan struct{})
	close(gone)
	return gone
}

func (h *hangsUp) Err() error {
	if h.asked.Load() > 1 {
		return context.Canceled
	}
	return nil
}

// crowds has something that no database takes come in the same instant, from somebody else. It may share a commit with what comes now, which is not to suffer for that.
func (g *gate) crowds() (gone func()) {
	refused := make(chan error, 1)
	go func() {
		refused <- g.w.log.Subscribe(context.Background(), guests.Subscription{}) // which has no keys
	}()
	return func() {
		if err := <-refused; err == nil || errors.Is(err, guests.ErrEnded) {
			panic("the database takes a subscription without keys")
		}
	}
}

func (g *gate) Entries(ctx context.Context, id wire.ID, after int) (entries []fact.Entry, err error) {
	err = g.pass(ctx, "read", id, after, func() error {
		entries, err = g.Log.Entries(ctx, id, after)
		return err
	})
	if err != nil {
		if ctx.Err() == nil {
			g.w.stalled(id, g.w.wall.now(), false)
		}
		return nil, err
	}
	return entries, nil
}

func (g *gate) Rest(ctx context.Context, id wire.ID, r fact.Rest) error {
	return g.pass(ctx, "rest", id, r.Seq, func() error {
		if g.isFull() {
			return errFull
		}
		err := g.Log.Rest(context.Background(), id, r)
		if err == nil {
			g.w.rested(id, r.Seq)
		}
		return err
	})
}

func (g *gate) Name(ctx context.Context, guest, name string) error {
	switch {
	case g.isDead():
		return errDead
	case g.isFull():
		return errFull
	}
	g.w.introduces(guest, name)
	return g.try("Name", func() error { return g.Log.Name(ctx, guest, name) })
}

func (g *gate) Introduce(ctx context.Context, guest, name string) error {
	switch {
	case g.isDead():
		return errDead
	case g.isFull():
		return errFull
	}
	return g.try("Name", func() error { return g.Log.Introduce(ctx, guest, name) })
}

// Names does not stop at the gate either: a lock is held meanwhile. None is by whoever asks for those of a whole table, whose answer may come late.
func (g *gate) Names(ctx context.Context, guests ...string) (map[string]string, error) {
	var names map[string]string
	err := g.try("Names", func() (err error) {
		names, err = g.Log.Names(ctx, guests...)
		return err
	})
	if len(guests) > 1 && g.sickOf("Names", late) {
		time.Sleep(lateAnswer)
	}
	return names, err
}

// lateAnswer is how long an answer takes that comes late.
const lateAnswer = 700 * time.Millisecond

func (g *gate) Delete(ctx context.Context, id wire.ID) error {
	return g.pass(ctx, "delete", id, 0, func() error {
		if g.isFull() {
			return errFull
		}
		err := g.Log.Delete(context.Background(), id)
		if err == nil {
			g.w.mu.Lock()
			g.w.deleted = append(g.w.deleted, id)
			g.w.mu.Unlock()
		}
		return err
	})
}

func (g *gate) Alive(ctx context.Context, at time.Time) error {
	switch {
	case g.isDead():
		return errDead
	case g.isFull():
		return errFull
	}
	g.w.mu.Lock()
	g.w.stamped(at)
	g.w.mu.Unlock()
	return g.try("Alive", func() error { return g.Log.Alive(ctx, at) })
}

func (g *gate) Woke(ctx context.Context, at time.Time) error {
	if g.isDead() {
		return errDead
	}
	defer func() {
		g.w.mu.Lock()
		defer g.w.mu.Unlock()
		g.w.woke = true
	}()
	return g.try("Woke", func() error { return g.Log.Woke(ctx, at) })
}

func (g *gate) isDead() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

func (g *gate) isFull() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.full
}

func (g *gate) fill(full bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.full = full
}

// next is the call that passes next, taken from those that wait; nil if none may pass yet.
func (g *gate) next() *call {
	g.mu.Lock()
	defer g.mu.Unlock()
	var first *call
	for _, c := range g.calls {
		if !c.from.After(time.Now()) && (first == nil || before(c, first) < 0) {
			first = c
		}
	}
	if first != nil {
		g.calls = slices.DeleteFunc(g.calls, func(c *call) bool { return c == first })
	}
	return first
}

// loading is how many tables wait there to be read.
func (g *gate) loading() (n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.calls {
		if c.what == "read" && c.seq == 0 {
			n++
		}
	}
	return n
}

// waits tells whether something of a table waits there to be written or read.
func (g *gate) waits(id wire.ID) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.ContainsFunc(g.calls, func(c *call) bool { return c.id == id })
}

// slow tells whether something has to wait there for long.
func (g *gate) slow() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.ContainsFunc(g.calls, func(c *call) bool { return c.from.After(time.Now().Add(time.Second)) })
}

func before(a, b *call) int {
	return cmp.Or(a.from.Compare(b.from), cmp.Compare(a.id, b.id), cmp.Compare(a.what, b.what), cmp.Compare(a.seq, b.seq))
}

// kill shuts the gate for good. What waited comes back as if it had never been; those are told, so that some may have been done.
func (g *gate) kill() (waited []*call) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	waited, g.calls = g.calls, nil
	slices.SortFunc(waited, before)
	return waited
}

// notes are what the house notes for itself, on the disk, or with the World where there is none.
type notes struct {
	w *World
	g *gate
}

func (n notes) Note(ctx context.Context, name string) (string, error) {
	if n.w.store != nil {
		return n.w.store.Note(ctx, name)
	}
	n.w.mu.Lock()
	defer n.w.mu.Unlock()
	return n.w.kept[name], nil
}

// Change does not stop at the gate: whoever has something noted holds a lock meanwhile.
func (n notes) Change(ctx context.Context, name string, change func(string) (string, error)) error {
	unheard := false
	noted := func(value string) (string, error) {
		value, err := change(value)
		if err != nil {
			return "", err
		}
		f := n.w.house.noting
		n.w.house.noting, unheard = answered, f == lost
		switch {
		case n.g.isDead():
			err = errDead
		case n.g.isFull():
			err = errFull
		case f == failed:
			err = errDisk
		}
		return value, err
	}
	err := n.change(ctx, name, noted)
	if err == nil && unheard {
		err = errLost
	}
	return err
}

func (n notes) change(ctx context.Context, name string, change func(string) (string, error)) error {
	if n.w.store != nil {
		return n.w.store.Change(ctx, name, change)
	}
	was, err := n.Note(ctx, name)
	if err != nil {
		return err
	}
	is, err := change(was)
	if err == nil {
		n.w.mu.Lock()
		defer n.w.mu.Unlock()
		n.w.kept[name] = is
	}
	return err
}
