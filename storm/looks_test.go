package storm

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"caveau/game"
	"caveau/lobby"
	"caveau/record"
	"caveau/table"
)

// looksAround is that somebody looks at what there is to see: a table's record, its story, its page and its sign to show around, what the house has of him, what whoever
// runs it sees, and what somebody should do who is asked.
func (p *person) looksAround(n int) {
	w, i := p.w, slices.Index(p.w.people, p)
	if len(w.tables) == 0 || w.house.clock.stopped || !w.well() {
		return
	}
	entries := w.Told.Entries
	asks := func(path string) string { return w.ask(p, i, "GET", path, "") }
	still := func() bool { return w.well() && entries == w.Told.Entries && !w.house.clock.stopped }
	e := w.tables[n%len(w.tables)]
	switch n / 64 % 5 {
	case 0:
		told := asks("/api/tables/" + string(e.id) + "/record")
		story := asks("/api/tables/" + string(e.id) + "/story")
		if still() && !e.unknown() {
			w.checkRead(e, told, story)
		}
	case 1:
		page, sign := asks("/t/"+string(e.id)), asks("/api/tables/"+string(e.id)+"/qr.svg")
		if drawn := strings.Contains(sign, "<svg"); still() && !e.newer && (!strings.HasPrefix(page, "HTTP/1.1 200") || drawn == e.deleted) {
			w.fail("table %s is deleted: %t; its page is answered with %.60q, its sign with %.60q", e.id, e.deleted, page, sign)
		}
	case 2:
		if at := slices.IndexFunc(w.people[:len(names)], func(o *person) bool { return len(o.programs()) > 0 }); at >= 0 && n/320%2 == 0 { // of whom there is more to tell
			p, i = w.people[at], at
		}
		if told := asks("/api/guest/export"); still() && !p.nameless && p.brings == nil {
			p.checkExport(told)
		}
	case 3:
		w.checkSights(still)
	case 4:
		w.advises(n, still)
	}
}

// advises is that somebody who is asked for a move asks what he should do.
func (w *World) advises(n int, still func() bool) {
	for i := range w.tables {
		e := w.tables[(n+i)%len(w.tables)]
		if e.unknown() || e.shadow.State() != table.Running || e.shadow.Turn() == game.NoSeat {
			continue
		}
		p := w.guest(e.shadow.Sitter(e.shadow.Turn()).Guest)
		if p == nil || p.nameless || !slices.Contains(w.people, p) {
			continue
		}
		if advice := w.ask(p, slices.Index(w.people, p), "GET", "/api/tables/"+string(e.id)+"/advice", ""); still() {
			p.checkAdvice(e, advice, true)
			w.looked++
		}
		return
	}
}

// checkRead: a game that is over has a record and a story with all its moves, and no other game has.
func (w *World) checkRead(e *evening, told, story string) {
	over := e.shadow.State() == table.Over && e.paper.dealt
	if has := strings.HasPrefix(told, "HTTP/1.1 200"); has != over || has != strings.HasPrefix(story, "HTTP/1.1 200") {
		w.fail("table %s was dealt, and is over: %t; its record is answered with %.80q, its story with %.80q", e.id, over, told, story)
	}
	if !over {
		return
	}
	w.looked++
	var rec struct{ Moves []string }
	var tale record.Story
	if json.Unmarshal(body(told), &rec) != nil || json.Unmarshal(body(story), &tale) != nil || len(rec.Moves) != e.shadow.Moves() || len(tale.Turns) == 0 || tale.Turns[len(tale.Turns)-1].Ply != len(rec.Moves) {
		w.fail("table %s has %d moves, its record %d, and its story has %+v", e.id, e.shadow.Moves(), len(rec.Moves), tale.Turns)
	}
}

// checkSights: whoever runs the house sees every table that is not over, and who sits there.
func (w *World) checkSights(still func() bool) {
	var page []lobby.Sight
	all := 0
	err := w.rules(func(ctx context.Context) (err error) {
		page, all, err = w.house.lobby.Unfinished(ctx, 0, 1000)
		return err
	})
	if !still() {
		return
	}
	if err != nil || all != len(page) {
		w.fail("whoever runs the house is told of %d of %d tables: %v", len(page), all, err)
	}
	w.looked++
	for _, e := range w.tables {
		i := slices.IndexFunc(page, func(s lobby.Sight) bool { return s.Table == e.id })
		if e.newer {
			continue
		}
		if runs := !e.deleted && e.shadow.State() != table.Over; runs != (i >= 0) {
			w.fail("table %s is not over: %t, and whoever runs the house sees it: %t", e.id, runs, i >= 0)
		}
		if i < 0 {
			continue
		}
		var guests []string
		for s := range game.Seat(e.shadow.Seats()) {
			guests = append(guests, e.shadow.Sitter(s).Guest)
		}
		if s := page[i]; s.Err != nil || fmt.Sprint(s.Guests) != fmt.Sprint(guests) || s.HostID != e.shadow.Host() || s.Card.State != e.shadow.State() {
			w.fail("at table %s, which is %s and %s's, sit %q, and whoever runs the house is told %+v", e.id, e.shadow.State(), e.shadow.Host(), guests, s)
		}
	}
}
