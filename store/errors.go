package store

import (
	"errors"
	"fmt"
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
	if own := refusal(""); errors.As(err, &own) {
		return fmt.Errorf("the database %s %w", s.Called(), err)
	}
	return s.base.Explain(err)
}
