package bus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"caveau/match"
	"caveau/wire"
)

// A story is one table, nodes with pages, and a bus that does what a bad bus does, in virtual time and in one loop: nothing in it but the seed
// decides what happens.
type story struct {
	t     *testing.T
	seed  uint64
	rng   *rand.Rand
	now   time.Time
	bad   bool
	split map[int64]bool // these nodes and the others do not hear each other
	mute  int64          // nobody hears this one
	post  []letter
	nodes []*station
	made  int64          // nodes so far
	term  int64          // the last
	owner *keeper        // nil: nobody
	old   []*keeper      // who do not know yet that they own nothing
	log   []string       // the ids of what was done
	did   map[string]int // how often something happened, so that it is seen to
}

type letter struct {
	at       time.Time
	from, to int64 // to: 0 for all
	is       Letter
}

// A station is a node.
type station struct {
	*Exchange
	*story
	beat  time.Time
	pages []*reader
	owns  bool // and is asked
}

// A reader is a page: what it says, and what it knows.
type reader struct {
	*story
	at      *station
	id      match.Client
	watches bool
	open    string // the command that is not answered
	asked   int    // how often it has begun to watch
	fresh   int    // how often it was told to begin anew
	n, last int    // commands; the entry that it knows
}

// A keeper is an owner: it does what is said, tells what is done, and knows who is there.
type keeper struct {
	*story
	at    *station
	term  int64
	mail  []match.Input
	subs  []match.Client
	begun map[string]string // by page, what was begun last
}

const table wire.ID = "t"

func newStory(t *testing.T, seed uint64) *story {
	s := &story{t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 7)), now: time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC), bad: true, log: []string{"0/0/0000"}, did: map[string]int{}}
	for range 3 {
		s.arise()
	}
	return s
}

// arise is a node that starts.
func (s *story) arise() {
	s.made++
	st := &station{story: s, beat: s.now.Add(s.upTo(Beat))}
	st.Exchange = New(s.made, way{st}, func() time.Time { return s.now })
	s.nodes = append(s.nodes, st)
}

func (s *story) upTo(d time.Duration) time.Duration { return time.Duration(s.rng.Int64N(int64(d))) }

// A way is a node's to the others.
type way struct{ *station }

func (w way) Join(context.Context, *Exchange) {}
func (w way) Own(int64, wire.ID)              { w.owns = true }
func (w way) Disown(int64, wire.ID)           { w.owns = false }
func (way) There() bool                       { return true }

func (w way) Send(l Letter) {
	switch is := l.(type) {
	case Ask:
		w.send(letter{from: w.node, is: l})
	case Told:
		w.send(letter{from: w.node, to: is.To, is: l})
	case Roll:
		w.did["a roll"]++
		w.send(letter{from: w.node, to: is.To, is: l})
	case Present:
		w.did["here"] += len(is.Here)
		w.did["gone"] += len(is.Gone)
		w.send(letter{from: w.node, to: is.To, is: l})
	} // of News nothing is about a table
}

// send puts a letter into the post, or two, or none.
func (s *story) send(l letter) {
	copies := 1
	if s.bad {
		copies = []int{0, 0, 1, 1, 1, 1, 1, 2}[s.rng.IntN(8)]
	}
	for range copies {
		l.at = s.now.Add(time.Millisecond)
		if s.bad {
			l.at = s.now.Add(s.upTo(time.Duration([]int{5, 50, 2000}[s.rng.IntN(3)]) * time.Millisecond))
		}
		s.post = append(s.post, l)
	}
}

// deliver brings the letters whose time has come.
func (s *story) deliver() {
	slices.SortStableFunc(s.post, func(a, b letter) int { return a.at.Compare(b.at) })
	for len(s.post) > 0 && !s.post[0].at.After(s.now) {
		l := s.post[0]
		s.post = s.post[1:]
		for _, st := range s.nodes {
			switch {
			case st.node == l.from || s.mute == l.from || s.split[st.node] != s.split[l.from]:
			case l.to == 0 && st.owns, l.to > 0 && l.to == st.node:
				st.Read(l.is)
			}
		}
	}
}

