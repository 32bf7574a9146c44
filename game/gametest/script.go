package gametest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"caveau/game"
)

// Scripts runs every script in a directory: short plays in plain words, each with what must happen written below it, for
// whoever wants to hold the rules against the rulebook by eye. The test flag -rewrite writes what does happen instead;
// read every line of it then. A script knows three commands:
//
//	deal [players=3] [seed=1] [edition=2004] [first=C] [choice=(one,two)] [option=4]
//	    sets the table up: by chance, and the table's choices and options, where nothing is written below, else as setUp reads it.
//	    A table that cannot be is refused, and what was there stays.
//	play
//	    plays the moves below, one a line with its seat, and tells what happens by which paragraph and who is asked next.
//	    Words that are no move now are refused, and the play goes on.
//	show
//	    draws the table, hidden things included.
func Scripts[P game.Position[P, M, V], M game.Move, V game.View[P]](t *testing.T, dir string, rules game.Rules[P], setUp func(input string) (P, error), draw func(P) string) {
	t.Helper()
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		s := script[P, M, V]{rules: rules, setUp: setUp, draw: draw}
		datadriven.RunTest(t, path, s.run)
	})
}

// A script is one that is being run, and the position it has come to.
type script[P game.Position[P, M, V], M game.Move, V game.View[P]] struct {
	rules game.Rules[P]
	setUp func(input string) (P, error)
	draw  func(P) string
	p     P
}

func (s *script[P, M, V]) run(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	switch d.Cmd {
	case "deal":
		if err := s.deal(d); err != nil && d.Input != "" {
			d.Fatalf(t, "%s", err)
		} else if err != nil {
			return "refused: " + err.Error() + "\n"
		}
		s.check(t, d)
		return s.asked() + "\n"
	case "play":
		return s.play(t, d)
	case "show":
		return s.draw(s.p)
	default:
		d.Fatalf(t, "there is no command %q", d.Cmd)
		return ""
	}
}

func (s *script[P, M, V]) check(t *testing.T, d *datadriven.TestData) {
	t.Helper()
	if err := s.rules.Check(s.p); err != nil {
		d.Fatalf(t, "%s", err)
	}
}

func (s *script[P, M, V]) deal(d *datadriven.TestData) (err error) {
	if d.Input != "" {
		s.p, err = s.setUp(d.Input)
		return err
	}
	setup := game.Setup{Edition: s.rules.Editions[0].Name, First: game.NoSeat}
	var seed uint64
	for _, arg := range d.CmdArgs {
		value := strings.Join(arg.Vals, " ")
		switch arg.Key {
		case "players":
			setup.Players, err = strconv.Atoi(value)
		case "seed":
			seed, err = strconv.ParseUint(value, 10, 64)
		case "edition":
			setup.Edition = value
		case "first":
			setup.First, err = game.ParseSeat(value)
		default:
			if n, notNumber := strconv.Atoi(value); notNumber == nil {
				setup.Options = map[string]int{arg.Key: n}
			} else {
				setup.Choices = map[string][]string{arg.Key: arg.Vals}
			}
		}
		if err != nil {
			return err
		}
	}
	s.p, err = s.rules.Deal(setup, rand.New(rand.NewPCG(seed, 0)))
	return err
}

// play plays line by line. A line that begins with # is a remark.
func (s *script[P, M, V]) play(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	var told strings.Builder
	for line := range strings.Lines(d.Input) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		letter, words, _ := strings.Cut(line, " ")
		seat, err := game.ParseSeat(letter)
		if err != nil {
			d.Fatalf(t, "%q: %s", line, err)
		}
		fmt.Fprintf(&told, "%s\n", line)
		for _, sentence := range s.say(seat, words) {
			fmt.Fprintf(&told, "  %s\n", sentence)
		}
		s.check(t, d)
	}
	return told.String()
}

// say plays one move and answers with what happened and who is asked now, or with why it was refused.
func (s *script[P, M, V]) say(seat game.Seat, words string) (told []string) {
	m, legal := s.find(seat, words)
	if !legal {
		refusal := s.rules.Refuse(s.p, seat, words)
		return []string{fmt.Sprintf("refused: %s (%s)", refusal.Code, refusal.Rule)}
	}
	var ev game.Events
	s.p = s.p.Play(m, &ev)
	for _, e := range ev.List() {
		told = append(told, sentence(e))
	}
	return append(told, s.asked())
}

func (s *script[P, M, V]) find(seat game.Seat, words string) (m M, found bool) {
	if seat != s.p.Turn() {
		return m, false
	}
	for _, m := range s.p.Moves(nil) {
		if m.String() == words {
			return m, true
		}
	}
	return m, false
}

// sentence is an event in one line: who, what was done, where, how many, to whom, what was seen or moved, and by which
// paragraph; and to whom alone that was shown.
func sentence(e game.Event) string {
	words := e.Seat.String() + " " + e.Verb
	if e.At != "" {
		words += " " + e.At
	}
	if e.N != 0 {
		words += " " + strconv.Itoa(e.N)
	}
	if to := e.To.String(); to != "" {
		words += " to " + to
	}
	if e.What != "" {
		words += ": " + e.What
	}
	words += " (" + e.Rule + ")"
	if e.Stays {
		words += ", for good"
	}
	if e.Secret != 0 {
		words += ", shown to " + join(e.Secret.List(), " and ")
	}
	return words
}

// asked is who is asked now, what and by which paragraph, and what he may answer; or who has won.
func (s *script[P, M, V]) asked() string {
	if outcome := s.p.Outcome(); outcome.Over {
		return "over: won by " + join(outcome.Winners.List(), " and ") + scores(outcome.Scores)
	}
	var groups []string
	moves := s.p.Moves(nil)
	for len(moves) > 0 {
		n := alike(moves)
		groups = append(groups, shorten(moves[:n]))
		moves = moves[n:]
	}
	q := s.p.Asks()
	return fmt.Sprintf("asked: %s %s (%s): %s", s.p.Turn(), q.Word, q.Rule, strings.Join(groups, " | "))
}

// scores are the points of all who have any.
func scores(of game.Scores) (words string) {
	for s, points := range of {
		if points != 0 {
			words += fmt.Sprintf(", %s has %d", game.Seat(s), points)
		}
	}
	return words
}

// alike is how many moves at the beginning of the list are the same verb with one word after it.
func alike[M game.Move](moves []M) int {
	verb, what, two := strings.Cut(moves[0].String(), " ")
	if !two || strings.Contains(what, " ") {
		return 1
	}
	n := 1
	for n < len(moves) && strings.HasPrefix(moves[n].String(), verb+" ") {
		n++
	}
	return n
}

// shorten writes moves of one verb with the verb once, and a long list of them as their number.
func shorten[M game.Move](moves []M) string {
	const long = 8
	verb, _, _ := strings.Cut(moves[0].String(), " ")
	switch {
	case len(moves) == 1:
		return moves[0].String()
	case len(moves) > long:
		return fmt.Sprintf("%s … (%d)", verb, len(moves))
	}
	words := verb
	for _, m := range moves {
		words += strings.TrimPrefix(m.String(), verb)
	}
	return words
}

func join[T fmt.Stringer](things []T, between string) string {
	words := make([]string, len(things))
	for i, thing := range things {
		words[i] = thing.String()
	}
	return strings.Join(words, between)
}
