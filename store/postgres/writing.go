package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"caveau/wire"
)

// A Writing is a transaction. What is to be done in it is sent at its commit, all at once: one way there and back, however many share it.
type Writing struct {
	db    *DB
	batch *pgx.Batch
	asks  bool // somebody wants to know more than whether it was done
	at    string
	among []string // guests

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
	switch statement {
	case "delete_entries":
		w.entries()
	case "outage": // of several nodes that open at once one writes it
		w.batch.Queue("SELECT FROM caveau FOR UPDATE")
		args = append(args, w.db.epoch)
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

// Among is that what is done asks what is known of these guests, and changes it: meanwhile no other node does.
func (w *Writing) Among(guests ...string) {
	if w.db.several {
		w.among = append(w.among, guests...)
	}
}

// Own is that what is done is refused with fact.ErrAnothers unless the table is this node's; whoever claims it owns it from then on, if it is nobody's.
func (w *Writing) Own(id wire.ID, claims bool) error {
	statement := "own"
	if claims {
		statement = "claim"
	}
	if w.db.several {
		w.batch.Queue(w.db.writes[statement], string(id), w.db.epoch)
	}
	return nil
}

// block is how many numbers the database gives at once.
const block = 1000

// Number is one for a match that no other has had.
func (w *Writing) Number() (int64, error) {
	d := w.db
	if d.numbers == 0 {
		if err := d.ask("SELECT nextval('numbers')", &d.number); err != nil {
			return 0, err
		}
		d.numbers = block
	}
	n := d.number
	d.number, d.numbers = n+1, d.numbers-1
	return n, nil
}

// ask asks for a number, again where the connection is lost.
func (d *DB) ask(question string, answer *int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), d.patience)
	defer cancel()
	for {
		if err := d.ready(ctx); err != nil {
			return err
		}
		if err := d.conn.QueryRow(ctx, question).Scan(answer); err == nil || !d.conn.IsClosed() || ctx.Err() != nil {
			return err
		}
	}
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
		if code(err) == deadlock && ctx.Err() == nil {
			continue // of two who waited for each other it has undone this one, and the other goes on
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
	if len(w.among) > 0 { // sorted, and before anything else is locked: so no two nodes wait for each other’s guests, and whoever renews the lease waits for no guest
		all.Queue(w.db.writes["lock_guests"], guesting, w.among)
	}
	all.Queue(w.db.writes["set_alive"], w.at, w.db.epoch, w.db.line).QueryRow(func(row pgx.Row) error {
		err := row.Scan(new(int))
		if code(err) == missing {
			err = w.db.lose()
		}
		return err
	})
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