// step is a moment.
func (s *story) step() {
	s.now = s.now.Add(s.upTo(40 * time.Millisecond))
	s.deliver()
	for _, st := range s.nodes {
		if !s.now.Before(st.beat) {
			st.beat = s.now.Add(Beat)
			for range st.Beat() {
				st.take()
			}
		}
	}
	if s.owner != nil {
		s.owner.work()
	}
	for _, k := range s.old {
		k.work()
	}
}

// take makes a node the owner, if there is none. What pages here have said comes before anything else.
func (st *station) take() bool {
	if st.owner != nil {
		return false
	}
	st.story.term++
	st.did["an owner"]++
	k := &keeper{story: st.story, at: st, term: st.story.term, begun: map[string]string{}}
	k.mail = st.Own(table, k.term, func(in match.Input) error { k.mail = append(k.mail, in); return nil })
	st.owner = k
	return true
}

// hand hands something to the table, as a lobby does.
func (st *station) hand(in match.Input) {
	if st.Reach(table, in) {
		return
	}
	if st.owner != nil && st.owner.at == st || st.take() {
		st.owner.mail = append(st.owner.mail, in)
		return
	}
	st.Pass(table, in)
}

// work does what waits for an owner, or a part of it.
func (k *keeper) work() {
	n := len(k.mail)
	if k.bad {
		n = k.rng.IntN(n + 1)
	}
	for range n {
		in := k.mail[0]
		k.mail = k.mail[1:]
		var out []match.Send
		switch in := in.(type) {
		case match.Again:
			k.join(in.Client)
			out = append(out, k.frame(in.Client, in.Since))
		case match.Gone:
			k.subs = slices.DeleteFunc(k.subs, func(c match.Client) bool { return c == in.Client })
		case match.Said:
			out = k.hear(in)
		}
		k.at.Exchange.Tell(table, out)
		if k.owner != k && len(out) > 0 {
			return // what it knows is not the newest any more, but true
		}
	}
}

func (k *keeper) join(c match.Client) {
	if !slices.Contains(k.subs, c) {
		k.subs = append(k.subs, c)
	}
}

// frame tells what happened after an entry. An old owner knows no more than when it was the owner.
func (k *keeper) frame(c match.Client, since int) match.Send {
	return match.Send{To: c, Seq: len(k.log), Message: fmt.Appendf(nil, "frame %d %d", since, len(k.log))}
}

func (k *keeper) hear(s match.Said) (out []match.Send) {
	if s.N > 0 && s.Command.Do != "watch" {
		page := pageOf(s.Command.ID)
		if s.Command.ID <= k.begun[page] {
			k.t.Fatalf("seed %d: owner %d begins %s after %s", k.seed, k.term, s.Command.ID, k.begun[page])
		}
		k.begun[page] = s.Command.ID
	}
	done := match.Send{To: s.Client, Re: s.N, Message: []byte("done " + s.Command.ID)}
	if s.Command.Do == "watch" {
		k.join(s.Client)
		f := k.frame(s.Client, 0)
		f.Message = fmt.Appendf(nil, "whole %d", f.Seq)
		return append(out, done, f)
	}
	if slices.Contains(k.log, s.Command.ID) {
		k.did["said twice"]++
		return append(out, done)
	}
	if k.owner != k {
		return nil // it cannot write, and tells nobody anything
	}
	k.log = append(k.log, s.Command.ID)
	answered := false
	for _, c := range k.subs {
		f := k.frame(c, len(k.log)-1)
		if c == s.Client {
			f.Re, f.Answer, answered = done.Re, done.Message, true
		}
		out = append(out, f)
	}
	if !answered {
		out = append([]match.Send{done}, out...)
	}
	return out
}

