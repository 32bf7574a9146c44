package table

import (
	"errors"
	"testing"

	"caveau/fact"
)

// Whatever a log can say, something follows from it.
func TestEveryKindOfFactIsApplied(t *testing.T) {
	for _, kind := range fact.Kinds() {
		f, _, _, err := fact.Read([]byte(`{"kind":"` + kind + `","fact":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := followed(f); errors.Is(err, errNothingFollows) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// followed applies a fact to a table at which it makes no sense: it may break down, as long as something is done.
func followed(f fact.Any) (err error) {
	defer func() { recover() }()
	return new(Table).follow(f, nil)
}
