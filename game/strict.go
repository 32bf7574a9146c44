package game

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// ReadStrict reads one JSON document into a value, as encoding/json does, but nothing that two readers could understand in two ways:
// a key that stands twice, in letters of another case, or that nothing here has, bytes that are not UTF-8, or anything after the
// document.
func ReadStrict(text []byte, into any) error {
	if err := WellFormed(text); err != nil {
		return err
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return err
	}
	if err := known(tree, reflect.TypeOf(into)); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// known makes sure that every key of every object is one of the type's, letter for letter.
func known(tree any, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if p := reflect.PointerTo(t); p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return nil // it reads itself
	}
	switch tree := tree.(type) {
	case []any:
		if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
			return nil // encoding/json says that it is none
		}
		for _, item := range tree {
			if err := known(item, t.Elem()); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range sortedKeys(tree) {
			of, ok := keyOf(t, key)
			if !ok {
				return fmt.Errorf("%.40q is no key that belongs here", key)
			}
			if err := known(tree[key], of); err != nil {
				return err
			}
		}
	}
	return nil
}

// keyOf is the type of what stands under a key.
func keyOf(t reflect.Type, key string) (of reflect.Type, ok bool) {
	switch t.Kind() {
	case reflect.Map:
		return t.Elem(), true
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.IsExported() && !f.Anonymous && (name == key || name == "" && f.Name == key) {
				return f.Type, true
			}
		}
		return nil, false
	}
	return t, true // encoding/json says that it is no object
}

// WellFormed makes sure of what encoding/json lets pass: one document only, in UTF-8, and no key twice.
func WellFormed(text []byte) error {
	if !utf8.Valid(text) {
		return errors.New("this is no JSON: not in UTF-8")
	}
	tokens := json.NewDecoder(bytes.NewReader(text))
	tokens.UseNumber() // a number that no float64 holds is one all the same
	if err := noKeyTwice(tokens, 0); err != nil {
		return err
	}
	if _, err := tokens.Token(); err != io.EOF {
		return errors.New("something stands after the document")
	}
	return nil
}

// deepest is how deep a document may be nested, here as in encoding/json.
const deepest = 10_000

func noKeyTwice(tokens *json.Decoder, depth int) error {
	if depth > deepest {
		return fmt.Errorf("this is no JSON that anybody wrote: it is nested more than %d deep", deepest)
	}
	token, err := tokens.Token()
	if err != nil {
		return fmt.Errorf("this is no JSON: %w", err)
	}
	switch token {
	case json.Delim('['):
		for tokens.More() {
			if err := noKeyTwice(tokens, depth+1); err != nil {
				return err
			}
		}
	case json.Delim('{'):
		seen := map[any]bool{}
		for tokens.More() {
			key, err := tokens.Token()
			if err != nil {
				return fmt.Errorf("this is no JSON: %w", err)
			}
			if seen[key] {
				return fmt.Errorf("the key %q stands twice", key)
			}
			seen[key] = true
			if err := noKeyTwice(tokens, depth+1); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	if _, err := tokens.Token(); err != nil {
		return fmt.Errorf("this is no JSON: %w", err)
	}
	return nil
}
