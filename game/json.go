package game

import (
	"encoding/json"
	"strconv"
)

// What every seat is sent at every move is written by hand: reflection takes several times as long. Each AppendJSON writes what
// encoding/json writes of the same value, to the byte; tests hold them against each other.

// A JSON is a text of JSON that is being written.
type JSON []byte

// An Appender writes itself into a text of JSON.
type Appender interface{ AppendJSON(JSON) JSON }

// Next begins a further item of a list or an object.
func (t JSON) Next() JSON {
	if last := t[len(t)-1]; last == '[' || last == '{' {
		return t
	}
	return append(t, ',')
}

// Key begins a further field. A name has nothing in it that would have to be escaped.
func (t JSON) Key(name string) JSON {
	return append(append(append(t.Next(), '"'), name...), `":`...)
}

// Text is a string.
func (t JSON) Text(s string) JSON {
	if !plain(s) {
		quoted, err := json.Marshal(s)
		if err != nil {
			panic(err) // every string can be written
		}
		return append(t, quoted...)
	}
	return append(append(append(t, '"'), s...), '"')
}

// plain tells whether a string stands in JSON as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}

// Number is a number.
func (t JSON) Number(n int) JSON { return strconv.AppendInt(t, int64(n), 10) }

// Texts and Numbers are lists.
func (t JSON) Texts(list []string) JSON {
	t = append(t, '[')
	for _, s := range list {
		t = t.Next().Text(s)
	}
	return append(t, ']')
}

func (t JSON) Numbers(list []int) JSON {
	t = append(t, '[')
	for _, n := range list {
		t = t.Next().Number(n)
	}
	return append(t, ']')
}

// Items are a list of what writes itself.
func Items[T Appender](t JSON, list []T) JSON {
	t = append(t, '[')
	for _, item := range list {
		t = item.AppendJSON(t.Next())
	}
	return append(t, ']')
}

// What follows are fields that are left out where there is nothing in them.

// TextIn is a field with a string.
func (t JSON) TextIn(name, s string) JSON {
	if s == "" {
		return t
	}
	return t.Key(name).Text(s)
}

// NumberIn is a field with a number.
func (t JSON) NumberIn(name string, n int) JSON {
	if n == 0 {
		return t
	}
	return t.Key(name).Number(n)
}

// TextsIn and NumbersIn are fields with a list.
func (t JSON) TextsIn(name string, list []string) JSON {
	if len(list) == 0 {
		return t
	}
	return t.Key(name).Texts(list)
}

func (t JSON) NumbersIn(name string, list []int) JSON {
	if len(list) == 0 {
		return t
	}
	return t.Key(name).Numbers(list)
}
