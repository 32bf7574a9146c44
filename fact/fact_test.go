package fact_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"caveau/fact"
	"caveau/game"
	"caveau/terms"
	"caveau/wire"
)

// bits are 256 bits as text.
var bits = strings.Repeat("5a", 32)

// entries are one of each kind, as logs have them. They never change: what was written is read for ever.
var entries = map[string]string{
	"made": `{"setup":{"game":"dawn-under","edition":"2004","seats":2,"first":"B","options":{"maxVampires":6},"aid":"marks","moveTime":60,` +
		`"awayTime":120,"botTime":[2200,3800],"listed":true,"choices":{"bare":["a1","b2"]}},"host":{"id":"g1"},` +
		`"chairs":[{"guest":{"id":"g1"}},{"guest":{"id":""},"bot":"random"}],"secret":"BITS","derivation":"caveau-deal/2",` +
		`"imported":{"deal":{"lids":"x"},"moves":["A open d3"],"seeds":[1,2]}}`,
	"sit":     `{"seat":"B","guest":{"id":"g2"}}`,
	"leave":   `{"seat":"B"}`,
	"bot":     `{"seat":"B","bot":"random"}`,
	"host":    `{"seat":"B"}`,
	"secret":  `{"secret":"BITS"}`,
	"seal":    `{"seat":"B","seal":"BITS"}`,
	"call":    `{}`,
	"unseal":  `{"seat":"B","number":"BITS"}`,
	"anew":    `{"secret":"BITS"}`,
	"start":   `{"deal":{"lids":"x"},"moves":["A open d3"],"seeds":[1,2]}`,
	"move":    `{"seat":"B","words":"open d3","by":"clock"}`,
	"away":    `{"seat":"B"}`,
	"back":    `{"seat":"B"}`,
	"free":    `{"seat":"B"}`,
	"rename":  `{"guest":{"id":"g2"}}`,
	"break":   `{"guest":{"id":"g1"}}`,
	"rematch": `{"next":"k3x","seat":"B"}`,
	"closed":  `{}`,
	"propose": `{"do":"free","guest":{"id":"g1"},"seat":"B"}`,
	"agree":   `{"seat":"C"}`,
	"decline": `{"seat":"C"}`,
	"resume":  `{}`,
	"idle":    `{"from":"2026-11-23T20:00:00.5Z","to":"2026-11-23T20:00:03Z"}`,
	"unlist":  `{}`,
	"kept":    `{"guest":{"id":"g1"},"record":{"format":"caveau/1","moves":["A open d3"]}}`,
}

// ruled are those that whoever runs the house did.
var ruled = map[string]string{
	"free":   `{"seat":"B","left":true,"all":true,"ruled":true}`,
	"closed": `{"ruled":true}`,
}

const byGuest, ended = `,"by":{"guest":"g2","id":"7","do":"play","table":"k3x","seat":"B","seq":5,"move":"open d3","bot":"random","bits":"00"}`,
	`,"end":{"revision":2,"winners":["A"],"why":"stopped","final":"BITS"}`

func TestEntriesAreReadForEver(t *testing.T) {
	for _, all := range []map[string]string{entries, ruled} {
		for kind, is := range all {
			for _, rest := range []string{"", byGuest, ended, byGuest + ended} {
				text := strings.ReplaceAll(`{"kind":"`+kind+`","fact":`+is+rest+`}`, "BITS", bits)
				f, by, end, err := fact.Read([]byte(text))
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				if again := string(fact.Write(f, by, end)); again != text {
					t.Errorf("%s was read from\n%s and is written\n%s", kind, text, again)
				}
			}
		}
	}
	for _, kind := range fact.Kinds() {
		if entries[kind] == "" {
			t.Errorf("there is no entry of the kind %s here", kind)
		}
	}
}

