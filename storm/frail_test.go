package storm

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"caveau/game"
	"caveau/table"
	"caveau/wire"
)

// The rules of a table break, or do not come back, where nothing has been written: while it is read from the log, asked for as it sleeps, or shown. No
// other table is harmed, whoever asked is answered, and the house closes all the same.

// A frailty is how the rules of a process go wrong next.
type frailty struct {
	cracks atomic.Bool // they break when somebody is told how it stands
	sticks atomic.Bool // they do not come back for a while when they are asked whether the game is over
}

// frail is that people play at a table, and go until it sleeps; and then its rules go wrong.
func (w *World) frail(n int) {
	if w.house.clock.stopped || w.story.Real || len(w.tables) > 18 {
		return
	}
	w.calmLog()
	e, all := w.falls(n)
	if e == nil {
		return
	}
	p := all[n/16%len(all)]
	switch n % 4 {
	case 0:
		w.breaksAsleep(e, p, n/4)
	case 1:
		w.breaksAtDawn(e, all[0], n/4)
	case 2:
		w.breaksAmid(e, all)
	case 3:
		w.hangsAsleep(e, p, n/64)
	}
	w.rules(func(ctx context.Context) error { return w.house.lobby.CloseTable(ctx, e.id) })
}

// falls is a table of three, at which it is somebody's turn, and which sleeps; nil where that is not to be.
func (w *World) falls(n int) (*evening, []*person) {
	setup := map[string]any{"game": "toy", "edition": "", "seats": 3, "listed": n/64%2 == 0, "sit": true, "awayTime": 300}
	e, all := w.gathers(w.people[n/4%len(names)], 3, setup, false)
	if e == nil {
		return nil, nil
	}
	all[0].pages[0].tells(e, wire.Command{Do: "start"})
	w.wait(time.Second)
	w.cutAll()
	w.wait(150 * time.Second)
	_, rests, err := w.log.Resting(w.house.ctx, e.id)
	if e.unknown() || e.shadow.State() != table.Running || e.shadow.Turn() == game.NoSeat || err != nil || !rests || w.house.troubled() || w.house.clock.stopped {
		return nil, nil
	}
	return e, all
}

// opens is that a page shows a table, and no other.
func (g *page) opens(e *evening) {
	g.forgets()
	if g.cable != nil {
		g.watch(e.id)
	}
	g.p.w.wait(time.Second)
}

// card is what somebody is answered who asks for a table.
func (w *World) card(p *person, e *evening) string {
	return w.ask(p, slices.Index(w.people, p), "GET", "/api/tables/"+string(e.id), "")
}

// breaksAsleep is that the rules break as a table is read that sleeps: somebody asks for it, or comes to it. He is told so, and comes again.
func (w *World) breaksAsleep(e *evening, p *person, n int) {
	w.house.brittle.Store(true)
	if n%2 == 0 {
		if answer := w.card(p, e); !w.house.brittle.Swap(false) && !strings.HasPrefix(answer, "HTTP/1.1 503") {
			w.fail("the rules of table %s broke as it was read, and %s, who asks for it, is answered %.200q", e.id, p.name, answer)
		}
	} else {
		p.pages[0].opens(e)
		if !w.house.brittle.Swap(false) {
			e.visits.life = 0 // nobody has it, and it hangs there no longer
		}
	}
	if answer := w.card(p, e); !strings.HasPrefix(answer, "HTTP/1.1 200") && !w.house.troubled() {
		w.fail("the rules of table %s broke once, and %s, who asks for it again, is answered %.200q", e.id, p.name, answer)
	}
	p.pages[0].opens(e)
}

// breaksAtDawn is that the process is killed, and the rules of the first table break that is woken in the next. It is woken once more.
func (w *World) breaksAtDawn(e *evening, p *person, n int) {
	p.pages[0].opens(e)
	p.pages[0].tells(e, wire.Command{Do: "leave"}) // so that it is awake for whoever opens the house
	w.wait(time.Second)
	w.kill(n, 1)
	w.wait(time.Second)
	w.breaking = true
	w.begin()
	w.wait(30 * time.Second)
	w.house.brittle.Store(false)
	p.pages[0].opens(e)
	if answer := w.card(p, e); !strings.HasPrefix(answer, "HTTP/1.1 200") && !w.house.troubled() {
		w.fail("the rules of a table broke as the house opened, and %s, who asks for %s, is answered %.200q", p.name, e.id, answer)
	}
}

// breaksAmid is that people come back to a table that has slept, look on for longer than anybody may be gone, and its rules break as one more comes. They
// have been there until now.
func (w *World) breaksAmid(e *evening, all []*person) {
	for _, p := range all {
		p.pages[0].opens(e)
	}
	w.wait(200 * time.Second)
	if e.unknown() || e.shadow.State() != table.Running || w.house.troubled() {
		return
	}
	last := all[len(all)-1].pages[1]
	w.house.frail.cracks.Store(true)
	last.opens(e)
	if w.house.frail.cracks.Swap(false) {
		return
	}
	for _, p := range all {
		if g := p.pages[0]; g.cable != nil && g.watches(e.id) {
			w.fail("the rules of table %s broke, and %s, who looks at it, is left there", e.id, g.label)
		}
	}
	last.opens(e)
	w.wait(10 * time.Second)
}

// hangsAsleep is that the rules do not come back as a table is read that sleeps. Whoever asks for it is told that it is busy; and if the house is to
// close just then, it does.
func (w *World) hangsAsleep(e *evening, p *person, n int) {
	house := w.house
	house.hanging = true
	defer func() { house.hanging = false }()
	house.frail.sticks.Store(true)
	card := w.request(slices.Index(w.people, p), p.shows(), "GET", "/api/tables/"+string(e.id), "")
	defer func() { card.change(func() { card.cut = true }) }()
	w.wait(time.Second)
	if house.frail.sticks.Swap(false) {
		return
	}
	if n%2 == 0 {
		began := time.Now()
		w.end()
		last := &w.closed[len(w.closed)-1] // it has waited for so long that whoever opens it notes it
		last.orderly, last.sick = false, true
		w.givesBack()
		if took := time.Since(began); took > 40*time.Second {
			w.fail("the rules of table %s do not come back, and the house takes %v to close", e.id, took)
		}
		w.wait(hangTime)
		w.begin()
		return
	}
	w.wait(28 * time.Second)
	if answer, _ := card.take(); len(answer) == 0 {
		w.fail("the rules of table %s do not come back, and %s, who asks for it, has no answer", e.id, p.name)
	}
	w.wait(hangTime)
	if answer := w.card(p, e); !strings.HasPrefix(answer, "HTTP/1.1 200") {
		w.fail("the rules of table %s have come back, and %s, who asks for it, is answered %.200q", e.id, p.name, answer)
	}
}
