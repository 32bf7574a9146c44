package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"time"

	"caveau/fact"
	"caveau/wire"
)

// maxGroup is how many jobs share a commit at most, so that the first of them does not wait for ever.
const maxGroup = 512

// A job is one caller's part of a transaction.
type job struct {
	ctx  context.Context
	work func(*writing) error // fact.ErrConflict is an answer; any other error undoes the group, which is tried one by one then
	done chan error           // has room for the answer
}

// do hands work to the writer and waits until it is durable, or was not done.
func (s *Store) do(ctx context.Context, work func(*writing) error) error {
	j := job{ctx, work, make(chan error, 1)}
	var late <-chan time.Time
	if patience := s.Patience(); patience > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case s.jobs <- j:
		return <-j.done
	case <-ctx.Done():
		return ctx.Err()
	case <-late:
		return s.explain(errBusy)
	case <-s.closing:
		return s.explain(errClosed)
	}
}

// write is the goroutine that writes.
func (s *Store) write() {
	defer close(s.stopped)
	for {
		var settle <-chan time.Time
		if s.Unsure() {
			settle = time.After(s.Patience() / 30)
		}
		select {
		case j := <-s.jobs:
			s.answer(s.gather(j))
		case <-settle: // nobody may be writing, and nobody can read before that
			if tx, err := s.Begin(); err == nil {
				tx.Rollback()
			}
		case <-s.closing:
			return
		}
	}
}

// gather is the group of all jobs that wait already, and of those that come while others who can run are let run: on one
// processor, callers who were answered a moment ago have had no turn to ask again. As long as each turn brings somebody there
// is another. It waits for nobody, so a lone entry is as fast as can be.
func (s *Store) gather(first job) []job {
	group := []job{first}
	for before := 0; before < len(group) && len(group) < maxGroup; {
		before = len(group)
		runtime.Gosched()
		group = s.join(group)
	}
	return group
}

// join is the group with all jobs that wait.
func (s *Store) join(group []job) []job {
	for len(group) < maxGroup {
		select {
		case j := <-s.jobs:
			group = append(group, j)
		default:
			return group
		}
	}
	return group
}

// answer commits the group and then, not before, tells everybody in it. Where that fails each is tried alone: what is wrong with one
// entry is no fault of the strangers that it shares a commit with.
func (s *Store) answer(group []job) {
	answers, err := s.commit(group)
	if err != nil && len(group) > 1 && s.Alone(err) {
		for i := range group {
			s.answer(group[i : i+1])
		}
		return
	}
	if err != nil {
		err = s.explain(err)
	}
	if !errors.Is(err, fact.ErrAnothers) && !errors.Is(err, fact.ErrConflict) { // which are no fault of the database's
		s.trouble.Store(&err)
	}
	for i, j := range group {
		if err != nil {
			j.done <- err
		} else {
			j.done <- answers[i]
		}
	}
}

// commit does the group's work in one transaction. With an error nothing of it was done.
func (s *Store) commit(group []job) (answers []error, err error) {
	// Not the context of any job: one caller who goes away must not undo the work of the others.
	tx, err := s.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	if s.stale {
		if err := s.recall(context.Background()); err != nil {
			return nil, err
		}
	}
	w := &writing{Store: s, transaction: tx, latest: s.alive}
	defer func() {
		if err != nil {
			s.stale = true // what is remembered may be ahead of the database, or behind it
		}
	}()
	if answers, err = w.all(group); err != nil {
		return nil, err
	}
	if err := tx.Commit(); err != nil {
		return nil, err
	}
	s.alive = w.latest
	for _, id := range w.passing {
		if h := s.heads[id]; !s.keeps(h) {
			delete(s.heads, id)
		}
	}
	if w.entries > 0 {
		s.commits.Add(1)
		s.appended.Add(w.entries)
	}
	return answers, nil
}

// A writing is a transaction of the writer, from its beginning to its commit.
type writing struct {
	*Store
	transaction
	passing []wire.ID // matches whose heads are good for this transaction alone
	entries int64     // appended
	last    string    // the time of the last of them
	latest  string    // when the house was last known to be alive
}

// all does the work of the group, and answers everybody in it; with an error the transaction is to be undone.
func (w *writing) all(group []job) ([]error, error) {
	answers := make([]error, len(group))
	for i, j := range group {
		if answers[i] = j.ctx.Err(); answers[i] != nil {
			continue
		}
		answers[i] = j.work(w)
		if answers[i] != nil && !errors.Is(answers[i], fact.ErrConflict) {
			return nil, answers[i]
		}
	}
	if w.entries == 0 && w.latest == w.alive {
		return answers, nil
	}
	return answers, w.transaction.Alive(w.latest, w.last)
}

