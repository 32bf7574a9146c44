package game

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Fields are the keys of a JSON object and where their values go, as json.Unmarshal takes them.
type Fields map[string]any

// ReadObject reads a JSON object that must have exactly these keys, spelt exactly so; encoding/json by itself overlooks
// missing keys, unknown ones, null, and the case of letters.
func ReadObject(text json.RawMessage, fields Fields) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil || object == nil {
		return fmt.Errorf("%.40s is no object", text)
	}
	for _, key := range sortedKeys(object) {
		if _, known := fields[key]; !known {
			return fmt.Errorf("%q is no key that belongs here", key)
		}
	}
	for _, key := range sortedKeys(fields) {
		value, there := object[key]
		if !there {
			return fmt.Errorf("the key %q is missing", key)
		}
		if hasNull(value) {
			return fmt.Errorf("%s: null is no value", key)
		}
		if err := json.Unmarshal(value, fields[key]); err != nil {
			return fmt.Errorf("%s: %.40s is not what belongs here", key, value)
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// hasNull finds a null anywhere in a value: encoding/json would take it for an empty string or list.
func hasNull(value json.RawMessage) bool {
	tokens := json.NewDecoder(bytes.NewReader(value))
	for {
		token, err := tokens.Token()
		if err != nil {
			return false
		}
		if token == nil {
			return true
		}
	}
}
