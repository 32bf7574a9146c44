package archive

import (
	"fmt"
	"slices"

	"caveau/fact"
	"caveau/table"
	"caveau/terms"
)

// A review is what replaying a table that is over by today's rules shows.
type review struct {
	played   bool   // it had begun
	differs  string // what would be another way, with no words of the game; "" if nothing would
	revision int    // of the rules that it was played by; 0 if the log does not say
}

// reviewOf replays the log of a table that is over. Of a move it tells the number and the rule, never a card or a colour.
func reviewOf(shelf terms.Shelf, entries []fact.Entry) review {
	t := table.New(shelf)
	r := review{differs: differs(t, entries)}
	today, _, _ := t.Endings()
	r.played = r.differs != "" || today != nil
	for _, e := range slices.Backward(entries) {
		if _, _, end, err := fact.Read(e.Data); err == nil && end != nil {
			r.revision = end.Revision
			break
		}
	}
	return r
}

// differs replays a table, and says what would be another way.
func differs(t *table.Table, entries []fact.Entry) (differs string) {
	defer func() {
		if recover() != nil {
			differs = fmt.Sprintf("the rules break down after move %d", t.Moves())
		}
	}()
	for _, e := range entries {
		if err := t.Replay(e); err != nil {
			return err.Error()
		}
	}
	switch today, over, then := t.Endings(); {
	case today == nil: // closed before it began
	case !over:
		return "it would not be over"
	case then == nil: // played before endings were kept
	case !slices.Equal(today.Winners, then.Winners):
		return fmt.Sprintf("the winners would be %v, and were %v", today.Winners, then.Winners)
	case today.Final != then.Final:
		return "the final position would be another"
	}
	return ""
}
