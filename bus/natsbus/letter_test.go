package natsbus

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"

	"caveau/bus"
	"caveau/game"
	"caveau/wire"
)

// fill puts something into every field of a value, and something else into each.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		if card, is := v.Addr().Interface().(*wire.Card); is { // it is written by itself
			*card = wire.Card{Table: "t", Host: "Ana", Seats: []wire.Sign{{Seat: 1, Name: "Ben"}}, Made: time.Unix(1, int64(*n)).UTC(), Seal: &wire.Seal{Called: true}}
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.String:
		v.SetString(strings.Repeat("é", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(uint64(*n))
	default:
		v.SetInt(int64(*n) * int64(time.Millisecond))
	}
}

func filled[T any]() (letter T) {
	n := 0
	fill(reflect.ValueOf(&letter).Elem(), &n)
	return letter
}

// Every field of a letter crosses, whatever is in it; but for the way by which a page is reached.
func TestEveryFieldCrosses(t *testing.T) {
	a := filled[bus.Ask]()
	want := filled[bus.Ask]()
	for i := range want.Watch {
		want.Watch[i].Client.Way = 0
	}
	for i := range want.Said {
		want.Said[i].Client.Way = 0
	}
	if got, err := read(writeAsk(a)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v crosses as\n%+v (%v), want\n%+v", a, got, err, want)
	}
	told := filled[bus.Told]()
	if got, err := read(writeTold(told)); err != nil || !reflect.DeepEqual(got, told) {
		t.Errorf("%+v crosses as\n%+v (%v)", told, got, err)
	}
	roll := filled[bus.Roll]()
	if got, err := read(writeRoll(roll)); err != nil || !reflect.DeepEqual(got, roll) {
		t.Errorf("%+v crosses as\n%+v (%v)", roll, got, err)
	}
	present := filled[bus.Present]()
	if got, err := read(writePresent(present)); err != nil || !reflect.DeepEqual(got, present) {
		t.Errorf("%+v crosses as\n%+v (%v)", present, got, err)
	}
	news := filled[bus.News]()
	if got, err := read(writeNews(news)); err != nil || !reflect.DeepEqual(got, news) {
		t.Errorf("%+v crosses as\n%+v (%v)", news, got, err)
	}
	if !reflect.DeepEqual(a, filled[bus.Ask]()) || !reflect.DeepEqual(told, filled[bus.Told]()) {
		t.Error("a letter is changed by being written")
	}
}

// A newer node of the same version may say more, which is left alone; one of another version is not understood, and it is said why.
func TestAnotherTime(t *testing.T) {
	told := bus.Told{To: 3, Table: "t", Term: 1, Line: 2, First: 1}
	var fields map[int]any
	if err := cbor.Unmarshal(writeTold(told)[2:], &fields); err != nil {
		t.Fatal(err)
	}
	fields[99] = map[string]any{"new": []int{1, 2}}
	if got, err := read(written(aTold, fields)); err != nil || !reflect.DeepEqual(got, told) {
		t.Errorf("it is read as %+v (%v)", got, err)
	}
	text := writeTold(told)
	text[0]++
	if got, err := read(text); got != nil || err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("a letter of another version is read as %+v (%v)", got, err)
	}
}

// What is no letter is none, and harms nobody.
func TestNoLetter(t *testing.T) {
	good := writeAsk(bus.Ask{From: 3, Table: "t", Line: 2, N: 1})
	for what, text := range map[string][]byte{
		"nothing":               nil,
		"a version":             good[:1],
		"half of one":           good[:len(good)-1],
		"one and a half":        append(good, good[2:]...),
		"another kind":          append([]byte{version, 'x'}, good[2:]...),
		"an Ask as a Told":      append([]byte{version, aTold}, good[2:]...),
		"of nobody":             writeAsk(bus.Ask{Table: "t", Line: 2, N: 1}),
		"at no line":            writeAsk(bus.Ask{From: 3, Table: "t", N: 1}),
		"with no number":        writeAsk(bus.Ask{From: 3, Table: "t", Line: 2}),
		"of what was not heard": writeAsk(bus.Ask{From: 3, Table: "t", Line: 2, N: 1, Heard: -1}),
		"for nobody":            writeTold(bus.Told{Table: "t", Term: 1, Line: 2, First: 1}),
		"in no term":            writeTold(bus.Told{To: 3, Table: "t", Line: 2, First: 1}),
		"a roll of nobody":      writeRoll(bus.Roll{To: 1, N: 1}),
		"a roll for nobody":     writeRoll(bus.Roll{From: 1, N: 1}),
		"a roll with no number": writeRoll(bus.Roll{From: 1, To: 2}),
		"a call of no table":    writeRoll(bus.Roll{From: 1, To: 2, N: 1, Calls: []bus.Call{{Term: 1, Line: 1, Ask: 1}}}),
		"a call in no term":     writeRoll(bus.Roll{From: 1, To: 2, N: 1, Calls: []bus.Call{{Table: "t", Line: 1, Ask: 1}}}),
		"an answer to no call":  writePresent(bus.Present{To: 1, Gone: []bus.Call{{Table: "t", Term: 1, Line: 1}}}),
		"an answer to nobody":   writePresent(bus.Present{}),
		"news of nobody":        writeNews(bus.News{N: 1}),
		"news without a number": writeNews(bus.News{From: 1}),
		"news with no card":     written(theNews, news{From: 1, N: 1, Signs: []sign{{Card: []byte("{")}}}),
		"before the first line": writeTold(bus.Told{To: 3, Table: "t", Term: 1, Line: 2}),
	} {
		if got, err := read(text); got != nil || err == nil {
			t.Errorf("%s is read as %+v (%v)", what, got, err)
		}
	}
}

