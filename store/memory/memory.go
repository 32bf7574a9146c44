// Package memory is a store in memory, for tests which need one and no database. It passes the examiners.
package memory

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"caveau/fact"
	"caveau/fact/notebook"
	"caveau/guests"
	"caveau/wire"
)

// A Store is a notebook, and what is kept of guests.
type Store struct {
	*notebook.Notebook

	mu       sync.Mutex
	ended    map[[2]string]time.Time // by guest and session
	rounds   map[string]int
	passkeys []guests.Passkey
	sat      map[string][]wire.ID
	told     map[told]int
	ways     map[string]guests.Way // by guest
	subs     []guests.Subscription
}

// New is an empty store.
func New() *Store {
	return &Store{
		Notebook: notebook.New(), ended: map[[2]string]time.Time{}, rounds: map[string]int{}, sat: map[string][]wire.ID{},
		told: map[told]int{}, ways: map[string]guests.Way{},
	}
}

// told is what somebody was told of.
type told struct {
	guest string
	table wire.ID
}

func (m *Store) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.Notebook.Append(ctx, id, e); err != nil {
		return err
	}
	for _, g := range fact.Guests(e.Data) {
		if !slices.Contains(m.sat[g], id) {
			m.sat[g] = append(m.sat[g], id)
		}
	}
	return nil
}

func (m *Store) Delete(ctx context.Context, id wire.ID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.Notebook.Delete(ctx, id); err != nil {
		return err
	}
	maps.DeleteFunc(m.told, func(t told, _ int) bool { return t.table == id })
	for g, tables := range m.sat {
		m.sat[g] = slices.DeleteFunc(tables, func(at wire.ID) bool { return at == id })
	}
	return nil
}

func (m *Store) End(ctx context.Context, guest, session string, now, until time.Time) (first bool, err error) {
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
	m.endSubscriptions(guest, session)
	return !before, nil
}

func (m *Store) EndAll(ctx context.Context, by guests.Badge, back guests.Way) (round int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.lasts(ctx, by); err != nil {
		return 0, err
	}
	m.rounds[by.ID] = by.Round + 1
	m.endSubscriptions(by.ID, "")
	if back.Sum != nil {
		m.keep(back)
	}
	return by.Round + 1, nil
}

func (m *Store) Ended(ctx context.Context, guest, session string) (ended bool, round int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ended = m.ended[[2]string{guest, session}]
	return ended, m.rounds[guest], ctx.Err()
}

// lasts is ErrEnded if the session of a badge does not, and the context's error where that is over.
func (m *Store) lasts(ctx context.Context, by guests.Badge) error {
	if _, ended := m.ended[[2]string{by.ID, by.Session}]; ctx.Err() == nil && (ended || by.Round < m.rounds[by.ID]) {
		return guests.ErrEnded
	}
	return ctx.Err()
}

func (m *Store) MakeProgram(ctx context.Context, place string, round int, program wire.Guest, by guests.Badge) (first bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.lasts(ctx, by); err != nil || m.rounds[place] != round-1 {
		return false, err
	}
	m.rounds[place] = round
	return true, m.Name(ctx, program.ID, program.Name)
}

func (m *Store) KeepWay(ctx context.Context, w guests.Way, now time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.lasts(ctx, w.Of); err != nil {
		return err
	}
	maps.DeleteFunc(m.ways, func(_ string, w guests.Way) bool { return w.Until.Before(now) })
	m.keep(w)
	return nil
}

func (m *Store) keep(w guests.Way) {
	w.Sum, w.Of, w.Until = bytes.Clone(w.Sum), guests.Badge{Guest: wire.Guest{ID: w.Of.ID}, Session: w.Of.Session, Round: w.Of.Round}, w.Until.UTC().Round(0)
	m.ways[w.Of.ID] = w
}

func (m *Store) Way(ctx context.Context, sum []byte, now time.Time) (guests.Way, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range m.ways {
		if bytes.Equal(w.Sum, sum) && !w.Until.Before(now) {
			return w, true, ctx.Err()
		}
	}
	return guests.Way{}, false, ctx.Err()
}

func (m *Store) TakeWay(ctx context.Context, w guests.Way) (first bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.lasts(ctx, w.Of); errors.Is(err, guests.ErrEnded) || !bytes.Equal(m.ways[w.Of.ID].Sum, w.Sum) {
		return false, ctx.Err()
	} else if err != nil {
		return false, err
	}
	delete(m.ways, w.Of.ID)
	return true, nil
}

