package main

import (
	"encoding/base64"
	"path/filepath"
	"testing"
)

// Browsers are given the key by which push services know the house: the same at every start, as long as the key beside the database is. Where
// the house is to make no connections there is none.
func TestPushServicesKnowTheHouse(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	of := func(more ...string) string {
		t.Helper()
		c, err := newClient(t.Context(), inProcess(t, more...), "Ana")
		if err != nil {
			t.Fatal(err)
		}
		var hello struct{ Push string }
		if err := c.get(t.Context(), "/api/hello", &hello); err != nil {
			t.Fatal(err)
		}
		return hello.Push
	}
	first := of("--key", key)
	if point, err := base64.RawURLEncoding.DecodeString(first); err != nil || len(point) != 65 || point[0] != 4 {
		t.Errorf("the key is %q (%v)", first, err)
	}
	if again, other := of("--key", key), of(); again != first || other == first {
		t.Errorf("it is %q at another start, and %q in another house", again, other)
	}
	if none := of("--no-push"); none != "" {
		t.Errorf("a house that calls nobody has the key %q", none)
	}
}
