package progress

import (
	"strings"
	"testing"
)

// Where nobody looks at a terminal there is a line for each tenth, the first and the last included, and no bar.
func TestLinesForWhoeverReadsLater(t *testing.T) {
	for _, x := range []struct {
		all  int
		says string
	}{
		{40, "0 of 40 games\n4 of 40 games\n8 of 40 games\n12 of 40 games\n16 of 40 games\n20 of 40 games\n24 of 40 games\n28 of 40 games\n32 of 40 games\n36 of 40 games\n40 of 40 games\n"},
		{3, "0 of 3 games\n1 of 3 games\n2 of 3 games\n3 of 3 games\n"},
		{0, "0 of 0 games\n"},
	} {
		var said strings.Builder
		tell := Count(&said, "games", x.all)
		for done := range x.all + 1 {
			tell(done)
		}
		if said.String() != x.says {
			t.Errorf("of %d it says\n%s", x.all, said.String())
		}
	}
	var said strings.Builder
	Bar(&said)(0.5)
	if said.Len() > 0 {
		t.Errorf("a bar is drawn into a file: %q", said.String())
	}
}
