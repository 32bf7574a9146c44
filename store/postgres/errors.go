package postgres

import (
	"context"
	"crypto/x509"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"caveau/fact"
)

// A refusal is what we find out ourselves. The text is the rest of a line that begins with the database.
type refusal string

func (r refusal) Error() string { return string(r) }

const (
	errInUse    refusal = "is in use by another server; stop that one, or name another database; or be one of its nodes, if it has any, by --bus"
	errTaken    refusal = "was taken over by another server while this one had no connection; stop this one"
	errHeld     refusal = "still holds the connection that was lost, and nothing was written; it tries again by itself"
	errOld      refusal = "is older than PostgreSQL 15; use a newer one"
	errUnsynced refusal = "does not sync what it acknowledges; set synchronous_commit and fsync to on"
	errEncoding refusal = "is not in UTF8; make one with ENCODING 'UTF8'"
	errNoSchema refusal = "has no schema of its search_path; make one"
	errForeign  refusal = "has tables of another program; give the house a database, or a schema, of its own"
	errNewer    refusal = "was written by a newer version of this program; use that version, or restore an older backup"
	errEmpty    refusal = "has no house in it; look at the address, and at its search_path"
	errOlder    refusal = "was written by an older version of this program; use that version, or open it once with this one"
	errThere    refusal = "has a house in it already, which is not overwritten; make another database, or another schema"
	errSlow     refusal = "does not answer in time; look at the server, and at the way to it"
	errUnknown  refusal = "cannot be reached, and what was last to be written may be there or not; nothing is read before that is known"
	errUnsure   refusal = "is not read before it is known what has become of the last commit; it tries again by itself"
	errUnheard  refusal = "has written it, and its answer was lost; try again"
	errUndone   refusal = "has undone the transaction; try again"
)

// States of PostgreSQL's that we know, and the beginnings of some.
const (
	lockTimeout = "55P03"
	deadlock    = "40P01"
	uniqueKey   = "23505"
	missing     = "22012" // what has to be there is not: how many there are was divided by
)

// advice is the rest of the line for errors of the server's, by their states or the first two letters of these.
var advice = map[string]string{
	"28":    "does not let this user in; look at the user, the password and pg_hba.conf",
	"3D":    "is not there; make it with createdb",
	"42501": "may not be written; give this user the right to make tables in its schema",
	"53100": "has no room left on its disk, and nothing was written; make room, no restart is needed",
	"53":    "is out of what it needs; look at the server",
	"55P03": "is kept waiting by another transaction, a backup for instance, and nothing was written; let that end, and try again",
	"57014": "did not answer in time, and nothing was written; look at the server",
	"57P":   "is stopping or starting; it is tried again",
	"25006": "is a standby, or read only; give the address of the primary",
}

// code is the state that an error of the server's has; "" if it is not one.
func code(err error) string {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code
}

// isOfTable tells whether somebody else has written the entry, or the first of a table.
func isOfTable(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.TableName == "entries" || e.TableName == "matches")
}

// isAway tells whether the server could not be reached, or hung up: it may come back.
func isAway(err error) bool {
	switch c := code(err); {
	case strings.HasPrefix(c, "57P"), strings.HasPrefix(c, "08"):
		return true
	case c != "" || errors.Is(err, context.Canceled):
		return false
	}
	var connect *pgconn.ConnectError
	var net net.Error
	return errors.Is(err, errHeld) || errors.As(err, &connect) || errors.As(err, &net) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, driver.ErrBadConn) || pgconn.SafeToRetry(err)
}

// Alone tells whether an error may be the fault of one job: where the server found something wrong with what it was told.
func (d *DB) Alone(err error) bool {
	c := code(err)
	return strings.HasPrefix(c, "22") || strings.HasPrefix(c, "23") || c == "" && !isRefusal(err) && !isAway(err)
}

func isRefusal(err error) bool {
	var own refusal
	return errors.As(err, &own)
}

// Explain makes one line of an error: what happened, with which database, what to do. The error of a context stays as it is, and so does a
// conflict.
func (d *DB) Explain(err error) error {
	if err == context.Canceled || err == context.DeadlineExceeded || errors.Is(err, fact.ErrConflict) {
		return err
	}
	if d.several && errors.Is(err, errTaken) {
		return fmt.Errorf("the database %s is written to by others: %w", d.name, fact.ErrEpoch)
	}
	if isRefusal(err) {
		return fmt.Errorf("the database %s %w", d.name, err)
	}
	c := code(err)
	switch {
	case c == uniqueKey && isOfTable(err):
		return fmt.Errorf("%w (%w)", fact.ErrConflict, err)
	case c == missing:
		return fmt.Errorf("%w (%w)", fact.ErrAnothers, err)
	}
	for _, known := range []string{c, c[:min(3, len(c))], c[:min(2, len(c))]} {
		if text, ok := advice[known]; ok {
			return fmt.Errorf("the database %s %s (%s)", d.name, text, oneLine(err))
		}
	}
	var unknown x509.UnknownAuthorityError
	if errors.As(err, &unknown) {
		return fmt.Errorf("the database %s has a certificate that nobody vouches for here; name who does in sslrootcert (%s)", d.name, oneLine(err))
	}
	if isAway(err) {
		return fmt.Errorf("the database %s cannot be reached; look whether it runs, and at its address (%s)", d.name, oneLine(err))
	}
	return fmt.Errorf("the database %s: %s", d.name, oneLine(err))
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
