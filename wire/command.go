package wire

import (
	"bytes"
	"slices"

	"caveau/game"
)

// ReadCommand reads what a client says.
func ReadCommand(text []byte) (Command, error) {
	var usual Command
	if usual.scan(text) {
		return usual, nil
	}
	var c Command
	err := game.ReadStrict(text, &c)
	return c, err
}

// scan reads a command as clients usually write it: our own names, each once, no blanks, nothing escaped. Reflection takes ten times as
// long. False: it is written otherwise, or is none, and that is game.ReadStrict's to say.
func (c *Command) scan(text []byte) bool {
	var names [8][]byte // no command has more
	for n, before := 0, byte('{'); n < len(names) && len(text) > 0 && text[0] == before; n, before = n+1, ',' {
		name, rest, ok := word(text[1:])
		if !ok || len(rest) == 0 || rest[0] != ':' || slices.ContainsFunc(names[:n], func(b []byte) bool { return string(b) == string(name) }) {
			return false
		}
		names[n] = name
		if text = c.scanField(name, rest[1:]); len(text) == 1 && text[0] == '}' {
			return true
		}
	}
	return false
}

// scanField reads the value of a field, and is what follows it; nil if that is not to be had so.
func (c *Command) scanField(name, text []byte) []byte {
	if string(name) == "seq" {
		return c.scanSeq(text)
	}
	value, rest, ok := word(text)
	if !ok {
		return nil
	}
	switch string(name) {
	case "id":
		c.ID = string(value)
	case "do":
		c.Do = string(value)
	case "table":
		c.Table = ID(value)
	case "seat":
		c.Seat = string(value)
	case "move":
		c.Move = string(value)
	case "bot":
		c.Bot = string(value)
	case "bits":
		c.Bits = string(value)
	default:
		return nil
	}
	return rest
}

func (c *Command) scanSeq(text []byte) (rest []byte) {
	end := bytes.IndexAny(text, ",}")
	if end < 1 || end > 9 || text[0] < '1' || text[0] > '9' {
		return nil
	}
	c.Seq = 0
	for _, digit := range text[:end] {
		if digit < '0' || digit > '9' {
			return nil
		}
		c.Seq = 10*c.Seq + int(digit-'0')
	}
	return text[end:]
}

// word is the string that text begins with, and what follows it; false if there is none, or it has something in it that may not
// stand in JSON as it is.
func word(text []byte) (word, rest []byte, ok bool) {
	if len(text) == 0 || text[0] != '"' {
		return nil, nil, false
	}
	for i, b := range text[1:] {
		switch {
		case b == '"':
			return text[1 : i+1], text[i+2:], true
		case b < ' ' || b > '~' || b == '\\':
			return nil, nil, false
		}
	}
	return nil, nil, false
}
