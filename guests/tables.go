package guests

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"caveau/wire"
)

// Rooms are the tables of a house, as somebody finds his own again; false where one is none of his, or not of that kind.
type Rooms interface {
	Mine(ctx context.Context, id wire.ID, guest string) (wire.Mine, bool, error)
	Played(ctx context.Context, id wire.ID, guest string) (wire.Played, bool, error)
	// Keep keeps a game that was played on a guest's own device for him, who may say so twice, unless there is no room for a table of that name, which it answers with all the same.
	Keep(ctx context.Context, keeper wire.Guest, record []byte, room func(wire.ID) error) (wire.ID, error)
	// Drop forgets a game that was played on a device, for good, if the guest had it kept; any other stays what it is.
	Drop(ctx context.Context, id wire.ID, guest string) error
}

// most is how many of his own tables somebody is told of at once; each is read for it.
const most = 20

// Mine are the tables of a guest that are not over, the newest first.
func (b *Book) Mine(_ http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	return told(b, r, badge, false, b.Rooms.Mine)
}

// Played are the games of a guest that are over, the newest first, from the one after the table that the request names.
func (b *Book) Played(_ http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	return told(b, r, badge, true, b.Rooms.Played)
}

// told leaves out what cannot be read: its runner says why.
func told[T any](b *Book, r *http.Request, badge Badge, over bool, of func(context.Context, wire.ID, string) (T, bool, error)) (any, error) {
	if badge.ID == "" {
		return nil, errNobody
	}
	sat, err := b.Keeper.Tables(r.Context(), badge.ID)
	if err != nil {
		return nil, err
	}
	if after := wire.ID(r.FormValue("after")); after != "" {
		sat = sat[1+slices.IndexFunc(sat, func(t Table) bool { return t.ID == after }):]
	}
	all := []T{}
	for _, t := range sat {
		if t.Over != over {
			continue
		}
		if one, ok, err := of(r.Context(), t.ID, badge.ID); ok && err == nil {
			if all = append(all, one); len(all) == most {
				break
			}
		}
	}
	return all, nil
}

// mostPlayed is how many games that are over somebody may have on his list and have one more kept: three evenings a week for seven years.
const mostPlayed = 1000

// errKept is why a game is not kept once more.
var errKept = errors.New("it is kept")

// Keep has a game of a guest's own device kept, unless it is another and his list is long enough. Whoever is erased meanwhile has none kept, which nobody could delete.
func (b *Book) Keep(ctx context.Context, badge Badge, keeper wire.Guest, record []byte) (id wire.ID, err error) {
	err = b.inTurn(ctx, badge.ID, func() error {
		if err := b.Check(ctx, badge); err != nil {
			return nobodyIf(err)
		}
		sat, err := b.Keeper.Tables(ctx, keeper.ID)
		if err != nil {
			return err
		}
		id, err = b.Rooms.Keep(ctx, keeper, record, func(id wire.ID) error {
			if slices.ContainsFunc(sat, func(t Table) bool { return t.ID == id }) {
				return errKept
			}
			if len(slices.DeleteFunc(sat, func(t Table) bool { return !t.Over })) >= mostPlayed {
				return wire.Refuse(wire.CodeEnough, "you have %d games on your list: take some away first", mostPlayed)
			}
			return nil
		})
		if err == errKept {
			return nil
		} else if err != nil {
			return err
		}
		ctx := context.WithoutCancel(ctx)                        // it is written, though whoever asked has gone
		if err = b.Check(ctx, badge); errors.Is(err, ErrEnded) { // by way of another node
			err = cmp.Or(b.Rooms.Drop(ctx, id, keeper.ID), nobodyIf(err))
		}
		return err
	})
	return id, err
}

// ForgetTable takes a game that is over from a guest's list; the game stays what it was, but for one that he alone had kept.
func (b *Book) ForgetTable(_ http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	if badge.ID == "" {
		return nil, errNobody
	}
	id := wire.ID(r.PathValue("table"))
	sat, err := b.Keeper.Tables(r.Context(), badge.ID)
	if err == nil && slices.ContainsFunc(sat, func(t Table) bool { return t.ID == id && !t.Over }) {
		err = wire.Refuse(wire.CodeRunning, "that game is not over")
	}
	if err == nil {
		err = b.Rooms.Drop(r.Context(), id, badge.ID)
	}
	if err == nil {
		err = b.Keeper.ForgetTable(r.Context(), badge.ID, id)
	}
	return nil, err
}

// dropKept forgets all games of devices that a guest had kept.
func (b *Book) dropKept(ctx context.Context, guest string) error {
	sat, err := b.Keeper.Tables(ctx, guest)
	for _, t := range sat {
		if err == nil && t.Over {
			err = b.Rooms.Drop(ctx, t.ID, guest)
		}
	}
	return err
}
