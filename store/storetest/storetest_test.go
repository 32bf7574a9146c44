package storetest_test

import (
	"testing"

	"caveau/match"
	"caveau/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Log(t, func(*testing.T) match.Log { return storetest.Memory() })
}
