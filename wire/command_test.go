package wire

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caveau/game"
)

const usual = `{"id":"17","do":"play","table":"k3xw7m2p9qr4t5v8y6z0","seat":"B","seq":120,"move":"open d3"}`

func TestUsualCommandsAreScanned(t *testing.T) {
	for text, want := range map[string]Command{
		usual:                                  {ID: "17", Do: "play", Table: "k3xw7m2p9qr4t5v8y6z0", Seat: "B", Seq: 120, Move: "open d3"},
		`{"id":"1","do":"watch","table":"k"}`:  {ID: "1", Do: "watch", Table: "k"},
		`{"do":"bot","bot":"random","id":"~"}`: {ID: "~", Do: "bot", Bot: "random"},
		`{"id":"","do":"seal","bits":"00ff"}`:  {Do: "seal", Bits: "00ff"},
	} {
		var c Command
		if !c.scan([]byte(text)) || c != want {
			t.Errorf("%s is read as %+v, not as %+v", text, c, want)
		}
	}
	text := []byte(usual)
	if n := testing.AllocsPerRun(100, func() { ReadCommand(text) }); n > 4 {
		t.Errorf("a usual command takes %.0f allocations, not 4", n)
	}
}

// A command has nothing of what it was read from: that is used again, for what somebody else says.
func TestACommandOutlivesWhatItWasReadFrom(t *testing.T) {
	for _, said := range []string{usual, `{"id":"1","do":"seal","table":"k","bits":"00ff"}`, `{"id":"1","do":"bot","table":"k","bot":"random","seat":"B"}`, `{"do":"sit", "table":"k","id":"é"}`} {
		text := []byte(said)
		c, err := ReadCommand(text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range text {
			text[i] = '!'
		}
		if is := fmt.Sprintf("%+v", c); strings.Contains(is, "!") {
			t.Errorf("%s has become %s", said, is)
		}
	}
}

// What two readers could understand in two ways is no command: a key twice, in other letters, or unknown.
func TestCommandsAreReadStrictly(t *testing.T) {
	for text, why := range map[string]string{
		`{"id":"1","id":"2"}`:                     "stands twice",
		`{"id":"1","\u0069d":"2"}`:                "stands twice",
		`{"ID":"1"}`:                              "no key that belongs here",
		`{"id":"1","ſeal":"x"}`:                   "no key that belongs here",
		`{"id":"1","do":"play","Move":"open d3"}`: "no key that belongs here",
		`{"id":"1","wish":"x"}`:                   "no key that belongs here",
		`{"id":"1"} {"id":"2"}`:                   "after the document",
		"{\"id\":\"\xff\"}":                       "UTF-8",
	} {
		if c, err := ReadCommand([]byte(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s is read as %+v (%v)", text, c, err)
		}
	}
}

// The short way reads what the long way reads: here are usual commands with one byte more, less or other.
func TestCommandsAreReadAlike(t *testing.T) {
	texts := []string{"", "{}", "null", "[]", `{"ID":"1"}`, `{"seq":0}`, `{"seq":-1}`, `{"seq":1.5}`, `{"seq":1e2}`, `{"seq":9999999999}`,
		`{"seq":"1"}`, `{"id":1}`, `{"other":"x","id":"1"}`, `{"id":"Zo\u00eb"}`, `{"id":"é"}`, `{"id":"` + "\xff" + `"}`, ` {"id":"1"} `, `{"id":null}`}
	for _, text := range []string{usual, `{"id":"1","seq":10,"bot":"","bits":"0"}`} {
		for i := range len(text) {
			texts = append(texts, text[:i], text[:i]+text[i+1:])
			for _, b := range strings.Split("\"\\{}[]:,0 1a\x00\x1f\x7f\x80", "") {
				texts = append(texts, text[:i]+b+text[i:], text[:i]+b+text[i+1:])
			}
		}
	}
	for _, text := range texts {
		var want Command
		wrong := game.ReadStrict([]byte(text), &want)
		got, err := ReadCommand([]byte(text))
		if (err == nil) != (wrong == nil) || err != nil && err.Error() != wrong.Error() || got != want {
			t.Errorf("%q is read as %+v (%v), strictly as %+v (%v)", text, got, err, want, wrong)
		}
	}
}

// A command is said in a house whose nodes know all of it, and nowhere else; and words that are too long nowhere.
func TestWhatIsFitToBeSaid(t *testing.T) {
	c := Command{Do: "play", Move: strings.Repeat("x", LongestWord)}
	if err := c.Fit(Speaks); err != nil {
		t.Error(err)
	}
	if err := c.Fit(c.Needs() - 1); err != ErrNotYet {
		t.Errorf("what needs version %d is said in a house of one before: %v", c.Needs(), err)
	}
	c.Move += "x"
	if err := c.Fit(Speaks); err == nil || AsError(err).Code != CodeBadCommand {
		t.Errorf("a word that is too long is said: %v", err)
	}
}

// A key that came later says with which version, so that it is not said before all nodes of a house know it (ADR 20): older ones would leave it out.
func TestNewKeysSaySo(t *testing.T) {
	const firsts = "ID Do Table Seat Seq Move Bot Bits"
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Command]()) {
		var c Command
		if v := reflect.ValueOf(&c).Elem().FieldByIndex(field.Index); v.Kind() == reflect.String {
			v.SetString("x")
		} else {
			v.SetInt(1)
		}
		if later := !slices.Contains(strings.Fields(firsts), field.Name); later != (c.Needs() > 1) || c.Needs() > Speaks {
			t.Errorf("a command with %s needs version %d of %d", field.Name, c.Needs(), Speaks)
		}
	}
}

// FuzzReadCommand: whatever is said, it is read in one way or not at all, and what was read can be said again.
func FuzzReadCommand(f *testing.F) {
	for _, text := range []string{usual, "", "{}", `{"id":"1","id":"2"}`, `{"ID":"1"}`, `{"seq":1e2}`, `{"id":"Zo\u00eb"}`, "{\"id\":\"\xff\"}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var short, long Command
		scanned, err := short.scan(text), game.ReadStrict(text, &long)
		if scanned && (err != nil || short != long) {
			t.Errorf("%q is read as %+v and as %+v (%v)", text, short, long, err)
		}
		if err != nil {
			return
		}
		again, err := json.Marshal(long)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := ReadCommand(again); err != nil || c != long {
			t.Errorf("%q is said again as %s, and read as %+v (%v)", text, again, c, err)
		}
	})
}
