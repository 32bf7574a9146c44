package nodes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"caveau/fact"
	"caveau/table"
	"caveau/wire"
)

// What goes wrong with a database.
var (
	errDead   = errors.New("the process is dead")
	errFailed = errors.New("the database does not do it")
	errNobody = errors.New("nobody answers")
)

// deadline is how long a node waits for the database.
func (c *call) deadline() time.Duration {
	const patience = 2 * time.Second // of whoever asks a database
	if c.by.IsZero() {
		return patience
	}
	return min(patience, c.by.Sub(c.came))
}

// A base is the database of the house: one log, and who has which table. What comes to it is done at one moment, by its own clock.
type base struct {
	fact.Log

	mu    sync.Mutex // guards what follows
	away  bool       // it fails over, and answers nobody
	until map[int64]time.Time
	over  map[int64]bool // the leases that were swept
	owner map[wire.ID]int64
	term  map[wire.ID]int64
	last  int64
	logs  map[wire.ID][]fact.Entry
	alive map[int64]time.Time   // when a node's lease was renewed last
	hears map[int64][]int64     // which others it heard then
	gone  map[wire.ID]time.Time // when that of whoever had it was, or he gave it back, and nobody has it yet
	since map[wire.ID]idle
	gaps  map[wire.ID]fact.Outages
	taken map[wire.ID]time.Time // since when nobody had it whom its owner has taken it from, as long as he has read nothing of it
	stays map[wire.ID][]stay
	reads map[string]reading // what a node has read of a table last, by both

	rested map[wire.ID]int64   // in which term it was noted last that a table rests
	called map[string][]naming // what somebody is, one after the other

	older  bool      // some node of the house is of a version before, and cannot read what is new since
	risen  bool      // none was, when that was asked, and none has ended in the minute before: the house has spoken what is new from then on
	ended  time.Time // when the lease of one was found over last
	mute   bool      // whenever tables are free it cannot be read next what all speak
	unsaid bool      // it cannot now

	behind time.Duration // by how much its clock is
}

// A reading is up to which entry something was read, and when.
type reading struct {
	seq int
	at  time.Time
}

// hasRead tells whether a node has just read an entry of a table.
func (b *base) hasRead(n *node, id wire.ID, seq int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.reads[fmt.Sprint(n.number, id)]
	return r.seq >= seq && r.at.Equal(time.Now())
}

// A stay is from when until when a node had a table.
type stay struct {
	node        int64
	from, until time.Time // until: zero for one that has it yet
}

// lend gives a node that begins its lease.
func (b *base) lend(node int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until[node] = time.Now().Add(time.Minute)
}

// lent is until when it has its lease.
func (b *base) lent(node int64) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.until[node]
}

func (b *base) swept(node int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.over[node]
}

func (b *base) has(id wire.ID) (node int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.owner[id]
}

// left is since when nobody has a table whose node left it as it was, if none has begun another term since.
func (b *base) left(id wire.ID) (since time.Time, so bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i, was := b.since[id]
	return i.since, was && i.term == 0 && b.owner[id] == 0
}

// owns tells whether a node has a table, and has had it for that term.
func (b *base) owns(node int64, id wire.ID, term int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.owner[id] == node && b.term[id] == term
}

// hasSince is who has a table, and since when.
func (b *base) hasSince(id wire.ID) (node int64, since time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.owner[id] == 0 {
		return 0, since
	}
	all := b.stays[id]
	return b.owner[id], all[len(all)-1].from
}

// had tells whether a node like that has a table, or has had it since.
func (b *base) had(id wire.ID, since time.Time, is func(node int64) bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.stays[id], func(s stay) bool { return (s.until.IsZero() || !s.until.Before(since)) && is(s.node) })
}

// takes is that a node has a table from now on; loses, that nobody has it. The caller holds mu.
func (b *base) takes(id wire.ID, node int64) {
	b.loses(id)
	b.owner[id] = node
	b.stays[id] = append(b.stays[id], stay{node: node, from: time.Now()})
}

func (b *base) loses(id wire.ID) {
	if all := b.stays[id]; b.owner[id] != 0 {
		all[len(all)-1].until = time.Now()
	}
	delete(b.owner, id)
}

func (b *base) entries(id wire.ID) []fact.Entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.logs[id]
}

// tables are how many there are.
func (b *base) tables() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.logs)
}

// A gate is a node's way to the database: what is asked waits there until the loop has it arrive, and then until the loop has the answer arrive.
type gate struct {
	*base
	n *node
}

