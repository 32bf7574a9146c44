package postgres

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Snapshot has everything read that the database at an address keeps, as it is at one moment. A house may have it open and write to it.
func Snapshot(ctx context.Context, address string, read func(*sql.Tx) error) error {
	d, err := at(address, Patience)
	if err != nil {
		return err
	}
	defer d.Close()
	tx, err := d.reader.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return d.Explain(err)
	}
	defer tx.Rollback()
	if err := d.known(ctx, tx); err != nil {
		return d.Explain(err)
	}
	return d.explainAll(read(tx))
}

// known fails unless the database has a house in it, of this very version; and lets the transaction take its time.
func (d *DB) known(ctx context.Context, tx *sql.Tx) error {
	newest, err := fs.Glob(schema, "schema/*.sql")
	if err != nil {
		return err
	}
	version, err := currentVersion(func(text string) scanner { return tx.QueryRowContext(ctx, text) })
	switch {
	case err != nil:
		return err
	case version == 0:
		return errEmpty
	case version < len(newest):
		return errOlder
	case version > len(newest):
		return errNewer
	}
	_, err = tx.ExecContext(ctx, "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0")
	return err
}

// A Put fills a table; next is a row of it, or nil after the last.
type Put func(table string, columns []string, next func() ([]any, error)) error

// Fill fills the database at an address, in which no house was opened yet, all of it or nothing. What fill has put is there for it to read again in
// the transaction.
func Fill(ctx context.Context, address string, fill func(*sql.Tx, Put) error) error {
	d, err := at(address, Patience)
	if err != nil {
		return err
	}
	defer d.Close()
	var commits int64
	if err = d.take(ctx, 0); err == nil { // so that no house opens there meanwhile
		err = d.conn.QueryRow(ctx, "SELECT commits FROM caveau").Scan(&commits)
	}
	switch {
	case err != nil:
		return d.Explain(err)
	case commits > 0:
		return d.Explain(errThere)
	}
	db := stdlib.OpenDB(*d.config)
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return d.Explain(err)
	}
	defer conn.Close()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return d.Explain(err)
	}
	defer tx.Rollback()
	_, err = tx.ExecContext(ctx, "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; UPDATE caveau SET commits = commits + 1")
	if err == nil {
		err = fill(tx, func(table string, columns []string, next func() ([]any, error)) error {
			return conn.Raw(func(driver any) error {
				_, err := driver.(*stdlib.Conn).Conn().CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(next))
				return err
			})
		})
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "SELECT setval('numbers', (SELECT coalesce(max(key), 0) + 1 FROM matches), false)")
	}
	if err == nil {
		err = tx.Commit()
	}
	return d.explainAll(err)
}

// explainAll explains what is ours to explain, and leaves what was said by others.
func (d *DB) explainAll(err error) error {
	if code(err) == "" && !isRefusal(err) && !isAway(err) || errors.Is(err, context.Canceled) {
		return err
	}
	return d.Explain(err)
}
