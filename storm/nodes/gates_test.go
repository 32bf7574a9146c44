package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"caveau/guests"
	"caveau/store/memory"
	"caveau/wire"
)

// What the house notes for itself and of guests is in the same database as its tables: what a node asks there goes by its gate, and fails where that fails.

// notes are those of the owner, by way of one node. They are asked while a lock is held, so what is asked is answered at once (try); only what is noted may take a moment.
type notes struct {
	gate
	all  *memory.Notes
	late bool
}

func (n *notes) by(what string, do func() error) error {
	return n.try(func() error {
		if meets := n.n.w.noting; meets != nil {
			return meets(what, do)
		}
		return do()
	})
}

func (n *notes) Note(_ context.Context, name string) (value string, err error) {
	err = n.by("note", func() (err error) { value, err = n.all.Note(always, name); return err })
	return value, err
}

var errQuicker = errors.New("somebody else was quicker")

// Change does what package store does: it reads, and writes if nobody else has since.
func (n *notes) Change(ctx context.Context, name string, change func(string) (string, error)) error {
	if n.late {
		time.Sleep(5*time.Millisecond + 7*time.Microsecond)
	}
	for {
		was, err := n.Note(ctx, name)
		if err != nil {
			return err
		}
		is, err := change(was)
		if err != nil {
			return err
		}
		err = n.by("set note", func() error {
			return n.all.Change(always, name, func(value string) (string, error) {
				if value != was {
					return "", errQuicker
				}
				return is, nil
			})
		})
		if errors.Is(err, errQuicker) {
			continue
		}
		if err != nil {
			if now, unread := n.Note(ctx, name); unread != nil || now != is || is == was {
				return err
			}
		}
		return nil // if its answer was lost, it was written all the same
	}
}

// A keeper keeps what is known of guests, by way of one node.
type keeper struct {
	gate
	guests.Keeper
}

// by asks something of a guest. What no door of these nights asks is answered at once.
func (k keeper) by(ctx context.Context, what, guest string, do func() error) error {
	return k.pass(ctx, what, wire.ID(guest), 0, do)
}

func (k keeper) End(ctx context.Context, guest, session string, now, until time.Time) (first bool, err error) {
	err = k.by(ctx, "end", guest, func() (err error) { first, err = k.Keeper.End(always, guest, session, now, until); return err })
	return first, err
}

func (k keeper) EndAll(ctx context.Context, by guests.Badge, back guests.Way) (round int, err error) {
	err = k.by(ctx, "end all", by.ID, func() (err error) { round, err = k.Keeper.EndAll(always, by, back); return err })
	return round, err
}

func (k keeper) Ended(ctx context.Context, guest, session string) (ended bool, round int, err error) {
	err = k.by(ctx, "ended", guest, func() (err error) { ended, round, err = k.Keeper.Ended(always, guest, session); return err })
	return ended, round, err
}

func (k keeper) MakeProgram(ctx context.Context, place string, round int, program wire.Guest, by guests.Badge) (first bool, err error) {
	err = k.by(ctx, "make program", place, func() (err error) { first, err = k.Keeper.MakeProgram(always, place, round, program, by); return err })
	return first, err
}

func (k keeper) KeepWay(ctx context.Context, way guests.Way, now time.Time) error {
	return k.by(ctx, "keep way", way.Of.ID, func() error { return k.Keeper.KeepWay(always, way, now) })
}

func (k keeper) Way(ctx context.Context, sum []byte, now time.Time) (way guests.Way, there bool, err error) {
	err = k.by(ctx, "way", "", func() (err error) { way, there, err = k.Keeper.Way(always, sum, now); return err })
	return way, there, err
}

func (k keeper) TakeWay(ctx context.Context, way guests.Way) (first bool, err error) {
	err = k.by(ctx, "take way", way.Of.ID, func() (err error) { first, err = k.Keeper.TakeWay(always, way); return err })
	return first, err
}

func (k keeper) Passkey(ctx context.Context, id []byte) (p guests.Passkey, there bool, err error) {
	err = k.by(ctx, "passkey", "", func() (err error) { p, there, err = k.Keeper.Passkey(always, id); return err })
	return p, there, err
}

func (k keeper) Passkeys(ctx context.Context, guest string) (all []guests.Passkey, err error) {
	err = k.by(ctx, "passkeys", guest, func() (err error) { all, err = k.Keeper.Passkeys(always, guest); return err })
	return all, err
}

func (k keeper) AddPasskey(ctx context.Context, p guests.Passkey, by guests.Badge) error {
	return k.by(ctx, "add passkey", p.Guest, func() error { return k.Keeper.AddPasskey(always, p, by) })
}

func (k keeper) UsePasskey(ctx context.Context, id []byte, at time.Time, check json.RawMessage) (there bool, err error) {
	err = k.by(ctx, "use passkey", "", func() (err error) { there, err = k.Keeper.UsePasskey(always, id, at, check); return err })
	return there, err
}

func (k keeper) RemovePasskey(ctx context.Context, guest string, id []byte) error {
	return k.by(ctx, "remove passkey", guest, func() error { return k.Keeper.RemovePasskey(always, guest, id) })
}

func (k keeper) Tables(ctx context.Context, guest string) (all []guests.Table, err error) {
	err = k.by(ctx, "tables", guest, func() (err error) { all, err = k.Keeper.Tables(always, guest); return err })
	return all, err
}

func (k keeper) ForgetTable(ctx context.Context, guest string, table wire.ID) error {
	return k.by(ctx, "forget table", guest, func() error { return k.Keeper.ForgetTable(always, guest, table) })
}

func (k keeper) ForgetTables(ctx context.Context, guest string) error {
	return k.by(ctx, "forget tables", guest, func() error { return k.Keeper.ForgetTables(always, guest) })
}

func (k keeper) Forget(ctx context.Context, guest string) error {
	return k.by(ctx, "forget", guest, func() error { return k.Keeper.Forget(always, guest) })
}