var (
	_ fact.Log    = gate{}
	_ fact.Shared = gate{}
)

// A call is on its way to the database, or back.
type call struct {
	n        *node
	what     string
	id       wire.ID
	seq      int
	do       func() error
	by       time.Time // until when whoever asks waits, if he says so
	came, at time.Time
	back     bool
	late     time.Duration // by how much its answer is
	err      error
	answer   chan error
}

func (g gate) pass(ctx context.Context, what string, id wire.ID, seq int, do func() error) error {
	if g.n.far != nil { // there is no loop: time goes by itself
		return g.n.far(what, id, do)
	}
	if err := ctx.Err(); err != nil { // whoever asks does not wait
		return err
	}
	c := &call{n: g.n, what: what, id: id, seq: seq, do: do, answer: make(chan error, 1)}
	c.by, _ = ctx.Deadline()
	if !g.n.w.ask(c) {
		return errDead
	}
	return <-c.answer
}

// try is for what is asked while a lock is held: it is answered at once.
func (g gate) try(do func() error) error {
	g.mu.Lock()
	away := g.away
	g.mu.Unlock()
	switch {
	case g.n.dead.Load():
		return errDead
	case away || g.n.blind.Load():
		return errNobody
	}
	return do()
}

// fenced has something done that only a node with an epoch may do. The caller has locked nothing.
func (g gate) fenced(do func() error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over[g.n.number] {
		return fact.ErrEpoch
	}
	return do()
}

// mine is whether a table is this node's. The caller holds mu.
func (g gate) mine(id wire.ID) error {
	if g.owner[id] != g.n.number {
		return fact.ErrAnothers
	}
	return nil
}

var always = context.Background()

func (g gate) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	return g.pass(ctx, "append", id, e.Seq, func() error {
		g.mu.Lock()
		speaks := g.speaks()
		g.mu.Unlock()
		if e.Needs > speaks {
			return wire.ErrNotYet
		}
		return g.fenced(func() error {
			err := g.Log.Append(always, id, e)
			if err == nil {
				e.Data = slices.Clone(e.Data)
				g.logs[id] = append(g.logs[id], e)
				g.n.w.wrote(g.n, id, e)
			}
			return err
		})
	})
}

func (g gate) Rest(ctx context.Context, id wire.ID, r fact.Rest) error {
	return g.pass(ctx, "rest", id, r.Seq, func() error {
		return g.fenced(func() error {
			if err := g.mine(id); err != nil {
				return err
			}
			err := g.Log.Rest(always, id, r)
			if err == nil {
				g.rested[id] = g.term[id]
			}
			return err
		})
	})
}

func (g gate) Delete(ctx context.Context, id wire.ID) error {
	return g.pass(ctx, "delete", id, 0, func() error {
		return g.fenced(func() error {
			if g.owner[id] != 0 && g.mine(id) != nil {
				return fact.ErrAnothers
			}
			err := g.Log.Delete(always, id)
			if err == nil {
				g.loses(id)
				delete(g.logs, id)
				delete(g.since, id)
				delete(g.gone, id)
				delete(g.taken, id)
			}
			return err
		})
	})
}

