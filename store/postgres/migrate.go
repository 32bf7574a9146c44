package postgres

import (
	"context"
	"embed"
	"io/fs"

	"github.com/jackc/pgx/v5"
)

// The files of schema are the migrations, in the order of their names. The house's row counts how many the database has had. A file that was
// ever released is not changed any more; what is to change is a further file. It adds, since nodes of before go on beside it and may begin again; what takes away
// raises what the house speaks as well, and fails while a node speaks less (ADR 20).
//
//go:embed schema/*.sql
var schema embed.FS

// migrate brings the database to the newest schema, or leaves it as it was. Whoever reads meanwhile reads on: what he reads it waits for, as long as a
// statement may wait. Of several nodes that come at once one migrates, and the others wait for it, however long it takes.
func migrate(ctx context.Context, conn *pgx.Conn, schema fs.FS) error {
	files, err := fs.Glob(schema, "schema/*.sql")
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// Large tables take their time.
		if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1::int, hashtext(current_schema()))", migrating); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout TO DEFAULT"); err != nil {
			return err
		}
		version, err := currentVersion(func(text string) scanner { return tx.QueryRow(ctx, text) })
		if err != nil || version >= len(files) { // a newer node has added something: whether this one may join its version says
			return err
		}
		for _, name := range files[version:] {
			text, err := fs.ReadFile(schema, name)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, string(text)); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, "UPDATE caveau SET version = $1", len(files))
		return err
	})
}

// A scanner is a row that was asked for.
type scanner interface{ Scan(...any) error }

// currentVersion is the number of migrations that the database has had, if it is one that we may touch.
func currentVersion(row func(text string) scanner) (version int, err error) {
	var ours bool
	var tables int
	err = row(`SELECT to_regclass(quote_ident(current_schema()) || '.caveau') IS NOT NULL,
		(SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v', 'm', 'p'))`).Scan(&ours, &tables)
	if err == nil && ours {
		err = row("SELECT version FROM caveau").Scan(&version)
	}
	switch {
	case err != nil:
		return 0, err
	case !ours && tables > 0:
		return 0, errForeign
	}
	return version, nil
}
