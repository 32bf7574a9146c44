package store

import (
	"context"
	"time"

	"caveau/store/postgres"
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
	return begin(ctx, server{db}, all)
}

// A content is what others have written. In a file it is text; PostgreSQL keeps its bytes, since text has no zero there.
type content string

// BytesValue is for the driver.
func (c content) BytesValue() ([]byte, error) { return []byte(c), nil }
