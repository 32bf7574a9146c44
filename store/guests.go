package store

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"time"

	"caveau/fact"
	"caveau/guests"
	"caveau/wire"
)

var (
	//go:embed sql/end.sql
	endSQL string
	//go:embed sql/sweep_ended.sql
	sweepEndedSQL string
	//go:embed sql/end_all.sql
	endAllSQL string
	//go:embed sql/ended.sql
	endedSQL string
	//go:embed sql/add_passkey.sql
	addPasskeySQL string
	//go:embed sql/passkey.sql
	passkeySQL string
	//go:embed sql/passkeys.sql
	passkeysSQL string
	//go:embed sql/use_passkey.sql
	usePasskeySQL string
	//go:embed sql/remove_passkey.sql
	removePasskeySQL string
	//go:embed sql/forget_passkeys.sql
	forgetPasskeysSQL string
	//go:embed sql/set_sat.sql
	setSatSQL string
	//go:embed sql/sat.sql
	satSQL string
	//go:embed sql/forget_sat.sql
	forgetSatSQL string
	//go:embed sql/forget_table.sql
	forgetTableSQL string
	//go:embed sql/delete_sat.sql
	deleteSatSQL string
	//go:embed sql/subscribe.sql
	subscribeSQL string
	//go:embed sql/trim_subscriptions.sql
	trimSubscriptionsSQL string
	//go:embed sql/subscriptions.sql
	subscriptionsSQL string
	//go:embed sql/unsubscribe.sql
	unsubscribeSQL string
	//go:embed sql/end_subscriptions.sql
	endSubscriptionsSQL string
	//go:embed sql/tell.sql
	tellSQL string
	//go:embed sql/forget_told.sql
	forgetToldSQL string
	//go:embed sql/delete_told.sql
	deleteToldSQL string
)

var _ guests.Keeper = (*Store)(nil)

// End is guests.Keeper's.
func (s *Store) End(ctx context.Context, guest, session string, now, until time.Time) (first bool, err error) {
	err = s.do(ctx, func(w *writing) error {
		if _, err := w.stmt(s.sweepEnded).Exec(stamp(now)); err != nil {
			return err
		}
		done, err := w.stmt(s.end).Exec(guest, session, stamp(until))
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if first = n > 0; err == nil {
			_, err = w.stmt(s.endSubscriptions).Exec(guest, session)
		}
		return err
	})
	return first, err
}

// EndAll is guests.Keeper's.
func (s *Store) EndAll(ctx context.Context, guest string) (round int, err error) {
	err = s.do(ctx, func(w *writing) error {
		if _, err := w.stmt(s.endSubscriptions).Exec(guest, ""); err != nil {
			return err
		}
		return w.stmt(s.endAll).QueryRow(guest).Scan(&round)
	})
	return round, err
}

// Ended is guests.Keeper's.
func (s *Store) Ended(ctx context.Context, guest, session string) (ended bool, round int, err error) {
	if err = s.ended.QueryRowContext(ctx, guest, session).Scan(&ended, &round); err != nil {
		err = s.explain(err)
	}
	return ended, round, err
}

// AddPasskey is guests.Keeper's.
func (s *Store) AddPasskey(ctx context.Context, p guests.Passkey) error {
	var added int64
	err := s.do(ctx, func(w *writing) error {
		done, err := w.stmt(s.addPasskey).Exec(p.ID, p.Guest, p.Name, stamp(p.Made), stamp(p.Used), string(p.Check))
		if err == nil {
			added, err = done.RowsAffected()
		}
		return err
	})
	if err == nil && added == 0 {
		err = guests.ErrTaken
	}
	return err
}

// Passkey is guests.Keeper's.
func (s *Store) Passkey(ctx context.Context, id []byte) (p guests.Passkey, there bool, err error) {
	rows, err := s.passkey.QueryContext(ctx, id)
	all, err := readAll(s, rows, err, scanPasskey)
	if len(all) > 0 {
		p = all[0]
	}
	return p, len(all) > 0, err
}

// Passkeys is guests.Keeper's.
func (s *Store) Passkeys(ctx context.Context, guest string) ([]guests.Passkey, error) {
	rows, err := s.passkeys.QueryContext(ctx, guest)
	return readAll(s, rows, err, scanPasskey)
}