func (g gate) Entries(ctx context.Context, id wire.ID, after int) (all []fact.Entry, err error) {
	err = g.pass(ctx, "read", id, after, func() (err error) {
		g.mu.Lock()
		if g.owner[id] == g.n.number {
			delete(g.taken, id)
		}
		g.mu.Unlock()
		all, err = g.Log.Entries(always, id, after)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(all) > 0 {
		g.mu.Lock()
		g.reads[fmt.Sprint(g.n.number, id)] = reading{all[len(all)-1].Seq, time.Now()}
		g.mu.Unlock()
	}
	return all, nil
}

func (g gate) Resting(ctx context.Context, id wire.ID) (r fact.Rest, rests bool, err error) {
	err = g.pass(ctx, "resting", id, 0, func() (err error) { r, rests, err = g.Log.Resting(always, id); return err })
	return r, rests, err
}

func (g gate) Due(ctx context.Context, by time.Time) (all []wire.ID, err error) {
	g.n.says(by)
	err = g.pass(ctx, "due", "", 0, func() (err error) {
		if all, err = g.Log.Due(always, by); err != nil {
			return err
		}
		// What somebody had who has left it is due as well, though it had rested before.
		rest, err := g.Log.Due(always, time.Now().AddDate(300, 0, 0))
		g.mu.Lock()
		defer g.mu.Unlock()
		for _, id := range rest {
			if i, left := g.since[id]; left && i.term == 0 && g.owner[id] == 0 && !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
		return err
	})
	return all, err
}

// Alive: what a node says of the time is the time, or all that begin later go by it.
func (g gate) Alive(ctx context.Context, at time.Time) error {
	return g.try(func() error {
		g.n.says(at)
		if ahead := time.Until(at); ahead > 5*time.Second && len(g.n.w.tables) > 0 {
			g.n.w.fail("%v notes that it lives in %v", g.n, ahead)
		}
		return g.Log.Alive(always, at)
	})
}

// Woke: a house is closed only while no node lives.
func (g gate) Woke(ctx context.Context, at time.Time) error {
	return g.try(func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		for node, until := range g.until {
			if node != g.n.number && !g.over[node] && until.After(time.Now()) {
				return g.Log.Alive(always, at)
			}
		}
		return g.Log.Woke(always, at)
	})
}

func (g gate) LastAlive(context.Context) (at time.Time, err error) {
	err = g.try(func() (err error) { at, err = g.Log.LastAlive(always); return err })
	return at, err
}

func (g gate) Outages(_ context.Context, after time.Time) (all []fact.Outage, err error) {
	err = g.try(func() (err error) { all, err = g.Log.Outages(always, after); return err })
	return all, err
}

func (g gate) Name(_ context.Context, guest, name string) error {
	return g.try(func() error {
		err := g.Log.Name(always, guest, name)
		if err == nil {
			g.named(guest, name)
		}
		return err
	})
}

func (g gate) Introduce(_ context.Context, guest, name string) error {
	return g.try(func() error {
		known, err := g.Log.Names(always, guest)
		if err == nil {
			err = g.Log.Introduce(always, guest, name)
		}
		if err == nil && len(known) == 0 {
			g.named(guest, name)
		}
		return err
	})
}

func (g gate) Names(_ context.Context, guests ...string) (names map[string]string, err error) {
	err = g.try(func() (err error) { names, err = g.Log.Names(always, guests...); return err })
	return names, err
}

func (g gate) Take(ctx context.Context, id wire.ID) (term int64, err error) {
	err = g.pass(ctx, "take", id, 0, func() error {
		return g.fenced(func() error {
			if owner := g.owner[id]; owner != 0 && owner != g.n.number || len(g.logs[id]) == 0 {
				return nil
			}
			g.last++
			g.term[id] = g.last
			g.takes(id, g.n.number)
			if since, was := g.gone[id]; was {
				g.gaps[id] = append(g.gaps[id], fact.Outage{From: since, To: time.Now()})
				g.taken[id] = since
				delete(g.gone, id)
			}
			term = g.last
			return nil
		})
	})
	if err != nil {
		return 0, err
	}
	if term > 0 && g.n.far == nil {
		g.n.takes(id, term)
	}
	return term, nil
}

// takes is that the node knows that it has a table for a term. It has given back what it had before, or is about to: else there are two who own it there.
func (n *node) takes(id wire.ID, term int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if before := n.terms[id]; before > 0 {
		n.w.fail("%v takes %s for term %d, and has it for term %d", n, n.w.name(id), term, before)
	}
	n.terms[id] = term
}

func (n *node) gives(id wire.ID, term int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.terms[id] == term {
		delete(n.terms, id)
	}
}

// Give: whoever closes in the middle of things has noted no rest, whatever was noted before.
func (g gate) Give(ctx context.Context, id wire.ID, term int64, left fact.Left) error {
	closing := g.n.closed != nil
	g.n.gives(id, term)
	return g.pass(ctx, "give", id, 0, func() error {
		return g.fenced(func() error {
			if g.owner[id] == g.n.number && g.term[id] == term {
				if closing && left == fact.Rests && g.rested[id] != term && g.n.w.games[id].shadow.State() != table.Over {
					g.n.w.fail("%v closes, and gives %s back as one that rests, which it does not since it was taken", g.n, g.n.w.name(id))
				}
				g.loses(id)
				g.leave(id, left)
			}
			return nil
		})
	})
}

// leave notes since when nobody has a table that was given back. The caller holds mu.
func (g gate) leave(id wire.ID, left fact.Left) {
	i, was := g.since[id]
	_, rests, _ := g.Log.Resting(always, id)
	switch {
	case left == fact.Rests:
		delete(g.since, id)
	case left == fact.Unread && was && (i.term == 0 || i.term == g.term[id]):
		g.gone[id], g.since[id] = i.since, idle{i.since, 0}
	case left == fact.Stopped || !rests:
		g.gone[id], g.since[id] = time.Now(), idle{time.Now(), 0}
	}
	if since, unread := g.taken[id]; unread { // whatever he says
		g.gone[id] = since
	}
}

func (g gate) Confirm(ctx context.Context, id wire.ID, term int64) (last int, err error) {
	err = g.pass(ctx, "confirm", id, 0, func() error {
		return g.fenced(func() error {
			if g.owner[id] == g.n.number && g.term[id] == term {
				last = len(g.logs[id])
			}
			return nil
		})
	})
	return last, err
}

func (g gate) Renew(ctx context.Context, lasts time.Duration, hears ...int64) error {
	return g.pass(ctx, "renew", "", 0, func() error {
		return g.fenced(func() error {
			if !g.until[g.n.number].After(time.Now()) {
				return fact.ErrEpoch
			}
			g.alive[g.n.number] = time.Now()
			g.until[g.n.number], g.hears[g.n.number] = time.Now().Add(lasts), hears
			return nil
		})
	})
}

func (g gate) Sweep(ctx context.Context) (free []wire.ID, err error) {
	err = g.pass(ctx, "sweep", "", 0, func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.over[g.n.number] || !g.until[g.n.number].After(time.Now()) { // it could take nothing
			return nil
		}
		for node, until := range g.until {
			if !g.over[node] && !until.After(time.Now()) {
				g.over[node], g.ended = true, time.Now()
			}
		}
		for id, owner := range g.owner {
			if g.over[owner] {
				g.loses(id)
				if i, was := g.since[id]; was && i.term == 0 { // nobody has asked since
					g.gone[id] = i.since
				} else {
					g.gone[id], g.since[id] = g.alive[owner], idle{g.until[owner].Add(-fact.LeaseTime), 0}
				}
				free = append(free, id)
			}
		}
		slices.Sort(free)
		g.unsaid = g.mute && len(free) > 0
		return nil
	})
	if err != nil {
		return nil, err
	}
	return free, nil
}

// Speaks may not be read when somebody has died.
func (g gate) Speaks(context.Context) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.unsaid {
		g.unsaid = false
		return 0, errFailed
	}
	g.risen = g.risen || !g.older && time.Since(g.ended) > time.Minute
	return g.speaks(), nil
}

