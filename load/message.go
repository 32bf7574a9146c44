package load

import (
	"bytes"
	"errors"
	"strconv"
)

// A message is as much of what a server says as the load generator looks at (docs/protocol.md). Its bytes are those that were
// read: they go with the next message.
type message struct {
	re      string // of an answer
	refused []byte // the error of an answer, or of the server's own
	table   string
	node    string // by which one comes to that table; "" if it is not said
	frame   frame
	isFrame bool
}

// A frame is as much of a frame. What it does not say stays as it was: see player.hear.
type frame struct {
	seq   int
	you   string
	state string // "" if the frame does not say it
	next  string
	moves [][]byte // as they stand in JSON, without the quotes
}

var errNoJSON = errors.New("what the server says is no JSON that is understood")

// parse reads a message. It looks at each byte once or twice and makes no copies but of short words.
func (m *message) parse(text []byte) error {
	*m = message{frame: frame{moves: m.frame.moves[:0]}}
	return members(text, func(key, value []byte) error {
		switch string(key) {
		case "re":
			m.re = word(value)
		case "error":
			m.refused = value
		case "table":
			m.table = word(value)
		case "node":
			m.node = word(value)
		case "frame":
			m.isFrame = true
			return members(value, m.frame.member)
		}
		return nil
	})
}

func (f *frame) member(key, value []byte) (err error) {
	switch string(key) {
	case "seq":
		f.seq, err = strconv.Atoi(string(value))
	case "you":
		f.you = word(value)
	case "state":
		f.state = word(value)
	case "next":
		f.next = word(value)
	case "moves":
		err = items(value, func(item []byte) { f.moves = append(f.moves, unquoted(item)) })
	case "about":
		err = members(value, f.member)
	}
	return err
}

func word(value []byte) string { return string(unquoted(value)) }

func unquoted(value []byte) []byte {
	if len(value) >= 2 && value[0] == '"' {
		return value[1 : len(value)-1]
	}
	return nil
}

// members gives f every member of a JSON object; null has none.
func members(text []byte, f func(key, value []byte) error) error {
	return parts(text, '{', '}', func(rest []byte) ([]byte, error) {
		key, tail := value(rest)
		tail, ok := after(tail, ':')
		val, rest := value(tail)
		if !ok || len(key) < 2 || len(val) == 0 {
			return nil, errNoJSON
		}
		return rest, f(unquoted(key), val)
	})
}

// items gives f every item of a JSON array; null has none.
func items(text []byte, f func(item []byte)) error {
	return parts(text, '[', ']', func(rest []byte) ([]byte, error) {
		item, rest := value(rest)
		if len(item) == 0 {
			return nil, errNoJSON
		}
		f(item)
		return rest, nil
	})
}

// parts gives f the text from each part of an object or an array on; f answers with the text behind that part.
func parts(text []byte, open, shut byte, f func([]byte) ([]byte, error)) (err error) {
	if string(text) == "null" {
		return nil
	}
	rest, ok := after(text, open)
	for ok && len(rest) > 0 && rest[0] != shut {
		if rest, err = f(rest); err != nil {
			return err
		}
		if rest = space(rest); len(rest) > 0 && rest[0] == ',' {
			rest = space(rest[1:])
		}
	}
	if !ok || len(rest) == 0 {
		return errNoJSON
	}
	return nil
}

// after is what follows that byte and the space behind it; false if something else comes first.
func after(text []byte, b byte) ([]byte, bool) {
	if text = space(text); len(text) == 0 || text[0] != b {
		return nil, false
	}
	return space(text[1:]), true
}

func space(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\n' || text[0] == '\t' || text[0] == '\r') {
		text = text[1:]
	}
	return text
}

// value cuts the text behind the JSON value that it begins with; the value is empty if there is none.
func value(text []byte) (val, rest []byte) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			n := quoted(text[i:])
			if n == 0 {
				return nil, nil
			}
			if i += n - 1; depth == 0 {
				return text[:i+1], text[i+1:]
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return text[:i], text[i:]
			}
			if depth--; depth == 0 {
				return text[:i+1], text[i+1:]
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return text[:i], text[i:]
			}
		}
	}
	return nil, nil
}

// quoted is how long the string is that the text begins with, its quotes included; 0 if it has no end.
func quoted(text []byte) int {
	for i := 1; i < len(text); {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return 0
		}
		i += n + 1
		if !escaped(text[:i-1]) {
			return i
		}
	}
	return 0
}

// escaped tells whether an odd number of backslashes stands at the end.
func escaped(text []byte) bool {
	n := 0
	for n < len(text) && text[len(text)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}
