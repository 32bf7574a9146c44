package storm

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strings"
	"time"
)

// Why the house hangs up on a page, which it says with a code: what a page does then follows from that alone.

// The codes that a line ends with (docs/protocol.md).
const (
	endStops = 1001 // the server stops: dial again
	endFlood = 1008 // you have said far too much
	endLater = 1013 // you read too slowly, or nobody knows whether your session has ended: dial again
	endEnded = 4001 // your session has ended
)

// A badge is what a cookie or a token says.
type badge struct {
	ID, Session string
	Round       int
}

// badgeOf is the badge of whoever shows that; an empty one for nobody.
func badgeOf(shows string) (b badge) {
	_, value, _ := strings.Cut(strings.TrimSpace(shows), ": ")
	value = strings.TrimPrefix(strings.TrimPrefix(value, "Bearer "), "caveau_guest=")
	text, _, _ := strings.Cut(value, ".")
	data, _ := base64.RawURLEncoding.DecodeString(text)
	json.Unmarshal(data, &b) // "" where it is none
	return b
}

// hasEnded tells whether the session of a badge has, as the log has it; what it cannot say may be so.
func (w *World) hasEnded(b badge) bool {
	ended, round, err := w.log.Ended(w.house.ctx, b.ID, b.Session)
	return err != nil || ended || b.Round < round
}

// checkFarewell: a page is told that its session has ended where it has, that the house stops where it does, and to come back later where it has not
// read for a while, or the log cannot say whether it is still who it was.
func (g *page) checkFarewell(data []byte) {
	w := g.p.w
	if len(data) < 2 {
		w.fail("the house hangs up on %s, and does not say why", g.label)
	}
	code, why := binary.BigEndian.Uint16(data), string(data[2:])
	w.note("the house hangs up on %s: %d %s", g.label, code, why)
	dozed := g.late || g.stuck() || w.opened()-g.stalled < soon+time.Minute // it may be about some time ago
	sick := w.house.troubled() || w.opened()-w.smooth < 10*time.Second
	wrong := true
	switch code {
	case endEnded:
		wrong = g.showed.ID == "" || !w.hasEnded(g.showed)
	case endStops:
		wrong = !w.house.closing && !w.house.gate.isDead()
	case endLater:
		wrong = !dozed && !sick // or the rules of a table broke, and whoever looked there is to come anew
	case endFlood:
		wrong = !dozed && w.opened()-g.p.talked > time.Minute
	}
	if wrong {
		w.fail("the house hangs up on %s with %d, %s; its session has ended: %t; the house closes: %t; the page does not read: %t; something is wrong with the log: %t",
			g.label, code, why, w.hasEnded(g.showed), w.house.closing, dozed, sick)
	}
}
