package gametest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"caveau/game"
)

// Twins are made without the sampler: two things of a deal change places, a lid with a lid or a card with a card, and the
// same moves are played. Where a seat's view is the same in both worlds, the two deals are equally likely to it, for a
// shuffled deal does not mind who lies where. So the sampler must show both orders equally often, and nothing that the
// seat is told may differ.

// leaves are the words of a deal, each with its place in the document.
func leaves(value any, path []any, visit func(path []any, word string)) {
	switch value := value.(type) {
	case map[string]any:
		for key := range value {
			leaves(value[key], append(path, key), visit)
		}
	case []any:
		for i := range value {
			leaves(value[i], append(path, i), visit)
		}
	case string:
		visit(slices.Clone(path), value)
	}
}

func leafAt(value any, path []any) string {
	for _, step := range path {
		value = child(value, step)
	}
	return value.(string)
}

func setLeaf(value any, path []any, word string) {
	last := len(path) - 1
	for _, step := range path[:last] {
		value = child(value, step)
	}
	switch in := value.(type) {
	case map[string]any:
		in[path[last].(string)] = word
	case []any:
		in[path[last].(int)] = word
	}
}

func child(value, step any) any {
	if key, ok := step.(string); ok {
		return value.(map[string]any)[key]
	}
	return value.([]any)[step.(int)]
}

// document is a deal as generic JSON, and its leaves in a fixed order.
func (w *world[P, M, V]) document(p P) (doc any, paths [][]any) {
	text, err := json.Marshal(w.rules.Write(p))
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		panic(err)
	}
	leaves(doc, nil, func(path []any, _ string) {
		if len(path) > 1 { // a word at the top, such as the first player, has nothing to change places with
			paths = append(paths, path)
		}
	})
	slices.SortFunc(paths, func(a, b []any) int { return bytes.Compare(fmt.Append(nil, a), fmt.Append(nil, b)) })
	return doc, paths
}

// flatten is every word of a document by its path.
func flatten(value any) map[string]string {
	var doc any
	if err := json.Unmarshal(encode(value), &doc); err != nil {
		panic(err)
	}
	flat := map[string]string{}
	leaves(doc, nil, func(path []any, word string) { flat[fmt.Sprint(path...)] = word })
	return flat
}

// replay plays the world's moves from another deal, as long as they are legal there.
func (w *world[P, M, V]) replay(p P) (P, bool) {
	for _, m := range w.moves {
		if p.Outcome().Over || !slices.Contains(p.Moves(nil), m) {
			return p, false
		}
		p = p.Play(m, nil)
	}
	return p, true
}

// A twin is a deal in which two things have changed places.
type twin[P any] struct {
	deal P
	i, j []any // the two places of the deal
}

// swap makes a twin of the world's deal by exchanging two different things of it. It fails, quite often, where the rules
// know no such deal.
func (w *world[P, M, V]) swap() (twin[P], bool) {
	doc, paths := w.document(w.deal)
	i, j := paths[w.rng.IntN(len(paths))], paths[w.rng.IntN(len(paths))]
	a, b := leafAt(doc, i), leafAt(doc, j)
	if a == b {
		return twin[P]{}, false
	}
	setLeaf(doc, i, b)
	setLeaf(doc, j, a)
	text, err := json.Marshal(doc)
	if err != nil {
		return twin[P]{}, false
	}
	deal, err := w.rules.Read(w.setup, text)
	return twin[P]{deal, i, j}, err == nil
}

// noLeak: as long as the seat sees the same in both worlds, it hears the same.
func (w *world[P, M, V]) noLeak() error {
	if err := w.each(func() error { return nil }); err != nil {
		return err
	}
	compared := 0
	for range 20 {
		twin, ok := w.swap()
		if !ok {
			continue
		}
		for _, s := range w.audiences() {
			n, err := w.compare(s, twin.deal)
			if err != nil {
				return fmt.Errorf("%v and %v changed places: %w", twin.i, twin.j, err)
			}
			compared += n
		}
	}
	if compared == 0 {
		return errors.New("no twin world could be made: is nothing hidden in this game?")
	}
	return nil
}

// compare plays the game in both worlds for as long as seat s cannot tell them apart, and says for how many moves.
func (w *world[P, M, V]) compare(s game.Seat, other P) (n int, err error) {
	p, q := w.deal, other
	var heard, heardThere game.Events
	for _, m := range append(w.moves, w.moves[len(w.moves)-1]) {
		if p.View(s) != q.View(s) {
			return n, nil
		}
		if err := sameBytes(s, p, q, &heard, &heardThere); err != nil {
			return n, fmt.Errorf("after %d moves: %w", n, err)
		}
		if p.Outcome().Over || !slices.Contains(q.Moves(nil), m) {
			return n, nil
		}
		heard, heardThere = game.Events{}, game.Events{}
		p, q = p.Play(m, &heard), q.Play(m, &heardThere)
		n++
	}
	return n, nil
}

