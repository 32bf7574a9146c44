package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// A Writing is a transaction. What is to be done in it is sent at its commit, all at once: one way there and back, however many share it.
type Writing struct {
	db    *DB
	batch *pgx.Batch
	asks  bool // somebody wants to know more than whether it was done
	at    string

	matches, seqs []int64 // of the entries that are not in the batch yet
	ats           []string
	data          [][]byte
	over          []bool
}

// Begin begins a transaction. With an error there is no connection to write with.
func (d *DB) Begin() (*Writing, error) { return &Writing{db: d, batch: new(pgx.Batch)}, d.settle() }

// Do has a statement done in its turn; changed, unless it is nil, is how many rows that were once Commit has returned. Entries come together, as one
// statement.
func (w *Writing) Do(statement string, changed *int64, args ...any) error {
	if statement == "entry" {
		w.matches, w.seqs = append(w.matches, args[0].(int64)), append(w.seqs, int64(args[1].(int)))
		data, err := args[3].(pgtype.BytesValuer).BytesValue()
		w.ats, w.data, w.over = append(w.ats, args[2].(string)), append(w.data, data), append(w.over, args[4].(bool))
		return err
	}
	if statement == "delete_entries" {
		w.entries()
	}
	q := w.batch.Queue(w.db.writes[statement], args...)
	if changed != nil {
		w.asks = true
		q.Exec(func(done pgconn.CommandTag) error { *changed = done.RowsAffected(); return nil })
	}
	return nil
}

// entries puts those that were held back into the batch.
func (w *Writing) entries() {
	if len(w.seqs) > 0 {
		w.batch.Queue(w.db.writes["entry"], w.matches, w.seqs, w.ats, w.data, w.over)
		w.matches, w.seqs, w.ats, w.data, w.over = nil, nil, nil, nil, nil
	}
}

// Ask is Do for a statement with an answer of one number.
func (w *Writing) Ask(statement string, answer *int, args ...any) error {
	w.asks = true
	w.batch.Queue(w.db.writes[statement], args...).QueryRow(func(row pgx.Row) error { return row.Scan(answer) })
	return nil
}

// Alive says when the house was last alive.
func (w *Writing) Alive(at, _ string) error {
	w.at = at
	return nil
}

// Rollback forgets what was not sent.
func (w *Writing) Rollback() error { return nil }

// Commit returns once all of it is durable. Where the connection is lost it finds out what has become of it, by another connection, and where it
// has become nothing it is sent again. With an error it was not done, or nobody can know; then nothing is read before that is known.
func (w *Writing) Commit() error {
	d := w.db
	w.entries()
	ctx, cancel := context.WithTimeout(context.Background(), d.patience)
	defer cancel()
	for {
		if err := d.ready(ctx); err != nil {
			return err // nothing was sent
		}
		before := d.commits
		err := w.send(ctx)
		if err == nil {
			d.commits++
			return nil
		}
		if !d.conn.IsClosed() {
			return err // the server has said so, and has undone it
		}
		d.unsure.Store(true)
		if err := d.settle(); errors.Is(err, errTaken) {
			return err
		} else if err != nil {
			return errUnknown
		}
		if d.commits > before && w.asks {
			return errUnheard
		} else if d.commits > before {
			return nil
		}
		if ctx.Err() != nil {
			return errSlow
		}
	}
}

// settle finds out what has become of the last commit, with a patience of its own.
func (d *DB) settle() error {
	ctx, cancel := context.WithTimeout(context.Background(), d.patience)
	defer cancel()
	return d.ready(ctx)
}

// send has it all done in one transaction. It is done when the server has answered to its last word.
func (w *Writing) send(ctx context.Context) error {
	conn := w.db.conn
	all := new(pgx.Batch)
	all.Queue("BEGIN")
	all.Queue(w.db.writes["set_alive"], w.at, w.db.epoch)
	for _, q := range w.batch.QueuedQueries { // each as new: what was sent before was prepared on another connection
		all.Queue(q.SQL, q.Arguments...).Fn = q.Fn
	}
	committed := false
	all.Queue("COMMIT").Exec(func(done pgconn.CommandTag) error { committed = done.String() == "COMMIT"; return nil })
	err := conn.SendBatch(ctx, all).Close()
	if err == nil && !committed {
		err = errUndone
	}
	if err != nil && !conn.IsClosed() && conn.PgConn().TxStatus() != 'I' {
		if _, undone := conn.Exec(ctx, "ROLLBACK"); undone != nil {
			w.db.hangUp(conn)
		}
	}
	return err
}