func (m *Store) AddPasskey(ctx context.Context, p guests.Passkey, by guests.Badge) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.lasts(ctx, by); err != nil {
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
func (m *Store) passkey(id []byte) *guests.Passkey {
	i := slices.IndexFunc(m.passkeys, func(p guests.Passkey) bool { return bytes.Equal(p.ID, id) })
	if i < 0 {
		return nil
	}
	return &m.passkeys[i]
}

func (m *Store) Passkey(ctx context.Context, id []byte) (guests.Passkey, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.passkey(id); p != nil {
		return *p, true, ctx.Err()
	}
	return guests.Passkey{}, false, ctx.Err()
}

func (m *Store) Passkeys(ctx context.Context, guest string) (all []guests.Passkey, err error) {
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

func (m *Store) UsePasskey(ctx context.Context, id []byte, at time.Time, check json.RawMessage) (there bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return false, err
	}
	p := m.passkey(id)
	if p != nil {
		p.Used, p.Check = at.UTC().Round(0), bytes.Clone(check)
	}
	return p != nil, nil
}

func (m *Store) RemovePasskey(ctx context.Context, guest string, id []byte) error {
	return m.removePasskeys(ctx, func(p guests.Passkey) bool { return p.Guest == guest && bytes.Equal(p.ID, id) })
}

func (m *Store) removePasskeys(ctx context.Context, which func(guests.Passkey) bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	m.passkeys = slices.DeleteFunc(m.passkeys, which)
	return nil
}

func (m *Store) Tables(ctx context.Context, guest string) (all []guests.Table, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range m.sat[guest] {
		entries, err := m.Entries(ctx, id, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, guests.Table{ID: id, Made: entries[0].At, Over: entries[len(entries)-1].Over})
	}
	slices.SortFunc(all, func(a, b guests.Table) int { return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.ID, b.ID)) })
	return all, ctx.Err()
}

func (m *Store) ForgetTable(ctx context.Context, guest string, table wire.ID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	m.sat[guest] = slices.DeleteFunc(m.sat[guest], func(id wire.ID) bool { return id == table })
	return nil
}

func (m *Store) Forget(ctx context.Context, guest string) error {
	err := m.removePasskeys(ctx, func(p guests.Passkey) bool { return p.Guest == guest })
	if err == nil {
		m.mu.Lock()
		delete(m.ways, guest)
		m.rounds[guest]++
		maps.DeleteFunc(m.told, func(t told, _ int) bool { return t.guest == guest })
		m.endSubscriptions(guest, "")
		m.mu.Unlock()
	}
	return err
}

func (m *Store) ForgetTables(ctx context.Context, guest string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sat, guest)
	return nil
}

// endSubscriptions forgets those of a session, or all of a guest's.
func (m *Store) endSubscriptions(guest, session string) {
	m.subs = slices.DeleteFunc(m.subs, func(s guests.Subscription) bool {
		return s.Guest == guest && (session == "" || session == s.Session)
	})
}

func (m *Store) Subscribe(ctx context.Context, s guests.Subscription) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, ended := m.ended[[2]string{s.Guest, s.Session}]; ended || s.Round < m.rounds[s.Guest] {
		return guests.ErrEnded
	}
	s.Made = s.Made.UTC().Round(0)
	m.subs = append(slices.DeleteFunc(m.subs, func(old guests.Subscription) bool { return old.Endpoint == s.Endpoint }), s)
	if his := m.subscriptions(s.Guest); len(his) > guests.MostSubscriptions {
		m.subs = slices.DeleteFunc(m.subs, func(old guests.Subscription) bool { return old.Endpoint == his[0].Endpoint })
	}
	return nil
}

func (m *Store) subscriptions(guest string) (all []guests.Subscription) {
	for _, s := range m.subs {
		if s.Guest == guest {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b guests.Subscription) int {
		return cmp.Or(a.Made.Compare(b.Made), cmp.Compare(a.Endpoint, b.Endpoint))
	})
	return all
}

func (m *Store) Subscriptions(ctx context.Context, guest string) ([]guests.Subscription, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.subscriptions(guest), ctx.Err()
}

func (m *Store) Unsubscribe(ctx context.Context, guest, endpoint string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	m.subs = slices.DeleteFunc(m.subs, func(s guests.Subscription) bool { return s.Guest == guest && s.Endpoint == endpoint })
	return nil
}

func (m *Store) Tell(ctx context.Context, guest string, table wire.ID, n int) (first bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if entries, err := m.Entries(ctx, table, 0); err != nil || len(entries) == 0 {
		return false, err
	}
	last, before := m.told[told{guest, table}]
	if first = !before || n > last; first {
		m.told[told{guest, table}] = n
	}
	return first, nil
}