// Tell is what a page is told.
func (r *reader) Tell(message []byte, more ...[]byte) {
	for _, m := range append([][]byte{message}, more...) {
		words := strings.Fields(string(m))
		var from, to int
		switch words[0] {
		case "done":
			if r.open != words[1] {
				r.t.Fatalf("seed %d: page %v waits for the answer to %q, and is told %s", r.seed, r.id, r.open, m)
			}
			r.open = ""
		case "whole":
			fmt.Sscan(words[1], &r.last)
			if r.fresh++; r.fresh > r.asked {
				r.t.Fatalf("seed %d: page %v has to begin anew, and did not ask for it", r.seed, r.id)
			}
		case "frame":
			fmt.Sscan(words[1], &from)
			fmt.Sscan(words[2], &to)
			if from == 0 || r.watches && r.last > 0 && from != r.last {
				r.t.Fatalf("seed %d: page %v knows entry %d, and is told %s", r.seed, r.id, r.last, m)
			}
			r.last = to
		default: // refused
			r.open = ""
			r.did["refused"]++
			if strings.Contains(string(m), "busy") && r.last == 0 {
				r.watches = false
			}
		}
	}
}

func (r *reader) Cut() { r.t.Fatalf("seed %d: page %v is cut off", r.seed, r.id) }

// says is a command that comes to somebody's mind.
func (r *reader) says(do string) {
	r.n++
	r.open = fmt.Sprintf("%d/%d/%04d", r.at.node, r.id.Page, r.n)
	if do == "watch" {
		r.watches, r.last = true, 0
		r.asked++
	}
	r.at.hand(match.Said{Client: r.id, Command: wire.Command{ID: r.open, Do: do}, Until: r.now.Add(time.Second + r.upTo(9*time.Second))})
}

func (r *reader) looksAway() {
	r.watches, r.last = false, 0
	if r.owner != nil && r.owner.at == r.at {
		r.owner.mail = append(r.owner.mail, match.Gone{Client: r.id})
		return
	}
	r.at.Reach(table, match.Gone{Client: r.id})
}

// happens is something that may happen.
func (s *story) happens() {
	st := s.nodes[s.rng.IntN(len(s.nodes))]
	n := s.rng.IntN(400)
	if n < 12 && len(st.pages) < 4 {
		r := &reader{story: s, at: st}
		r.id = st.Open(match.Visitor{Guest: wire.Guest{ID: fmt.Sprint("guest ", s.rng.IntN(5))}}, r)
		st.pages = append(st.pages, r)
		return
	}
	switch {
	case n == 398:
		s.split = map[int64]bool{st.node: true}
		s.did["a split"]++
	case n == 397:
		s.mute = st.node
		s.did["a mute node"]++
	case n > 390:
		s.split, s.mute = nil, 0
	case n == 389 && s.owner != nil: // its lease ends, and it does not know yet
		s.did["an old owner"]++
		s.old = append(s.old, s.owner)
		s.owner.at.hangUp()
		s.owner = nil
	case n == 388 && len(s.old) > 0:
		s.old[0].at.Disown(table, s.old[0].term)
		s.old = s.old[1:]
	case n == 387:
		s.die(st)
	}
	if len(st.pages) == 0 {
		return
	}
	r := st.pages[s.rng.IntN(len(st.pages))]
	switch {
	case n > 300 || r.open != "":
	case n == 299:
		st.close(r)
	case n > 290:
		if r.watches {
			r.looksAway()
		}
	case !r.watches:
		r.says("watch")
	case n < 60:
		r.says("play")
	}
}

// close is the end of a page.
func (st *station) close(r *reader) {
	r.looksAway()
	st.Exchange.Close(r.id)
	st.pages = slices.DeleteFunc(st.pages, func(x *reader) bool { return x == r })
}

