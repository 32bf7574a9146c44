// Package store keeps the logs of matches, when they are to be woken and when the house was open, what is known of guests, and the
// server's notes, in one SQLite file or in PostgreSQL.
//
// One goroutine writes. It puts the entries that wait, of however many matches, into one transaction and one commit, so
// that a sync of the disk is shared by all of them; nobody is told that an entry is kept before that sync. Reads have
// connections of their own and wait for no writer.
package store

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"caveau/fact"
	"caveau/store/postgres"
	"caveau/store/sqlite"
	"caveau/wire"
)

// The files of sql are the statements, each by its name; those that begin with SELECT read. Where a file and PostgreSQL want different words they stand in
// store/sqlite/sql or store/postgres/sql, in the place of one of the same name here.
//
//go:embed sql/*.sql
var statements embed.FS

// texts are the statements by their names, without those that are other in further.
func texts(further fs.FS) (map[string]string, error) {
	all := map[string]string{}
	for _, folder := range []fs.FS{statements, further} {
		files, err := fs.Glob(folder, "sql/*.sql")
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return nil, err
			}
			all[strings.TrimSuffix(path.Base(name), ".sql")] = string(text)
		}
	}
	return all, nil
}

// timeFormat is how a time is written in the file: UTC, to the nanosecond, readable, and in the order of the clock.
const timeFormat = "2006-01-02T15:04:05.000000000Z"

// stamp is a time as it is written in the file. Years have four figures: what is later is the end of the last one.
func stamp(t time.Time) string {
	if t = t.UTC(); t.Year() > 9999 {
		return "9999-12-31T23:59:59.999999999Z"
	}
	return t.Format(timeFormat)
}

// A base is what a Store keeps everything in.
type base interface {
	// Called is what errors call it.
	Called() string
	// Reader reads.
	Reader() *sql.DB
	// Read has something read, within a time if the base is one that may not answer. What it has read may be read anew.
	Read(ctx context.Context, read func(context.Context) error) error
	// Patience is for how long somebody waits until the writer has time for him; 0 for as long as it takes.
	Patience() time.Duration
	// Begin begins a transaction; then it is known what became of the last one.
	Begin() (transaction, error)
	// Unsure tells whether that is not known.
	Unsure() bool
	// Alone tells whether an error may be the fault of one job, so that those which share a commit with it are tried without it.
	Alone(err error) bool
	// Explain makes one line of an error: what happened, with which database, what to do. The error of a context stays as it is.
	Explain(err error) error
	Close() error
}

// A transaction is one of the writer. What is to be done in it may wait until the commit, and its answers until that has returned.
type transaction interface {
	// Do does what a statement says; changed, unless it is nil, becomes how many rows that were.
	Do(statement string, changed *int64, args ...any) error
	// Among is that what is done asks what is known of these guests, and changes it: nobody else does meanwhile.
	Among(guests ...string)
	// Own is that what is done is refused with fact.ErrAnothers unless the table is this node's, or, if it claims it, nobody's.
	Own(id wire.ID, claims bool) error
	// Number is one for a match that no other has.
	Number() (int64, error)
	// Alive says when the house was last alive; lastEntry is the time of the entry that is the last of all, "" for none.
	Alive(at, lastEntry string) error
	// Commit returns once all of it is durable. With an error it is not, unless that is errUnknown.
	Commit() error
	Rollback() error // of no effect after Commit
}

// A Store is a fact.Log and a guests.Keeper in a file or in PostgreSQL. All its methods may be called from several goroutines.
type Store struct {
	base
	reads map[string]*sql.Stmt // by their names
	deeds *deeds               // nil where the house has one node

	// Touched by the writing goroutine alone once the store is open, and always as the database has it between two commits.
	heads map[wire.ID]head // of matches that are awake; which of them, and how many, is of no consequence
	alive string           // when the house was last known to be alive; "" for never
	stale bool             // something went wrong: the database is to be asked for all of these

	commits, appended atomic.Int64
	trouble           atomic.Pointer[error] // what became of the last commit

	jobs    chan job
	closing chan struct{} // closed when Close is called
	stopped chan struct{} // closed when the writer has finished
	once    sync.Once
	closed  error // what Close returns
}

var _ fact.Log = (*Store)(nil)

// Open opens what db names: the database file at that path, which is made if there is none, in a directory that exists; or a database of
// PostgreSQL's by its address, postgres://…. It is for this Store alone until Close: a second Open of it, by whatever process, is refused.
//
// An error is one line: what happened, with which database, what to do.
func Open(ctx context.Context, db string) (*Store, error) {
	if postgres.IsAddress(db) {
		return openServer(ctx, db, postgres.Patience)
	}
	return openFile(ctx, db)
}

// Join is Open for one of several nodes that have a house in PostgreSQL together. Its lease lasts for so long, unless whoever has its Deeds renews it.
func Join(ctx context.Context, db string, lasts time.Duration) (*Store, error) {
	if !postgres.IsAddress(db) {
		return nil, fmt.Errorf("%s is a file, which one node has to itself; several share a database of PostgreSQL's, postgres://user@host/database", db)
	}
	return joinServer(ctx, db, wire.Speaks, lasts, postgres.Patience)
}

