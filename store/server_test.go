package store

import (
	"strings"
	"testing"

	"caveau/fact"
	"caveau/store/pgtest"
	"caveau/store/postgres"
	"caveau/store/storetest"
)

// PostgreSQL passes the same examiners as a file.
func TestServer(t *testing.T) {
	server := pgtest.Start(t)
	addresses := map[string]string{}
	openAt := func(t *testing.T) *Store {
		if addresses[t.Name()] == "" {
			addresses[t.Name()] = server.New()
		}
		return mustOpenServer(t, addresses[t.Name()])
	}
	t.Run("log", func(t *testing.T) {
		storetest.Log(t, func(t *testing.T) fact.Log { return openAt(t) })
	})
	t.Run("keeper", func(t *testing.T) {
		storetest.Keeper(t, func(t *testing.T) storetest.Store { return openAt(t) })
	})
}

// mustOpenServer opens a store that the test closes at its end, if it has not done so before.
func mustOpenServer(t testing.TB, address string) *Store {
	t.Helper()
	s, err := openServer(t.Context(), address, postgres.Patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

var _ = strings.Contains
