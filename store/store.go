// Package store keeps the logs of matches, when they are to be woken and when the house was open, what is known of guests, and the
// server's notes, in one SQLite file.
//
// One goroutine writes. It puts the entries that wait, of however many matches, into one transaction and one commit, so
// that a sync of the disk is shared by all of them; nobody is told that an entry is kept before that sync. Reads have
// connections of their own and wait for no writer.
package store

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"caveau/fact"
	"caveau/wire"
)

var (
	//go:embed sql/first.sql
	firstSQL string
	//go:embed sql/head.sql
	headSQL string
	//go:embed sql/set_due.sql
	setDueSQL string
	//go:embed sql/entry.sql
	entrySQL string
	//go:embed sql/entries.sql
	entriesSQL string
	//go:embed sql/finished.sql
	finishedSQL string
	//go:embed sql/due.sql
	dueSQL string
	//go:embed sql/resting.sql
	restingSQL string
	//go:embed sql/alive.sql
	aliveSQL string
	//go:embed sql/set_alive.sql
	setAliveSQL string
	//go:embed sql/outage.sql
	outageSQL string
	//go:embed sql/outages.sql
	outagesSQL string
	//go:embed sql/note.sql
	noteSQL string
	//go:embed sql/set_note.sql
	setNoteSQL string
	//go:embed sql/delete_entries.sql
	deleteEntriesSQL string
	//go:embed sql/delete_match.sql
	deleteMatchSQL string
	//go:embed sql/names.sql
	namesSQL string
	//go:embed sql/set_name.sql
	setNameSQL string
)

// timeFormat is how a time is written in the file: UTC, to the nanosecond, readable, and in the order of the clock.
const timeFormat = "2006-01-02T15:04:05.000000000Z"

// stamp is a time as it is written in the file. Years have four figures: what is later is the end of the last one.
func stamp(t time.Time) string {
	if t = t.UTC(); t.Year() > 9999 {
		return "9999-12-31T23:59:59.999999999Z"
	}
	return t.Format(timeFormat)
}

// readers is how many reads go on at once. The others wait: a server that starts reads thousands of matches.
const readers = 4

// A Store is a fact.Log and a guests.Keeper in a file. All its methods may be called from several goroutines.
type Store struct {
	path   string
	lock   *fileLock
	writer *sql.DB // one connection
	reader *sql.DB

	first, head, setDue, entry, setAlive, outage, setNote, setName, deleteEntries, deleteMatch *sql.Stmt // on the writer
	entries, finished, resting, due, outages, note, names, lastAlive                           *sql.Stmt // on the reader

	// Of guests: on the writer, and on the reader.
	end, sweepEnded, endAll, addPasskey, usePasskey, removePasskey, forgetPasskeys, setSat, forgetSat, forgetTable, deleteSat *sql.Stmt
	subscribe, trimSubscriptions, unsubscribe, endSubscriptions, tell, forgetTold, deleteTold                                 *sql.Stmt
	ended, passkey, passkeys, sat, subscriptions                                                                              *sql.Stmt

	// Touched by the writing goroutine alone once the store is open, and always as the file has it between two commits.
	heads map[wire.ID]head // of matches that are awake; which of them, and how many, is of no consequence
	alive string           // when the house was last known to be alive; "" for never

	commits, appended atomic.Int64
	trouble           atomic.Pointer[error] // what became of the last commit

	jobs    chan job
	closing chan struct{} // closed when Close is called
	stopped chan struct{} // closed when the writer has finished
	once    sync.Once
	closed  error // what Close returns
}

var _ fact.Log = (*Store)(nil)

// Open opens the database file at path, and creates it if there is none; its directory must exist. The file is for this
// Store alone until Close: a second Open of it, by whatever process, is refused.
//
// An error is one line: what happened, with which file, what to do.
func Open(ctx context.Context, path string) (*Store, error) {
	return open(ctx, path)
}

