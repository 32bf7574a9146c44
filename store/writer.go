package store

import (
	"context"
	"database/sql"
	"errors"

	"caveau/match"
)

// maxGroup is how many jobs share a commit at most, so that the first of them does not wait for ever.
const maxGroup = 512

// A job is one caller's part of a transaction.
type job struct {
	ctx  context.Context
	work func(*sql.Tx) error // match.ErrConflict is an answer; any other error undoes the group
	done chan error          // has room for the answer
}

// do hands work to the writer and waits until it is durable, or was not done.
func (s *Store) do(ctx context.Context, work func(*sql.Tx) error) error {
	j := job{ctx, work, make(chan error, 1)}
	select {
	case s.jobs <- j:
		return <-j.done
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return explain(s.path, errClosed)
	}
}

// write is the goroutine that writes.
func (s *Store) write() {
	defer close(s.stopped)
	for {
		select {
		case j := <-s.jobs:
			s.answer(s.gather(j))
		case <-s.closing:
			return
		}
	}
}

// gather is the group of all jobs that wait already; it waits for no more, so a lone entry is as fast as can be.
func (s *Store) gather(first job) []job {
	group := []job{first}
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

// answer commits the group and then, not before, tells everybody in it.
func (s *Store) answer(group []job) {
	answers, err := s.commit(group)
	for i, j := range group {
		if err != nil {
			j.done <- s.explain(err)
		} else {
			j.done <- answers[i]
		}
	}
}

// commit does the group's work in one transaction. With an error nothing of it was done.
func (s *Store) commit(group []job) ([]error, error) {
	// Not the context of any job: one caller who goes away must not undo the work of the others.
	tx, err := s.writer.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // of no effect after Commit
	answers := make([]error, len(group))
	for i, j := range group {
		if answers[i] = j.ctx.Err(); answers[i] != nil {
			continue
		}
		answers[i] = j.work(tx)
		if answers[i] != nil && !errors.Is(answers[i], match.ErrConflict) {
			return nil, answers[i]
		}
	}
	return answers, tx.Commit()
}
