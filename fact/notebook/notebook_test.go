package notebook_test

import (
	"testing"

	"caveau/fact"
	"caveau/fact/notebook"
	"caveau/store/storetest"
)

func TestNotebook(t *testing.T) {
	storetest.Log(t, func(*testing.T) fact.Log { return notebook.New() })
}
