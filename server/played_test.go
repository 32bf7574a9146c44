package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"caveau/fact"
	"caveau/guests"
	"caveau/server"
	"caveau/store/storetest"
	"caveau/wire"
)

// Games that are over stand on the list of whoever sat there to the end, page by page, until he takes them from it; on nobody else's.
func TestPlayed(t *testing.T) {
	h := open(t)
	ana, ben := h.as("Ana"), h.as("Ben")
	ana.listen()
	over := func(id string) {
		ana.send(`{"id": "b` + id + `", "do": "break", "table": "` + id + `"}`)
		ana.send(`{"id": "w` + id + `", "do": "watch", "table": "` + id + `"}`)
		ana.hear("that it is over", func(m message) bool {
			return string(m.Table) == id && m.Frame != nil && m.Frame.About != nil && m.Frame.About.State == "over"
		})
	}
	played := func(p *person, query string) (ids []string) {
		var games []wire.Played
		p.get("/api/tables/played"+query, http.StatusOK, &games)
		for _, g := range games {
			ids = append(ids, string(g.Table))
			if g.You != 0 || g.State != "over" || g.Outcome.Why != "broken" || g.Ended.Before(g.Made) {
				t.Errorf("of %s she is told %+v", g.Table, g)
			}
		}
		return ids
	}
	nobody := h.as("")
	nobody.refused(nobody.do(http.MethodGet, "/api/tables/played", ""), http.StatusUnauthorized, "no_guest")
	if got := played(ana, ""); got != nil {
		t.Errorf("before any game was played she has %q", got)
	}

	var all []string
	for i := range 22 {
		id := ana.makeTable(`, "bots": ["remembering:keen"]`)
		ana.send(fmt.Sprintf(`{"id": "s%d", "do": "start", "table": "%s"}`, i, id))
		ana.hear("that it has begun", func(m message) bool { return m.Re == fmt.Sprint("s", i) && m.OK })
		over(id)
		all = append(all, id)
	}
	first := played(ana, "")
	rest := played(ana, "?after="+first[len(first)-1])
	if got := slices.Concat(first, rest); len(first) != 20 || len(rest) != 2 || !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(all))) {
		t.Errorf("of %q she has %q, and then %q", all, first, rest)
	}
	if got := played(ben, ""); got != nil {
		t.Errorf("Ben, who sat nowhere, has %q", got)
	}

	running := ana.makeTable("")
	ana.refused(ana.do(http.MethodDelete, "/api/tables/played/"+running, ""), http.StatusConflict, "running")
	ben.answered(ben.do(http.MethodDelete, "/api/tables/played/"+first[0], ""), http.StatusNoContent, nil)
	ana.answered(ana.do(http.MethodDelete, "/api/tables/played/"+first[1], ""), http.StatusNoContent, nil)
	if got := played(ana, ""); len(got) != 20 || got[0] != first[0] || slices.Contains(got, first[1]) {
		t.Errorf("after she has taken %s away she has %q", first[1], got)
	}
	ana.get("/api/tables/"+first[1]+"/record", http.StatusOK, nil) // the game is what it was
}

// A frequenter has played a thousand games here, by and by.
type frequenter struct {
	guests.Keeper
	has bool
}

func (k *frequenter) Tables(ctx context.Context, guest string) ([]guests.Table, error) {
	sat, err := k.Keeper.Tables(ctx, guest)
	if !k.has {
		return sat, err
	}
	for i := range 1000 - len(sat) {
		sat = append(sat, guests.Table{ID: wire.ID(fmt.Sprint(i)), Over: true})
	}
	return sat, err
}

// Whoever has very many games on his list has no more of his devices kept, and none is written.
func TestAThousandGamesAreEnough(t *testing.T) {
	log := storetest.Memory()
	list := &frequenter{Keeper: log}
	h := openWith(t, log, list)
	ana := h.as("Ana")
	ana.post("/api/tables/played", gameOfDevice, http.StatusOK, nil)
	list.has = true
	ana.post("/api/tables/played", gameOfDevice, http.StatusOK, nil) // that one is there, and whoever did not hear so may say it again
	another := strings.Replace(gameOfDevice, "Xaver", "Yves", 1)
	ana.refused(ana.do(http.MethodPost, "/api/tables/played", another), http.StatusConflict, "enough")
	if all, err := log.Finished(t.Context(), time.Now().AddDate(100, 0, 0)); err != nil || len(all) != 1 {
		t.Errorf("the log has %v, %v", all, err)
	}
}

// A meanwhile has something done before what comes next is written.
type meanwhile struct {
	fact.Log
	before func()
}

func (l *meanwhile) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	if do := l.before; do != nil {
		l.before = nil
		do()
	}
	return l.Log.Append(ctx, id, e)
}

