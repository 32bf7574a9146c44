package storm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"caveau/fair"
	"caveau/wire"
)

// What is no game of a device is not kept, and one that has been deleted nobody looks at any more.

// misreports is that somebody brings what looks like a game of his device, and is none: it is not over, somebody moves whose turn it is not, it ended
// otherwise, or its proof is that of another deal. It is refused, and nothing is written.
func (w *World) misreports(p *person, n int) {
	text := strings.Replace(ofDevice(n%40), ",60]", ",59]", 1) // a deal that nobody brings
	moves := between(text, `"moves":`, `,"table"`)
	switch n % 4 {
	case 0:
		text = strings.Replace(text, moves, strings.Replace(moves, `,"B keep"]`, "]", 1), 1)
	case 1:
		text = strings.Replace(text, moves, strings.Replace(moves, "A show", "B show", 1), 1)
	case 2:
		text = strings.Replace(text, `"device":true`, `"device":true,"why":"closed"`, 1)
	case 3:
		other := fair.Bits{byte(n), 1}
		proof, err := json.Marshal(fair.Proof{Version: fair.Deal2, Attempt: fair.Attempt{Seal: fair.Deal2.Seal(other), Secret: other, Numbers: []fair.Number{}}, First: "A"})
		if err != nil {
			panic(err) // it is made of words
		}
		text = strings.Replace(text, `"table":`, fmt.Sprintf(`"proof":%s,"table":`, proof), 1)
	}
	well := w.well()
	answer := w.ask(p, slices.Index(w.people, p), "POST", "/api/tables/played", text)
	w.spends(p, "games", answer, gamesAtOnce, gameFills)
	switch many := strings.Contains(answer, `"too_many"`); {
	case strings.HasPrefix(answer, "HTTP/1.1 2"):
		w.fail("%s brings %s, which is no game that is over, and is answered %.200q", p.name, text, answer)
	case well && w.well() && !many && !p.nameless && !p.perhapsOver && !strings.HasPrefix(answer, "HTTP/1.1 400"):
		w.fail("%s brings %s, which is no game that is over; nothing is wrong, and he is answered %.200q", p.name, text, answer)
	}
}

// beholds is that somebody opens the game that he has brought, by a line of its own; nil where he does not see it.
func (w *World) beholds(k *keepsake) *cable {
	line := w.knock(slices.Index(w.people, k.of), handshake(k.of.shows()))
	line.send(frame(opText, wire.Message(wire.Command{ID: "look", Do: "watch", Table: k.id})))
	w.wait(time.Second)
	if heard, gone := line.take(); gone || !strings.Contains(string(heard), `"frame"`) {
		line.change(func() { line.cut = true })
		return nil
	}
	return line
}

// vanishes: the game that somebody has open is gone, and he sees it no longer.
func (w *World) vanishes(k *keepsake, line *cable) {
	if line == nil {
		return
	}
	w.wait(time.Second)
	heard, gone := line.take()
	for rest, whole := heard, true; whole; { // it may have been told something else before
		var op byte
		op, _, rest, whole = cutFrame(rest)
		gone = gone || whole && op == opClose
	}
	if !k.there && !gone {
		w.fail("the game %s of a device is deleted, and %s, who has it open, looks on; he has heard %.200q", k.id, k.of.name, heard)
	}
	line.change(func() { line.cut = true })
	w.settle()
}
