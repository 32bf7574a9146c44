package bus

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"time"

	"caveau/wire"
)

// A Hearsay is what a node knows of the others because they say so (News): which door signs hang there, and what has changed. What letters have lost is in the
// log. It is a function of what comes to it, for one goroutine at a time.
type Hearsay struct {
	nodes   map[int64]*neighbour
	last    int64
	changes []change // of our own
}

type change struct {
	Change
	at time.Time
}

// A neighbour is another node.
type neighbour struct {
	n     int64
	name  string
	last  time.Time // when it was heard
	signs []Sign
	did   int64 // the last change that was heard of
}

// NewHearsay has heard nothing.
func NewHearsay() *Hearsay { return &Hearsay{nodes: make(map[int64]*neighbour)} }

// goneTime is how long a node may not be heard until it is forgotten: by then its tables have been taken by others.
const goneTime = 10 * Beat

// Hear hears what a node says. It answers whether that is news, and not what it said before, whether other signs hang there now, and of whom something has
// changed.
func (h *Hearsay) Hear(n News, now time.Time) (heard, other bool, changed []string) {
	from := h.nodes[n.From]
	if from == nil {
		from = new(neighbour)
		h.nodes[n.From] = from
	}
	if n.N <= from.n {
		return false, false, nil
	}
	for _, c := range n.Changes {
		if c.N > from.did && !slices.Contains(changed, c.Guest) {
			changed = append(changed, c.Guest)
		}
	}
	if k := len(n.Changes); k > 0 {
		from.did = max(from.did, n.Changes[k-1].N)
	}
	other = !reflect.DeepEqual(from.signs, n.Signs)
	from.n, from.name, from.last, from.signs = n.N, n.Name, now, n.Signs
	return true, other, changed
}

// Change notes that something has changed of a guest, or of what the house has noted, which is said for as long as a node that lives is heard in any case.
func (h *Hearsay) Change(guest string, now time.Time) {
	h.last++
	h.changes = append(h.changes, change{Change{N: h.last, Guest: guest}, now})
}

// Say is what the others are to hear.
func (h *Hearsay) Say(hung []Sign, now time.Time) News {
	h.changes = slices.DeleteFunc(h.changes, func(c change) bool { return now.Sub(c.at) >= goneTime })
	n := News{Signs: Listed(hung)}
	for _, c := range h.changes {
		n.Changes = append(n.Changes, c.Change)
	}
	return n
}

// Hears tells whether a node has been heard of late.
func (h *Hearsay) Hears(node int64, now time.Time) bool {
	from := h.nodes[node]
	return from != nil && now.Sub(from.last) < doubtTime
}

// Misses tells whether a node is not heard any more that was a moment ago.
func (h *Hearsay) Misses(now time.Time) bool {
	return slices.ContainsFunc(h.Unheard(now), func(node int64) bool { return now.Sub(h.nodes[node].last) < goneTime })
}

// Unheard are the nodes that are not heard any more, and not forgotten yet.
func (h *Hearsay) Unheard(now time.Time) []int64 {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(h.nodes)), func(node int64) bool { return h.Hears(node, now) })
}

// Heard are the nodes that have been.
func (h *Hearsay) Heard(now time.Time) []int64 {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(h.nodes)), func(node int64) bool { return !h.Hears(node, now) })
}

// Called is by what name pages may ask for another node, "" for none.
func (h *Hearsay) Called(node int64) string {
	if from := h.nodes[node]; from != nil {
		return from.name
	}
	return ""
}

// Miss forgets the nodes that are not heard any more. Of the signs that hung there it answers with those that hang nowhere else.
func (h *Hearsay) Miss(now time.Time) (left []Sign) {
	for _, number := range slices.Sorted(maps.Keys(h.nodes)) {
		if from := h.nodes[number]; now.Sub(from.last) >= goneTime {
			left = append(left, from.signs...)
			delete(h.nodes, number)
		}
	}
	return slices.DeleteFunc(left, func(s Sign) bool { return h.hangs(s.Table) })
}

func (h *Hearsay) hangs(id wire.ID) bool {
	for _, from := range h.nodes {
		if slices.ContainsFunc(from.signs, func(s Sign) bool { return s.Table == id }) {
			return true
		}
	}
	return false
}

// mostListed is how many tables a list has room for.
const mostListed = 100

// Listed are the signs that are listed of these: first those where a seat may be free, the newest first. A node need not say more of its own than it would list.
func Listed(signs []Sign) []Sign {
	slices.SortFunc(signs, func(a, b Sign) int {
		return cmp.Or(cmp.Compare(a.State, b.State), b.Made.Compare(a.Made), cmp.Compare(a.Table, b.Table))
	})
	return signs[:min(len(signs), mostListed)]
}

// List are the door signs of all nodes, in that order: these, and those of the others. Of several of one table the newest hangs.
func (h *Hearsay) List(own []Sign) []wire.Card {
	if len(h.nodes) > 0 {
		own = h.newest(own)
	}
	own = Listed(own)
	list := make([]wire.Card, 0, len(own))
	for _, s := range own {
		list = append(list, s.Card)
	}
	return list
}

func (h *Hearsay) newest(own []Sign) []Sign {
	newest := make(map[wire.ID]Sign, len(own))
	hang := func(all []Sign) {
		for _, s := range all {
			if was, hangs := newest[s.Table]; !hangs || s.Newer(was) {
				newest[s.Table] = s
			}
		}
	}
	hang(own)
	for _, number := range slices.Sorted(maps.Keys(h.nodes)) {
		hang(h.nodes[number].signs)
	}
	return slices.Collect(maps.Values(newest))
}
