package lobby

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"caveau/fact"
	"caveau/record"
	"caveau/table"
	"caveau/wire"
)

// Games that were played on somebody's own device (package pocket) are kept here as what they are: the engine has replayed them, and nobody
// vouches for their deals.

// Keep keeps such a game for a guest, who may say so twice. What is no record of one, what the rules do not allow or a proof does not fit,
// and what is not over is refused with the code bad_command.
func (l *Lobby) Keep(ctx context.Context, keeper wire.Guest, text []byte) (wire.ID, error) {
	id, e, err := l.kept(keeper, text)
	if err != nil {
		return "", wire.Refuse(wire.CodeBadCommand, "record: %v", err)
	}
	err = l.config.Log.Append(ctx, id, e)
	if errors.Is(err, fact.ErrConflict) {
		return id, nil // it is kept already
	}
	if err != nil && ctx.Err() == nil { // else whoever wanted it has gone
		l.config.Slog.Error("a game of a device cannot be kept", "err", err)
	}
	if err != nil {
		err = wire.AsError(err)
	}
	return id, err
}

// kept is the entry that keeps a game, replayed, and the name of its table: whoever brings the same game again finds it there. Nobody can
// guess it who has not the record.
func (l *Lobby) kept(keeper wire.Guest, text []byte) (id wire.ID, e fact.Entry, err error) {
	rec, err := record.Read(text)
	if err != nil {
		return "", e, err
	}
	for _, c := range record.Verify(text, l.config.Shelf).Checks {
		if _, sealed := rec.Extra["proof"]; sealed && c.Fault != "" {
			return "", e, errors.New(c.Fault)
		}
	}
	note, err := rec.Note()
	if err != nil {
		return "", e, err
	}
	whole, err := json.Marshal(rec)
	if err != nil {
		return "", e, err
	}
	f := &fact.Kept{Guest: fact.Guest{ID: keeper.ID}, Record: whole}
	t, now := table.New(l.config.Shelf), house{l}.Now()
	if err := t.Replay(fact.Entry{Seq: 1, At: now, Data: fact.Write(f, fact.Receipt{}, nil)}); err != nil {
		return "", e, err
	}
	end, over, _ := t.Endings()
	switch {
	case over:
		end.Why = t.Outcome().Why
	case note.Why == "broken":
		end.Why = note.Why
	default:
		return "", e, errors.New("the game is not over")
	}
	if note.Why != end.Why {
		return "", e, fmt.Errorf("table: why: the game did not end as %.40q", note.Why)
	}
	sum := sha256.Sum256(append([]byte(keeper.ID+"\n"), whole...))
	id = nameBy(func(i int) int { return int(sum[i]) % len(letters) })
	return id, fact.Entry{Seq: 1, At: now, Data: fact.Write(f, fact.Receipt{}, end), Over: true}, nil
}

// onPaper is the record of a game that is kept, whatever the rules of today make of it.
func onPaper(entries []fact.Entry) (r record.Record, ok bool) {
	f, _, _, err := fact.Read(entries[0].Data)
	kept, is := f.(*fact.Kept)
	if err != nil || !is {
		return r, false
	}
	r, err = record.Read(kept.Record)
	return r, err == nil
}

// Drop forgets a game of a device for good, wherever it was looked at, if that guest had it kept. Any other table stays.
func (l *Lobby) Drop(ctx context.Context, id wire.ID, guest string) error {
	entries, err := l.config.Log.Entries(ctx, id, 0)
	if err != nil || len(entries) != 1 || !slices.Equal(fact.Guests(entries[0].Data), []string{guest}) {
		return err
	}
	if _, kept := onPaper(entries); !kept {
		return nil
	}
	if err = l.config.Log.Delete(ctx, id); errors.Is(err, fact.ErrConflict) {
		return nil // it is gone already
	}
	return err
}
