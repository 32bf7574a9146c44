package postgres

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgtype"

	"caveau/fact"
	"caveau/wire"
)

// A DB is its node's fact.Shared, where the house has several. What it does is done under its epoch, as long as that lasts.
var _ fact.Shared = (*DB)(nil)

// from is a time that begins when the statement is done, and not when its transaction began.
const from = "clock_timestamp() + $1 * interval '1 microsecond'"

// fenced does something in a transaction that has the node's row first: while it goes on nobody ends the epoch, and once that has ended nothing is done. The
// writer's commits do not wait for it, nor it for them.
func (d *DB) fenced(ctx context.Context, do func(*sql.Tx) error) error {
	return d.in(ctx, func(tx *sql.Tx) error {
		switch err := tx.QueryRowContext(ctx, "SELECT epoch FROM nodes WHERE epoch = $1 FOR KEY SHARE", d.epoch).Scan(new(int64)); {
		case errors.Is(err, sql.ErrNoRows):
			return fact.ErrEpoch
		case err != nil:
			return err
		}
		return do(tx)
	})
}

// in does something in a transaction, within the patience.
func (d *DB) in(ctx context.Context, do func(*sql.Tx) error) error { return d.by(ctx, d.writer, do) }

func (d *DB) by(ctx context.Context, pool *sql.DB, do func(*sql.Tx) error) error {
	within, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	tx, err := pool.BeginTx(within, nil)
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
	return d.Explain(err)
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
func (d *DB) Take(ctx context.Context, id wire.ID) (term int64, err error) {
	if !IsText(string(id)) {
		return 0, ctx.Err()
	}
	err = d.fenced(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `INSERT INTO deeds (id, epoch) SELECT id, $2 FROM matches WHERE id = $1
			ON CONFLICT (id) DO UPDATE SET term = DEFAULT WHERE deeds.epoch = excluded.epoch RETURNING term`, string(id), d.epoch).Scan(&term)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return term, err
}

// Give is fact.Deeds'. A Take of which nobody knows what became of it may be on its way yet: it is waited for.
func (d *DB) Give(ctx context.Context, id wire.ID, term int64, left fact.Left) error {
	if !IsText(string(id)) {
		return ctx.Err()
	}
	return d.fenced(ctx, func(tx *sql.Tx) error {
		if err := d.awaited(ctx, tx, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "WITH given AS (DELETE FROM deeds WHERE id = $1 AND term = $2 RETURNING id) "+leaves(left), string(id), term)
		return err
	})
}

// awaited waits until no transaction has a table's row on its way,. Nobody has to wait for one that makes the row but whoever
// would make it too; so that is done, and undone.
func (d *DB) awaited(ctx context.Context, tx *sql.Tx, id wire.ID) error {
	var term int64
	err := tx.QueryRowContext(ctx, "SELECT term FROM deeds WHERE id = $1 FOR UPDATE", string(id)).Scan(&term)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	err = tx.QueryRowContext(ctx, "INSERT INTO deeds (id, epoch) SELECT id, $2 FROM matches WHERE id = $1 ON CONFLICT (id) DO NOTHING RETURNING term", string(id), d.epoch).Scan(&term)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // there is one, and it can be seen from now on; or there is no such table
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM deeds WHERE id = $1 AND term = $2", string(id), term)
	}
	return err
}

// leaves notes since when nobody has a table that was given back. Of one that is over, and of one that rested and was not woken, there is nothing to note.
func leaves(left fact.Left) string {
	switch left {
	case fact.Rests:
		return "DELETE FROM idle USING given WHERE idle.id = given.id"
	case fact.Stopped:
		return "INSERT INTO idle SELECT id, clock_timestamp() FROM matches JOIN given USING (id) WHERE due IS NOT NULL " + again
	}
	return `INSERT INTO idle SELECT id, clock_timestamp() FROM matches JOIN given USING (id) WHERE due = '' OR id IN (SELECT id FROM idle)
		ON CONFLICT (id) DO UPDATE SET since = CASE WHEN coalesce(idle.term, $2) = $2 THEN idle.since ELSE excluded.since END, term = NULL`
}

// Confirm is fact.Shared's. One statement sees one moment.
func (d *DB) Confirm(ctx context.Context, id wire.ID, term int64) (last int, err error) {
	if !IsText(string(id)) {
		return 0, ctx.Err()
	}
	err = d.Read(ctx, func(ctx context.Context) error {
		last = 0
		err := d.reader.QueryRowContext(ctx, `SELECT seq FROM deeds JOIN nodes USING (epoch) JOIN matches USING (id) JOIN entries ON match = key
			WHERE deeds.id = $1 AND term = $2 AND epoch = $3 ORDER BY seq DESC LIMIT 1`, string(id), term, d.epoch).Scan(&last)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		err = d.Explain(err)
	}
	return last, err
}

// Taken is fact.Shared's.
func (d *DB) Taken(ctx context.Context) (ids []wire.ID, err error) {
	err = d.Read(ctx, func(ctx context.Context) error {
		ids, err = all[wire.ID](d.reader.QueryContext(ctx, "SELECT id FROM deeds WHERE epoch <> $1", d.epoch))
		return err
	})
	if err != nil && ctx.Err() == nil {
		err = d.Explain(err)
	}
	return ids, err
}

// again is for a table that nobody has once more. Where no owner had asked it is still that nobody has it.
const again = "ON CONFLICT (id) DO UPDATE SET since = CASE WHEN idle.term IS NULL THEN idle.since ELSE excluded.since END, term = NULL"

// Idle is fact.Shared's.
func (d *DB) Idle(ctx context.Context, id wire.ID, term int64) (idle time.Duration, err error) {
	if !IsText(string(id)) {
		return 0, ctx.Err()
	}
	err = d.fenced(ctx, func(tx *sql.Tx) error {
		micros, err := all[int64](tx.QueryContext(ctx, `UPDATE idle SET term = $2 WHERE id = $1 AND coalesce(term, $2) = $2
			RETURNING (extract(epoch FROM clock_timestamp() - since) * 1000000)::bigint`, string(id), term))
		for _, n := range micros {
			idle = time.Duration(n) * time.Microsecond
		}
		return err
	})
	return idle, err
}

// Now is fact.Shared's.
func (d *DB) Now(ctx context.Context) (now time.Time, err error) {
	err = d.Read(ctx, func(ctx context.Context) error {
		return d.reader.QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&now)
	})
	if err != nil && ctx.Err() == nil {
		err = d.Explain(err)
	}
	return now, err
}

