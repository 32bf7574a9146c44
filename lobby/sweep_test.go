package lobby_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"caveau/fact"
	"caveau/wire"
)

// there tells whether the log has anything of a table.
func (h *house) there(id wire.ID) bool {
	h.t.Helper()
	entries, err := h.log.Entries(h.t.Context(), id, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	return len(entries) > 0
}

// deletes is a log that says when it is about to delete something.
type deletes struct {
	fact.Log
	about func(wire.ID)
}

func (d deletes) Delete(ctx context.Context, id wire.ID) error {
	d.about(id)
	return d.Log.Delete(ctx, id)
}

// Nobody comes to a table that is being deleted; a moment later there is none.
func TestWhatIsBeingDeletedIsNotWoken(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.keep = 4 * time.Hour
		h.lobby.Close()
		var told atomic.Int64
		h.log.Log = deletes{h.log.Log, func(id wire.ID) {
			told.Add(1)
			if _, err := h.lobby.Card(t.Context(), id); err == nil || wire.AsError(err).Code != wire.CodeBusy {
				t.Errorf("whoever comes meanwhile is told %v", err)
			}
		}}
		h.open()
		id := h.bots("", 2)
		time.Sleep(6 * time.Hour)
		if _, err := h.lobby.Card(t.Context(), id); told.Load() != 1 || err == nil || wire.AsError(err).Code != wire.CodeNoTable {
			t.Errorf("whoever comes afterwards is told %v", err)
		}
	})
}

// By default nothing that was played is deleted.
func TestWhatWasPlayedIsKept(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.bots("", 2)
		time.Sleep(72 * time.Hour)
		if _, err := h.lobby.Record(t.Context(), id); err != nil || !h.there(id) {
			t.Errorf("the game is gone: %v", err)
		}
	})
}

// Where the owner wants it, games that have been over for so long are deleted, and whoever comes finds no table; but not while somebody
// looks at one, and nothing that is not over, however old.
func TestWhatWasPlayedIsDeleted(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.keep = 4 * time.Hour
		h.restart()
		endless := toy(2)
		endless.AwayTime = 24 * 3600
		running := h.make(endless)
		ana, ben := h.as("Ana", running), h.as("Ben", running)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.client.Close()
		ben.client.Close()
		first, watched := h.bots("", 2), h.bots("", 2)
		eve := h.as("Eve", watched)
		time.Sleep(3*time.Hour + 30*time.Minute)
		later := h.bots("", 2)
		if !h.there(first) || !h.there(watched) {
			t.Fatal("a game is deleted before its time")
		}
		time.Sleep(2 * time.Hour)
		if h.there(first) {
			t.Error("a game is there longer than it is kept")
		}
		if _, err := h.lobby.Record(t.Context(), first); wire.AsError(err).Code != wire.CodeNoTable {
			t.Errorf("whoever wants its record is told %v", err)
		}
		if !h.there(later) || !h.there(running) || !h.there(watched) {
			t.Error("a game is deleted that is played, watched, or has not been over for long")
		}
		eve.ok(wire.Command{Do: "watch"})
		eve.client.Close()
		time.Sleep(2 * time.Hour)
		if h.there(watched) {
			t.Error("nobody watches the game any more, and it is there")
		}
		time.Sleep(12 * time.Hour)
		if h.there(later) || !h.there(running) {
			t.Error("after half a day a game that was over is there, or one is deleted that is not")
		}
	})
}