// hangUp: a node without a lease closes its sockets.
func (st *station) hangUp() {
	for len(st.pages) > 0 {
		st.close(st.pages[0])
	}
}

// die is the end of a node, and another begins.
func (s *story) die(st *station) {
	s.did["a node dies"]++
	st.hangUp()
	s.nodes = slices.DeleteFunc(s.nodes, func(x *station) bool { return x == st })
	s.old = slices.DeleteFunc(s.old, func(k *keeper) bool { return k.at == st })
	if s.owner != nil && s.owner.at == st {
		s.owner = nil
	}
	s.arise()
}

// calm is when the bus is well, and everybody has had time.
func (s *story) calm() {
	s.bad, s.split, s.mute = false, nil, 0
	for _, k := range s.old {
		k.at.Disown(table, k.term)
	}
	s.old = nil
	for end := s.now.Add(15 * time.Second); s.now.Before(end); {
		s.step()
	}
}

// right is what is to be right then: who is there, everybody knows everything, and everybody has his answer.
func (s *story) right(seed uint64) {
	var there []string
	for _, st := range s.nodes {
		if owner := s.owner != nil && s.owner.at == st; st.owns != owner {
			s.t.Fatalf("seed %d: node %d is asked for the table: %t; it owns it: %t", seed, st.node, st.owns, owner)
		}
		for _, r := range st.pages {
			if r.open != "" {
				s.t.Fatalf("seed %d: page %v has no answer to %s", seed, r.id, r.open)
			}
			if !r.watches {
				continue
			}
			if r.last != len(s.log) {
				s.t.Fatalf("seed %d: page %v of node %d knows entry %d of %d", seed, r.id, st.node, r.last, len(s.log))
			}
			there = append(there, who(st.node, r.id))
		}
	}
	var known []string
	if s.owner != nil {
		for _, c := range s.owner.subs {
			node := s.owner.at.node
			if c.Way > 0 {
				node = s.owner.at.desks[table].ways[c.Way].node
			}
			known = append(known, who(node, c))
		}
	}
	for _, st := range s.nodes {
		if s.owner != nil {
			if c := s.owner.at.desks[table].nodes[st.node]; c != nil && !c.lost && len(c.lines) > 0 {
				s.t.Fatalf("seed %d: %d lines are kept that node %d has heard", seed, len(c.lines), st.node)
			}
		}
	}
	slices.Sort(there)
	slices.Sort(known)
	if !slices.Equal(there, known) {
		s.t.Fatalf("seed %d: there are %v, and the owner knows of %v", seed, there, known)
	}
	last := map[string]string{}
	for _, id := range s.log {
		page := pageOf(id)
		if id <= last[page] {
			s.t.Fatalf("seed %d: %s is done after %s", seed, id, last[page])
		}
		last[page] = id
	}
	s.did["done"] += len(s.log)
	s.did["watching"] += len(there)
}

func pageOf(id string) string { return id[:strings.LastIndex(id, "/")] }

func who(node int64, c match.Client) string { return fmt.Sprint(node, "/", c.Page) }

// Whatever the bus does, and whoever dies: what is said is done at most once and in order; a page that watches is told of every entry once, and when all is
// well again the owner knows who is there, and everybody knows what there is.
func TestStories(t *testing.T) {
	did := map[string]int{}
	for seed := range uint64(500) {
		s := newStory(t, seed)
		for range 3 {
			s.bad = true
			for range 300 {
				s.happens()
				s.step()
			}
			s.calm()
			s.right(seed)
		}
		for what, n := range s.did {
			did[what] += n
		}
	}
	t.Log(did)
	for _, what := range []string{"a roll", "here", "gone", "an owner", "an old owner", "said twice", "refused", "a split", "a mute node", "a node dies", "done", "watching"} {
		if did[what] < 100 {
			t.Errorf("%s: %d times in all, which shows little", what, did[what])
		}
	}
}
