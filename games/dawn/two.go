package dawn

import "caveau/game"

// For two players a grave can be worn: who opened it, and saw the other open it after him, leaves it alone for one turn.
// D3 says when: you turned its lid in your last own turn, and he turned it in an own turn of his since. It goes by the
// grave, even if its lid was replaced.
type two struct {
	now   Graves    // turned by the player in his turn, his goes in its plagues included
	last  [2]Graves // turned by each in his last own turn
	since [2]Graves // turned by each one's opponent in own turns after that
}

// isWorn tells whether s may not open g again. In a plague the rule does not apply.
func (p *Position) isWorn(s game.Seat, g Grave) bool {
	return p.players == 2 && p.rat == noGrave && (p.worn.last[s] & p.worn.since[s]).has(g)
}

// openWorn: it costs a stake. Nothing in the grave is resolved, its lid is closed unseen, the turn ends (D3).
func (p *Position) openWorn(s game.Seat, g Grave, ev *game.Events) {
	ev.Say(s, "worn", g, nil, "D3")
	p.takeStake(s, ev)
}

// noteTurned: a lid counts for who turned it, in his own turn only. The edition of 2017 knows no worn graves (N7); there it
// matters which lid was turned last (N1).
func (p *Position) noteTurned(s game.Seat, g Grave) {
	switch {
	case p.edition == ed2017:
		p.dance.turned = g
	case p.players == 2 && s == p.turn:
		p.worn.now = p.worn.now.with(g)
	}
}

// rememberTurned closes the book on a turn.
func (p *Position) rememberTurned() {
	if p.players != 2 {
		return
	}
	w := &p.worn
	w.since[1-p.turn] |= w.now
	w.last[p.turn], w.since[p.turn], w.now = w.now, 0, 0
}
