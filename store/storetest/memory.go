package storetest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"caveau/fact"
	"caveau/guests"
	"caveau/wire"
)

// A Store keeps all that a house wants kept.
type Store interface {
	fact.Log
	guests.Keeper
}

// Memory is an empty store in memory, for tests which need one and no database. It passes the examiners.
func Memory() Store {
	return &memory{
		matches: map[wire.ID][]fact.Entry{}, rests: map[wire.ID]fact.Rest{}, names: map[string]string{},
		ended: map[[2]string]time.Time{}, rounds: map[string]int{}, sat: map[string][]wire.ID{},
	}
}

type memory struct {
	mu      sync.Mutex
	matches map[wire.ID][]fact.Entry
	rests   map[wire.ID]fact.Rest // none for a table that is awake or over
	alive   *time.Time            // nil until it is known
	outages []fact.Outage
	names   map[string]string

	ended    map[[2]string]time.Time // by guest and session
	rounds   map[string]int
	passkeys []guests.Passkey
	sat      map[string][]wire.ID
}

func (m *memory) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.Seq != len(m.matches[id])+1 {
		return fmt.Errorf("match %s, entry %d: %w", id, e.Seq, fact.ErrConflict)
	}
	m.matches[id] = append(m.matches[id], kept(e))
	for _, g := range fact.Guests(e.Data) {
		if !slices.Contains(m.sat[g], id) {
			m.sat[g] = append(m.sat[g], id)
		}
	}
	delete(m.rests, id)
	m.sign(e.At)
	return nil
}

func (m *memory) Entries(ctx context.Context, id wire.ID, after int) ([]fact.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var entries []fact.Entry
	for _, e := range m.matches[id][min(max(after, 0), len(m.matches[id])):] {
		entries = append(entries, kept(e))
	}
	return entries, nil
}

func (m *memory) Finished(ctx context.Context, by time.Time) ([]wire.ID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.list(func(id wire.ID) bool {
		entries := m.matches[id]
		return m.over(id) && !entries[len(entries)-1].At.After(by)
	}), ctx.Err()
}

func (m *memory) Delete(ctx context.Context, id wire.ID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(m.matches[id]) == 0 || !m.over(id) {
		return fmt.Errorf("match %s is not over: %w", id, fact.ErrConflict)
	}
	delete(m.matches, id)
	for g, tables := range m.sat {
		m.sat[g] = slices.DeleteFunc(tables, func(at wire.ID) bool { return at == id })
	}
	return nil
}

func (m *memory) Rest(ctx context.Context, id wire.ID, r fact.Rest) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if n := len(m.matches[id]); n == 0 || n != r.Seq || m.over(id) {
		return fmt.Errorf("table %s, rest after entry %d: %w", id, r.Seq, fact.ErrConflict)
	}
	r.Until, r.Since = r.Until.UTC().Round(0), r.Since.UTC().Round(0)
	m.rests[id] = r
	return nil
}

func (m *memory) Resting(ctx context.Context, id wire.ID) (r fact.Rest, rests bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, rests = m.rests[id]
	return r, rests, ctx.Err()
}

func (m *memory) Due(ctx context.Context, by time.Time) ([]wire.ID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	due := m.list(func(id wire.ID) bool {
		r, rests := m.rests[id]
		return !m.over(id) && !(rests && r.Until.After(by))
	})
	slices.SortStableFunc(due, func(a, b wire.ID) int { return m.rests[a].Until.Compare(m.rests[b].Until) }) // none is the zero time
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
		m.outages = append(m.outages, fact.Outage{From: *m.alive, To: at})
	}
	m.sign(at)
	return nil
}

func (m *memory) LastAlive(ctx context.Context) (time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.alive == nil {
		return time.Time{}, ctx.Err()
	}
	return m.alive.UTC().Round(0), ctx.Err()
}

func (m *memory) Outages(ctx context.Context, after time.Time) ([]fact.Outage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var outages []fact.Outage
	for _, o := range m.outages {
		if o.To.After(after) {
			outages = append(outages, o)
		}
	}
	return outages, ctx.Err()
}

func (m *memory) Name(ctx context.Context, guest, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	m.names[guest] = name
	return nil
}

func (m *memory) Names(ctx context.Context, guests ...string) (map[string]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	names := make(map[string]string)
	for _, g := range guests {
		if name, known := m.names[g]; known {
			names[g] = name
		}
	}
	return names, ctx.Err()
}