func sameBytes[P game.Position[P, M, V], M game.Move, V game.View[P]](s game.Seat, p, q P, heard, heardThere *game.Events) error {
	for _, aid := range everyAid {
		if a, b := encode(p.View(game.Watcher).Shown(aid)), encode(q.View(game.Watcher).Shown(aid)); !bytes.Equal(a, b) {
			return fmt.Errorf("what lies on the table tells %q them apart:\n%s\n%s", s, a, b)
		}
		if a, b := encode(p.View(s).Own(aid)), encode(q.View(s).Own(aid)); !bytes.Equal(a, b) {
			return fmt.Errorf("what %q alone sees tells them apart:\n%s\n%s", s, a, b)
		}
	}
	if a, b := encode(redacted(heard, s)), encode(redacted(heardThere, s)); !bytes.Equal(a, b) {
		return fmt.Errorf("what %q hears tells them apart:\n%s\n%s", s, a, b)
	}
	if p.Turn() != q.Turn() || p.Outcome() != q.Outcome() {
		return fmt.Errorf("whose turn it is tells them apart: %q and %q", p.Turn(), q.Turn())
	}
	if p.Asks() != q.Asks() {
		return fmt.Errorf("what is asked tells them apart: %v and %v", p.Asks(), q.Asks())
	}
	if p.Turn() == s && !slices.Equal(p.Moves(nil), q.Moves(nil)) {
		return fmt.Errorf("the moves of %s tell them apart", s)
	}
	return nil
}

func redacted(heard *game.Events, s game.Seat) []game.Event {
	events := []game.Event{}
	for _, e := range heard.List() {
		events = append(events, e.For(s))
	}
	return events
}

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// independence: two hidden things that may change places are equally likely here and there, whatever the truth is. A
// sampler that returns the truth always has them as they are. It looks at the deal and at positions on the way, for what
// happened since changes what may lie where.
func (w *world[P, M, V]) independence() error {
	if err := w.each(func() error { return nil }); err != nil {
		return err
	}
	moves := w.moves
	for _, n := range []int{0, len(moves) / 8, len(moves) / 3} {
		w.moves = moves[:n]
		if err := w.independentHere(n == 0); err != nil {
			return err
		}
	}
	return nil
}

func (w *world[P, M, V]) independentHere(atDeal bool) error {
	const samples, tries = 150, 100
	p, _ := w.replay(w.deal)
	s := w.audiences()[w.rng.IntN(w.setup.Players+1)]
	view := p.View(s)
	truth := flatten(w.rules.Dump(p))
	var sampled []map[string]string
	for range samples {
		sampled = append(sampled, flatten(w.rules.Dump(view.Sample(w.rng))))
	}
	pairs, agrees := 0, make([]float64, samples)
	for range tries {
		i, j, ok := w.twinPlaces(s, view, truth)
		if !ok {
			continue
		}
		pairs++
		for _, word := range []string{truth[i], truth[j]} {
			if !even(hereOrThere(sampled, i, j, word)) {
				return fmt.Errorf("samples lean: %q is as likely at %s as at %s, and was not there as often", word, i, j)
			}
		}
		for n, sample := range sampled {
			agrees[n] += one(sample[i] == truth[i] && sample[j] == truth[j]) - one(sample[i] == truth[j] && sample[j] == truth[i])
		}
	}
	switch {
	case atDeal && pairs < 20:
		return errors.New("too few twin worlds could be made to tell anything")
	case !even(agrees):
		return fmt.Errorf("samples lean on the truth: %.0f times more as it is than the other way round", sum(agrees))
	}
	return nil
}

// hereOrThere says of each sample whether it has the word here, or there, or both or neither.
func hereOrThere(sampled []map[string]string, here, there, word string) []float64 {
	found := make([]float64, len(sampled))
	for n, sample := range sampled {
		found[n] = one(sample[here] == word) - one(sample[there] == word)
	}
	return found
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// twinPlaces are two places of the dumped position that hide two different things, in a world whose twin has them the
// other way round and shows the same view.
func (w *world[P, M, V]) twinPlaces(s game.Seat, view V, truth map[string]string) (i, j string, ok bool) {
	twin, ok := w.swap()
	if !ok {
		return "", "", false
	}
	q, ok := w.replay(twin.deal)
	if !ok || q.View(s) != view {
		return "", "", false
	}
	var differ []string
	for path, word := range flatten(w.rules.Dump(q)) {
		if truth[path] != word {
			differ = append(differ, path)
		}
	}
	if len(differ) != 2 {
		return "", "", false
	}
	slices.Sort(differ)
	return differ[0], differ[1], true
}

// even tells whether sums that are as likely to be positive as negative, one for each sample, stray no further than six
// and a half standard deviations, for very many are looked at. The places of one sample are not independent of each other,
// the samples are; so the deviation is taken from how far each of them strays.
func even(perSample []float64) bool {
	squares := 0.0
	for _, d := range perSample {
		squares += d * d
	}
	return math.Abs(sum(perSample)) <= 6.5*math.Sqrt(squares)
}

func sum(list []float64) (all float64) {
	for _, n := range list {
		all += n
	}
	return all
}
