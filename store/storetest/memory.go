package storetest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"caveau/match"
)

// Memory is an empty log in memory, for tests which need a log and no database. It passes the examiner.
func Memory() match.Log { return &memory{matches: map[match.ID][]match.Entry{}} }

type memory struct {
	mu      sync.Mutex
	matches map[match.ID][]match.Entry
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

func (m *memory) Running(ctx context.Context) ([]match.ID, error) { return m.list(ctx, false) }

func (m *memory) Finished(ctx context.Context) ([]match.ID, error) { return m.list(ctx, true) }

func (m *memory) list(ctx context.Context, over bool) ([]match.ID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var ids []match.ID
	for id, entries := range m.matches {
		if entries[len(entries)-1].Over == over {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b match.ID) int {
		return cmp.Or(m.matches[a][0].At.Compare(m.matches[b][0].At), cmp.Compare(a, b))
	})
	return ids, nil
}

// kept is the entry as a log gives it back: with bytes of its own, and the time in UTC without a reading of the
// process's clock.
func kept(e match.Entry) match.Entry {
	e.At = e.At.UTC().Round(0)
	e.Data = bytes.Clone(e.Data)
	return e
}