func FuzzLetter(f *testing.F) {
	f.Add(writeAsk(filled[bus.Ask]()))
	f.Add(writeTold(filled[bus.Told]()))
	f.Add(writeNews(filled[bus.News]()))
	f.Add(writeRoll(filled[bus.Roll]()))
	f.Add(writePresent(filled[bus.Present]()))
	f.Fuzz(func(t *testing.T, text []byte) {
		letter, err := read(text)
		if err != nil {
			return
		}
		var again []byte
		switch letter := letter.(type) {
		case bus.Ask:
			again = writeAsk(letter)
		case bus.Told:
			again = writeTold(letter)
		case bus.News:
			again = writeNews(letter)
		case bus.Roll:
			again = writeRoll(letter)
		case bus.Present:
			again = writePresent(letter)
		}
		if got, err := read(again); err != nil || !reflect.DeepEqual(got, letter) {
			t.Errorf("%+v is written, and read as %+v (%v)", letter, got, err)
		}
	})
}

// What a letter of a game weighs, and what it costs to write and to read it: as it is, and in JSON.
func BenchmarkLetter(b *testing.B) {
	asks, tolds := lettersOfAGame(b)
	b.Logf("%d asks and %d tolds", len(asks), len(tolds))
	bench := func(name string, n int, write func(i int) []byte, read func([]byte) error) {
		b.Run(name, func(b *testing.B) {
			bytes := 0
			for b.Loop() {
				for i := range n {
					text := write(i)
					bytes += len(text)
					if err := read(text); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(bytes)/float64(b.N*n), "B/letter")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/letter")
		})
	}
	ours := func(text []byte) error { _, err := read(text); return err }
	asJSON := func(what any) []byte { text, _ := json.Marshal(what); return text }
	bench("ask/cbor", len(asks), func(i int) []byte { return writeAsk(asks[i]) }, ours)
	bench("ask/json", len(asks), func(i int) []byte { return asJSON(asks[i]) }, func(text []byte) error { return json.Unmarshal(text, new(bus.Ask)) })
	bench("told/cbor", len(tolds), func(i int) []byte { return writeTold(tolds[i]) }, ours)
	bench("told/json", len(tolds), func(i int) []byte { return asJSON(tolds[i]) }, func(text []byte) error { return json.Unmarshal(text, new(bus.Told)) })
	thousand := rollOfAThousand()
	bench("a roll of a thousand/cbor", 1, func(int) []byte { return writeRoll(thousand) }, ours)
	full := newsOfAFullLobby()
	bench("news/cbor", 1, func(int) []byte { return writeNews(full) }, ours)
}

// rollOfAThousand calls a thousand tables that have been played at for a while.
func rollOfAThousand() bus.Roll {
	r := bus.Roll{From: 3, To: 4, N: 200_000}
	for i := range 1000 {
		r.Calls = append(r.Calls, bus.Call{Table: wire.ID(fmt.Sprintf("table%015d", i)), Term: int64(i + 1), Line: 100_000, Ask: 199_000, Heard: 300})
	}
	return r
}

// newsOfAFullLobby are as long as news become: a hundred tables of four are listed.
func newsOfAFullLobby() (n bus.News) {
	n.From, n.N = 3, 1
	for i := range 100 {
		c := wire.Card{Table: wire.ID(fmt.Sprintf("table%015d", i)), Game: "dawn-under", Edition: "2004", State: "open", Listed: true, Host: "Ana", Made: time.Now(), Language: "en"}
		for seat := range game.Seat(4) {
			c.Seats = append(c.Seats, wire.Sign{Seat: seat, Name: fmt.Sprint("Player ", i)})
		}
		n.Signs = append(n.Signs, bus.Sign{Card: c, Term: int64(i + 1), Awake: true})
	}
	return n
}

// A letter takes the place of one like it that waits, and of no other: whatever somebody asks for, the news go out.
func TestNoLetterTakesAnothersPlace(t *testing.T) {
	b := &Bus{last: make(map[newest]any)}
	for range 2 {
		for _, what := range []any{bus.News{}, bus.Ask{}, bus.Ask{Table: "a"}, bus.Roll{To: 1}, bus.Roll{To: 2}} {
			b.put(what)
		}
	}
	if len(b.out) != 5 || len(b.last) != 5 {
		t.Errorf("%d letters wait in %v, want 5", len(b.last), b.out)
	}
}