// Whatever a command is made of tells its receipt from others: whoever says what another has said, and has not said it himself, is not told that it is done.
func TestReceiptsAreToldApart(t *testing.T) {
	first := fact.Receipt{Guest: "ana", Command: wire.Command{ID: "1", Do: "play", Table: "k", Seat: "B", Seq: 5, Move: "knock A child", Bot: "b", Bits: "00"}}
	keys := map[[16]byte]string{first.Key(): "first"}
	for name, change := range map[string]func(*fact.Receipt){
		"guest": func(r *fact.Receipt) { r.Guest = "ben" }, "id": func(r *fact.Receipt) { r.ID = "2" }, "do": func(r *fact.Receipt) { r.Do = "sit" },
		"seat": func(r *fact.Receipt) { r.Seat = "C" }, "move": func(r *fact.Receipt) { r.Move = "knock A taxi" }, "seq": func(r *fact.Receipt) { r.Seq = 6 },
	} {
		r := first
		change(&r)
		if other, is := keys[r.Key()]; is {
			t.Errorf("with another %s it is taken for %s", name, other)
		}
		keys[r.Key()] = name
	}
}

// What is wrong with an entry says nothing of what is in it: that is written in logs, and may be a deal, a secret or somebody's number; but for the times and seats that are none. Each field in turn has
// something in its place that cannot stand there.
func TestWhatIsWrongSaysNothing(t *testing.T) {
	const hidden = "0123456789abcdef0123456789abcdef"
	wrong := 0
	for kind, is := range entries {
		var fields map[string]any
		if err := json.Unmarshal([]byte(strings.ReplaceAll(is, "BITS", bits)), &fields); err != nil {
			t.Fatal(err)
		}
		for broken := range fields {
			for _, instead := range []any{hidden, []string{hidden}, map[string]string{hidden: hidden}, true} {
				damaged := map[string]any{"a word": hidden}
				for name, value := range fields {
					if damaged[name] = value; name == broken {
						damaged[name] = instead
					}
				}
				text, err := json.Marshal(map[string]any{"kind": kind, "fact": damaged})
				if err != nil {
					t.Fatal(err)
				}
				if _, _, _, err = fact.Read(text); err != nil {
					wrong++
					if strings.Contains(err.Error(), hidden[:8]) && !(instead == hidden && slices.Contains([]string{"seat", "from", "to"}, broken)) {
						t.Errorf("%s of %s is %v: %v", broken, kind, instead, err)
					}
				}
			}
		}
	}
	if wrong < 50 {
		t.Errorf("only %d entries are refused", wrong)
	}
}

// The host who has no seat wishes for another game as himself; whoever does not know that takes it for the wish of a seat that there is.
func TestTheHostsWishIsRead(t *testing.T) {
	text := string(fact.Write(fact.Wish("k3x", game.Watcher, "g1"), fact.Receipt{}, nil))
	f, by, end, err := fact.Read([]byte(text))
	if err != nil || f.(*fact.Again).Guest.ID != "g1" || f.(*fact.Again).Seat != 0 || string(fact.Write(f, by, end)) != text {
		t.Errorf("%s is read as %+v (%v)", text, f, err)
	}
	if text = string(fact.Write(fact.Wish("k3x", 1, "g1"), fact.Receipt{}, nil)); text != `{"kind":"rematch","fact":`+entries["rematch"]+`}` {
		t.Errorf("the wish of a seat is written as %s", text)
	}
}

// Before names stood beside the log they stood in it. They are read for ever, and not written again.
func TestOldNamesAreRead(t *testing.T) {
	for old, was := range map[string]func(fact.Any) fact.Guest{
		`{"kind":"made","fact":{"host":{"id":"g1","name":"Ana"},"chairs":[]}}`:                    func(f fact.Any) fact.Guest { return f.(*fact.Made).Host },
		`{"kind":"made","fact":{"host":{"id":""},"chairs":[{"guest":{"id":"g1","name":"Ana"}}]}}`: func(f fact.Any) fact.Guest { return f.(*fact.Made).Chairs[0].Guest },
		`{"kind":"sit","fact":{"seat":"B","guest":{"id":"g1","name":"Ana"}}}`:                     func(f fact.Any) fact.Guest { return f.(*fact.Sat).Guest },
		`{"kind":"propose","fact":{"do":"free","guest":{"id":"g1","name":"Ana"},"seat":"B"}}`:     func(f fact.Any) fact.Guest { return f.(*fact.Proposed).Guest },
		`{"kind":"rename","fact":{"guest":{"id":"g1","name":"Ana"}}}`:                             func(f fact.Any) fact.Guest { return f.(*fact.Renamed).Guest },
		`{"kind":"break","fact":{"host":"Ana"}}`:                                                  func(f fact.Any) fact.Guest { return fact.Guest{ID: f.(*fact.Broke).Guest.ID + "g1", Was: "Ana"} }, // who it was follows from the log
	} {
		f, by, end, err := fact.Read([]byte(old))
		if err != nil {
			t.Fatal(err)
		}
		if got := was(f); got != (fact.Guest{ID: "g1", Was: "Ana"}) {
			t.Errorf("%s is read as of %+v", old, got)
		}
		if again := string(fact.Write(f, by, end)); strings.Contains(again, "Ana") {
			t.Errorf("%s is written as %s", old, again)
		}
	}
}

