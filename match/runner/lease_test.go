package runner

import (
	"testing"

	"caveau/fact"
)

// A node is apart where others hear each other, and not it, who are more, or as many and older.
func TestApart(t *testing.T) {
	type heard map[int64][]int64 // by whom
	for what, x := range map[string]struct {
		heard heard
		apart []int64
	}{
		"all hear all":                            {heard{1: {1, 2, 3}, 2: {1, 2, 3}, 3: {1, 2, 3}}, nil},
		"one hears nobody":                        {heard{1: {1, 3}, 2: {2}, 3: {1, 3}}, []int64{2}},
		"nobody hears one":                        {heard{1: {1, 2}, 2: {1, 2}, 3: {1, 2, 3}}, []int64{3}},
		"the bus does not reach the oldest":       {heard{1: nil, 2: {2, 3}, 3: {2, 3}}, []int64{1}},
		"of two one is not reached":               {heard{1: nil, 2: {2}}, []int64{1}},
		"two do not hear each other":              {heard{1: {1}, 2: {2}}, []int64{2}},
		"one of two is not heard":                 {heard{1: {1}, 2: {1, 2}}, []int64{2}},
		"equal halves":                            {heard{1: {1, 4}, 2: {2, 3}, 3: {2, 3}, 4: {1, 4}}, []int64{2, 3}},
		"unequal ones":                            {heard{1: {1, 2}, 2: {1, 2}, 3: {3, 4, 5}, 4: {3, 4, 5}, 5: {3, 4, 5}}, []int64{1, 2}},
		"the bus reaches nobody":                  {heard{1: nil, 2: nil, 3: nil}, nil},
		"somebody who has died is heard yet":      {heard{1: {1, 2, 9}, 2: {1, 2}}, nil},
		"one is alone":                            {heard{1: {1}}, nil},
		"one has just begun, and is heard of yet": {heard{1: {1, 2}, 2: {1, 2}, 3: {3}}, []int64{3}}, // for so short a time that nothing follows
	} {
		var nodes []fact.Node
		for n, hears := range x.heard {
			nodes = append(nodes, fact.Node{Number: n, Hears: hears})
		}
		for n, hears := range x.heard {
			is := false
			for _, a := range x.apart {
				is = is || a == n
			}
			if got := apart(n, hears, nodes); got != is {
				t.Errorf("%s: node %d is apart: %v, want %v", what, n, got, is)
			}
		}
	}
}
