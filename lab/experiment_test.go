package lab_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caveau/catalog"
	"caveau/lab"
)

// What cannot be played is refused with its place in the file, and what would be right.
func TestExperimentsThatCannotBePlayed(t *testing.T) {
	with := func(table string) string { return `{"seed":1,"deals":2,"tables":[` + table + `]}` }
	for text, says := range map[string]string{
		`{"seed":1,"deals":2}`:                                                                    "tables: there is none",
		`{"seed":1,"deals":0,"tables":[]}`:                                                        "deals: 0 is not 1 to",
		`{"seed":1,"deal":2,"tables":[]}`:                                                         `"deal" is no key`,
		`{"seed":1,"seed":2,"deals":2,"tables":[]}`:                                               `"seed" stands twice`,
		`{"seed":-1,"deals":2,"tables":[]}`:                                                       "seed",
		with(`{"game":"chess","bots":["random"]}`):                                                `tables[0]: there is no game called "chess"`,
		with(`{"game":"dawn-under","bots":["fischer"]}`):                                          `nobody who plays dawn-under is called "fischer"; there are random`,
		with(`{"game":"dawn-under","bots":[]}`):                                                   "bots: nobody plays",
		with(`{"game":"toc-toc-toc","moves":201,"bots":["random"]}`):                              "moves: 201 is not 0 to 200",
		with(`{"game":"dawn-under","editions":["1904"],"bots":["random"]}`):                       `editions: dawn-under has none called "1904"`,
		with(`{"game":"dawn-under","editions":[],"bots":["random"]}`):                             "editions: an empty list",
		with(`{"game":"toc-toc-toc","players":[],"bots":["random"]}`):                             "players: an empty list",
		with(`{"game":"toc-toc-toc","players":[3,6],"bots":["random"]}`):                          "players: 3 to 5 can play toc-toc-toc, not 6",
		with(`{"game":"toc-toc-toc","players":[3],"bots":["random","random","random","random"]}`): "bots: 4 are too many for 3 chairs",
		with(`{"game":"toc-toc-toc","drawn":true,"bots":["random"]}`):                             "bots: two or more are drawn from",
		with(`{"game":"toc-toc-toc","drawn":true,"bots":["random","random","remembering:keen"]}`): "each of them named once",
		with(`{"game":"toc-toc-toc","bots":["random"],"options":{"maxVampires":3}}`):              `"maxVampires"`,
		with(`{"game":"toc-toc-toc","bots":["random"]},{"game":"dawn-under","bots":["nobody"]}`):  "tables[1]: bots:",
	} {
		if _, err := lab.ReadShard([]byte(text), catalog.House.Laboratory(), 0, -1); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s\nis answered with %v, not with %q", text, err, says)
		}
	}
}

// A shard is some games that there are.
func TestShardsThatAreNone(t *testing.T) {
	const text = `{"seed":1,"deals":5,"tables":[{"game":"toc-toc-toc","players":[3],"bots":["random"]}]}`
	for _, x := range []struct {
		first, number int
		has           int // games; -1 where it is refused
	}{
		{0, -1, 5}, {2, -1, 3}, {2, 2, 2}, {5, -1, 0}, {0, 6, -1}, {3, 3, -1}, {-1, 2, -1}, {6, -1, -1},
	} {
		s, err := lab.ReadShard([]byte(text), catalog.House.Laboratory(), x.first, x.number)
		if x.has < 0 && (err == nil || !strings.Contains(err.Error(), "games 0 to 4")) || x.has >= 0 && (err != nil || s.Number != x.has) {
			t.Errorf("from game %d on %d: %d games, %v", x.first, x.number, s.Number, err)
		}
	}
}

// Every bot has every chair of a deal once, and who began, which the deal says, stays the same. Bots that sit in a pattern change
// chairs until it comes again.
func TestBotsChangeChairs(t *testing.T) {
	for _, x := range []struct {
		bots     string
		players  int
		sittings []string
	}{
		{`["random"]`, 3, []string{"rrr"}},
		{`["random","remembering:dozy"]`, 3, []string{"rdr", "rrd", "drr"}},
		{`["random","remembering:dozy"]`, 4, []string{"rdrd", "drdr"}},
		{`["random","remembering:dozy","remembering:dozy"]`, 5, []string{"rddrd", "drddr", "rdrdd", "drdrd", "ddrdr"}},
	} {
		rows := played(t, fmt.Sprintf(`{"seed":3,"deals":2,"tables":[{"game":"toc-toc-toc","players":[%d],"bots":%s,"moves":1}]}`, x.players, x.bots))
		var sittings []string
		for i, r := range rows {
			if i < len(x.sittings) {
				sittings = append(sittings, chairs(r))
			}
			if r.N != i || r.Deal != i/len(x.sittings) || r.Sitting != i%len(x.sittings) || r.First != rows[i-r.Sitting].First {
				t.Errorf("game %d of %s is %+v", i, x.bots, r)
			}
		}
		if !slices.Equal(sittings, x.sittings) || len(rows) != 2*len(x.sittings) {
			t.Errorf("%s with %d sit as %v in %d games", x.bots, x.players, sittings, len(rows))
		}
	}
}

// Where it is drawn who sits, each deal is played from every chair, no two sittings of it are alike, and nobody plays more than
// once more than another.
func TestWhoSitsIsDrawn(t *testing.T) {
	rows := played(t, `{"seed":3,"deals":40,"tables":[{"game":"dawn-under","editions":["2004"],"players":[2,4,6],"drawn":true,"moves":1,
		"bots":["random","remembering:dozy","remembering:keen"]}]}`)
	if len(rows) != 40*(2+4+6) {
		t.Fatalf("there are %d games", len(rows))
	}
	met := map[string]int{}
	for at := 0; at < len(rows); at += len(rows[at].Bots) {
		deal, there := rows[at:at+len(rows[at].Bots)], map[string]bool{}
		for _, r := range deal {
			there[chairs(r)] = true
			if r.Deal != deal[0].Deal || r.First != deal[0].First {
				t.Errorf("%+v is of another deal than %+v", r, deal[0])
			}
		}
		if len(there) != len(deal) {
			t.Errorf("some sittings are alike: %v", there)
		}
		sits := chairs(deal[0])
		for _, bot := range "rdk" {
			if n := strings.Count(sits, string(bot)); n < len(sits)/3 || n > (len(sits)+2)/3 {
				t.Errorf("%c sits %d times in %s", bot, n, sits)
			}
			met[fmt.Sprint(len(sits), string(bot))] += strings.Count(sits, string(bot))
		}
	}
	for who, n := range met {
		if fair := 40 * int(who[0]-'0') / 3; n < fair*3/4 || n > fair*5/4 {
			t.Errorf("%s has %d chairs, and fair would be %d", who, n, fair)
		}
	}
}

// chairs is who sits there, a letter each.
func chairs(r lab.Row) (letters string) {
	for _, bot := range r.Bots {
		letters += strings.TrimPrefix(bot, "remembering:")[:1]
	}
	return letters
}

// played are the rows of an experiment.
func played(t *testing.T, experiment string) []lab.Row {
	t.Helper()
	rows, err := lab.ReadRows(run(t, shard(t, experiment)))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func shard(t *testing.T, experiment string) lab.Shard {
	t.Helper()
	s, err := lab.ReadShard([]byte(experiment), catalog.House.Laboratory(), 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run is what a shard writes.
func run(t *testing.T, s lab.Shard) (text []byte) {
	t.Helper()
	err := s.Run(t.Context(), catalog.House.Laboratory(), func(line []byte) error {
		text = append(text, line...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