// Before set-ups had choices, each stood in the set-up under its own name.
func TestOldChoicesAreRead(t *testing.T) {
	f, _, _, err := fact.Read([]byte(`{"kind":"made","fact":{"setup":{"game":"dawn-under","seats":2,"bare":["a1","b2"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.(*fact.Made).Setup.Choices["bare"]; !slices.Equal(got, []string{"a1", "b2"}) {
		t.Errorf("the choice is read as %v", got)
	}
}

// firsts are the kinds that builds of version 1 know.
const firsts = "made sit leave bot host secret seal call unseal anew start move away back free rename break rematch closed propose agree decline resume unlist kept"

// A kind that came later says with which version, so that it is not written before all nodes of a house know it (ADR 20).
func TestNewKindsSaySo(t *testing.T) {
	for _, kind := range fact.Kinds() {
		f, _, _, err := fact.Read([]byte(`{"kind":"` + kind + `","fact":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		needs := fact.Needs(f, fact.Receipt{})
		if slices.Contains(strings.Fields(firsts), kind) {
			if needs > 1 {
				t.Errorf("%s, which all know, needs version %d", kind, needs)
			}
		} else if needs < 2 || needs > wire.Speaks {
			t.Errorf("%s, which builds of before do not know, needs version %d: raise wire.Speaks, and have its method needs say so", kind, needs)
		}
	}
}

func TestWhatNobodyKnowsIsRefused(t *testing.T) {
	if _, _, _, err := fact.Read([]byte(`{"kind":"wink","fact":{}}`)); err == nil || !strings.Contains(err.Error(), "wink") {
		t.Errorf("an entry of an unknown kind is read: %v", err)
	}
}

// What bots draw from is drawn anew for each table, also for a rematch of a position from a record, in which the seeds of before stand.
func TestSeedsAreDrawnAnew(t *testing.T) {
	before := []uint64{1, 2}
	f := fact.Founding{Made: &fact.Made{Imported: &terms.Import{Seeds: before}, Chairs: make([]fact.Chair, 2)}}
	f.Draw(rand.New(rand.NewPCG(1, 1)))
	if drawn := f.Made.Imported.Seeds; len(drawn) != 2 || drawn[0] == before[0] || drawn[1] == before[1] || drawn[0] == drawn[1] {
		t.Errorf("the seeds are %v", drawn)
	}
	if f.Made.Secret != nil {
		t.Error("a position from a record has a secret, and no deal that follows from it")
	}
}

// At a new table whoever plays by rules moves for people who are gone; an old one keeps the bot that it had, so that its record says who it was.
func TestWhoStandsIn(t *testing.T) {
	all := []string{"random", "remembering:keen", "rules"}
	for _, c := range []struct {
		made fact.Made
		bots []string
		want string
	}{
		{fact.Made{Standin: fact.Standin(all)}, all, "rules"},
		{fact.Made{Standin: fact.Standin(all[:2])}, all, "remembering:keen"},
		{fact.Made{}, all, "remembering:keen"},
		{fact.Made{}, all[:1], "random"},
	} {
		if got := c.made.Stands(c.bots); got != c.want {
			t.Errorf("of %v, where %q was written down, %s stands in, not %s", c.bots, c.made.Standin, got, c.want)
		}
	}
}
