package limit

import (
	"cmp"
	"slices"
	"sync"
)

// A Use is how much somebody has asked for at one node of a house since that said it last, or how much of something he holds there.
type Use struct {
	Who string
	N   int
}

// A Count is of what the nodes of a house tell each other, so that nobody may have at several more than at one. It is asked for what is used here with each
// telling, and then hears what is at another node; nothing of a node that is not heard any more.
type Count interface {
	Uses() []Use
	Hear(node int64, uses []Use)
}

// mostTold is of how many is told at once: of those who use the most.
const mostTold = 100

// most are those of these.
func most(all []Use) []Use {
	slices.SortFunc(all, func(a, b Use) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Who, b.Who)) })
	return all[:min(len(all), mostTold)]
}

// Held is how many places each holds, here and at other nodes. It is a Count.
type Held struct {
	mu        *sync.Mutex // of the places
	here      map[string]int
	elsewhere map[int64]map[string]int // by node
}

func newHeld(mu *sync.Mutex) *Held {
	return &Held{mu: mu, here: make(map[string]int), elsewhere: make(map[int64]map[string]int)}
}

// of is how many places somebody holds. The caller holds mu, as that of add does.
func (h *Held) of(who string) int {
	n := h.here[who]
	for _, there := range h.elsewhere {
		n += there[who]
	}
	return n
}

func (h *Held) add(who string, n int) {
	if h.here[who] += n; h.here[who] == 0 {
		delete(h.here, who)
	}
}

// Uses are those who hold places here; where they are many, but for those who hold one.
func (h *Held) Uses() (all []Use) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for who, n := range h.here {
		if n > 1 || len(h.here) <= mostTold {
			all = append(all, Use{who, n})
		}
	}
	return most(all)
}

// Hear hears who holds places at another node now.
func (h *Held) Hear(node int64, uses []Use) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.elsewhere, node)
	if len(uses) == 0 {
		return
	}
	there := make(map[string]int, len(uses))
	for _, u := range uses {
		there[u.Who] = u.N
	}
	h.elsewhere[node] = there
}
