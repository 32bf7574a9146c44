package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"caveau/fact"
	"caveau/guests"
	"caveau/wire"
)

var _ guests.Keeper = (*Store)(nil)

// End is guests.Keeper's.
func (s *Store) End(ctx context.Context, guest, session string, now, until time.Time) (first bool, err error) {
	var ended int64
	err = s.do(ctx, func(w *writing) error {
		w.Among(guest)
		if err := w.Do("sweep_ended", nil, stamp(now)); err != nil {
			return err
		}
		if err := w.Do("end_subscriptions", nil, guest, session); err != nil {
			return err
		}
		return w.Do("end", &ended, guest, session, stamp(until))
	})
	return ended > 0, err
}

// EndAll is guests.Keeper's.
func (s *Store) EndAll(ctx context.Context, by guests.Badge, back guests.Way) (round int, err error) {
	var begun int64
	err = s.do(ctx, func(w *writing) error {
		w.Among(by.ID)
		if err := w.Do("end_all_subscriptions", nil, by.ID, by.Session, by.Round); err != nil {
			return err
		}
		if back.Sum != nil { // first: then it still shows whether his own session lasts
			if err := w.Do("keep_way", nil, back.Of.ID, back.Of.Session, back.Of.Round, back.Sum, stamp(back.Until), by.Session, by.Round); err != nil {
				return err
			}
		}
		return w.Do("end_others", &begun, by.ID, by.Session, by.Round)
	})
	if err == nil && begun == 0 {
		err = guests.ErrEnded
	}
	return by.Round + 1, err
}

// Ended is guests.Keeper's.
func (s *Store) Ended(ctx context.Context, guest, session string) (ended bool, round int, err error) {
	round, _, err = one(ctx, s, "ended", func(rows *sql.Rows) (round int, err error) { return round, rows.Scan(&ended, &round) }, guest, session)
	return ended, round, err
}

// AddPasskey is guests.Keeper's.
func (s *Store) AddPasskey(ctx context.Context, p guests.Passkey, by guests.Badge) error {
	var added int64
	err := s.do(ctx, func(w *writing) error {
		w.Among(by.ID)
		return w.Do("add_passkey", &added, by.ID, by.Session, by.Round, p.ID, p.Guest, content(p.Name), stamp(p.Made), stamp(p.Used), content(p.Check))
	})
	if err == nil && added == 0 {
		if err = s.lasts(ctx, by); err == nil {
			err = guests.ErrTaken
		}
	}
	return err
}

// lasts is ErrEnded if the session of a badge does not.
func (s *Store) lasts(ctx context.Context, by guests.Badge) error {
	ended, round, err := s.Ended(ctx, by.ID, by.Session)
	if err == nil && (ended || by.Round < round) {
		err = guests.ErrEnded
	}
	return err
}

// MakeProgram is guests.Keeper's.
func (s *Store) MakeProgram(ctx context.Context, place string, round int, program wire.Guest, by guests.Badge) (first bool, err error) {
	var made int64
	err = s.do(ctx, func(w *writing) error {
		w.Among(by.ID, place)
		if err := w.Do("name_program", nil, by.ID, by.Session, by.Round, place, round, program.ID, content(program.Name)); err != nil {
			return err
		}
		return w.Do("begin_round", &made, by.ID, by.Session, by.Round, place, round)
	})
	if err == nil && made == 0 {
		err = s.lasts(ctx, by)
	}
	return made > 0, err
}

// KeepWay is guests.Keeper's.
func (s *Store) KeepWay(ctx context.Context, way guests.Way, now time.Time) error {
	var kept int64
	err := s.do(ctx, func(w *writing) error {
		w.Among(way.Of.ID)
		if err := w.Do("sweep_ways", nil, stamp(now)); err != nil {
			return err
		}
		return w.Do("keep_way", &kept, way.Of.ID, way.Of.Session, way.Of.Round, way.Sum, stamp(way.Until), way.Of.Session, way.Of.Round)
	})
	if err == nil && kept == 0 {
		err = guests.ErrEnded
	}
	return err
}

// Way is guests.Keeper's.
func (s *Store) Way(ctx context.Context, sum []byte, now time.Time) (guests.Way, bool, error) {
	return one(ctx, s, "way", func(rows *sql.Rows) (way guests.Way, err error) {
		var until string
		if err := rows.Scan(&way.Sum, &way.Of.ID, &way.Of.Session, &way.Of.Round, &until); err != nil {
			return way, err
		}
		way.Until, err = time.Parse(timeFormat, until)
		return way, err
	}, sum, stamp(now))
}

