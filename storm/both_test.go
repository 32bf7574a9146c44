package storm

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Somebody says two things at once, and the house answers neither at first: he ends his session, or has himself forgotten, while he is given something
// that would outlast that.

// both is that somebody goes while something else that he wants is under way. Nothing of that is left.
func (w *World) both(n int) {
	if w.house.clock.stopped {
		return
	}
	w.calmLog()
	i := n % len(names)
	p := w.people[i]
	if p.nameless {
		return
	}
	shows, was := p.shows(), badgeOf(p.shows())
	kind, what := n/4%3, n/12%4 // he ends his session, is forgotten, or turned out
	var first *cable
	w.meanwhile = func() {
		w.house.gate.ails(ailment{what: "Ended", fate: late})
		switch what {
		case 0:
			first = w.request(i, shows, "POST", "/api/guest", `{"name":"Zoe"}`)
		case 1:
			first = w.request(i, shows, "POST", "/api/guest/way", "{}")
		case 2:
			first = w.request(i, shows, "POST", "/api/programs", `{"name":"Tool"}`)
		case 3:
			w.house.slow = 300 * time.Millisecond
			first = w.knock(i, handshake(shows))
		}
		w.wait(time.Duration(n/48%30) * 50 * time.Millisecond)
	}
	p.called = ""
	p.goes(kind + 36)
	w.wait(5 * time.Second)
	w.heal()
	w.meanwhile, w.house.slow = nil, 0
	if first == nil {
		return
	}
	ended := was.ID != "" && w.hasEnded(was)
	if what == 3 {
		if _, gone := first.take(); ended && !gone {
			w.fail("%s went while he came by another line, and has it still", p.name)
		}
		first.change(func() { first.cut = true })
		w.settle()
		return
	}
	heard, _ := first.take()
	first.change(func() { first.cut = true })
	answer := string(heard)
	if code := between(answer, "/move#", "."); ended && code != "" {
		if taken := w.posts(0, "/api/guest/way/take", `{"code":"`+code+`","sure":true}`); strings.HasPrefix(taken, "HTTP/1.1 200") {
			w.fail("%s went while he made a link to another device, and it is good: %.200q", p.name, taken)
		}
	}
	if token := between(answer, `"token":"`, `"`); token != "" && w.blotted[was.ID] {
		if hello := w.answer(w.request(i, "Authorization: Bearer "+token+"\r\n", "GET", "/api/hello", "")); strings.HasPrefix(hello, "HTTP/1.1 200") {
			w.fail("%s was forgotten while he brought a program, and it is somebody: %.200q", p.name, hello)
		}
	}
	w.checkBlotted()
}

// forgets is that somebody who has a program, or none, has himself forgotten, or is turned out, and some of that cannot be done at first. Then the house is killed, or is not, and it is said again.
func (w *World) forgets(n int) {
	p := w.people[n%len(names)]
	if w.house.clock.stopped || p.nameless {
		return
	}
	w.calmLog()
	if n/144%2 == 0 {
		p.tool(1)
	}
	kind := 1 + n/4%2
	if n/72%2 == 0 {
		w.between = func() {
			w.kill(n, 1)
			w.begin()
		}
	}
	w.ailing(endings[kind], n/8%len(endings[kind])<<10+32+kind, p.goes)
	w.between = nil
}

// checkBlotted: whoever has been erased has no name.
func (w *World) checkBlotted() {
	for _, guest := range slices.Sorted(maps.Keys(w.blotted)) {
		if called, err := w.log.Names(w.house.ctx, guest); err == nil && called[guest] != "" {
			w.fail("a guest, %s, has had himself erased, and is called %q", guest, called[guest])
		}
	}
}

// introduces is that the house is about to note what somebody is called.
func (w *World) introduces(guest, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if name != "" {
		w.introduced[guest] = true
	}
}

// lets is that somebody is told who he is from now on.
func (w *World) lets(answer string) {
	if cookie := cookieOf(answer, "caveau_guest"); cookie != "" {
		w.letIn[badgeOf("Cookie: "+cookie).ID] = true
	}
}

// checkNames: whoever has a name was let in, and can have it erased, or is one of whom a log of before tells; whoever is erased has none.
func (w *World) checkNames() {
	w.checkBlotted()
	w.mu.Lock()
	guests := slices.Sorted(maps.Keys(w.introduced))
	w.mu.Unlock()
	for _, guest := range guests {
		called, err := w.log.Names(w.house.ctx, guest)
		if err != nil || called[guest] == "" || w.letIn[guest] || w.guest(guest) != nil {
			continue
		}
		if !slices.ContainsFunc(w.tables, func(e *evening) bool { return e.paper.was[guest] != "" }) {
			w.fail("somebody, %s, is called %q, and was never let in", guest, called[guest])
		}
	}
}
