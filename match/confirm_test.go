package match_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"caveau/fact"
	"caveau/game"
	"caveau/match"
	"caveau/table"
	"caveau/wire"
)

// Rivals write to the log as well: nodes that have taken the table, since its owner's lease was over, or a process that nobody has heard of.
type rivals struct {
	lost bool // the table is another's
	said []said
	t    *table.Table

	confirmed, refused, already, behind, disowned int // how often; of the questions, those that said that all is as it is here
}

// said is what somebody has said, and how long the log was then.
type said struct {
	match.Said
	at int
}

func (o *rivals) begin() {
	if o != nil {
		o.lost = false
	}
}

// hear is that somebody says something.
func (o *rivals) hear(s match.Said, at int) match.Said {
	if o != nil {
		s.Nth = len(o.said) + 1
		o.said = append(o.said, said{s, at})
	}
	return s
}

// fence is what the log has against entries and rests of this node.
func (o *rivals) fence() error {
	if o != nil && o.lost {
		return fact.ErrEpoch
	}
	return nil
}

// confirm asks for the table, and something comes or is written elsewhere before the log looks.
func (w *world) confirm() match.Confirmed {
	if w.others == nil {
		w.t.Fatal("a house that is alone with its log asks it")
	}
	c := match.Confirmed{Said: len(w.others.said)}
	for w.rng.IntN(4) == 0 {
		w.say()
	}
	w.elsewhere()
	switch {
	case w.rng.IntN(10) == 0:
		c.Err = errors.New("nobody answers")
	case w.others.lost && w.rng.IntN(2) == 0:
		c.Err = fact.ErrEpoch
	case !w.others.lost:
		c.Last = len(w.log)
	}
	switch seq := w.owner.Table().Seq(); {
	case c.Last == seq:
		w.others.confirmed++
	case c.Last > seq:
		w.others.behind++
	}
	return c
}

// elsewhere has others write, now and then.
func (w *world) elsewhere() {
	if w.others == nil || w.rng.IntN(8) > 0 {
		return
	}
	if w.rng.IntN(3) == 0 {
		w.others.lost = true
	}
	for range w.rng.IntN(40) {
		t := w.shadow()
		if d := w.wished(t); d != nil {
			w.keep(t.Entry(d, w.now))
		}
	}
}

// shadow is the table as the log has it now.
func (w *world) shadow() *table.Table {
	if w.others.t == nil {
		w.others.t = w.readTo(0)
	}
	for _, e := range w.log[w.others.t.Seq():] {
		if err := w.others.t.Replay(e); err != nil {
			w.t.Fatal(err)
		}
	}
	return w.others.t
}

// wished is what somebody does at a table, or a bot.
func (w *world) wished(t *table.Table) *table.Decision {
	turn, i := t.Turn(), w.rng.IntN(3)
	if turn != game.NoSeat && t.Sitter(turn).Bot != "" {
		d, _ := t.Moved(turn, "keep", fact.ByBot)
		return d
	}
	d, err := t.Decide(w.wish(t, i), guest(i), game.Seats(0).With(0).With(1))
	if err != nil {
		return nil
	}
	return d
}

// judge: what is refused the log did not allow at some moment since it was said, and what is acknowledged is there, or was so. Who has lost the table, and knows
// it, says nothing.
func (w *world) judge(s match.Send) {
	var m struct {
		Re    string
		OK    bool
		Error wire.Error
	}
	if err := json.Unmarshal(s.Message, &m); err != nil {
		w.t.Fatal(err)
	}
	if w.owner.Disowned() {
		w.t.Fatalf("who has lost the table tells %s", s.Message)
	}
	i := slices.IndexFunc(w.others.said, func(one said) bool { return one.Command.ID == m.Re && one.Client == s.To })
	if i < 0 || m.Error.Code == wire.CodeStorage {
		return
	}
	one := w.others.said[i]
	if m.OK && (one.Command.Do == "watch" || w.shadow().Done(one.Command, one.Client.Who().Guest)) {
		return
	}
	for n := len(w.log); n >= one.at; n-- {
		t := w.shadow()
		if n < len(w.log) {
			t = w.readTo(n)
		}
		for here := range game.Seats(8) {
			done, err := decided(t, one, here, w)
			if m.OK && done {
				w.others.already++
				return
			}
			if refused := wire.AsError(err); err != nil && !m.OK && refused.Code == m.Error.Code && refused.Rule == m.Error.Rule {
				w.others.refused++
				return
			}
		}
	}
	w.t.Fatalf("to %+v is said %s, which was true at no moment from entry %d to %d", one.Command, s.Message, one.at, len(w.log))
}

// decided is what a table, by the log, answers to what was said without writing anything.
func decided(t *table.Table, s said, here game.Seats, w *world) (already bool, err error) {
	who := s.Client.Who().Guest
	switch s.Command.Do {
	case "watch":
		return false, t.Watchable()
	case "rematch":
		f, err := t.Rematch(who)
		return err == nil && f == nil, err
	}
	d, err := t.Decide(s.Command, who, here)
	if err == nil && d != nil && s.Command.Do != "play" && t.Restless(who.ID, w.now) {
		return false, wire.Refuse(wire.CodeTooMany, "restless")
	}
	return err == nil && d == nil, err
}

// Who refuses has looked: whatever others write to the log, and whenever, nobody is refused what the log allowed him all the time, nothing is acknowledged that is not
// so, and who has lost the table says nothing. One question is enough for all who wait.
func TestWhoRefusesHasLooked(t *testing.T) {
	var all rivals
	stories := 1000
	if testing.Short() {
		stories = 200
	}
	for seed := range uint64(stories) {
		o := new(rivals)
		w := newWorldOf(t, seed, 60, o)
		for range 60 {
			w.run(1)
			if w.owner.Disowned() {
				w.say()
				w.pass()
				o.disowned++
				w.load()
			}
		}
		all.confirmed, all.refused, all.already = all.confirmed+o.confirmed, all.refused+o.refused, all.already+o.already
		all.behind, all.disowned = all.behind+o.behind, all.disowned+o.disowned
	}
	if all.already < stories || all.behind < stories || all.disowned < stories || all.refused+all.already < all.confirmed+stories {
		t.Errorf("in %d stories that shows little: %+v", stories, all)
	}
}
