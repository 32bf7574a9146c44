package nodes

import (
	"fmt"
	"slices"
	"time"

	"caveau/game"
	"caveau/lobby"
	"caveau/wire"
)

// Letters that take longer than a lease.

// isRefusedLate: somebody wants a seat that another has, and the letter in which the owner's node says so takes for longer than the node lives. Another node takes the table, who sat there gets up,
// and as the seat is still asked for it is asked whether all agree. Nobody is told any more that he may not have it.
func (w *world) isRefusedLate() {
	id, n := w.stage()
	others := slices.DeleteFunc(w.living(), func(o *node) bool { return o == n })
	t := w.games[id].shadow
	if c := t.Sitter(0); n == nil || len(others) < 2 || c.Guest == "" || c.Left {
		return
	}
	var wants *person
	var has *page
	for _, p := range w.people {
		switch page := p.pages[1]; {
		case page.table != id:
		case t.Sitter(0).Guest == p.guest.ID:
			has = page
		case t.SeatOf(p.guest.ID) == game.Watcher:
			wants = p
		}
	}
	if wants == nil || has == nil {
		return
	}
	w.hush = time.Now().Add(w.scene.lasts - 4*time.Second)
	w.all(id, func(p *page) {
		p.disconnect()
		p.away = w.hush
	})
	to, by := others[0], others[1]
	has.goes(by)
	w.then(comeTime+time.Second, func() {
		if _, owner := w.stage(); owner != n || has.at != by || !has.watches || has.open != nil || !to.lives() {
			return
		}
		w.delays = func(l *letter) time.Duration {
			if l.kind != "told" || l.table != id || l.to != to.number {
				return 0
			}
			return 4500 * time.Millisecond
		}
		w.meets = func(c *call) error {
			if c.what == "take" && c.id == id && c.n == to && w.base.has(id) == 0 { // the other has it sooner
				return errFailed
			}
			return nil
		}
		session := to.house().Connect(wants.visitor(), func() {})
		wants.n++
		wish := wire.Command{ID: fmt.Sprintf("%s-%d", wants.name, wants.n), Do: "sit", Seat: "A", Table: id}
		w.note("%s says %s to %v, and looks at nothing", wants.name, wish.ID, to)
		session.Do(wish)
		w.then(300*time.Millisecond, func() { n.isGone(14 * time.Second) })
		w.then(time.Second, func() {
			if has.at == by && has.open == nil {
				has.says(&said{Command: wire.Command{Do: "leave"}})
			}
		})
		for i := range 100 {
			w.then(time.Duration(i)*100*time.Millisecond, func() { w.isNotRefused(session, wish) })
		}
		w.then(11*time.Second, func() {
			w.delays, w.meets = nil, nil
			link{to, session}.close()
		})
	})
}

// isFarAway: the bus brings nothing for a while, and then each letter takes longer than it is until a node asks again. Whoever looks by another node than the owner's knows soon what has happened.
func (w *world) isFarAway() {
	w.gather(func(n *node, here []*page) {
		w.hush = time.Now().Add(13 * time.Second)
		w.mutes(true)
		w.then(3*time.Second, func() {
			w.mutes(false)
			w.delays = func(*letter) time.Duration { return 350 * time.Millisecond }
		})
		w.then(4*time.Second, func() {
			i := slices.IndexFunc(here, func(p *page) bool { return p.at == n && p.watches && p.open == nil && len(p.knows().frame.Moves) > 0 })
			if i < 0 {
				return
			}
			k := here[i].knows()
			here[i].says(&said{Command: wire.Command{Do: "play", Seat: k.frame.You.String(), Seq: k.seq, Move: k.frame.Moves[0]}})
			w.then(5*time.Second, func() {
				elsewhere := w.elsewhere(n)
				w.know(elsewhere)
				w.did["what is brought late is known"] += len(elsewhere)
			})
		})
		w.then(11*time.Second, func() { w.delays = nil })
	})
}

// isNotRefused looks at what somebody is told of what he has said: not that it is refused, if it is done.
func (w *world) isNotRefused(session *lobby.Session, c wire.Command) {
	_, done := w.games[c.Table].done[c.ID]
	if done {
		w.did["what was refused is done before that is told"]++
	}
	for all, _ := session.Take(nil); len(all) > 0; all, _ = session.Take(nil) {
		for _, m := range all {
			var told message
			if w.note("of %s is told %s", c.ID, m.Text); decode(m.Text, &told) == nil && done && told.Re == c.ID && !told.OK && told.Error.Code != wire.CodeBusy {
				w.fail("%s is refused: %s; and it is done", c.ID, told.Error.Code)
			}
		}
	}
}