// A head is where a match stands: its number in the file, its last entry, and when it is due, as the file says it.
type head struct {
	key  int64 // 0 for a match that has no entry
	last int
	due  sql.NullString
	term int64 // of this node's, when it was found: in any other there may have been others meanwhile
}

// awake is what due is while a match is awake, over while it is over.
var awake, over = sql.NullString{Valid: true}, sql.NullString{}

// find is the head of a match. The writer has those of the matches that are awake here, and of those that this transaction has changed, which
// nobody else changes. The others are read.
func (w *writing) find(id wire.ID) (h head, err error) {
	term := w.deeds.term(id)
	h, ok := w.heads[id]
	if ok && h.term == term {
		return h, nil
	}
	err = w.Read(context.Background(), func(ctx context.Context) error {
		heads, err := rowsOf(ctx, w.reads["head"], func(rows *sql.Rows) (h head, err error) { return h, rows.Scan(&h.key, &h.due, &h.last) }, string(id))
		h = head{}
		if len(heads) > 0 {
			h = heads[0]
		}
		return err
	})
	h.term = term
	return h, err
}

// keep has the next entry find the head without asking the database.
func (w *writing) keep(id wire.ID, h head) {
	w.heads[id] = h
	if !w.keeps(h) {
		w.passing = append(w.passing, id)
	}
}

// keeps tells whether a head is still good after the commit: of a match that is awake, and this node's.
func (s *Store) keeps(h head) bool { return h.due == awake && (s.deeds == nil || h.term > 0) }

func (w *writing) append(id wire.ID, e fact.Entry) error {
	h, err := w.find(id)
	if err != nil {
		return err
	}
	if e.Seq != h.last+1 {
		return fmt.Errorf("match %s, entry %d: %w", id, e.Seq, fact.ErrConflict)
	}
	at, due := stamp(e.At), awake
	if e.Over {
		due = over
	}
	if h.key != 0 {
		err = w.become(h, due, sql.NullString{})
	} else if h.key, err = w.Number(); err == nil {
		err = w.Do("first", nil, h.key, string(id), at, due)
	}
	if err != nil {
		return err
	}
	if err := w.Do("entry", nil, h.key, e.Seq, at, content(e.Data), e.Over); err != nil {
		return err
	}
	if err := w.seat(h.key, e); err != nil {
		return err
	}
	w.keep(id, head{h.key, e.Seq, due, h.term})
	w.entries++
	w.last = at
	w.sign(at)
	return nil
}

// become writes when a match is due, if that is not what the database has.
func (w *writing) become(h head, due, since sql.NullString) error {
	if h.due == due && !since.Valid {
		return nil
	}
	return w.Do("set_due", nil, h.key, due, since)
}

func (w *writing) rest(id wire.ID, r fact.Rest) error {
	h, err := w.find(id)
	if err != nil {
		return err
	}
	if h.key == 0 || h.due == over || h.last != r.Seq {
		return fmt.Errorf("match %s, rest after entry %d: %w", id, r.Seq, fact.ErrConflict)
	}
	if err := w.Own(id, false); err != nil {
		return err
	}
	due := sql.NullString{String: stamp(r.Until), Valid: true}
	if err := w.become(h, due, sql.NullString{String: stamp(r.Since), Valid: true}); err != nil {
		return err
	}
	w.keep(id, head{h.key, h.last, due, h.term})
	return nil
}

func (w *writing) delete(id wire.ID) error {
	h, err := w.find(id)
	if err != nil {
		return err
	}
	if h.key == 0 || h.due != over {
		return fmt.Errorf("match %s is not over: %w", id, fact.ErrConflict)
	}
	if err := w.Own(id, true); err != nil {
		return err
	}
	for _, statement := range []string{"delete_sat", "delete_told", "delete_entries", "delete_match"} {
		if err := w.Do(statement, nil, h.key); err != nil {
			return err
		}
	}
	w.keep(id, head{term: h.term})
	return w.transaction.Alive(w.latest, "") // perhaps only an entry said so that is gone now
}

// sign says that the house was alive at that time.
func (w *writing) sign(at string) { w.latest = max(w.latest, at) }

func (w *writing) woke(t time.Time) error {
	at := stamp(t)
	if w.latest != "" && w.latest < at {
		if err := w.Do("outage", nil, w.latest, at); err != nil {
			return err
		}
	}
	w.sign(at)
	return nil
}
