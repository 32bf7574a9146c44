package secrets

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"caveau/game"
)

// A rulebook is a game in one edition, for so many.
type rulebook struct {
	game    string
	edition string
	players int
}

func (r rulebook) String() string { return strings.TrimSpace(r.game + " " + r.edition) }

func (r rulebook) rules() game.Game {
	g, _ := examined.Game(r.game)
	return g
}

// bot is who sits down with people there: the second weakest, if there are two.
func (r rulebook) bot() string {
	names := examined.Bots(r.game)
	return names[min(1, len(names)-1)]
}

func (r rulebook) setup() game.Setup {
	return game.Setup{Edition: r.edition, Players: r.players, First: game.NoSeat}
}

// audiences are all that may look on.
func (r rulebook) audiences() []game.Seat {
	return append(game.EverySeat(uint8(r.players)).List(), game.Watcher)
}

// A pair is two games that somebody cannot tell apart: the deals differ only in what he may not know, and so do the moves
// of the others that he may not know, such as the card that somebody knocks with. What he says is the same in both.
type pair struct {
	rulebook
	target game.Seat
	deals  [2]game.State
	steps  []step
	last   [2]game.State
	limit  map[game.Seat]int // until after how many moves the others cannot tell them apart either; -1: not even at the deal
}

// A step is a move in both games.
type step struct {
	seat  game.Seat
	words [2]string
	legal []string // what the seat might have said instead, in either game
}

// secret tells whether not everybody hears it whole.
func (s step) secret() bool { return s.words[0] != s.words[1] }

// newPair finds a pair for somebody, in which about so many moves are made; fewer where the game is short.
func newPair(r rulebook, target game.Seat, moves int, rng *rand.Rand) (*pair, error) {
	moves = min(moves, r.shortest()-1)
	for range 50 {
		deal, err := r.rules().Deal(r.setup(), rng)
		if err != nil {
			return nil, err
		}
		other := deal
		for range 1 + rng.IntN(4) {
			other = r.swap(deal, other, target, rng)
		}
		if other == deal {
			continue
		}
		p := &pair{rulebook: r, target: target, deals: [2]game.State{deal, other}, limit: make(map[game.Seat]int)}
		if p.play(moves, rng); len(p.steps) >= moves/2 {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s with %d: no twin world for %s: is nothing hidden from him?", r, r.players, who(target))
}

func who(s game.Seat) string {
	if s == game.Watcher {
		return "a watcher"
	}
	return "seat " + s.String()
}

// swap exchanges two things of a deal that lie hidden from somebody. He may find one of the two worlds as likely as the
// other: a shuffled deal does not mind who lies where.
func (r rulebook) swap(deal, other game.State, target game.Seat, rng *rand.Rand) game.State {
	for range 200 {
		doc, places := leavesOf(other)
		i, j := places[rng.IntN(len(places))], places[rng.IntN(len(places))]
		swapped, ok := r.exchange(doc, i, j)
		if ok && swapped != deal && !r.his(i, target) && !r.his(j, target) && oneTo(target, [2]truth{r.truthOf(deal), r.truthOf(swapped)}) {
			return swapped
		}
	}
	return other
}

// exchange is the deal with two different words of it exchanged; false where the rules know no such deal.
func (r rulebook) exchange(doc any, i, j place) (game.State, bool) {
	a, b := i.word(doc), j.word(doc)
	if a == b {
		return nil, false
	}
	i.set(doc, b)
	j.set(doc, a)
	text, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	i.set(doc, a)
	j.set(doc, b)
	state, err := r.rules().Read(r.setup(), text)
	return state, err == nil
}

// A place is where a word stands in a deal: rows 2 7, or lids d3.
type place []any

func (p place) holder(doc any) any {
	for _, step := range p[:len(p)-1] {
		doc = child(doc, step)
	}
	return doc
}

func (p place) word(doc any) string { return child(p.holder(doc), p[len(p)-1]).(string) }

func (p place) set(doc any, word string) {
	switch in := p.holder(doc).(type) {
	case map[string]any:
		in[p[len(p)-1].(string)] = word
	case []any:
		in[p[len(p)-1].(int)] = word
	}
}

func child(doc, step any) any {
	if key, ok := step.(string); ok {
		return doc.(map[string]any)[key]
	}
	return doc.([]any)[step.(int)]
}

// leavesOf is a deal as generic JSON, and where the words in it stand, in a fixed order. A word at the top, such as the
// first player, has nothing to change places with.
func leavesOf(deal game.State) (doc any, places []place) {
	text, err := json.Marshal(deal.Deal())
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil {
		panic(err)
	}
	var walk func(value any, at place)
	walk = func(value any, at place) {
		switch value := value.(type) {
		case map[string]any:
			for _, key := range keys(value) {
				walk(value[key], append(at, key))
			}
		case []any:
			for i, v := range value {
				walk(v, append(at, i))
			}
		case string:
			if len(at) > 1 {
				places = append(places, slices.Clone(at))
			}
		}
	}
	walk(doc, nil)
	return doc, places
}

// play plays both games, as long as the target cannot tell them apart. Near the end somebody else may say different words,
// if the target does not hear them.
func (p *pair) play(moves int, rng *rand.Rand) {
	p.last = p.deals
	for _, s := range p.audiences() {
		p.limit[s] = -1
	}
	p.look(0, after{truths: [2]truth{p.truthOf(p.last[0]), p.truthOf(p.last[1])}})
	for len(p.steps) < moves {
		secretly := len(p.steps) > moves-10
		s, next, ok := p.step(rng, secretly)
		if !ok && !secretly {
			s, next, ok = p.step(rng, true)
		}
		if !ok {
			return
		}
		p.steps, p.last = append(p.steps, s), next.states
		if s.secret() {
			moves = min(moves, len(p.steps)+2) // what was hidden is soon shown
		}
		p.look(len(p.steps), next)
	}
}

// look notes who cannot tell the games apart yet.
func (p *pair) look(ply int, now after) {
	for _, s := range p.audiences() {
		if p.limit[s] == ply-1 && oneTo(s, now.truths) && alike(s, now.events) && (ply > 0 || p.firstOf(s, p.deals[0]) == p.firstOf(s, p.deals[1])) {
			p.limit[s] = ply
		}
	}
}

// step is a move after which the target still cannot tell the games apart.
func (p *pair) step(rng *rand.Rand, secretly bool) (step, after, bool) {
	seat := p.last[0].Turn()
	here, there := p.last[0].Moves(), p.last[1].Moves()
	s := step{seat: seat, legal: append(slices.Clone(here), there...)}
	shuffle(rng, here)
	for _, words := range here {
		others := []string{words}
		if secretly && seat != p.target {
			others = slices.Concat(there, others)
		}
		for _, other := range others {
			if next, ok := p.both(seat, words, other); ok {
				s.words = [2]string{words, other}
				return s, next, true
			}
		}
	}
	return s, after{}, false
}

// shortest is how many moves a short game has, or enough.
func (r rulebook) shortest() int {
	least, rng := 3*sweptMoves, rand.New(rand.NewPCG(1, 5))
	for range 10 {
		state, err := r.rules().Deal(r.setup(), rng)
		for n := 0; err == nil && n < least; n++ {
			moves := state.Moves()
			if len(moves) == 0 {
				least = n
				break
			}
			state, _, err = state.Play(state.Turn(), moves[rng.IntN(len(moves))])
		}
	}
	return least
}

// after is both games after a move, and what happened in it.
type after struct {
	states [2]game.State
	truths [2]truth
	events [2][]game.Event
}

// both is the two games after these words; false if they cannot be said, if the target can tell the games apart then, or if
// one is over: then nothing is a secret any more.
func (p *pair) both(seat game.Seat, words, other string) (a after, ok bool) {
	for i, said := range []string{words, other} {
		var err error
		if a.states[i], a.events[i], err = p.last[i].Play(seat, said); err != nil || a.states[i].Turn() == game.NoSeat {
			return a, false
		}
	}
	if !alike(p.target, a.events) {
		return a, false
	}
	a.truths = [2]truth{p.truthOf(a.states[0]), p.truthOf(a.states[1])}
	return a, oneTo(p.target, a.truths)
}

// differing are the names of the graves, and of the things, that are not the same in both deals.
func (p *pair) differing() (names []string) {
	doc, places := leavesOf(p.deals[0])
	other, _ := leavesOf(p.deals[1])
	for _, at := range places {
		if at.word(doc) != at.word(other) {
			names = append(names, at.word(doc), fmt.Sprint(at[len(at)-1]))
		}
	}
	return names
}

// about are those of the words that name what differs.
func (p *pair) about(words []string) []string {
	differing := p.differing()
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return !slices.ContainsFunc(differing, func(name string) bool { return strings.HasSuffix(w, " "+name) })
	})
}

