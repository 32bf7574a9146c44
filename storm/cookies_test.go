package storm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"caveau/game"
	"caveau/table"
	"caveau/wire"
)

// By what somebody is known, and for how long: a house changes its secret now and then, and knows by the older ones; whoever comes now and then is known
// for ever, and whoever does not is forgotten after half a year; and a page on a big screen is nobody's, whoever has opened it.

// secrets are those of the house: every third process begins with a new one.
func (w *World) secrets() (secret []byte, older [][]byte) {
	for n := range w.life/3 + 1 {
		if secret != nil {
			older = append(older, secret)
		}
		secret = fmt.Appendf(nil, "a secret of the tests, %d", n)
	}
	return secret, older
}

// age is that half a year goes by and more, on one day of an evening. Somebody who comes every month is who he was, and somebody who has never come again is nobody.
func (w *World) age(n int) {
	if w.house.clock.stopped || w.aged || w.story.Real {
		return
	}
	w.aged = true
	w.calmLog()
	for _, e := range w.tables { // of what was months ago a house that opens does not know for how long it was closed
		if !e.unknown() && e.shadow.State() != table.Over {
			w.rules(func(ctx context.Context) error { return w.house.lobby.CloseTable(ctx, e.id) })
		}
	}
	newcomer := func(name string) (cookie, guest string) {
		answer := w.answer(w.request(len(names)+1, "", "POST", "/api/guest", fmt.Sprintf(`{"name":%q}`, name)))
		return cookieOf(answer, "caveau_guest"), between(answer, `"id":"`, `"`)
	}
	faithful, who := newcomer("Zoe")
	faithless, other := newcomer("Yann")
	for month := range 7 {
		w.wall.set(time.Duration(29+(n+month)%2)*24*time.Hour, w.wall.drift)
		w.setClock()
		w.wait(25 * time.Second) // it has noted that time stood still
		if faithful = w.comesAgain(faithful); who != "" && !w.knows(faithful, who) && !w.house.troubled() {
			w.fail("somebody comes every month, and after %d is not known", month+1)
		}
		for i, p := range w.people {
			if p.cookie != "" {
				p.renewed(w.ask(p, i, "GET", "/api/hello", ""))
			}
			for _, g := range p.pages {
				g.device = w.comesAgain(g.device)
			}
		}
	}
	if other != "" && w.knows(faithless, other) {
		w.fail("somebody has not come for half a year, and is known by the cookie that he had then")
	}
}

// comesAgain is that a browser with a cookie asks who it is; it has that cookie then, or a newer one.
func (w *World) comesAgain(cookie string) string {
	if cookie == "" {
		return ""
	}
	if newer := cookieOf(w.answer(w.request(len(names)+1, "Cookie: "+cookie+"\r\n", "GET", "/api/hello", "")), "caveau_guest"); newer != "" {
		return newer
	}
	return cookie
}

// checkScreen: whoever opens a table on a big screen is shown what somebody sees who has no seat there, also if he has one.
func (w *World) checkScreen() {
	var e *evening
	var p *person
	for _, o := range w.tables {
		for _, who := range w.people {
			if !o.unknown() && o.paper.seatOf(who.guest) >= 0 && o.shadow.Watchable() == nil && (e == nil || o.shadow.State() == table.Running) {
				e, p = o, who
			}
		}
	}
	if e == nil || !w.well() {
		return
	}
	e.touched = time.Now().Add(time.Minute)
	line := w.knock(slices.Index(w.people, p), strings.Replace(handshake(p.shows()), "?protocol=3", "?protocol=3&guest=none", 1))
	line.send(frame(opText, wire.Message(wire.Command{ID: "look", Do: "watch", Table: e.id})))
	w.wait(300 * time.Millisecond)
	heard, _ := line.take()
	line.change(func() { line.cut = true })
	w.wait(2 * time.Second)
	_, heard, _ = bytes.Cut(heard, []byte("\r\n\r\n"))
	var told, want message
	for {
		op, text, rest, whole := cutFrame(heard)
		if heard = rest; !whole {
			return // nobody could tell it anything
		}
		if told = (message{}); op == opText && json.Unmarshal(text, &told) == nil && told.Frame != nil {
			break
		}
	}
	text := e.shadow.Frames(e.id, table.Present{}, e.shadow.Seq(), true, time.Now()).For(game.Watcher, false)
	if err := json.Unmarshal(text, &want); err != nil {
		w.fail("table %s has a frame that is no JSON: %v", e.id, err)
	}
	if key := differs(told.Frame, want.Frame); key != "" {
		w.fail("table %s is on a screen that %s has opened, which shows %s: %s, and whoever has no seat sees %s", e.id, p.name, key, told.Frame[key], want.Frame[key])
	}
}
