// Package copies copies what a Store keeps, as it is at one moment, out of a file or PostgreSQL into a file, and back into either.
package copies

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"caveau/store/postgres"
	"caveau/store/sqlite"
)

//go:embed contents.sql
var contentsSQL string

const (
	errThere   sqlite.Refusal = "is there already, and is not overwritten; choose another name"
	errRemains sqlite.Refusal = "has a file beside it that belongs to another database of this name; move that away"
	errUsed    sqlite.Refusal = "is a copy of a database as a house uses it, and may lack what was written last; restore what caveau backup has made"
	errSecret  sqlite.Refusal = "is a copy of before, with the key of the house in it; restore it into a file, open that once, and take another backup"
	errHoles   sqlite.Refusal = "is damaged; take another backup"
)

// Contents are what a copy of a database has in it.
type Contents struct{ Tables, Entries int }

// Backup copies the database at from, which a Store may have open and write to, a file or one of PostgreSQL's, into a new file for nobody but this user: everything that was
// durable when it began, as it was at one moment, and nothing that had been deleted. The file is there whole and durably, or not at all.
func Backup(ctx context.Context, from, to string) (c Contents, err error) {
	if postgres.IsAddress(to) {
		return c, errors.New("a backup is a file; name one, and restore that")
	}
	if postgres.IsAddress(from) {
		return backupServer(ctx, from, to)
	}
	from = sqlite.RealPath(from)
	if _, err := os.Stat(from); err != nil {
		return c, err // SQLite says less of a file that is missing
	}
	// Not behind the lock: a reader sees what was committed when it began, and no writer waits for it.
	db, err := sql.Open("sqlite", sqlite.DSN(from, "mode=rw", "_busy_timeout=5000"))
	if err != nil {
		return c, sqlite.Explain(from, err)
	}
	defer db.Close()
	if err := sqlite.Known(ctx, db); err != nil {
		return c, sqlite.Explain(from, err)
	}
	return bring(ctx, from, to, func(part string) error {
		_, err := db.ExecContext(ctx, "VACUUM INTO $1", part)
		return err
	})
}

// Restore puts what Backup has made where a Store can open it, in a file or in PostgreSQL: where there is none yet.
func Restore(ctx context.Context, from, to string) (c Contents, err error) {
	if postgres.IsAddress(from) {
		return c, errors.New("what is restored is a file; make one with caveau backup")
	}
	if postgres.IsAddress(to) {
		return restoreServer(ctx, from, to)
	}
	to = sqlite.RealPath(to)
	// So that no house opens there meanwhile.
	lock, err := sqlite.LockFile(ctx, to)
	if err != nil {
		return c, err
	}
	defer lock.Close()
	for _, beside := range []string{"-wal", "-shm", "-journal"} {
		if isThere(to + beside) {
			return c, sqlite.Explain(to, errRemains)
		}
	}
	return bring(ctx, from, to, func(part string) error { return copyFile(from, part) })
}

// bring has a file filled under a name of its own, examines it, and gives it the name that it is to have, which is free: under that
// there is never half a file. Whoever brings another at the same time finds the first name taken.
func bring(ctx context.Context, from, to string, fill func(part string) error) (c Contents, err error) {
	part, err := filepath.Abs(to + ".part")
	if err != nil {
		return c, err
	}
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return c, fmt.Errorf("%s is there: it is being written now, or this was broken off once; then remove it", part)
	} else if err != nil {
		return c, err
	}
	defer os.Remove(part) // where it still has that name
	if err := f.Close(); err != nil {
		return c, err
	}
	if isThere(to) {
		return c, sqlite.Explain(to, errThere)
	}
	if err := fill(part); err != nil {
		return c, fmt.Errorf("%s cannot be copied to %s: %w", from, to, err)
	}
	if c, err = examine(ctx, part); err != nil {
		return c, sqlite.Explain(from, err)
	}
	if err := syncPath(part); err != nil {
		return c, err
	}
	if err := os.Rename(part, to); err != nil {
		return c, err
	}
	return c, SyncFolder(filepath.Dir(part))
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func syncPath(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// SyncFolder makes durable which files are in a folder.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" { // whose folders cannot be synced
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// examine finds out whether the file, which nobody else has open, is a whole database of ours, and one that needs no other file beside
// it. It touches nothing.
func examine(ctx context.Context, path string) (c Contents, err error) {
	if used, err := sqlite.InWAL(path); err != nil {
		return c, err
	} else if used {
		return c, errUsed
	}
	db, err := sql.Open("sqlite", sqlite.DSN(path, "mode=ro", "immutable=1"))
	if err != nil {
		return c, err
	}
	defer db.Close()
	if err := sqlite.Known(ctx, db); err != nil {
		return c, err
	}
	var fault string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&fault); err != nil {
		return c, err
	}
	if fault != "ok" {
		return c, errHoles
	}
	return c, db.QueryRowContext(ctx, contentsSQL).Scan(&c.Tables, &c.Entries)
}
