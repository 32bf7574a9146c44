package bus

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"caveau/limit"
)

// A tally is a limit.Count that writes down what it hears.
type tally struct {
	uses  []limit.Use
	heard []string
}

func (t *tally) Uses() []limit.Use { return t.uses }
func (t *tally) Hear(node int64, uses []limit.Use) {
	t.heard = append(t.heard, fmt.Sprint(node, uses))
}

// Nodes tell each other what is used, each kind by itself; whatever comes twice or late is not heard, and once one is not heard any more nothing is used there.
func TestUses(t *testing.T) {
	now := time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	c := &counted{nodes: make(map[int64]*Exchange), letters: make(map[string]int)}
	for node := range int64(2) {
		c.nodes[node+1] = New(node+1, countedWay{c, node + 1}, func() time.Time { return now })
	}
	one, two := c.nodes[1], c.nodes[2]
	asks, lines, newer := &tally{uses: []limit.Use{{Who: "ana", N: 3}, {Who: "ben", N: 2}}}, &tally{uses: []limit.Use{{Who: "home", N: 7}}}, &tally{uses: []limit.Use{{Who: "ana", N: 1}}}
	one.Count("asks", asks)
	one.Count("lines", lines)
	one.Count("what only a later version counts", newer)
	heardAsks, heardLines := new(tally), new(tally)
	two.Count("asks", heardAsks)
	two.Count("lines", heardLines)
	want := func(when string, asks, lines string) {
		t.Helper()
		for _, h := range []struct {
			*tally
			want string
		}{{heardAsks, asks}, {heardLines, lines}} {
			if got := h.heard; h.want == "" && len(got) > 0 || h.want != "" && !slices.Equal(got, []string{h.want}) {
				t.Errorf("%s is heard %q, want %q", when, got, h.want)
			}
			h.heard = nil
		}
	}
	says := func() News {
		one.Report(nil)
		for _, l := range c.waiting {
			l()
		}
		c.waiting = nil
		return News{From: 1, N: one.last, Uses: []Use{{"asks", "ana", 9}}}
	}
	old := says()
	want("of what is used", "1 [{ana 3} {ben 2}]", "1 [{home 7}]")
	asks.uses, lines.uses = nil, nil
	says()
	want("of nothing", "1 []", "1 []")
	two.Read(old)
	want("of what comes late", "", "")
	now = now.Add(doubtTime - time.Millisecond)
	two.Report(nil)
	want("while the node is silent", "", "")
	now = now.Add(time.Millisecond)
	two.Report(nil)
	want("when it is not heard any more", "1 []", "1 []")
	if len(asks.heard)+len(lines.heard) > 0 {
		t.Errorf("a node hears of itself: %q, %q", asks.heard, lines.heard)
	}
}
