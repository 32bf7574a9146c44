// Package sqlite is what a Store needs of SQLite: one file, its lock, a connection that writes and others that read.
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"caveau/wire"
)

// SQL has the statements that are other here than in PostgreSQL, in its folder sql.
//
//go:embed sql/*.sql
var SQL embed.FS

// readers is how many reads go on at once. The others wait: a server that starts reads thousands of matches.
const readers = 4

// A DB is a file that one house writes to. Begin and what it returns are for one goroutine.
type DB struct {
	path   string
	lock   *Lock
	writer *sql.DB // one connection
	reader *sql.DB
	writes map[string]*sql.Stmt // by their names
}

// Open opens a file, with more parameters of the connections, each "key=value"; the last one with a key counts. Writes are the statements that Begin is told
// by their names.
func Open(ctx context.Context, path string, writes map[string]string, more ...string) (_ *DB, err error) {
	d := &DB{path: RealPath(path), writes: map[string]*sql.Stmt{}}
	if d.lock, err = LockFile(ctx, d.path); err != nil {
		return nil, err
	}
	MakePrivate(d.path)
	if err := d.connect(ctx, writes, more); err != nil {
		d.Close()
		return nil, d.Explain(err)
	}
	return d, nil
}

// RealPath is the file that path leads to, so that two links to one file are one file for the lock.
func RealPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// MakePrivate makes a missing file, for nobody but the server's user: whoever reads it knows every deal. SQLite gives the files beside it the same rights, and is the one to say what is wrong with a path. The rights of a
// file that is there are its owner's affair.
func MakePrivate(path string) {
	if f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		f.Close()
	}
}

// Params are those of every connection. Full is a sync at every commit: the promise of Append. What is deleted is overwritten: a name
// that was erased is nowhere in the file.
var Params = []string{"_busy_timeout=5000", "_synchronous=full", "_foreign_keys=on", "_txlock=immediate",
	"_pragma=secure_delete(on)"}

func (d *DB) connect(ctx context.Context, writes map[string]string, more []string) (err error) {
	all := slices.Concat(Params, more)
	if d.writer, err = sql.Open("sqlite", DSN(d.path, all...)); err != nil {
		return err
	}
	d.writer.SetMaxOpenConns(1)
	if d.reader, err = sql.Open("sqlite", DSN(d.path, append(all, "_query_only=on")...)); err != nil {
		return err
	}
	d.reader.SetMaxOpenConns(readers)
	d.reader.SetMaxIdleConns(readers)
	if err := Migrate(ctx, d.writer); err != nil {
		return err
	}
	for name, text := range writes {
		if d.writes[name], err = d.writer.PrepareContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// DSN names the file and the connection's parameters to the driver. A path may have a question mark or a percent sign.
func DSN(path string, params ...string) string {
	segments := strings.Split(filepath.ToSlash(path), "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	query := url.Values{}
	for _, p := range params {
		key, value, _ := strings.Cut(p, "=")
		query.Set(key, value)
	}
	return "file:" + strings.Join(segments, "/") + "?" + query.Encode()
}

// Called is what errors call it: the file.
func (d *DB) Called() string { return d.path }

// Writer is the connection that writes, for whoever looks into the file itself.
func (d *DB) Writer() *sql.DB { return d.writer }

// Reader reads.
func (d *DB) Reader() *sql.DB { return d.reader }

// Read has something read.
func (d *DB) Read(ctx context.Context, read func(context.Context) error) error { return read(ctx) }

// Patience is 0: a file answers, or its disk fails.
func (d *DB) Patience() time.Duration { return 0 }

// Unsure is false: a commit that failed has undone everything.
func (d *DB) Unsure() bool { return false }

// Alone is true: whatever fails may be the fault of one job.
func (d *DB) Alone(error) bool { return true }

// Explain makes one line of an error.
func (d *DB) Explain(err error) error { return Explain(d.path, err) }

// Begin begins a transaction.
func (d *DB) Begin() (*Writing, error) {
	// Not the context of any job: one caller who goes away must not undo the work of the others.
	tx, err := d.writer.Begin()
	return &Writing{Tx: tx, writes: d.writes}, err
}

// Close closes whatever is open. The reader goes first: the last connection to go tidies the file up.
func (d *DB) Close() error {
	var errs []error
	for _, db := range []*sql.DB{d.reader, d.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(append(errs, d.lock.Close())...)
}

// A Writing is a transaction, which does everything at once.
type Writing struct {
	*sql.Tx
	writes map[string]*sql.Stmt
	name   string    // of the statement that was the last, as it is often the next
	stmt   *sql.Stmt // in this transaction
}

func (w *Writing) find(statement string) *sql.Stmt {
	if w.name != statement {
		w.name, w.stmt = statement, w.Stmt(w.writes[statement])
	}
	return w.stmt
}

// Do does what a statement says; changed, unless it is nil, becomes how many rows that were.
func (w *Writing) Do(statement string, changed *int64, args ...any) error {
	done, err := w.find(statement).Exec(args...)
	if err == nil && changed != nil {
		*changed, err = done.RowsAffected()
	}
	return err
}

// Among is nothing to see to.
func (w *Writing) Among(...string) {}

// Own is nothing to ask: whoever has a file has all that is in it.
func (w *Writing) Own(wire.ID, bool) error { return nil }

// Number is one for a match that no other has.
func (w *Writing) Number() (n int64, err error) {
	return n, w.QueryRow("SELECT coalesce(max(key), 0) + 1 FROM matches").Scan(&n)
}

// Alive writes nothing where the last entry says it: when the house was last alive is the later one of what is written and of the
// time of the entry that was written last. With one entry a commit there is so nothing more to write.
func (w *Writing) Alive(at, lastEntry string) error {
	if at == lastEntry {
		return nil
	}
	return w.Do("set_alive", nil, at)
}

// InWAL tells whether the newest of a database may stand in a file beside it: that is the format's number for writing.
func InWAL(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	header := make([]byte, 19)
	if _, err := io.ReadFull(f, header); err != nil {
		return false, errEmpty
	}
	return string(header[:15]) == "SQLite format 3" && header[18] == 2, nil
}
