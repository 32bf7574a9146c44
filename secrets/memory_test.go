package secrets

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"caveau/game"
	"caveau/table"
)

// A table does not remember for anybody. Whoever comes now reads of what was seen before only what stays for good at this table (game.Event.Faded), the
// newest line included.
func TestALogThatIsReadLaterHasFaded(t *testing.T) {
	for i, r := range oneEach() {
		p, err := newPair(r.rulebook, game.Watcher, sweptMoves, rand.New(rand.NewPCG(uint64(4000+i), 1)))
		if err != nil {
			t.Fatal(err)
		}
		d := p.desk(t, 0, r.aid)
		tab, state, lines := d.owner.Table(), p.deals[0], 0
		d.begin()
		for _, s := range p.steps {
			d.play(d.clients[s.seat], s.seat, s.words[0])
			var events []game.Event
			if state, events, err = state.Play(s.seat, s.words[0]); err != nil {
				t.Fatal(err)
			}
			frames := tab.Frames("t", table.Present{}, tab.Seq(), true, d.now)
			for _, audience := range p.audiences() {
				var told struct{ Frame struct{ Log []game.Event } }
				if err := json.Unmarshal(frames.WithLog(audience, false), &told); err != nil {
					t.Fatal(err)
				}
				log := told.Frame.Log
				for i, e := range events {
					stays := e.For(audience).Faded(r.aid)
					stays.Stays, stays.Secret = false, 0 // which nobody is told
					if lines++; log[len(log)-len(events)+i] != stays {
						t.Fatalf("%s, aid %q: after %s %s the log tells %s of %+v, and should of %+v", r, r.aid, s.seat, s.words[0], who(audience), log[len(log)-len(events)+i], stays)
					}
				}
			}
		}
		if lines < 20 {
			t.Errorf("%s: only %d lines were looked at", r, lines)
		}
	}
}
