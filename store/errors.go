package store

import (
	"errors"
	"fmt"

	"caveau/store/sqlite"
)

// A refusal is what we find out ourselves. The text is the rest of a line that begins with the database.
type refusal string

func (r refusal) Error() string { return string(r) }

const (
	errClosed refusal = "is closed, because the server is stopping; try again once it runs"
	errBusy   refusal = "does not keep up, and nothing was written; try again"
)

// explain makes one line of an error met while working; whatever fails once the store is closed fails because of that.
func (s *Store) explain(err error) error {
	select {
	case <-s.stopped:
		err = errClosed
	default:
	}
	if isOurs(err) {
		return named(s.Called(), err)
	}
	return s.base.Explain(err)
}

// explain is explain for an error met with a file.
func explain(path string, err error) error {
	if isOurs(err) {
		return named(path, err)
	}
	return sqlite.Explain(path, err)
}

func isOurs(err error) bool {
	var own refusal
	return errors.As(err, &own)
}

func named(name string, err error) error { return fmt.Errorf("the database %s %w", name, err) }
