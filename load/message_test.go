package load

import (
	"fmt"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		`{"re": "7", "ok": true, "seq": 19}`:                            `re 7`,
		`{"re":"7","error":{"code":"late","message":"no } \" { here"}}`: `re 7, refused {"code":"late","message":"no } \" { here"}`,
		`{"lobby":[{"table":"k","seats":[{"name":"]}"}]}]}`:             ``,
		`{"table":"k3x","frame":{"seq":19,"you":"A","state":"running","shown":{"moves":["no"],"seq":3},"moves":["give left","give right"],"next":""}}`: `table k3x, seq 19, you A, state running, moves [give left give right]`,
		`{"table":"k3x","frame":{"seq":19,"about":{"state":"over","next":"m4","setup":{"seats":4}},"turn":"B"}}`:                                       `table k3x, seq 19, state over, next m4`,
		"{ \"table\" : \"k\" ,\n\t\"frame\" : { \"seq\" : 2 , \"moves\" : [ \"a\" , \"b\" ] , \"log\" : null } }":                                      `table k, seq 2, moves [a b]`,
		`{"table":"k","frame":{"seats":[{"name":"\\"},{"name":"\"moves\":[\"x\"]"}],"seq":5,"moves":null}}`:                                            `table k, seq 5`,
		`{"frame":{"seq":1,"moves":["x"]}       }`: `seq 1, moves [x]`,
		`{"table":"k","frame":{}}`:                 `table k, seq 0`,
		`{"table":"k","node":"b"}`:                 `table k, node b`,
		`{}`:                                       ``,
	} {
		m := message{frame: frame{moves: [][]byte{[]byte("old")}, seq: 99, you: "Z"}, re: "old", isFrame: true}
		if err := m.parse([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := m.String(); got != want {
			t.Errorf("%s\nis %q\nwant %q", text, got, want)
		}
	}
}

// String is all that was understood.
func (m *message) String() (text string) {
	say := func(format string, value any) {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf(format, value)
	}
	for _, w := range []struct{ name, value string }{{"re", m.re}, {"refused", string(m.refused)}, {"table", m.table}, {"node", m.node}} {
		if w.value != "" {
			say(w.name+" %s", w.value)
		}
	}
	if !m.isFrame {
		return text
	}
	say("seq %d", m.frame.seq)
	for _, w := range []struct{ name, value string }{{"you", m.frame.you}, {"state", m.frame.state}, {"next", m.frame.next}} {
		if w.value != "" {
			say(w.name+" %s", w.value)
		}
	}
	if len(m.frame.moves) > 0 {
		say("moves %s", m.frame.moves)
	}
	return text
}

// What is cut off anywhere is not understood, and nothing else happens.
func TestParseHalf(t *testing.T) {
	const whole = `{"table":"k3x","frame":{"seq":19,"own":{"hand":["a\"b",1]},"moves":["give left","x"]}}`
	for n := range len(whole) {
		if err := new(message).parse([]byte(whole[:n])); err == nil {
			t.Errorf("%s is understood", whole[:n])
		}
	}
	for _, wrong := range []string{``, `[]`, `"x"`, `{"frame":7}`, `{"frame":{"seq":"x"}}`, `{"frame":{"moves":{}}}`, `{"a":}`, `{"a"}`} {
		if err := new(message).parse([]byte(wrong)); err == nil {
			t.Errorf("%s is understood", wrong)
		}
	}
}
