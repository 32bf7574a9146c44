package storm

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"time"

	"caveau/wire"
)

// Whoever has gone leaves nothing in the house, however many come and go. Most of what could be left is counted nowhere but on the heap.

const (
	// passers come and go, some of whom look at a table, and all are from elsewhere.
	passers = 300
	// fewObjects are what may be there or not by chance: fewer than one for each of those who do not look at anything.
	fewObjects = passers / 2
	// mostPasses is how often they do until it is no chance any more.
	mostPasses = 4
)

// checkHeap: when many have come and gone there is as much as before. A house has for long a bucket for each address that says how much was asked for there,
// so at all of them somebody has asked for something before.
func (w *World) checkHeap() {
	if w.story.Seed%8 != 2 {
		return
	}
	w.calmLog()
	game := "toy"
	if w.story.Real {
		game = "toc-toc-toc"
	}
	e := w.founds(w.people[0], map[string]any{"game": game, "edition": "", "seats": 3, "listed": true, "sit": false}, make([]place, 3))
	if e == nil {
		w.fail("nobody is there, and %s can make no table", w.people[0].name)
	}
	for n := range (1 + mostPasses) * passers {
		w.comesAndGoes(n, asksFor(e.id), nil)
	}
	w.passBy(e, 0)
	more, before := fewObjects+1, objects()
	for round := 1; more > fewObjects && round <= mostPasses; round++ {
		w.passBy(e, round)
		after := objects()
		more, before = after-before, after
	}
	if more > fewObjects {
		w.fail("%d times %d have come and gone, nobody is there, and each time there are more objects than before, %d in the end", mostPasses, passers, more)
	}
	w.rules(func(ctx context.Context) error { return w.house.lobby.CloseTable(ctx, e.id) })
}

// passBy is that many ask for a table that there is not, and have a line; one of eight looks at one that there is, and the others are from where nobody has had a line before.
func (w *World) passBy(e *evening, round int) {
	for i := range passers {
		n, shows := round*passers+i, ""
		w.comesAndGoes(i, asksFor(nowhere(n)), nil)
		if i%8 > 0 {
			w.comesAndGoes(n, handshake(shows), nil)
			continue
		}
		if i%16 > 0 {
			shows = w.people[0].shows()
		}
		w.comesAndGoes(i, handshake(shows), []wire.Command{{ID: "1", Do: "lobby"}, {ID: "2", Do: "watch", Table: e.id}, {ID: "3", Do: "watch", Table: nowhere(n)}})
	}
	w.wait(5 * time.Minute)
}

// nowhere is the nth table that there is not.
func nowhere(n int) wire.ID {
	return wire.NewID(func(i, of int) int { return n >> (2 * i) % of })
}

func asksFor(table wire.ID) string {
	return "GET /api/tables/" + string(table) + " HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\n\r\n"
}

// comesAndGoes is that somebody comes from the nth address, says something, and goes.
func (w *World) comesAndGoes(n int, words string, says []wire.Command) {
	c := newCable(&net.TCPAddr{IP: net.ParseIP(fmt.Sprintf("10.1.%d.%d", n/200, 1+n%200)), Port: 7000}, w.stir)
	w.house.door.Call(c)
	c.send([]byte(words))
	w.settle()
	for _, s := range says {
		c.send(frame(opText, wire.Message(s)))
		w.settle()
	}
	c.change(func() { c.cut, c.hung = n/8%2 > 0, true })
	w.settle()
}

// objects are how many there are that somebody still knows.
func objects() int {
	runtime.GC()
	runtime.GC() // what was only laid aside goes with the second
	var all runtime.MemStats
	runtime.ReadMemStats(&all)
	return int(all.HeapObjects)
}
