package storm

import (
	"encoding/json"
	"slices"
	"time"

	"caveau/game"
	"caveau/match"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// What a browser is told, in which language, and for how long it is worth telling.

// language is that of the page which has said that this browser wants to be told.
func (b *browser) language() string {
	return terms.Languages[int(b.endpoint[len(b.endpoint)-1])%len(terms.Languages)]
}

// longestCry is for how long a service may keep what has no end.
const longestCry = day

// checkWords: a cry says what the call says, of that game, in the browser's language, and nobody is told it when it is too late.
func (w *World) checkWords(c cry, b *browser) {
	no := func(why string, want any) {
		w.fail("%s is told %s for %v: %s %v", c.endpoint, c.text, c.ttl, why, want)
	}
	var said struct {
		Table                      wire.ID
		Game, Title, Why, Language string
		Until                      *time.Time
	}
	if err := json.Unmarshal(c.text, &said); err != nil {
		no("that is no JSON:", err)
	}
	until, e := time.Time{}, w0(w, said.Table)
	if said.Until != nil {
		until = *said.Until
	}
	name := e.shadow.Game()
	switch title := game.Title(w.shelf().Games(), name, "", b.language()); {
	case said.Game != name || said.Title != title:
		no("the game is", []string{name, title})
	case said.Language != b.language():
		no("the language of its page is", b.language())
	case !slices.ContainsFunc(w.called, func(o called) bool {
		return o.id == said.Table && o.call.Guest == b.of.guest && o.call.Why == said.Why && o.call.Until.Equal(until)
	}):
		no("he was called, and his time is up at another time than", until)
	case c.ttl <= 0 || c.ttl > longestCry && until.IsZero():
		no("nobody's time is measured, and a service is to keep it for at most", longestCry)
	case !until.IsZero() && c.ttl > until.Sub(c.at):
		no("his time is up in", until.Sub(c.at))
	}
}

// stillSo tells whether somebody who was called is to be told so once more.
func (w *World) stillSo(c called) bool {
	e := w0(w, c.id)
	seat := e.paper.seatOf(c.call.Guest)
	switch {
	case e.unknown() || e.shadow.State() != table.Running || seat < 0 || e.paper.seats[seat].left:
		return false
	case c.call.Why == match.Begun:
		return true
	}
	return c.call.N/2 == e.moved && (c.call.Until.IsZero() || c.call.Until.Sub(w.wall.now()) > 2*time.Second)
}
