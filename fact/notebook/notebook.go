// Package notebook is a log in memory (fact.Log): that of a house in a page (package pocket), and of tests which need no database. Nothing
// else of it outlives the process than what its owner keeps, line by line.
package notebook

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"caveau/fact"
	"caveau/wire"
)

// A Notebook is a fact.Log. All its methods may be called from several goroutines.
type Notebook struct {
	mu      sync.Mutex
	tables  map[wire.ID][]fact.Entry
	rests   map[wire.ID]fact.Rest // none for a table that is awake or over
	alive   *time.Time            // nil until it is known
	outages []fact.Outage
	names   map[string]string
}

var _ fact.Log = (*Notebook)(nil)

// New is an empty notebook.
func New() *Notebook {
	return &Notebook{tables: map[wire.ID][]fact.Entry{}, rests: map[wire.ID]fact.Rest{}, names: map[string]string{}}
}

func (n *Notebook) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.Seq != len(n.tables[id])+1 {
		return fmt.Errorf("table %s, entry %d: %w", id, e.Seq, fact.ErrConflict)
	}
	n.tables[id] = append(n.tables[id], own(e))
	delete(n.rests, id)
	n.sign(e.At)
	return nil
}

func (n *Notebook) Entries(ctx context.Context, id wire.ID, after int) ([]fact.Entry, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var entries []fact.Entry
	for _, e := range n.tables[id][min(max(after, 0), len(n.tables[id])):] {
		entries = append(entries, own(e))
	}
	return entries, nil
}

func (n *Notebook) Finished(ctx context.Context, by time.Time) ([]wire.ID, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.list(func(id wire.ID) bool {
		entries := n.tables[id]
		return n.over(id) && !entries[len(entries)-1].At.After(by)
	}), ctx.Err()
}

func (n *Notebook) Delete(ctx context.Context, id wire.ID) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(n.tables[id]) == 0 || !n.over(id) {
		return fmt.Errorf("table %s is not over: %w", id, fact.ErrConflict)
	}
	delete(n.tables, id)
	return nil
}

func (n *Notebook) Rest(ctx context.Context, id wire.ID, r fact.Rest) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if last := len(n.tables[id]); last == 0 || last != r.Seq || n.over(id) {
		return fmt.Errorf("table %s, rest after entry %d: %w", id, r.Seq, fact.ErrConflict)
	}
	r.Until, r.Since = r.Until.UTC().Round(0), r.Since.UTC().Round(0)
	n.rests[id] = r
	return nil
}

func (n *Notebook) Resting(ctx context.Context, id wire.ID) (r fact.Rest, rests bool, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	r, rests = n.rests[id]
	return r, rests, ctx.Err()
}

func (n *Notebook) Due(ctx context.Context, by time.Time) ([]wire.ID, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	due := n.list(func(id wire.ID) bool {
		r, rests := n.rests[id]
		return !n.over(id) && !(rests && r.Until.After(by))
	})
	slices.SortStableFunc(due, func(a, b wire.ID) int { return n.rests[a].Until.Compare(n.rests[b].Until) }) // none is the zero time
	return due, ctx.Err()
}

func (n *Notebook) Alive(ctx context.Context, at time.Time) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	n.sign(at)
	return nil
}

func (n *Notebook) Woke(ctx context.Context, at time.Time) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if n.alive != nil && n.alive.Before(at) {
		n.outages = append(n.outages, fact.Outage{From: *n.alive, To: at})
	}
	n.sign(at)
	return nil
}

func (n *Notebook) LastAlive(ctx context.Context) (time.Time, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.alive == nil {
		return time.Time{}, ctx.Err()
	}
	return n.alive.UTC().Round(0), ctx.Err()
}

func (n *Notebook) Outages(ctx context.Context, after time.Time) ([]fact.Outage, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var outages []fact.Outage
	for _, o := range n.outages {
		if o.To.After(after) {
			outages = append(outages, o)
		}
	}
	return outages, ctx.Err()
}

func (n *Notebook) Name(ctx context.Context, guest, name string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	n.names[guest] = name
	return nil
}

func (n *Notebook) Introduce(ctx context.Context, guest, name string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, known := n.names[guest]; known || ctx.Err() != nil {
		return ctx.Err()
	}
	n.names[guest] = name
	return nil
}

func (n *Notebook) Names(ctx context.Context, guests ...string) (map[string]string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	names := make(map[string]string)
	for _, g := range guests {
		if name, known := n.names[g]; known {
			names[g] = name
		}
	}
	return names, ctx.Err()
}

// sign says that the house was alive at that time.
func (n *Notebook) sign(at time.Time) {
	if n.alive == nil || n.alive.Before(at) {
		n.alive = &at
	}
}

func (n *Notebook) over(id wire.ID) bool {
	entries := n.tables[id]
	return entries[len(entries)-1].Over
}

// list are the tables that are wanted, oldest first.
func (n *Notebook) list(wanted func(wire.ID) bool) []wire.ID {
	var ids []wire.ID
	for id := range n.tables {
		if wanted(id) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b wire.ID) int {
		return cmp.Or(n.tables[a][0].At.Compare(n.tables[b][0].At), cmp.Compare(a, b))
	})
	return ids
}

// own is the entry as a log gives it back: with bytes of its own, and the time in UTC without a reading of the
// process's clock.
func own(e fact.Entry) fact.Entry {
	e.At = e.At.UTC().Round(0)
	e.Data = bytes.Clone(e.Data)
	return e
}
