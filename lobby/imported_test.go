package lobby_test

import (
	"bytes"
	"caveau/terms"
	"caveau/wire"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/game"
	"caveau/match/matchtest"
	"caveau/record"
)

// recordOf is a record of the toy for two, who have these numbers.
func recordOf(a, b int, moves ...string) json.RawMessage {
	text, _ := json.Marshal(moves) // strings never fail
	return fmt.Appendf(nil, `{"format": "caveau/1", "game": "toy", "players": ["Xaver", "Yvonne"], "deal": {"first": "A", "numbers": [%d, %d]},
		"moves": %s, "table": {"aid": "all", "byBot": [1]}, "notes": "from a book"}`, a, b, text)
}

// from is the set-up of a table that begins with the record.
func from(rec json.RawMessage, ply int, bots ...string) terms.Setup {
	return terms.Setup{Record: rec, Ply: &ply, Bots: bots, Sit: true, BotTime: &[2]int{0, 0}}
}

// A position from a record is played on by whoever sits there, over a restart too; it is marked as what it is from the first
// frame to the record, and nothing about it is sealed or proved.
func TestAPositionIsImported(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := from(recordOf(50, 60, "A show", "B keep", "A keep", "B show", "A fly"), 3, "echo")
		setup.Listed = true
		id := h.make(setup)
		ana := h.as("Ana", id)
		marked := func(f frame) {
			t.Helper()
			if f.Setup.Imported == nil || *f.Setup.Imported != 3 || f.Seal != nil || f.Setup.Seats != 2 {
				t.Errorf("frame %d says %+v, and the seal %v", f.Seq, f.Setup, f.Seal)
			}
		}
		marked(ana.frame)
		if c := h.lobby.Cards()[0]; c.Imported == nil || *c.Imported != 3 || c.Seal != nil || c.Seats[1].Bot != "echo" {
			t.Errorf("the door sign says %+v", c)
		}
		ana.refused("bad_command", wire.Command{Do: "seal", Bits: strings.Repeat("0", 64)})
		ana.ok(wire.Command{Do: "leave"})
		ana.ok(wire.Command{Do: "sit", Seat: "A"})
		h.restart()
		synctest.Wait()
		ana = h.as("Ana", id)
		ana.ok(wire.Command{Do: "start"})
		ana.mustBe("running", seatA) // B has moved: the bot, which was told that A had shown
		ana.mustHear("show", 1)
		ana.mustHear("keep", 0)
		if ana.play("show"); ana.said[len(ana.said)-1].Error.Code != "shown_already" {
			t.Errorf("Ana has shown in the record, and is answered %+v", ana.said[len(ana.said)-1])
		}
		logged := func(f frame) (log []string) {
			for _, e := range f.Log {
				log = append(log, e.Seat.String()+" "+e.Verb)
			}
			return log
		}
		past := []string{"A show", "B keep", "A keep", "A leave", "A sit", "B start"}
		i := slices.IndexFunc(ana.frames, func(f frame) bool { return f.State == "running" })
		if log := logged(ana.frames[i]); !slices.Equal(log, past) || logged(ana.frames[i+1]) != nil {
			t.Errorf("with the start the log is %v, and then %v", log, logged(ana.frames[i+1]))
		}
		h.restart()
		ana = h.as("Ana", id)
		eve := h.as("Eve", id)
		marked(eve.frame)
		if log, want := logged(eve.frame), append(past, "B show"); !slices.Equal(log, want) {
			t.Errorf("the log is %v, not %v", log, want)
		}
		finish(ana)
		eve.mustBe("over", game.NoSeat)
		marked(eve.frame)

		text := h.written(id)
		rec, err := record.Read(text)
		want := []string{"A show", "B keep", "A keep", "B show", "A keep", "B keep"}
		if err != nil || !slices.Equal(rec.Moves, want) || !slices.Equal(rec.Players, []string{"Ana", "echo"}) {
			t.Errorf("the record is %s, %v", text, err)
		}
		if note := string(rec.Extra["table"]); !strings.Contains(note, `"imported":3`) || !strings.Contains(note, `"byBot":[4,6]`) || rec.Extra["proof"] != nil {
			t.Errorf("the record says %s", text)
		}
		v := record.Verify(text, matchtest.Shelf{})
		if len(v.Checks) != 1 || !strings.Contains(v.Checks[0].Fault, "began with a position from another record, after 3 moves") {
			t.Errorf("it proves %+v", v.Checks)
		}

		ana.ok(wire.Command{Do: "rematch"})
		again := h.as("Ana", ana.nextTable())
		marked(again.frame)
		again.ok(wire.Command{Do: "start"})
		again.mustBe("running", seatA)
		if again.frame.Seats[1].Bot != "echo" {
			t.Errorf("the next table has the seats %+v", again.frame.Seats)
		}
		time.Sleep(time.Hour)
		again.mustBe("running", seatA)
	})
}

// nextTable is where the others went.
func (p *person) nextTable() wire.ID {
	p.read()
	return p.frame.Next
}

// A deal alone can be imported too, and is marked, with no moves; without a ply all the moves come.
func TestPly(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		all := from(recordOf(50, 60, "A show", "B keep"), 0, "first")
		for ply, n := range map[*int]int{all.Ply: 0, nil: 2} {
			all.Ply = ply
			id := h.make(all)
			ana := h.as("Ana", id)
			ana.ok(wire.Command{Do: "start"})
			ana.mustBe("running", seatA)
			if came := ana.frame.Setup.Imported; came == nil || *came != n {
				t.Errorf("%v moves came, not %d", came, n)
			}
		}
	})
}