// Of somebody who is erased by way of another node while a game of his device is being kept there is none: nobody could delete it.
func TestErasedWhileAGameIsKept(t *testing.T) {
	store, clock := storetest.Memory(), noon()
	log := &meanwhile{Log: store}
	one := openWith(t, log, store, func(c *server.Config) { c.Origin, c.Clock = public, clock })
	other := inPublic(t, store, clock, io.Discard)
	ana := one.called("Ana")
	tablet := ana.copied()
	tablet.h = other
	log.before = func() { tablet.do(http.MethodDelete, "/api/guest", "") }
	if res := ana.do(http.MethodPost, "/api/tables/played", gameOfDevice); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("it is kept for whoever was erased: %s", res.Status)
	}
	if all, err := store.Finished(t.Context(), time.Now().AddDate(100, 0, 0)); err != nil || len(all) > 0 {
		t.Errorf("the log has %v, %v", all, err)
	}
}

const gameOfDevice = `{"format": "caveau/1", "game": "toy", "players": ["Xaver", "first"], "deal": {"first": "A", "numbers": [50, 60]},
	"moves": ["A show", "B keep", "A keep", "B keep", "A keep", "B keep"], "table": {"device": true}}`

// A game that was played on a device is kept for whoever brings it, as what it is, and goes when he deletes it, or himself.
func TestKeptGames(t *testing.T) {
	log := storetest.Memory()
	h := openWith(t, log, log)
	there := func(id string) bool {
		entries, err := log.Entries(t.Context(), wire.ID(id), 0)
		return len(entries) == 1 && err == nil
	}
	ana, ben := h.as("Ana"), h.as("Ben")
	var made struct{ Table, Link string }
	keep := func() string {
		t.Helper()
		ana.post("/api/tables/played", gameOfDevice, http.StatusOK, &made)
		return made.Table
	}
	nobody := h.as("")
	nobody.refused(nobody.do(http.MethodPost, "/api/tables/played", gameOfDevice), http.StatusUnauthorized, "no_guest")
	ana.refused(ana.do(http.MethodPost, "/api/tables/played", strings.Replace(gameOfDevice, `"device": true`, "", 1)), http.StatusBadRequest, "bad_request")
	ana.refused(ana.do(http.MethodPost, "/api/tables/played", strings.Repeat(" ", 128<<10)+gameOfDevice), http.StatusRequestEntityTooLarge, "too_long")

	id := keep()
	if keep() != id {
		t.Error("it is kept twice")
	}
	var games []wire.Played
	ana.get("/api/tables/played", http.StatusOK, &games)
	if len(games) != 1 || string(games[0].Table) != id || !games[0].Device || games[0].You.String() != "" || games[0].Seats[0].Name != "Xaver" || games[0].Seats[1].Bot != "first" {
		t.Errorf("she has %+v", games)
	}
	ben.answered(ben.do(http.MethodDelete, "/api/tables/played/"+id, ""), http.StatusNoContent, nil)
	if !there(id) {
		t.Error("Ben has deleted it")
	}
	ana.answered(ana.do(http.MethodDelete, "/api/tables/played/"+id, ""), http.StatusNoContent, nil)
	if ana.get("/api/tables/played", http.StatusOK, &games); len(games) != 0 || there(id) {
		t.Errorf("after she has deleted it she has %+v", games)
	}
	if keep() != id || !there(id) {
		t.Error("it is not kept again")
	}
	card, program := ana.brings("Eins")
	program.post("/api/tables/played", gameOfDevice, http.StatusOK, &made)
	if ana.answered(ana.do(http.MethodDelete, "/api/programs/"+card.ID, ""), http.StatusNoContent, nil); made.Table == id || there(made.Table) {
		t.Error("her program is removed, and what it had kept is there")
	}
	if ana.answered(ana.do(http.MethodDelete, "/api/guest", ""), http.StatusNoContent, nil); there(id) {
		t.Error("she is erased, and what she had kept is there")
	}
}

// A house in which another node has whatever is to be deleted.
type elsewhere struct{ fact.Log }

func (elsewhere) Delete(context.Context, wire.ID) error { return fact.ErrAnothers }

// Whoever deletes a game that somebody looks at by another node is told to try again, and has it on his list.
func TestAKeptGameIsBusy(t *testing.T) {
	log := storetest.Memory()
	h := openWith(t, elsewhere{log}, log)
	ana := h.as("Ana")
	var made struct{ Table string }
	ana.post("/api/tables/played", gameOfDevice, http.StatusOK, &made)
	ana.refused(ana.do(http.MethodDelete, "/api/tables/played/"+made.Table, ""), http.StatusServiceUnavailable, "busy")
	ana.refused(ana.do(http.MethodDelete, "/api/guest", ""), http.StatusServiceUnavailable, "busy") // nor can she go for good
	var games []wire.Played
	if ana.get("/api/tables/played", http.StatusOK, &games); len(games) != 1 {
		t.Errorf("she has %+v", games)
	}
}