// speaks is what the house speaks. The caller holds mu.
func (b *base) speaks() int {
	if !b.risen {
		return fact.Needs(&fact.Idle{}, fact.Receipt{}) - 1
	}
	return wire.Speaks
}

// idle is since when nobody had a table, and which term began afterwards.
type idle struct {
	since time.Time
	term  int64
}

func (g gate) Idle(ctx context.Context, id wire.ID, term int64) (ago time.Duration, err error) {
	err = g.pass(ctx, "idle", id, 0, func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		if i, was := g.since[id]; was && (i.term == 0 || i.term == term) {
			g.since[id] = idle{i.since, term}
			ago = time.Since(i.since)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if n := len(g.gaps[id]); n > 0 && ago > 0 && g.owner[id] == g.n.number { // before it knows that, no clock runs there
		g.gaps[id][n-1].To = time.Now()
	}
	return ago, nil
}

func (g gate) Now(ctx context.Context) (now time.Time, err error) {
	err = g.pass(ctx, "now", "", 0, func() error { now = time.Now().Add(-g.behind).Round(0); return nil })
	if err != nil {
		return time.Time{}, err
	}
	return now, nil
}

func (g gate) Living(ctx context.Context, lasts time.Duration) (nodes []fact.Node, err error) {
	err = g.pass(ctx, "living", "", 0, func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		for node, until := range g.until {
			if left := time.Until(until); !g.over[node] && left > 0 && left <= lasts {
				nodes = append(nodes, fact.Node{Number: node, Hears: g.hears[node]})
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(nodes, func(a, b fact.Node) int { return cmp.Compare(a.Number, b.Number) })
	return nodes, nil
}

func (g gate) Taken(ctx context.Context) (all []wire.ID, err error) {
	err = g.pass(ctx, "taken", "", 0, func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		for id, owner := range g.owner {
			if owner != g.n.number {
				all = append(all, id)
			}
		}
		return nil
	})
	slices.Sort(all)
	return all, err
}