// Living is fact.Shared's.
func (d *DB) Living(ctx context.Context, lasts time.Duration) (nodes []fact.Node, err error) {
	err = d.Read(ctx, func(ctx context.Context) error {
		nodes = nil
		rows, err := d.reader.QueryContext(ctx, "SELECT epoch, hears FROM nodes WHERE until > clock_timestamp() AND until <= "+from, lasts.Microseconds())
		return each(rows, err, func() error {
			var n fact.Node
			err := rows.Scan(&n.Number, pgtype.NewMap().SQLScanner(&n.Hears))
			nodes = append(nodes, n)
			return err
		})
	})
	if err != nil && ctx.Err() == nil {
		err = d.Explain(err)
	}
	return nodes, err
}

// Renew is fact.Deeds'.
func (d *DB) Renew(ctx context.Context, lasts time.Duration, hears ...int64) error {
	if d.lost.Load() { // whoever cannot write lives no longer
		return fact.ErrEpoch
	}
	return d.by(ctx, d.renewer, func(tx *sql.Tx) error {
		there, err := changes(tx, ctx, "UPDATE nodes SET until = "+from+", hears = $3 WHERE epoch = $2 AND until > clock_timestamp()", lasts.Microseconds(), d.epoch, append([]int64{}, hears...))
		if err == nil && !there {
			err = fact.ErrEpoch
		}
		return err
	})
}

// lives is whether the lease of the node of the epoch $1 is not over.
const lives = "EXISTS (SELECT FROM nodes AS me WHERE me.epoch = $1 AND me.until > clock_timestamp())"

// Sweep is fact.Deeds'. The epochs end in a transaction of their own, but of none that has one on its way: it is swept the next time, and no other
// waits for that. The transaction that follows sees all that those have done.
func (d *DB) Sweep(ctx context.Context) (free []wire.ID, err error) {
	err = d.in(ctx, func(tx *sql.Tx) error {
		epochs, err := all[int64](tx.QueryContext(ctx, "SELECT epoch FROM nodes WHERE until <= clock_timestamp() AND "+lives+" FOR UPDATE SKIP LOCKED", d.epoch))
		if err != nil || len(epochs) == 0 {
			return err
		}
		if _, err = tx.ExecContext(ctx, `INSERT INTO idle SELECT id, until - $2 * interval '1 microsecond' FROM deeds JOIN nodes USING (epoch) WHERE epoch = ANY($1) `+again, epochs, fact.LeaseTime.Microseconds()); err == nil {
			_, err = tx.ExecContext(ctx, end("epoch = ANY($1)"), epochs)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	err = d.in(ctx, func(tx *sql.Tx) error {
		free, err = all[wire.ID](tx.QueryContext(ctx, "DELETE FROM deeds WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.epoch = deeds.epoch) AND "+lives+" RETURNING id", d.epoch))
		return err
	})
	return free, err
}

// rises is whether all nodes speak more than the house, and none has been ended for a minute: what has died meanwhile has the time to begin again, and would be refused.
const rises = "speaks < (SELECT min(speaks) FROM nodes) AND ended < clock_timestamp() - interval '1 minute'"

// Speaks is fact.Deeds'. Whoever raises the house has its row first: then nobody joins whom he does not see.
func (d *DB) Speaks(ctx context.Context) (speaks int, err error) {
	err = d.fenced(ctx, func(tx *sql.Tx) error {
		var higher bool
		err := tx.QueryRowContext(ctx, "SELECT speaks, "+rises+" FROM caveau").Scan(&speaks, &higher)
		if err != nil || !higher {
			return err
		}
		if _, err = tx.ExecContext(ctx, "SELECT FROM caveau FOR UPDATE"); err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, "UPDATE caveau SET speaks = (SELECT min(speaks) FROM nodes) WHERE "+rises); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, "SELECT speaks FROM caveau").Scan(&speaks)
	})
	return speaks, err
}

// all are what a statement answers with, one a row.
func all[T any](rows *sql.Rows, err error) (found []T, _ error) {
	err = each(rows, err, func() error {
		var one T
		err := rows.Scan(&one)
		found = append(found, one)
		return err
	})
	return found, err
}

// each reads what a statement answers with, row by row.
func each(rows *sql.Rows, err error, read func() error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// IsText tells whether PostgreSQL takes an id for text. Whoever asks for a table may give it any name.
func IsText(id string) bool { return utf8.ValidString(id) && !strings.Contains(id, "\x00") }