// speaksInSecret tells whether something is ever said in the game that not everybody may hear.
func (r rulebook) speaksInSecret() bool {
	rng := rand.New(rand.NewPCG(1, 4))
	state, err := r.rules().Deal(r.setup(), rng)
	for range 100 {
		moves := []string(nil)
		if err == nil {
			moves = state.Moves()
		}
		if len(moves) == 0 {
			return false
		}
		var events []game.Event
		state, events, err = state.Play(state.Turn(), moves[rng.IntN(len(moves))])
		if slices.ContainsFunc(events, func(e game.Event) bool { return e.Secret != 0 }) {
			return true
		}
	}
	return false
}

// secret tells whether something is said in it that the target may not hear.
func (p *pair) secret() bool {
	return slices.ContainsFunc(p.steps, step.secret)
}

func shuffle[T any](rng *rand.Rand, list []T) {
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// vocabulary is everything that is ever said in a game, and some words that never are: of each with which one says something
// the last one is left out, and is another; and all are shouted.
func (r rulebook) vocabulary() []string {
	if words, known := vocabularies.Load(r); known {
		return words.([]string)
	}
	said, rng := map[string]bool{"": true, "fly": true}, rand.New(rand.NewPCG(1, 6))
	for range 8 {
		r.listen(said, rng)
	}
	words := keys(said)
	vocabularies.Store(r, words)
	return words
}

// vocabularies are by rulebook, each gathered once.
var vocabularies sync.Map

// listen adds what could be said in a random game.
func (r rulebook) listen(said map[string]bool, rng *rand.Rand) {
	state, err := r.rules().Deal(r.setup(), rng)
	for n := 0; err == nil && n < 300; n++ {
		moves := state.Moves()
		if len(moves) == 0 {
			return
		}
		for _, words := range moves {
			but, _, _ := cutLast(words, " ")
			said[words], said[but], said[but+" z9"], said[strings.ToUpper(words)] = true, true, true, true
		}
		state, _, err = state.Play(state.Turn(), moves[rng.IntN(len(moves))])
	}
	if err != nil {
		panic(err)
	}
}
