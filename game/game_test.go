package game

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestSeatsAreAskedClockwise(t *testing.T) {
	givers := Seats(0).With(1).With(3).With(5)
	for from, want := range map[Seat]Seat{0: 1, 1: 3, 2: 3, 3: 5, 4: 5, 5: 1} {
		if got := givers.After(from); got != want {
			t.Errorf("after %s comes %s, not %s", from, got, want)
		}
	}
	if got := Seats(0).After(2); got != NoSeat {
		t.Errorf("of nobody comes %s first", got)
	}
	if got := Seats(0).With(4).After(4); got != 4 {
		t.Errorf("alone, E comes after itself, not %s", got)
	}
	if Seat(3).Left(4) != 0 || Seat(3).Left(5) != 4 {
		t.Error("the left neighbour of D is A among four and E among five")
	}
}

func TestASeatIsALetterAndNobodyIsEmpty(t *testing.T) {
	for s, want := range map[Seat]string{0: `"A"`, 5: `"F"`, NoSeat: `""`, Watcher: `""`} {
		if text, err := json.Marshal(s); err != nil || string(text) != want {
			t.Errorf("%d is written %s (%v), not %s", s, text, err, want)
		}
	}
	var s Seat
	for _, wrong := range []string{`"G"`, `"a"`, `"AB"`, `1`} {
		if err := json.Unmarshal([]byte(wrong), &s); err == nil {
			t.Errorf("%s is read as %s", wrong, s)
		}
	}
}

func TestOnlyWhoMayKnowItHearsWhat(t *testing.T) {
	e := Event{Seat: 0, Verb: "draw", What: "ghost", Secret: Seats(0).With(0)}
	if got := e.For(0).What; got != "ghost" {
		t.Errorf("A drew it and hears %q", got)
	}
	for _, s := range []Seat{1, 5, Watcher, NoSeat} {
		if got := e.For(s).What; got != "" {
			t.Errorf("%q hears %q", s, got)
		}
	}
	e.Secret = 0
	if got := e.For(Watcher).What; got != "ghost" {
		t.Errorf("it is no secret, and a watcher hears %q", got)
	}
}

func TestTheLogForgetsWhereAndWhat(t *testing.T) {
	e := Event{Seat: 1, Verb: "open", At: "d3", What: "red", N: 2, To: 3, Rule: "2004 ch. 1"}
	for _, aid := range []Aid{AidNone, AidMarks} {
		if got, want := e.Faded(aid), (Event{Seat: 1, Verb: "open", N: 2, To: 3, Rule: "2004 ch. 1"}); got != want {
			t.Errorf("with aid %q it keeps %+v", aid, got)
		}
	}
	if got := e.Faded(AidAll); got != e {
		t.Errorf("a table that remembers everything keeps %+v", got)
	}
	e.Stays = true
	if got := e.Faded(AidNone); got != e {
		t.Errorf("it lies open for good, and the log keeps %+v", got)
	}
}

func TestAnEventIsWrittenWithoutWhatIsNot(t *testing.T) {
	for text, e := range map[string]Event{
		`{"seat":"A","verb":"open","at":"d3","what":"red","n":2,"to":"B","rule":"O1"}`: {Seat: 0, Verb: "open", At: "d3", What: "red", N: 2, To: 1, Rule: "O1"},
		`{"verb":"start"}`: {Seat: NoSeat, Verb: "start", To: NoSeat, Secret: 1, Stays: true},
	} {
		if written, err := json.Marshal(e); err != nil || string(written) != text {
			t.Errorf("it is written %s (%v), not %s", written, err, text)
		}
		e.Secret, e.Stays = 0, false
		var read Event
		if err := json.Unmarshal([]byte(text), &read); err != nil || read != e {
			t.Errorf("%s is read as %+v (%v)", text, read, err)
		}
	}
}

func TestPointsOfThosePlaying(t *testing.T) {
	if got := (Scores{3, 0, 4}).List(3); !slices.Equal(got, []int{3, 0, 4}) {
		t.Errorf("three have %v", got)
	}
	if got := (Scores{}).List(3); got != nil {
		t.Errorf("nobody has any, and they are %v", got)
	}
}

func TestNobodyListening(t *testing.T) {
	var silent *Events
	silent.Say(0, "open", nil, nil, "O1") // costs nothing, breaks nothing
	var ev Events
	ev.Count(2, "stake", 3, "T1")
	silent.Stays()
	ev.Stays()
	if want := []Event{{Seat: 2, Verb: "stake", N: 3, To: NoSeat, Rule: "T1", Stays: true}}; !slices.Equal(ev.List(), want) {
		t.Errorf("heard %+v, want %+v", ev.List(), want)
	}
}

func TestAnObjectHasExactlyItsKeys(t *testing.T) {
	for text, says := range map[string]string{
		`{"first":"A","rows":[1]}`:         "",
		`{"first":"A"}`:                    `"rows" is missing`,
		`{"first":"A","rows":[],"seed":1}`: `"seed"`,
		`{"First":"A","rows":[]}`:          `"First"`,
		`{"first":null,"rows":[]}`:         "null",
		`{"first":"A","rows":[1,null]}`:    "null",
		`{"first":1,"rows":[]}`:            "first",
		`{"first":"A","rows":{"a":1}}`:     "rows",
		`[]`:                               "no object",
		`null`:                             "no object",
	} {
		var first string
		var rows []int
		err := ReadObject(json.RawMessage(text), Fields{"first": &first, "rows": &rows})
		if (err == nil) != (says == "") || (err != nil && !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v, want something about %q", text, err, says)
		}
	}
}

// What is written by hand is what encoding/json writes, to the byte.
func TestJSONByHand(t *testing.T) {
	odd := []string{"", "open d3", "Zo\u00eb", `say "x"\\`, "<&>", "a\tb\x00\x7f", "\u2028\u2029", "\xff", "\U0001f987", "~ "}
	for _, s := range odd {
		same(t, JSON(nil).Text(s), s)
		for _, e := range []Event{{Seat: 0, Verb: s, To: NoSeat}, {Seat: NoSeat, Verb: "v", At: s, What: s, N: -3, To: 5, Rule: s}} {
			same(t, e.AppendJSON(nil), e)
		}
	}
	same(t, JSON(nil).Texts(odd), odd)
	same(t, JSON(nil).Numbers([]int{0, -1, 1 << 40}), []int{0, -1, 1 << 40})
	same(t, Items[Event](nil, []Event{{Verb: "a"}, {Verb: "b"}}), []Event{{Verb: "a"}, {Verb: "b"}})
	got := append(append(JSON(nil), '{').TextIn("a", "x").TextIn("b", "").NumberIn("c", 0).NumberIn("d", 1).TextsIn("e", nil).
		TextsIn("f", odd[:2]).NumbersIn("g", nil).NumbersIn("h", []int{2}), '}')
	if want := `{"a":"x","d":1,"f":["","open d3"],"h":[2]}`; string(got) != want {
		t.Errorf("fields with nothing in them are left out: %s, not %s", got, want)
	}
}

func same(t *testing.T, got JSON, v any) {
	t.Helper()
	if want, err := json.Marshal(v); err != nil || string(got) != string(want) {
		t.Errorf("%#v is written by hand %s, by encoding/json %s (%v)", v, got, want, err)
	}
}