// open is Open with more parameters of the connections, each "key=value"; the last one with a key counts.
func open(ctx context.Context, path string, more ...string) (_ *Store, err error) {
	s := &Store{
		path: realPath(path), heads: map[wire.ID]head{},
		jobs: make(chan job), closing: make(chan struct{}), stopped: make(chan struct{}),
	}
	if s.lock, err = lockFile(ctx, s.path); err != nil {
		return nil, err
	}
	makePrivate(s.path)
	if err := s.connect(ctx, more); err != nil {
		s.disconnect()
		return nil, explain(s.path, err)
	}
	go s.write()
	return s, nil
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

func (s *Store) connect(ctx context.Context, more []string) (err error) {
	all := slices.Concat(params, more)
	if s.writer, err = sql.Open("sqlite", dsn(s.path, all...)); err != nil {
		return err
	}
	s.writer.SetMaxOpenConns(1)
	if s.reader, err = sql.Open("sqlite", dsn(s.path, append(all, "_query_only=on")...)); err != nil {
		return err
	}
	s.reader.SetMaxOpenConns(readers)
	s.reader.SetMaxIdleConns(readers)
	if err := migrate(ctx, s.writer); err != nil {
		return err
	}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	return s.writer.QueryRowContext(ctx, aliveSQL).Scan(&s.alive)
}

func (s *Store) prepare(ctx context.Context) (err error) {
	for _, p := range []struct {
		db   *sql.DB
		stmt **sql.Stmt
		text string
	}{
		{s.writer, &s.first, firstSQL},
		{s.writer, &s.head, headSQL},
		{s.writer, &s.setDue, setDueSQL},
		{s.writer, &s.entry, entrySQL},
		{s.writer, &s.setAlive, setAliveSQL},
		{s.writer, &s.outage, outageSQL},
		{s.writer, &s.setNote, setNoteSQL},
		{s.writer, &s.setName, setNameSQL},
		{s.writer, &s.deleteEntries, deleteEntriesSQL},
		{s.writer, &s.deleteMatch, deleteMatchSQL},
		{s.writer, &s.end, endSQL},
		{s.writer, &s.sweepEnded, sweepEndedSQL},
		{s.writer, &s.endAll, endAllSQL},
		{s.writer, &s.addPasskey, addPasskeySQL},
		{s.writer, &s.usePasskey, usePasskeySQL},
		{s.writer, &s.removePasskey, removePasskeySQL},
		{s.writer, &s.forgetPasskeys, forgetPasskeysSQL},
		{s.writer, &s.setSat, setSatSQL},
		{s.writer, &s.forgetSat, forgetSatSQL},
		{s.writer, &s.forgetTable, forgetTableSQL},
		{s.writer, &s.deleteSat, deleteSatSQL},
		{s.writer, &s.subscribe, subscribeSQL},
		{s.writer, &s.trimSubscriptions, trimSubscriptionsSQL},
		{s.writer, &s.unsubscribe, unsubscribeSQL},
		{s.writer, &s.endSubscriptions, endSubscriptionsSQL},
		{s.writer, &s.tell, tellSQL},
		{s.writer, &s.forgetTold, forgetToldSQL},
		{s.writer, &s.deleteTold, deleteToldSQL},
		{s.reader, &s.subscriptions, subscriptionsSQL},
		{s.reader, &s.ended, endedSQL},
		{s.reader, &s.passkey, passkeySQL},
		{s.reader, &s.passkeys, passkeysSQL},
		{s.reader, &s.sat, satSQL},
		{s.reader, &s.entries, entriesSQL},
		{s.reader, &s.finished, finishedSQL},
		{s.reader, &s.resting, restingSQL},
		{s.reader, &s.due, dueSQL},
		{s.reader, &s.outages, outagesSQL},
		{s.reader, &s.note, noteSQL},
		{s.reader, &s.names, namesSQL},
		{s.reader, &s.lastAlive, aliveSQL},
	} {
		if *p.stmt, err = p.db.PrepareContext(ctx, p.text); err != nil {
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

// Append is fact.Log's. Once the writer has taken an entry, Append waits for what becomes of it, even if ctx is cancelled
// meanwhile: the error of a context always means that the entry is not there. Any other error but fact.ErrConflict is one
// line: what happened, with which file, what to do. The entry is not there then either; only if a disk failed to sync, and
// the server dies before it can write anything else, may the entry be found after the restart.
func (s *Store) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	return s.do(ctx, func(w *writing) error { return w.append(id, e) })
}

// Rest is fact.Log's. Its errors, and those of Alive and Woke, are like those of Append.
func (s *Store) Rest(ctx context.Context, id wire.ID, r fact.Rest) error {
	return s.do(ctx, func(w *writing) error { return w.rest(id, r) })
}

// Resting is fact.Log's.
func (s *Store) Resting(ctx context.Context, id wire.ID) (r fact.Rest, rests bool, err error) {
	var until, since string
	err = s.resting.QueryRowContext(ctx, string(id)).Scan(&until, &since, &r.Seq)
	if errors.Is(err, sql.ErrNoRows) {
		return fact.Rest{}, false, nil
	}
	if err == nil {
		r.Until, err = time.Parse(timeFormat, until)
	}
	if err == nil {
		r.Since, err = time.Parse(timeFormat, since)
	}
	if err != nil {
		return fact.Rest{}, false, s.explain(err)
	}
	return r, true, nil
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
	var text string
	if err = s.lastAlive.QueryRowContext(ctx).Scan(&text); err == nil && text != "" {
		at, err = time.Parse(timeFormat, text)
	}
	if err != nil {
		return time.Time{}, s.explain(err)
	}
	return at, nil
}

// Entries is fact.Log's. It sees every entry whose Append has returned.
func (s *Store) Entries(ctx context.Context, id wire.ID, after int) ([]fact.Entry, error) {
	rows, err := s.entries.QueryContext(ctx, string(id), after)
	return readAll(s, rows, err, scanEntry)
}

// Due is fact.Log's. Matches whose first entries have the same time come in the order of their ids.
func (s *Store) Due(ctx context.Context, by time.Time) ([]wire.ID, error) {
	rows, err := s.due.QueryContext(ctx, stamp(by))
	return readAll(s, rows, err, scanID)
}

// Finished is fact.Log's, in the order of Due.
func (s *Store) Finished(ctx context.Context, by time.Time) ([]wire.ID, error) {
	rows, err := s.finished.QueryContext(ctx, stamp(by))
	return readAll(s, rows, err, scanID)
}

// Delete is fact.Log's. Of what was deleted nothing is left in the file once it has been closed; its room is used again.
func (s *Store) Delete(ctx context.Context, id wire.ID) error {
	return s.do(ctx, func(w *writing) error { return w.delete(id) })
}

// Outages is fact.Log's.
func (s *Store) Outages(ctx context.Context, after time.Time) ([]fact.Outage, error) {
	rows, err := s.outages.QueryContext(ctx, stamp(after))
	return readAll(s, rows, err, scanOutage)
}

// Name is fact.Log's. Of a name that was erased, or was another before, nothing is left in the file once it has been closed.
func (s *Store) Name(ctx context.Context, guest, name string) error {
	return s.do(ctx, func(w *writing) error {
		_, err := w.stmt(s.setName).Exec(guest, name)
		return err
	})
}

// Names is fact.Log's.
func (s *Store) Names(ctx context.Context, guests ...string) (map[string]string, error) {
	list, err := json.Marshal(guests)
	if err != nil {
		return nil, err
	}
	rows, err := s.names.QueryContext(ctx, string(list))
	all, err := readAll(s, rows, err, func(rows *sql.Rows) (one [2]string, err error) { return one, rows.Scan(&one[0], &one[1]) })
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(all))
	for _, one := range all {
		names[one[0]] = one[1]
	}
	return names, nil
}

// readAll reads all the rows of an answer, or says why there is none.
func readAll[T any](s *Store, rows *sql.Rows, err error, scan func(*sql.Rows) (T, error)) ([]T, error) {
	if err != nil {
		return nil, s.explain(err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, s.explain(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return nil, s.explain(err)
	}
	return all, nil
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
	err = s.note.QueryRowContext(ctx, name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	} else if err != nil {
		return "", s.explain(err)
	}
	return value, nil
}

// SetNote notes something under a name, durably, instead of what was noted there.
func (s *Store) SetNote(ctx context.Context, name, value string) error {
	return s.do(ctx, func(w *writing) error {
		_, err := w.stmt(s.setNote).Exec(name, value)
		return err
	})
}

// Close finishes what the writer has taken, refuses the rest, and lets go of the file. It may be called again.
func (s *Store) Close() error {
	s.once.Do(func() {
		close(s.closing)
		<-s.stopped
		s.closed = s.disconnect()
	})
	return s.closed
}

// disconnect closes whatever is open. The reader goes first: the last connection to go tidies the file up.
func (s *Store) disconnect() error {
	var errs []error
	for _, db := range []*sql.DB{s.reader, s.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(append(errs, s.lock.Close())...)
}
