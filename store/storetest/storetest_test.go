package storetest_test

import (
	"testing"

	"caveau/fact"
	"caveau/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Log(t, func(*testing.T) fact.Log { return storetest.Memory() })
	storetest.Keeper(t, func(*testing.T) storetest.Store { return storetest.Memory() })
}
