package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"caveau/game"
	"caveau/games/dawn"
	"caveau/record"
)

type shelf struct{}

func (shelf) Game(name string) (game.Game, bool) { return theGame, name == dawn.Rules.Name }

var theGame = game.Edge(dawn.Rules)

// aGame is a random game from its deal to its end, written down, and the states that it went through.
func aGame(t *testing.T, players int, seed uint64) (record.Record, []game.State) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, uint64(players)))
	state, err := theGame.Deal(game.Setup{Edition: "2004", Players: players, First: game.NoSeat}, rng)
	if err != nil {
		t.Fatal(err)
	}
	deal, err := json.Marshal(state.Deal())
	if err != nil {
		t.Fatal(err)
	}
	rec := record.Record{Game: "dawn-under", Edition: "2004", Deal: deal}
	for s := range players {
		rec.Players = append(rec.Players, fmt.Sprintf("Player %d <&>", s+1))
	}
	states := []game.State{state}
	for !state.Outcome().Over {
		moves := state.Moves()
		words := moves[rng.IntN(len(moves))]
		rec.Moves = append(rec.Moves, state.Turn().String()+" "+words)
		if state, _, err = state.Play(state.Turn(), words); err != nil {
			t.Fatal(err)
		}
		states = append(states, state)
	}
	return rec, states
}

func TestARecordThatIsWrittenReadAndReplayedIsTheSameGame(t *testing.T) {
	for players := 2; players <= 6; players++ {
		rec, states := aGame(t, players, 1)
		rec.Extra = map[string]json.RawMessage{"table": json.RawMessage(`{"aid":"all"}`), "nöte": json.RawMessage(`[1e999,null]`)}
		text, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		read, err := record.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(read); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%d players: written again it is another record: %v\n%s\n%s", players, err, text, again)
		}
		start, err := read.Start(shelf{})
		if err != nil {
			t.Fatal(err)
		}
		err = read.Replay(start, func(ply int, s game.State, _ []game.Event) error {
			if s != states[ply] {
				return fmt.Errorf("%d players: another position after %d moves", players, ply)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestAnIllegalMoveEndsTheTraceAndTheLinesBeforeStand(t *testing.T) {
	for _, c := range []struct{ move, says string }{
		{"A stop", "first_opening"},
		{"B open a1", "not_asked"},
		{"A open d4", "no_grave"},
		{"A", "not_a_move"},
		{"open a1", "not_a_move"},
		{"a open a1", "not_asked"},
		{" A open a1", "not_a_move"},
		{"", "not_a_move"},
	} {
		rec, _ := aGame(t, 4, 7)
		rec.Deal = json.RawMessage(strings.Replace(string(rec.Deal), `"first":"`+rec.Moves[0][:1], `"first":"A`, 1))
		rec.Moves = []string{c.move}
		start, err := rec.Start(shelf{})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = rec.Trace(start, &out)
		var illegal *record.MoveError
		if !errors.As(err, &illegal) || illegal.N != 1 || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want move 1 refused as %s", c.move, err, c.says)
		}
		if n := bytes.Count(out.Bytes(), []byte("\n")); n != 1 {
			t.Errorf("%q: %d lines before it, want 1", c.move, n)
		}
	}
}

// Every way in which a record can be broken is found before anything is printed, and named.
func TestWhatCannotBeReadIsRefusedByName(t *testing.T) {
	rec, _ := aGame(t, 4, 3)
	text, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	good := string(text)
	replace := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the record has no %s", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for name, c := range map[string]struct{ text, says string }{
		"nothing":             {"", "no JSON"},
		"no JSON":             {"open a1", "no JSON"},
		"half of it":          {good[:len(good)/2], "no JSON"},
		"not UTF-8":           {replace("Player 1", "Player \xff"), "UTF-8"},
		"nested without end":  {strings.Repeat("[", 6_000_000), "deep"},
		"a list":              {"[]", "object"},
		"null":                {"null", "object"},
		"more than one":       {good + "{}", "after the document"},
		"a key twice":         {replace(`"moves"`, `"moves":[],"moves"`), "stands twice"},
		"a key twice inside":  {replace(`"first"`, `"first":"A","first"`), "stands twice"},
		"a key twice, hidden": {replace(`"moves"`, `"\u006doves":[],"moves"`), "stands twice"},
		"another format":      {replace("caveau/1", "caveau/2"), "format"},
		"another game":        {replace("dawn-under", "dawn-over"), "dawn-over"},
		"another edition":     {replace(`"2004"`, `"1904"`), "1904"},
		"no edition":          {replace(`"edition":"2004",`, ""), "edition"},
		"an unknown option":   {replace(`"players"`, `"options":{"bats":1},"players"`), "bats"},
		"another's option":    {replace(`"players"`, `"options":{"maxVampires":12},"players"`), "maxVampires"},
		"no moves":            {replace(`"moves"`, `"Moves"`), `"moves" is missing`},
		"moves are null":      {replace(`"moves":[`, `"moves":null,"x":[`), "null"},
		"a move is a number":  {replace(`"moves":[`, `"moves":[1,`), "moves"},
		"a move is null":      {replace(`"moves":[`, `"moves":[null,`), "null"},
		"too many players":    {replace(`"players":[`, `"players":["x","y","z",`), "7 cannot play"},
		"one player too many": {replace(`"players":[`, `"players":["x",`), "rows: there are 4 for 5 players"},
		"no such first":       {replace(`"first":"`, `"first":"E`), "first"},
		"a key too many":      {replace(`"first"`, `"seed":1,"first"`), `"seed" is no key`},
		"no such grave":       {replace(`"a1"`, `"d4"`), `no grave "d4"`},
		"a grave too few":     {replace(`"a1":`, `"a2 ":`), "no grave"},
		"no such colour":      {replace(`"reserve":["`, `"reserve":["pink","`), "pink"},
		"a reserve too long":  {replace(`"reserve":["`, `"reserve":["red","`), "reserve"},
		"a rat in reserve":    {replace(`"reserve":["`, `"reserve":["rat","`), "rat"},
	} {
		t.Run(name, func(t *testing.T) {
			rec, err := record.Read([]byte(c.text))
			if err == nil {
				_, err = rec.Start(shelf{})
			}
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want something about %s", err, c.says)
			}
		})
	}
}

// FuzzRead: whatever is thrown at it, a record is read or refused, and one that is read can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"format":"caveau/1","game":"dawn-under","edition":"2004","players":["A","B"],"deal":{},"moves":[]}`))
	f.Add([]byte(`{"a":{"b":[1,2,{"c":null}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		rec, err := record.Read(text)
		if err != nil {
			return
		}
		_, _ = rec.Start(shelf{})
		record.Verify(text, everyGame{})
		again, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := record.Read(again); err != nil {
			t.Errorf("written again it cannot be read: %v\n%s", err, again)
		}
	})
}