// What is wrong with a record, or does not agree with it, is said with the move and the rule, and no table is made.
func TestBadImports(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		game := recordOf(50, 60, "A show", "B keep", "A keep", "B keep", "A keep", "B keep")
		replaced := func(old, new string) json.RawMessage {
			return bytes.Replace(game, []byte(old), []byte(new), 1)
		}
		for fault, setup := range map[string]terms.Setup{
			"is a JSON object":       from(json.RawMessage(`[]`), 0),
			"record: a record is a":  from(json.RawMessage(`null`), 0),
			"stands twice":           from(replaced(`"game"`, `"game": "toy", "game"`), 0),
			"there is no game":       from(replaced(`"toy"`, `"chess"`), 0),
			"no edition":             from(replaced(`"game"`, `"edition": "1904", "game"`), 0),
			"seats":                  from(replaced(`"Xaver"`, `"Xaver", "Xenia", "Xandra", "Xanthippe"`), 0),
			"deal: 1 numbers":        from(replaced(`[50, 60]`, `[50]`), 0),
			"options: a toy":         from(replaced(`"deal"`, `"options": {"maxVampires": 6}, "deal"`), 0),
			`record: move 3, "A sho`: from(recordOf(50, 60, "A show", "B keep", "A show"), 3),
			"is over":                from(game, 6),
			"after 7":                from(game, 7),
			"after -1":               from(game, -1),
			"there is no record":     {Game: "toy", Seats: 2, Ply: new(int)},
			"2 players":              {Record: game, Seats: 3},
			"is of toy":              {Record: game, Game: "dawn-under"},
			", not  endless":         {Record: game, Edition: "endless"},
			"options map":            {Record: game, Options: map[string]int{"maxVampires": 3}},
			"first and choices":      {Record: game, First: "B"},
			"choices":                {Record: game, Choices: map[string][]string{"bare": {"a1"}}},
			"too many":               from(game, 0, "first", "first"),
			"aid":                    {Record: game, Ply: new(int), Aid: "notes"},
		} {
			_, err := h.lobby.Make(t.Context(), visitor("Ana"), setup)
			told := wire.AsError(err)
			if err == nil || told.Code != "bad_command" || !strings.Contains(told.Message, fault) {
				t.Errorf("%s: %v", fault, err)
			}
			if strings.Contains(fault, "move 3") && told.Rule != "2" {
				t.Errorf("%v does not name the rule", told)
			}
		}
		if tables, _ := h.log.Due(t.Context(), time.Time{}); len(tables) != 0 {
			t.Errorf("tables were made: %v", tables)
		}
		many := strings.Fields(strings.Repeat("keep ", 300))
		for i := range many {
			many[i] = string(rune('A'+i%2)) + " keep"
		}
		endless := bytes.Replace(recordOf(50, 60, many...), []byte(`"game"`), []byte(`"edition": "endless", "game"`), 1)
		if _, err := h.lobby.Make(t.Context(), visitor("Ana"), from(endless, 300)); err == nil || !strings.Contains(err.Error(), "is over") {
			t.Errorf("a game that is stopped goes on: %v", err)
		}
		h.make(from(endless, 299))
	})
}

// Twin worlds again: two records that differ in B's number alone, which nobody who sits elsewhere was ever shown. Whatever Ana
// and a watcher are told of the tables that begin with them is the same to the byte.
func TestTwinWorldsOfAnImport(t *testing.T) {
	var one []string
	for _, number := range []int{11, 99} {
		var all []string
		inHouse(t, func(t *testing.T, h *house) {
			setup := from(recordOf(50, number, "A show", "B peek"), 2, "first")
			setup.Listed = true
			id := h.make(setup)
			for _, name := range []string{"Ana", "Eve", "Max"} { // nobody listens to a table and to the lobby: they do not wait for each other
				c := h.lobby.Connect(visitor(name), func() {})
				if name == "Max" {
					c.Do(wire.Command{ID: "1", Do: "lobby"})
				} else {
					c.Do(wire.Command{ID: "1", Do: "watch", Table: id, Seq: 1})
				}
				synctest.Wait()
				if name == "Ana" {
					c.Do(wire.Command{ID: "2", Do: "start", Table: id})
					synctest.Wait()
					c.Do(wire.Command{ID: "3", Do: "play", Table: id, Seat: "A", Seq: 2, Move: "show"})
					c.Do(wire.Command{ID: "4", Do: "play", Table: id, Seat: "A", Seq: 2, Move: "keep"})
				}
				time.Sleep(time.Second)
				synctest.Wait()
				synctest.Wait()
				messages, _ := c.Take(nil)
				for _, m := range messages {
					all = append(all, name+" "+string(m.Text))
				}
			}
			all = append(all, h.said.String())
		})
		if one == nil {
			one = all
		}
		if !slices.Equal(one, all) {
			t.Errorf("is told\n%s\nor\n%s", strings.Join(one, "\n"), strings.Join(all, "\n"))
		}
		if told := strings.Join(all, "\n"); !strings.Contains(told, `"verb":"peek"`) || !strings.Contains(told, `"verb":"keep"`) {
			t.Errorf("nothing was told:\n%s", told)
		}
	}
}
