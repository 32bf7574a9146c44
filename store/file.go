package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// readers is how many reads go on at once. The others wait: a server that starts reads thousands of matches.
const readers = 4

// A file is a base in one SQLite file.
type file struct {
	path   string
	lock   *fileLock
	writer *sql.DB // one connection
	reader *sql.DB
	writes map[string]*sql.Stmt // by their names
}

// open opens a file, with more parameters of the connections, each "key=value"; the last one with a key counts.
func open(ctx context.Context, path string, more ...string) (*Store, error) {
	f := &file{path: realPath(path), writes: map[string]*sql.Stmt{}}
	texts, err := texts(embed.FS{})
	if err != nil {
		return nil, err
	}
	if f.lock, err = lockFile(ctx, f.path); err != nil {
		return nil, err
	}
	makePrivate(f.path)
	if err := f.connect(ctx, texts, more); err != nil {
		f.Close()
		return nil, f.Explain(err)
	}
	return begin(ctx, f, texts)
}

// realPath is the file that path leads to, so that two links to one file are one file for the lock.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// makePrivate makes a missing file, for nobody but the server's user: whoever reads it knows every deal. SQLite gives the files beside it the same rights, and is the one to say what is wrong with a path. The rights of a
// file that is there are its owner's affair.
func makePrivate(path string) {
	if f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		f.Close()
	}
}

// params are those of every connection. Full is a sync at every commit: the promise of Append. What is deleted is overwritten: a name
// that was erased is nowhere in the file.
var params = []string{"_busy_timeout=5000", "_synchronous=full", "_foreign_keys=on", "_txlock=immediate",
	"_pragma=secure_delete(on)"}

func (f *file) connect(ctx context.Context, texts map[string]string, more []string) (err error) {
	all := slices.Concat(params, more)
	if f.writer, err = sql.Open("sqlite", dsn(f.path, all...)); err != nil {
		return err
	}
	f.writer.SetMaxOpenConns(1)
	if f.reader, err = sql.Open("sqlite", dsn(f.path, append(all, "_query_only=on")...)); err != nil {
		return err
	}
	f.reader.SetMaxOpenConns(readers)
	f.reader.SetMaxIdleConns(readers)
	if err := migrate(ctx, f.writer); err != nil {
		return err
	}
	for name, text := range texts {
		if isRead(text) {
			continue
		}
		if f.writes[name], err = f.writer.PrepareContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// dsn names the file and the connection's parameters to the driver. A path may have a question mark or a percent sign.
func dsn(path string, params ...string) string {
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

func (f *file) Reader() *sql.DB { return f.reader }

func (f *file) Read(ctx context.Context, read func(context.Context) error) error { return read(ctx) }

func (f *file) Patience() time.Duration { return 0 }

func (f *file) Alone(error) bool { return true }

func (f *file) Explain(err error) error { return explain(f.path, err) }

func (f *file) Begin() (transaction, error) {
	// Not the context of any job: one caller who goes away must not undo the work of the others.
	tx, err := f.writer.Begin()
	return &fileWriting{Tx: tx, writes: f.writes}, err
}

// Close closes whatever is open. The reader goes first: the last connection to go tidies the file up.
func (f *file) Close() error {
	var errs []error
	for _, db := range []*sql.DB{f.reader, f.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(append(errs, f.lock.Close())...)
}

// A fileWriting does everything at once.
type fileWriting struct {
	*sql.Tx
	writes map[string]*sql.Stmt
	name   string    // of the statement that was the last, as it is often the next
	stmt   *sql.Stmt // in this transaction
}

func (w *fileWriting) find(statement string) *sql.Stmt {
	if w.name != statement {
		w.name, w.stmt = statement, w.Stmt(w.writes[statement])
	}
	return w.stmt
}

func (w *fileWriting) Do(statement string, changed *int64, args ...any) error {
	done, err := w.find(statement).Exec(args...)
	if err == nil && changed != nil {
		*changed, err = done.RowsAffected()
	}
	return err
}

func (w *fileWriting) Ask(statement string, answer *int, args ...any) error {
	return w.find(statement).QueryRow(args...).Scan(answer)
}

// Alive writes nothing where the last entry says it: when the house was last alive is the later one of what is written and of the
// time of the entry that was written last. With one entry a commit there is so nothing more to write.
func (w *fileWriting) Alive(at, lastEntry string) error {
	if at == lastEntry {
		return nil
	}
	return w.Do("set_alive", nil, at)
}