func (m *memory) End(ctx context.Context, guest, session string, now, until time.Time) (first bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return false, err
	}
	maps.DeleteFunc(m.ended, func(_ [2]string, until time.Time) bool { return !until.After(now) })
	_, before := m.ended[[2]string{guest, session}]
	if !before {
		m.ended[[2]string{guest, session}] = until
	}
	return !before, nil
}

func (m *memory) EndAll(ctx context.Context, guest string) (round int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.rounds[guest]++
	return m.rounds[guest], nil
}

func (m *memory) Ended(ctx context.Context, guest, session string) (ended bool, round int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ended = m.ended[[2]string{guest, session}]
	return ended, m.rounds[guest], ctx.Err()
}

func (m *memory) AddPasskey(ctx context.Context, p guests.Passkey) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.passkey(p.ID) != nil {
		return guests.ErrTaken
	}
	p.ID, p.Check, p.Made, p.Used = bytes.Clone(p.ID), bytes.Clone(p.Check), p.Made.UTC().Round(0), p.Used.UTC().Round(0)
	m.passkeys = append(m.passkeys, p)
	return nil
}

// passkey is where the passkey of an id is kept; nil if there is none.
func (m *memory) passkey(id []byte) *guests.Passkey {
	i := slices.IndexFunc(m.passkeys, func(p guests.Passkey) bool { return bytes.Equal(p.ID, id) })
	if i < 0 {
		return nil
	}
	return &m.passkeys[i]
}

func (m *memory) Passkey(ctx context.Context, id []byte) (guests.Passkey, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.passkey(id); p != nil {
		return *p, true, ctx.Err()
	}
	return guests.Passkey{}, false, ctx.Err()
}

func (m *memory) Passkeys(ctx context.Context, guest string) (all []guests.Passkey, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.passkeys {
		if p.Guest == guest {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b guests.Passkey) int { return cmp.Or(a.Made.Compare(b.Made), bytes.Compare(a.ID, b.ID)) })
	return all, ctx.Err()
}

func (m *memory) UsePasskey(ctx context.Context, id []byte, at time.Time, check json.RawMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if p := m.passkey(id); p != nil {
		p.Used, p.Check = at.UTC().Round(0), bytes.Clone(check)
	}
	return nil
}

func (m *memory) RemovePasskey(ctx context.Context, guest string, id []byte) error {
	return m.removePasskeys(ctx, func(p guests.Passkey) bool { return p.Guest == guest && bytes.Equal(p.ID, id) })
}

func (m *memory) removePasskeys(ctx context.Context, which func(guests.Passkey) bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	m.passkeys = slices.DeleteFunc(m.passkeys, which)
	return nil
}

func (m *memory) Tables(ctx context.Context, guest string) (all []guests.Table, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range m.sat[guest] {
		all = append(all, guests.Table{ID: id, Made: m.matches[id][0].At, Over: m.over(id)})
	}
	slices.SortFunc(all, func(a, b guests.Table) int { return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.ID, b.ID)) })
	return all, ctx.Err()
}

func (m *memory) ForgetTable(ctx context.Context, guest string, table wire.ID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	m.sat[guest] = slices.DeleteFunc(m.sat[guest], func(id wire.ID) bool { return id == table })
	return nil
}

func (m *memory) Forget(ctx context.Context, guest string) error {
	err := m.removePasskeys(ctx, func(p guests.Passkey) bool { return p.Guest == guest })
	if err == nil {
		m.mu.Lock()
		delete(m.sat, guest)
		m.mu.Unlock()
	}
	return err
}

// sign says that the house was alive at that time.
func (m *memory) sign(at time.Time) {
	if m.alive == nil || m.alive.Before(at) {
		m.alive = &at
	}
}

func (m *memory) over(id wire.ID) bool {
	entries := m.matches[id]
	return entries[len(entries)-1].Over
}

// list are the matches that are wanted, oldest first.
func (m *memory) list(wanted func(wire.ID) bool) []wire.ID {
	var ids []wire.ID
	for id := range m.matches {
		if wanted(id) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b wire.ID) int {
		return cmp.Or(m.matches[a][0].At.Compare(m.matches[b][0].At), cmp.Compare(a, b))
	})
	return ids
}

// kept is the entry as a log gives it back: with bytes of its own, and the time in UTC without a reading of the
// process's clock.
func kept(e fact.Entry) fact.Entry {
	e.At = e.At.UTC().Round(0)
	e.Data = bytes.Clone(e.Data)
	return e
}
