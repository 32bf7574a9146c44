package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
)

// The files of schema are the migrations, in the order of their names. The database counts in user_version how many it
// has had. A file that was ever released is not changed any more; what is to change is a further file.
//
//go:embed schema/*.sql
var Schema embed.FS

// ApplicationID marks a file as ours ("Cave"), so that a wrong path does not add our tables to somebody's browser history.
const ApplicationID = 0x43617665

// Migrate brings the database to the newest Schema, or leaves it as it was.
func Migrate(ctx context.Context, db *sql.DB) error {
	files, err := fs.Glob(Schema, "schema/*.sql")
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // of no effect after Commit
	version, err := currentVersion(tx, len(files))
	if err != nil {
		return err
	}
	for _, name := range files[version:] {
		if err := runFile(tx, name); err != nil {
			return err
		}
	}
	// Written even if there was nothing to do: a file that cannot be written is found out now and not at the first move.
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", ApplicationID, len(files))); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return useWAL(ctx, db)
}

// useWAL makes commits one sync each, and lets readers read meanwhile. It stays so in the file.
func useWAL(ctx context.Context, db *sql.DB) error {
	var mode string
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return errNoWAL
	}
	return nil
}

// currentVersion is the number of migrations that the database has had, if it is one that we may touch.
func currentVersion(tx *sql.Tx, newest int) (version int, err error) {
	var application, tables int
	for pragma, value := range map[string]*int{
		"PRAGMA user_version":                &version,
		"PRAGMA application_id":              &application,
		"SELECT count(*) FROM sqlite_schema": &tables,
	} {
		if err := tx.QueryRow(pragma).Scan(value); err != nil {
			return 0, err
		}
	}
	switch {
	case tables > 0 && application != ApplicationID:
		return 0, errForeign
	case version > newest:
		return 0, errNewer
	}
	return version, nil
}

func runFile(tx *sql.Tx, name string) error {
	text, err := Schema.ReadFile(name)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(string(text)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Known fails unless the database is one that this version can open.
func Known(ctx context.Context, db *sql.DB) error {
	newest, err := fs.Glob(Schema, "schema/*.sql")
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	version, err := currentVersion(tx, len(newest))
	if err == nil && version == 0 {
		err = errEmpty
	}
	return err
}