// A file is a base in SQLite.
type file struct{ *sqlite.DB }

func (f file) Begin() (transaction, error) { return f.DB.Begin() }

// openFile opens a file, with more parameters of its connections.
func openFile(ctx context.Context, path string, more ...string) (*Store, error) {
	all, err := texts(sqlite.SQL)
	if err != nil {
		return nil, err
	}
	db, err := sqlite.Open(ctx, path, writes(all), more...)
	if err != nil {
		return nil, err
	}
	return begin(ctx, file{db}, all, nil)
}

// begin opens a Store on a base that is open.
func begin(ctx context.Context, b base, texts map[string]string, d *deeds) (*Store, error) {
	s := &Store{
		base: b, deeds: d, reads: map[string]*sql.Stmt{}, heads: map[wire.ID]head{},
		jobs: make(chan job), closing: make(chan struct{}), stopped: make(chan struct{}),
	}
	if err := s.prepare(ctx, texts); err != nil {
		return nil, errors.Join(b.Explain(err), b.Close())
	}
	go s.write()
	return s, nil
}

func (s *Store) prepare(ctx context.Context, texts map[string]string) (err error) {
	for name, text := range texts {
		if isRead(text) {
			if s.reads[name], err = s.Reader().PrepareContext(ctx, text); err != nil {
				return err
			}
		}
	}
	return s.recall(ctx)
}

// recall asks the database for what the writer remembers of it.
func (s *Store) recall(ctx context.Context) error {
	clear(s.heads)
	err := s.Read(ctx, func(ctx context.Context) error {
		return s.reads["alive"].QueryRowContext(ctx).Scan(&s.alive)
	})
	s.stale = err != nil
	return err
}

// writes are those statements that do not read.
func writes(texts map[string]string) map[string]string {
	texts = maps.Clone(texts)
	maps.DeleteFunc(texts, func(_, text string) bool { return isRead(text) })
	return texts
}

func isRead(text string) bool { return strings.HasPrefix(text, "SELECT") }

// Append is fact.Log's. Once the writer has taken an entry, Append waits for what becomes of it, even if ctx is cancelled
// meanwhile: the error of a context always means that the entry is not there. Any other error but fact.ErrConflict is one
// line: what happened, with which database, what to do. The entry is not there then either, but for two cases. If a disk failed to sync, and
// the server dies before it can write anything else, may the entry be found after the restart. And PostgreSQL may be out of reach before it has
// answered: then nothing is read either until it is known what has become of the entry.
func (s *Store) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	if !s.deeds.knows(e) {
		return wire.ErrNotYet
	}
	return s.do(ctx, func(w *writing) error { return w.append(id, e) })
}

// Rest is fact.Log's. Its errors, and those of Alive and Woke, are like those of Append.
func (s *Store) Rest(ctx context.Context, id wire.ID, r fact.Rest) error {
	return s.do(ctx, func(w *writing) error { return w.rest(id, r) })
}

// Resting is fact.Log's.
func (s *Store) Resting(ctx context.Context, id wire.ID) (r fact.Rest, rests bool, err error) {
	return one(ctx, s, "resting", func(rows *sql.Rows) (r fact.Rest, err error) {
		var until, since string
		if err := rows.Scan(&until, &since, &r.Seq); err != nil {
			return r, err
		}
		if r.Until, err = time.Parse(timeFormat, until); err == nil {
			r.Since, err = time.Parse(timeFormat, since)
		}
		return r, err
	}, string(id))
}

// Alive is fact.Log's.
func (s *Store) Alive(ctx context.Context, at time.Time) error {
	return s.do(ctx, func(w *writing) error { w.sign(stamp(at)); return nil })
}

// Woke is fact.Log's.
func (s *Store) Woke(ctx context.Context, at time.Time) error {
	return s.do(ctx, func(w *writing) error { return w.woke(at) })
}

// LastAlive is fact.Log's.
func (s *Store) LastAlive(ctx context.Context) (at time.Time, err error) {
	text, _, err := one(ctx, s, "alive", scanText)
	if err == nil && text != "" {
		at, err = time.Parse(timeFormat, text)
	}
	return at, err
}

// Entries is fact.Log's. It sees every entry whose Append has returned.
func (s *Store) Entries(ctx context.Context, id wire.ID, after int) ([]fact.Entry, error) {
	if !postgres.IsText(string(id)) {
		return nil, ctx.Err() // nobody has given that name to a table
	}
	return list(ctx, s, "entries", scanEntry, string(id), after)
}

// Due is fact.Log's. Matches whose first entries have the same time come in the order of their ids.
func (s *Store) Due(ctx context.Context, by time.Time) ([]wire.ID, error) {
	return list(ctx, s, "due", scanID, stamp(by))
}

// Finished is fact.Log's, in the order of Due.
func (s *Store) Finished(ctx context.Context, by time.Time) ([]wire.ID, error) {
	return list(ctx, s, "finished", scanID, stamp(by))
}

// Delete is fact.Log's. Of what was deleted nothing is left in a file once it has been closed; its room is used again.
func (s *Store) Delete(ctx context.Context, id wire.ID) error {
	return s.do(ctx, func(w *writing) error { return w.delete(id) })
}

