package lobby

import (
	"context"
	"errors"
	"slices"

	"caveau/fact"
	"caveau/keepsake"
	"caveau/match"
	"caveau/match/runner"
	"caveau/ruling"
	"caveau/wire"
)

// Keep keeps a game that was played on a guest's own device for him (package keepsake), who may say so twice, if there is room for a table of that name. What is no
// record of one, what the rules do not allow or a proof does not fit, and what is not over is refused with the code bad_command.
func (l *Lobby) Keep(ctx context.Context, keeper wire.Guest, text []byte, room func(wire.ID) error) (wire.ID, error) {
	e, digest, err := keepsake.Read(l.config.Shelf, keeper.ID, l.now(), text)
	if err != nil {
		return "", wire.Refuse(wire.CodeBadCommand, "record: %v", err)
	}
	id := wire.NewID(func(i, of int) int { return int(digest[i]) % of })
	if err = room(id); err != nil {
		return id, err
	}
	return id, l.whether(ctx, l.config.Log.Append(ctx, id, e))
}

// Drop forgets a game of a device for good, wherever it is looked at, if that guest had it kept: where another node has it, that does. Any other table stays.
func (l *Lobby) Drop(ctx context.Context, id wire.ID, guest string) error {
	err := house{l}.Drop(ctx, id, guest)
	if err == runner.ErrAnothers {
		err = l.rule(ctx, id, ruling.Ruling{Verdict: ruling.Drop, Guest: guest})
	}
	if err != nil && wire.AsError(err).Code == wire.CodeNoTable { // it was deleted, and the answer lost on its way
		return nil
	}
	return err
}

// Drop forgets such a game by this node; ErrAnothers where another has it.
func (h house) Drop(ctx context.Context, id wire.ID, guest string) error {
	entries, err := h.config.Log.Entries(ctx, id, 0)
	gone := err == nil && len(entries) == 0 // it was deleted before, perhaps, and nobody was told so
	if _, kept := keepsake.Record(entries); kept && len(entries) == 1 && slices.Equal(fact.Guests(entries[0].Data), []string{guest}) {
		err = h.config.Log.Delete(ctx, id)
		gone = err == nil
	}
	if r := h.awake(id); gone && r != nil {
		r.Post(match.Lost{Deleted: true}) // whoever looks at it sees it no longer
	}
	return h.whether(ctx, err)
}

// whether is what somebody is told who has had a game kept or deleted, perhaps again.
func (l *Lobby) whether(ctx context.Context, err error) error {
	switch {
	case err == nil, errors.Is(err, fact.ErrConflict):
		return nil
	case errors.Is(err, fact.ErrAnothers):
		return runner.ErrAnothers
	case ctx.Err() == nil: // else whoever wanted it has gone
		l.config.Slog.Error("a game of a device cannot be kept or deleted", "err", err)
	}
	return wire.AsError(err)
}