func scanPasskey(rows *sql.Rows) (p guests.Passkey, err error) {
	var made, used string
	if err := rows.Scan(&p.ID, &p.Guest, &p.Name, &made, &used, (*[]byte)(&p.Check)); err != nil {
		return p, err
	}
	if p.Made, err = time.Parse(timeFormat, made); err == nil {
		p.Used, err = time.Parse(timeFormat, used)
	}
	return p, err
}

// UsePasskey is guests.Keeper's.
func (s *Store) UsePasskey(ctx context.Context, id []byte, at time.Time, check json.RawMessage) error {
	return s.do(ctx, func(w *writing) error {
		_, err := w.stmt(s.usePasskey).Exec(id, stamp(at), string(check))
		return err
	})
}

// RemovePasskey is guests.Keeper's.
func (s *Store) RemovePasskey(ctx context.Context, guest string, id []byte) error {
	return s.do(ctx, func(w *writing) error {
		_, err := w.stmt(s.removePasskey).Exec(guest, id)
		return err
	})
}

// Tables is guests.Keeper's.
func (s *Store) Tables(ctx context.Context, guest string) ([]guests.Table, error) {
	rows, err := s.sat.QueryContext(ctx, guest)
	return readAll(s, rows, err, func(rows *sql.Rows) (t guests.Table, err error) {
		var made string
		if err := rows.Scan(&t.ID, &made, &t.Over); err != nil {
			return t, err
		}
		t.Made, err = time.Parse(timeFormat, made)
		return t, err
	})
}

// ForgetTable is guests.Keeper's.
func (s *Store) ForgetTable(ctx context.Context, guest string, table wire.ID) error {
	return s.do(ctx, func(w *writing) error {
		_, err := w.stmt(s.forgetTable).Exec(guest, table)
		return err
	})
}

// Forget is guests.Keeper's. Of what was forgotten nothing is left in the file once it has been closed.
func (s *Store) Forget(ctx context.Context, guest string) error {
	return s.do(ctx, func(w *writing) error {
		for _, forget := range []*sql.Stmt{s.forgetPasskeys, s.forgetSat, s.forgetTold} {
			if _, err := w.stmt(forget).Exec(guest); err != nil {
				return err
			}
		}
		_, err := w.stmt(s.endSubscriptions).Exec(guest, "")
		return err
	})
}

// Subscribe is guests.Keeper's.
func (s *Store) Subscribe(ctx context.Context, b guests.Subscription) error {
	var added int64
	err := s.do(ctx, func(w *writing) error {
		done, err := w.stmt(s.subscribe).Exec(b.Endpoint, b.Guest, b.Session, b.Round, b.Language, stamp(b.Made), b.Key, b.Auth, b.House)
		if err == nil {
			added, err = done.RowsAffected()
		}
		if err == nil {
			_, err = w.stmt(s.trimSubscriptions).Exec(b.Guest, guests.MostSubscriptions)
		}
		return err
	})
	if err == nil && added == 0 {
		err = guests.ErrEnded
	}
	return err
}

// Subscriptions is guests.Keeper's.
func (s *Store) Subscriptions(ctx context.Context, guest string) ([]guests.Subscription, error) {
	rows, err := s.subscriptions.QueryContext(ctx, guest)
	return readAll(s, rows, err, func(rows *sql.Rows) (b guests.Subscription, err error) {
		var made string
		if err := rows.Scan(&b.Endpoint, &b.Guest, &b.Session, &b.Round, &b.Language, &made, &b.Key, &b.Auth, &b.House); err != nil {
			return b, err
		}
		b.Made, err = time.Parse(timeFormat, made)
		return b, err
	})
}

// Unsubscribe is guests.Keeper's.
func (s *Store) Unsubscribe(ctx context.Context, guest, endpoint string) error {
	return s.do(ctx, func(w *writing) error {
		_, err := w.stmt(s.unsubscribe).Exec(guest, endpoint)
		return err
	})
}

// Tell is guests.Keeper's.
func (s *Store) Tell(ctx context.Context, guest string, table wire.ID, n int) (first bool, err error) {
	err = s.do(ctx, func(w *writing) error {
		done, err := w.stmt(s.tell).Exec(guest, table, n)
		if err != nil {
			return err
		}
		told, err := done.RowsAffected()
		first = told > 0
		return err
	})
	return first, err
}

// seat notes who comes to a match with an entry.
func (w *writing) seat(match int64, e fact.Entry) error {
	for _, guest := range fact.Guests(e.Data) {
		if _, err := w.stmt(w.setSat).Exec(guest, match); err != nil {
			return err
		}
	}
	return nil
}