// Outages is fact.Log's.
func (s *Store) Outages(ctx context.Context, after time.Time) ([]fact.Outage, error) {
	return list(ctx, s, "outages", scanOutage, stamp(after))
}

// Name is fact.Log's. Of a name that was erased, or was another before, nothing is left in a file once it has been closed.
func (s *Store) Name(ctx context.Context, guest, name string) error {
	return s.do(ctx, func(w *writing) error { return w.Do("set_name", nil, guest, content(name)) })
}

// Introduce is fact.Log's.
func (s *Store) Introduce(ctx context.Context, guest, name string) error {
	return s.do(ctx, func(w *writing) error { return w.Do("introduce", nil, guest, content(name)) })
}

// Names is fact.Log's.
func (s *Store) Names(ctx context.Context, guests ...string) (map[string]string, error) {
	asked, err := json.Marshal(append([]string{}, guests...)) // which is never null
	if err != nil {
		return nil, err
	}
	all, err := list(ctx, s, "names", func(rows *sql.Rows) (one [2]string, err error) { return one, rows.Scan(&one[0], &one[1]) }, string(asked))
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(all))
	for _, one := range all {
		names[one[0]] = one[1]
	}
	return names, nil
}

// list reads all the rows of an answer, or says why there is none.
func list[T any](ctx context.Context, s *Store, statement string, scan func(*sql.Rows) (T, error), args ...any) (all []T, err error) {
	err = s.Read(ctx, func(ctx context.Context) error {
		all, err = rowsOf(ctx, s.reads[statement], scan, args...)
		return err
	})
	if err != nil {
		return nil, s.explain(err)
	}
	return all, nil
}

func rowsOf[T any](ctx context.Context, stmt *sql.Stmt, scan func(*sql.Rows) (T, error), args ...any) (all []T, err error) {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// one reads the row of an answer that has one at most.
func one[T any](ctx context.Context, s *Store, statement string, scan func(*sql.Rows) (T, error), args ...any) (is T, there bool, err error) {
	all, err := list(ctx, s, statement, scan, args...)
	if len(all) > 0 {
		is = all[0]
	}
	return is, len(all) > 0, err
}

func scanEntry(rows *sql.Rows) (e fact.Entry, err error) {
	var at string
	if err := rows.Scan(&e.Seq, &at, (*[]byte)(&e.Data), &e.Over); err != nil {
		return e, err
	}
	e.At, err = time.Parse(timeFormat, at)
	return e, err
}

func scanID(rows *sql.Rows) (id wire.ID, err error) {
	return id, rows.Scan(&id)
}

func scanText(rows *sql.Rows) (text string, err error) {
	return text, rows.Scan(&text)
}

func scanOutage(rows *sql.Rows) (o fact.Outage, err error) {
	var from, to string
	if err := rows.Scan(&from, &to); err != nil {
		return o, err
	}
	if o.From, err = time.Parse(timeFormat, from); err == nil {
		o.To, err = time.Parse(timeFormat, to)
	}
	return o, err
}

// Counts are how much a store has written since it was opened: commits that had an entry in them, and entries.
type Counts struct{ Commits, Entries int64 }

// Counts may be asked at any time, after Close too.
func (s *Store) Counts() Counts { return Counts{s.commits.Load(), s.appended.Load()} }

// Trouble is why what was last to be written was not; nil where it was. A house writes every few seconds.
func (s *Store) Trouble() error {
	if err := s.trouble.Load(); err != nil {
		return *err
	}
	return nil
}

// Note is what was last noted under that name; "" if nothing was.
func (s *Store) Note(ctx context.Context, name string) (value string, err error) {
	value, _, err = one(ctx, s, "note", scanText, name)
	return value, err
}

// Change makes of what is noted under a name what change says, durably; while others do so too, change is called again with what they have noted. Where it
// answers with an error nothing is noted, and that is the answer.
func (s *Store) Change(ctx context.Context, name string, change func(value string) (string, error)) error {
	for changed := int64(0); changed == 0; {
		was, err := s.Note(ctx, name)
		if err != nil {
			return err
		}
		is, err := change(was)
		if err != nil {
			return err
		}
		if err := s.do(ctx, func(w *writing) error { return w.Do("set_note", &changed, name, content(is), content(was)) }); err != nil {
			if now, unread := s.Note(ctx, name); unread != nil || now != is || is == was {
				return err
			}
			return nil // it was written, and its answer lost
		}
	}
	return nil
}

// HandOver gives the secret of that name, which a file of before has, to whoever keeps it from now on, and forgets it.
func (s *Store) HandOver(ctx context.Context, name string, keep func(secret []byte) error) error {
	if f, is := s.base.(file); is {
		return f.HandOver(ctx, name, keep)
	}
	return nil
}

// Close finishes what the writer has taken, refuses the rest, and lets go of the database. It may be called again.
func (s *Store) Close() error {
	s.once.Do(func() {
		close(s.closing)
		<-s.stopped
		s.closed = s.base.Close()
	})
	return s.closed
}
