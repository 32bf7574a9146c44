package table_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"caveau/fact"
	"caveau/match/matchtest"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// A position that came when the rules were others, and that those of today do not reach, is not begun with: its table waits, and can be read as before.
func TestAPositionThatTheRulesRefuseIsNotBegun(t *testing.T) {
	rec := `{"format": "caveau/1", "game": "toy", "players": ["Xaver", "Yvonne"], "deal": {"first": "A", "numbers": [4, 5]}, "moves": ["A keep"]}`
	ana := wire.Guest{ID: "ana", Name: "Ana"}
	for _, c := range []struct {
		name  string
		moves []string
		code  string
	}{
		{"as it came", []string{"A keep"}, ""},
		{"a move that is none any more", []string{"A swim"}, wire.CodeBadCommand},
		{"a move of whose turn it is not any more", []string{"B keep"}, wire.CodeBadCommand},
		{"no move at all", []string{"keep"}, wire.CodeBadCommand},
	} {
		founding, err := fact.Found(matchtest.Shelf{}, ana, terms.Setup{Record: json.RawMessage(rec), Bots: []string{"first"}, Sit: true})
		if err != nil {
			t.Fatal(err)
		}
		founding.Draw(rand.New(rand.NewPCG(1, 1)))
		founding.Made.Imported.Moves = c.moves
		entry := founding.First(time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC))
		stands := table.New(matchtest.Shelf{})
		if err := stands.Replay(entry); err != nil {
			t.Fatal(err)
		}
		d, err := stands.Decide(wire.Command{ID: "1", Table: "t", Do: "start"}, ana, 0)
		if c.code == "" && (err != nil || d == nil) || c.code != "" && (err == nil || wire.AsError(err).Code != c.code || d != nil) {
			t.Errorf("%s: the host says that it begins: %v, %v", c.name, d, err)
		}
		if stands.State() != table.Open {
			t.Errorf("%s: the table is %s", c.name, stands.State())
		}
	}
}