// TakeWay is guests.Keeper's.
func (s *Store) TakeWay(ctx context.Context, way guests.Way) (first bool, err error) {
	var taken int64
	err = s.do(ctx, func(w *writing) error {
		w.Among(way.Of.ID)
		return w.Do("take_way", &taken, way.Of.ID, way.Of.Session, way.Of.Round, way.Sum)
	})
	return taken > 0, err
}

// Passkey is guests.Keeper's.
func (s *Store) Passkey(ctx context.Context, id []byte) (p guests.Passkey, there bool, err error) {
	return one(ctx, s, "passkey", scanPasskey, id)
}

// Passkeys is guests.Keeper's.
func (s *Store) Passkeys(ctx context.Context, guest string) ([]guests.Passkey, error) {
	return list(ctx, s, "passkeys", scanPasskey, guest)
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
func (s *Store) UsePasskey(ctx context.Context, id []byte, at time.Time, check json.RawMessage) (there bool, err error) {
	var used int64
	err = s.do(ctx, func(w *writing) error { return w.Do("use_passkey", &used, id, stamp(at), content(check)) })
	return used > 0, err
}

// RemovePasskey is guests.Keeper's.
func (s *Store) RemovePasskey(ctx context.Context, guest string, id []byte) error {
	return s.do(ctx, func(w *writing) error { return w.Do("remove_passkey", nil, guest, id) })
}

// Tables is guests.Keeper's.
func (s *Store) Tables(ctx context.Context, guest string) ([]guests.Table, error) {
	return list(ctx, s, "sat", func(rows *sql.Rows) (t guests.Table, err error) {
		var made string
		if err := rows.Scan(&t.ID, &made, &t.Over); err != nil {
			return t, err
		}
		t.Made, err = time.Parse(timeFormat, made)
		return t, err
	}, guest)
}

// ForgetTable is guests.Keeper's.
func (s *Store) ForgetTable(ctx context.Context, guest string, table wire.ID) error {
	return s.do(ctx, func(w *writing) error { return w.Do("forget_table", nil, guest, string(table)) })
}

// Forget is guests.Keeper's. Of what was forgotten nothing is left in a file once it has been closed.
func (s *Store) Forget(ctx context.Context, guest string) error {
	return s.do(ctx, func(w *writing) error {
		for _, statement := range []string{"forget_passkeys", "forget_ways", "forget_told"} {
			if err := w.Do(statement, nil, guest); err != nil {
				return err
			}
		}
		w.Among(guest)
		if err := w.Do("end_subscriptions", nil, guest, ""); err != nil {
			return err
		}
		return w.Do("end_all", nil, guest)
	})
}

// ForgetTables is guests.Keeper's.
func (s *Store) ForgetTables(ctx context.Context, guest string) error {
	return s.do(ctx, func(w *writing) error { return w.Do("forget_sat", nil, guest) })
}

// Subscribe is guests.Keeper's.
func (s *Store) Subscribe(ctx context.Context, b guests.Subscription) error {
	var added int64
	err := s.do(ctx, func(w *writing) error {
		w.Among(b.Guest)
		if err := w.Do("subscribe", &added, b.Endpoint, b.Guest, b.Session, b.Round, b.Language, stamp(b.Made), b.Key, b.Auth, b.House); err != nil {
			return err
		}
		return w.Do("trim_subscriptions", nil, b.Guest, guests.MostSubscriptions)
	})
	if err == nil && added == 0 {
		err = guests.ErrEnded
	}
	return err
}

// Subscriptions is guests.Keeper's.
func (s *Store) Subscriptions(ctx context.Context, guest string) ([]guests.Subscription, error) {
	return list(ctx, s, "subscriptions", func(rows *sql.Rows) (b guests.Subscription, err error) {
		var made string
		if err := rows.Scan(&b.Endpoint, &b.Guest, &b.Session, &b.Round, &b.Language, &made, &b.Key, &b.Auth, &b.House); err != nil {
			return b, err
		}
		b.Made, err = time.Parse(timeFormat, made)
		return b, err
	}, guest)
}

// Unsubscribe is guests.Keeper's.
func (s *Store) Unsubscribe(ctx context.Context, guest, endpoint string) error {
	return s.do(ctx, func(w *writing) error { return w.Do("unsubscribe", nil, guest, endpoint) })
}

// Tell is guests.Keeper's.
func (s *Store) Tell(ctx context.Context, guest string, table wire.ID, n int) (first bool, err error) {
	var told int64
	err = s.do(ctx, func(w *writing) error { return w.Do("tell", &told, guest, string(table), n) })
	return told > 0, err
}

// seat notes who comes to a match with an entry.
func (w *writing) seat(match int64, e fact.Entry) error {
	for _, guest := range fact.Guests(e.Data) {
		if err := w.Do("set_sat", nil, guest, match); err != nil {
			return err
		}
	}
	return nil
}
