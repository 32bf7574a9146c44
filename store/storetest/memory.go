package storetest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"caveau/match"
)

// Memory is an empty log in memory, for tests which need a log and no database. It passes the examiner.
func Memory() match.Log {
	return &memory{matches: map[match.ID][]match.Entry{}, rests: map[match.ID]time.Time{}}
}

type memory struct {
	mu      sync.Mutex
	matches map[match.ID][]match.Entry
	rests   map[match.ID]time.Time // when a rest ends; none for a match that is awake or over
	alive   *time.Time             // nil until it is known
	outages []match.Outage
}

func (m *memory) Append(ctx context.Context, id match.ID, e match.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.Seq != len(m.matches[id])+1 {
		return fmt.Errorf("match %s, entry %d: %w", id, e.Seq, match.ErrConflict)
	}
	m.matches[id] = append(m.matches[id], kept(e))
	delete(m.rests, id)
	m.sign(e.At)
	return nil
}

func (m *memory) Entries(ctx context.Context, id match.ID, after int) ([]match.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var entries []match.Entry
	for _, e := range m.matches[id][min(max(after, 0), len(m.matches[id])):] {
		entries = append(entries, kept(e))
	}
	return entries, nil
}

func (m *memory) Finished(ctx context.Context) ([]match.ID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.list(m.over), ctx.Err()
}

func (m *memory) Rest(ctx context.Context, id match.ID, until time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(m.matches[id]) > 0 && !m.over(id) {
		m.rests[id] = until
	}
	return nil
}

func (m *memory) Due(ctx context.Context, by time.Time) ([]match.ID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	due := m.list(func(id match.ID) bool {
		until, rests := m.rests[id]
		return !m.over(id) && !(rests && until.After(by))
	})
	slices.SortStableFunc(due, func(a, b match.ID) int {
		until, rests := m.rests[a]
		other, also := m.rests[b]
		switch {
		case rests && also:
			return until.Compare(other)
		case rests:
			return 1
		case also:
			return -1
		}
		return 0
	})
	return due, ctx.Err()
}

func (m *memory) Alive(ctx context.Context, at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	m.sign(at)
	return nil
}

func (m *memory) Woke(ctx context.Context, at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.alive != nil && m.alive.Before(at) {
		m.outages = append(m.outages, match.Outage{From: *m.alive, To: at})
	}
	m.sign(at)
	return nil
}

func (m *memory) Outages(ctx context.Context, after time.Time) ([]match.Outage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var outages []match.Outage
	for _, o := range m.outages {
		if o.To.After(after) {
			outages = append(outages, o)
		}
	}
	return outages, ctx.Err()
}

// sign says that the house was alive at that time.
func (m *memory) sign(at time.Time) {
	if m.alive == nil || m.alive.Before(at) {
		m.alive = &at
	}
}

func (m *memory) over(id match.ID) bool {
	entries := m.matches[id]
	return entries[len(entries)-1].Over
}

// list are the matches that are wanted, oldest first.
func (m *memory) list(wanted func(match.ID) bool) []match.ID {
	var ids []match.ID
	for id := range m.matches {
		if wanted(id) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b match.ID) int {
		return cmp.Or(m.matches[a][0].At.Compare(m.matches[b][0].At), cmp.Compare(a, b))
	})
	return ids
}

// kept is the entry as a log gives it back: with bytes of its own, and the time in UTC without a reading of the
// process's clock.
func kept(e match.Entry) match.Entry {
	e.At = e.At.UTC().Round(0)
	e.Data = bytes.Clone(e.Data)
	return e
}
