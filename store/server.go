package store

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"caveau/fact"
	"caveau/store/postgres"
	"caveau/wire"
)

// Name is what a database is called where others may read it: an address has no password in it there.
func Name(db string) string {
	if postgres.IsAddress(db) {
		return "the database " + postgres.Name(db)
	}
	return db
}

// A server is a base in PostgreSQL.
type server struct{ *postgres.DB }

func (s server) Begin() (transaction, error) { return s.DB.Begin() }

func openServer(ctx context.Context, address string, patience time.Duration) (*Store, error) {
	all, err := texts(postgres.SQL)
	if err != nil {
		return nil, err
	}
	db, err := postgres.Open(ctx, address, writes(all), patience)
	if err != nil {
		return nil, err
	}
	return begin(ctx, server{db}, all, nil)
}

func joinServer(ctx context.Context, address string, speaks int, lasts, patience time.Duration) (*Store, error) {
	all, err := texts(postgres.SQL)
	if err != nil {
		return nil, err
	}
	db, err := postgres.Join(ctx, address, writes(all), speaks, lasts, patience)
	if err != nil {
		return nil, err
	}
	return begin(ctx, server{db}, all, &deeds{DB: db, terms: map[wire.ID]int64{}})
}

// The deeds of a node among others tell its writer which tables are its own.
type deeds struct {
	*postgres.DB

	mu    sync.Mutex // guards
	terms map[wire.ID]int64

	speaks atomic.Int64 // what the house does, as it was asked last: it never falls
}

var _ fact.Shared = (*deeds)(nil)

// Take is fact.Deeds'. From now on nobody else changes where the table stands.
func (d *deeds) Take(ctx context.Context, id wire.ID) (term int64, err error) {
	if term, err = d.DB.Take(ctx, id); term > 0 {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.terms[id] = max(d.terms[id], term)
	}
	return term, err
}

// Give is fact.Deeds'.
func (d *deeds) Give(ctx context.Context, id wire.ID, term int64, left fact.Left) error {
	d.mu.Lock()
	if d.terms[id] == term {
		delete(d.terms, id)
	}
	d.mu.Unlock()
	return d.DB.Give(ctx, id, term, left)
}

// Speaks is fact.Deeds'.
func (d *deeds) Speaks(ctx context.Context) (int, error) {
	speaks, err := d.DB.Speaks(ctx)
	if err == nil {
		d.speaks.Store(int64(speaks))
	}
	return speaks, err
}

// knows tells whether all nodes of the house know what an entry says.
func (d *deeds) knows(e fact.Entry) bool { return d == nil || int64(e.Needs) <= d.speaks.Load() }

// term is that for which a table is this node's; 0 where it is not, or where the house has one node.
func (d *deeds) term(id wire.ID) int64 {
	if d == nil {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.terms[id]
}

// Deeds are those of one of several nodes, and its number, which no other has, nor this one in another life; nil where the house has one node.
func (s *Store) Deeds() (d fact.Deeds, node int64) {
	if s.deeds == nil {
		return nil, 0
	}
	return s.deeds, s.deeds.Epoch()
}

// A content is what others have written. In a file it is text; PostgreSQL keeps its bytes, since text has no zero there.
type content string

// BytesValue is for the driver.
func (c content) BytesValue() ([]byte, error) { return []byte(c), nil }
