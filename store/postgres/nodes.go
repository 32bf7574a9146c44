package postgres

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/stdlib"

	"caveau/fact"
	"caveau/wire"
)

// A Node is one of several in a database that a house has made: its fact.Deeds. What it does is done under its epoch, as long as that lasts.
type Node struct {
	*DB
	writer *sql.DB
	epoch  int64
}

var _ fact.Deeds = (*Node)(nil)

// Join makes a node, with a lease that lasts for so long.
func Join(ctx context.Context, address string, lasts, patience time.Duration) (*Node, error) {
	d, err := at(address, patience)
	if err != nil {
		return nil, err
	}
	// Whoever sweeps waits for the transactions of a node that sleeps: they are not to wait for it.
	d.config.RuntimeParams["idle_in_transaction_session_timeout"] = strconv.FormatInt(patience.Milliseconds(), 10)
	n := &Node{DB: d, writer: stdlib.OpenDB(*d.config)}
	if err := n.writer.QueryRowContext(ctx, "INSERT INTO nodes (until) VALUES ("+from+") RETURNING epoch", lasts.Microseconds()).Scan(&n.epoch); err != nil {
		return nil, errors.Join(d.Explain(err), n.Close())
	}
	return n, nil
}

// from is a time that begins when the statement is done, and not when its transaction began.
const from = "clock_timestamp() + $1 * interval '1 microsecond'"

// Close leaves the lease to run out.
func (n *Node) Close() error { return errors.Join(n.writer.Close(), n.DB.Close()) }

// fenced does something in a transaction that changes the node's row first: while it goes on nobody ends the epoch, and once that has ended nothing is done.
func (n *Node) fenced(ctx context.Context, do func(*sql.Tx) error) error {
	return n.in(ctx, func(tx *sql.Tx) error {
		switch there, err := changes(tx, ctx, "UPDATE nodes SET commits = commits + 1 WHERE epoch = $1", n.epoch); {
		case err != nil:
			return err
		case !there:
			return fact.ErrEpoch
		}
		return do(tx)
	})
}

// in does something in a transaction, within the patience.
func (n *Node) in(ctx context.Context, do func(*sql.Tx) error) error {
	within, cancel := context.WithTimeout(ctx, n.patience)
	defer cancel()
	tx, err := n.writer.BeginTx(within, nil)
	if err == nil {
		defer tx.Rollback() // of no effect after Commit
		if err = do(tx); err == nil {
			err = tx.Commit()
		}
	}
	switch {
	case err == nil, errors.Is(err, fact.ErrEpoch):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case within.Err() != nil:
		err = errSlow
	}
	return n.Explain(err)
}

func changes(tx *sql.Tx, ctx context.Context, text string, args ...any) (bool, error) {
	done, err := tx.ExecContext(ctx, text, args...)
	if err != nil {
		return false, err
	}
	rows, err := done.RowsAffected()
	return rows > 0, err
}

// Take is fact.Deeds'.
func (n *Node) Take(ctx context.Context, id wire.ID) (term int64, err error) {
	if !IsText(string(id)) {
		return 0, ctx.Err()
	}
	err = n.fenced(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `INSERT INTO deeds (id, epoch) SELECT id, $2 FROM matches WHERE id = $1
			ON CONFLICT (id) DO UPDATE SET term = DEFAULT WHERE deeds.epoch = excluded.epoch RETURNING term`, string(id), n.epoch).Scan(&term)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return term, err
}

// Give is fact.Deeds'.
func (n *Node) Give(ctx context.Context, id wire.ID, term int64) error {
	return n.fenced(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM deeds WHERE id = $1 AND term = $2", string(id), term)
		return err
	})
}

// Renew is fact.Deeds'.
func (n *Node) Renew(ctx context.Context, lasts time.Duration) error {
	return n.in(ctx, func(tx *sql.Tx) error {
		there, err := changes(tx, ctx, "UPDATE nodes SET until = "+from+", commits = commits + 1 WHERE epoch = $2 AND until > clock_timestamp()", lasts.Microseconds(), n.epoch)
		if err == nil && !there {
			err = fact.ErrEpoch
		}
		return err
	})
}

// Sweep is fact.Deeds'. The epochs end in a transaction of their own, which waits for any that one of them has on its way; the one that follows sees all
// that those have done.
func (n *Node) Sweep(ctx context.Context) (free []wire.ID, err error) {
	err = n.in(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM nodes WHERE until <= clock_timestamp()")
		return err
	})
	if err != nil {
		return nil, err
	}
	err = n.in(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "DELETE FROM deeds WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.epoch = deeds.epoch) RETURNING id")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id wire.ID
			if err := rows.Scan(&id); err != nil {
				return err
			}
			free = append(free, id)
		}
		return rows.Err()
	})
	return free, err
}

// IsText tells whether PostgreSQL takes an id for text. Whoever asks for a table may give it any name.
func IsText(id string) bool { return utf8.ValidString(id) && !strings.Contains(id, "\x00") }
