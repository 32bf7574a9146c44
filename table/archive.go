package table

import (
	"fmt"
	"slices"

	"caveau/fact"
	"caveau/terms"
)

// A Review is what replaying a table that is over by today's rules shows.
type Review struct {
	Played   bool   // it had begun
	Differs  string // what would be another way, with no words of the game; "" if nothing would
	Revision int    // of the rules that it was played by; 0 if the log does not say
}

// ReviewOf replays the log of a table that is over. Of a move it tells the number and the rule, never a card or a colour.
func ReviewOf(shelf terms.Shelf, entries []fact.Entry) Review {
	t := New(shelf)
	r := Review{Differs: t.review(entries)}
	r.Played = r.Differs != "" || t.state != nil
	for _, e := range slices.Backward(entries) {
		if _, _, end, err := fact.Read(e.Data); err == nil && end != nil {
			r.Revision = end.Revision
			break
		}
	}
	return r
}

func (t *Table) review(entries []fact.Entry) (differs string) {
	defer func() {
		if recover() != nil {
			differs = fmt.Sprintf("the rules break down after move %d", len(t.moves))
		}
	}()
	for _, e := range entries {
		if err := t.Replay(e); err != nil {
			return err.Error()
		}
	}
	if t.state == nil {
		return "" // closed before it began
	}
	now := t.ending(t.state, "")
	switch {
	case !t.ended:
		return "it would not be over"
	case t.end == nil:
		return "" // played before endings were kept
	case !slices.Equal(now.Winners, t.end.Winners):
		return fmt.Sprintf("the winners would be %v, and were %v", now.Winners, t.end.Winners)
	case now.Final != t.end.Final:
		return "the final position would be another"
	}
	return ""
}
