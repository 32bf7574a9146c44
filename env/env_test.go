package env_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"caveau/catalog"
	"caveau/env"
	"caveau/game"
)

// A pupil is a program that is served, and speaks to it.
type pupil struct {
	testing.TB
	say  *io.PipeWriter
	hear *bufio.Reader

	space   env.Space
	games   int
	players int
}

func newPupil(t testing.TB) *pupil {
	in, say := io.Pipe()
	hear, out := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- env.Serve(catalog.House, in, out) }()
	t.Cleanup(func() {
		say.Close()
		if err := <-served; err != nil {
			t.Errorf("it ends with %v", err)
		}
	})
	return &pupil{TB: t, say: say, hear: bufio.NewReaderSize(hear, 1<<20)}
}

// line says a line, and hears the answer.
func (p *pupil) line(format string, args ...any) string {
	p.Helper()
	if _, err := fmt.Fprintf(p.say, format+"\n", args...); err != nil {
		p.Fatal(err)
	}
	line, err := p.hear.ReadString('\n')
	if err != nil {
		p.Fatal(err)
	}
	return strings.TrimSuffix(line, "\n")
}

// told says a line that is done, and reads the answer.
func (p *pupil) told(into any, format string, args ...any) {
	p.Helper()
	answer := p.line(format, args...)
	if err := json.Unmarshal([]byte(answer), into); err != nil || !strings.HasPrefix(answer, `{"`) || strings.HasPrefix(answer, `{"error"`) {
		p.Fatalf("%s is answered with %.300s", fmt.Sprintf(format, args...), answer)
	}
}

// make makes games.
func (p *pupil) make(terms string) *pupil {
	p.Helper()
	var made struct {
		Games, Players int
		Space          env.Space
	}
	p.told(&made, `{"do":"make",%s}`, terms)
	p.space, p.games, p.players = made.Space, made.Games, made.Players
	return p
}

// ask says a packed message, and hears whether it was done.
func (p *pupil) ask(op byte, said []byte) (text []byte, done bool) {
	p.Helper()
	head := binary.LittleEndian.AppendUint32([]byte{0, op, 0, 0}, uint32(len(said)))
	if _, err := p.say.Write(append(head, said...)); err != nil {
		p.Fatal(err)
	}
	if _, err := io.ReadFull(p.hear, head); err != nil {
		p.Fatal(err)
	}
	text = make([]byte, binary.LittleEndian.Uint32(head[4:]))
	if _, err := io.ReadFull(p.hear, text); err != nil {
		p.Fatal(err)
	}
	return text, head[1] == 0
}

const (
	step    = 1
	look    = 2
	observe = 3
)

// A seen is what is told of all games, taken apart as docs/env.md says.
type seen struct {
	all          []byte
	returns      []float32 // by game, and by seat
	turns, flags []byte
	masks, rows  [][]byte
}

func (p *pupil) seen(all []byte) (s seen) {
	p.Helper()
	s.all = all
	rest := game.Row(all)
	for range p.games * p.players {
		s.returns = append(s.returns, math.Float32frombits(binary.LittleEndian.Uint32(rest.Take(4))))
	}
	s.turns, s.flags = rest.Take(p.games), rest.Take(p.games)
	for range p.games {
		s.masks = append(s.masks, rest.Take(p.space.Mask))
	}
	for range p.games {
		s.rows = append(s.rows, rest.Take(p.space.Row))
	}
	if len(rest) > 0 {
		p.Fatalf("%d bytes are left", len(rest))
	}
	return s
}

func (p *pupil) look() seen {
	p.Helper()
	all, done := p.ask(look, nil)
	if !done {
		p.Fatalf("look: %s", all)
	}
	return p.seen(all)
}

func numbers(actions []int32) (said []byte) {
	for _, a := range actions {
		said = binary.LittleEndian.AppendUint32(said, uint32(a))
	}
	return said
}

func (p *pupil) step(actions []int32) seen {
	p.Helper()
	all, done := p.ask(step, numbers(actions))
	if !done {
		p.Fatalf("step: %s", all)
	}
	return p.seen(all)
}

// legal are the actions of a mask.
func legal(mask []byte) (actions []int32) {
	for i, eight := range mask {
		for ; eight != 0; eight &= eight - 1 {
			actions = append(actions, int32(8*i+bits.TrailingZeros8(eight)))
		}
	}
	return actions
}

// any is an action for every game that is not over.
func (s seen) any(rng *rand.Rand) []int32 {
	actions := make([]int32, len(s.masks))
	for g := range actions {
		actions[g] = -1
		if may := legal(s.masks[g]); len(may) > 0 {
			actions[g] = may[rng.IntN(len(may))]
		}
	}
	return actions
}

// part is a field of a row.
func (p *pupil) part(row []byte, name string) []byte {
	p.Helper()
	at := 0
	for _, f := range p.space.Fields {
		if f.Name == name {
			return row[at:][:f.Size()]
		}
		at += f.Size()
	}
	p.Fatalf("there is no field %q", name)
	return nil
}

// sight is what one reads of a game.
type sight struct {
	Game                    int
	You, Turn, Asked, Cites string
	Shown, Own              json.RawMessage
	Events                  []game.Event
	Moves                   []string
	Actions                 []int32
	Ended                   *struct {
		Winners []game.Seat
		Why     string
		Scores  []int
		Returns []float32
	}
}

func (p *pupil) read(game int, seat string) sight {
	p.Helper()
	var is struct{ Sight sight }
	p.told(&is, `{"do":"observe","n":%d,"seat":%q}`, game, seat)
	return is.Sight
}

var everything = []string{
	`"game":"dawn-under","edition":"2004","players":4,"aid":"all","games":3,"seed":5,"events":8`,
	`"game":"dawn-under","edition":"rucola","players":3,"games":3,"seed":5,"moves":400,"events":3`,
	`"game":"dawn-under","edition":"2017","players":2,"aid":"marks","games":3,"seed":5,"options":{"maxVampires":6}`,
	`"game":"toc-toc-toc","players":3,"games":3,"seed":5,"events":4`,
	`"game":"toc-toc-toc","players":5,"aid":"all","games":3,"seed":5`,
}

// The same seed brings the same games, whatever was played there before and in whatever places; another seed brings others.
func TestTheSameSeed(t *testing.T) {
	for _, terms := range everything {
		p, other := newPupil(t).make(terms), newPupil(t).make(terms)
		play := func(p *pupil, seed uint64) (all [][]byte) {
			p.line(`{"do":"reset","seed":%d}`, seed)
			s, rng := p.look(), rand.New(rand.NewPCG(1, 1))
			for range 60 {
				all = append(all, s.all)
				s = p.step(s.any(rng))
			}
			return all
		}
		first := play(p, 9)
		play(p, 10)
		if again, there := play(p, 9), play(other, 9); !slices.EqualFunc(first, again, bytes.Equal) || !slices.EqualFunc(first, there, bytes.Equal) {
			t.Errorf("%s: the same seed brings another game", terms)
		}
		if slices.EqualFunc(first, play(p, 10), bytes.Equal) {
			t.Errorf("%s: another seed brings the same game", terms)
		}
		p.line(`{"do":"reset","seed":9,"which":[2]}`)
		other.line(`{"do":"reset","seed":9}`)
		if !bytes.Equal(p.look().rows[2], other.look().rows[0]) {
			t.Errorf("%s: in another place the same seed brings another game", terms)
		}
	}
}

// What is read and what is packed is the same: who is asked, what, which moves there are by which numbers, what has happened; and rows are
// those of the seat that looks.
func TestWhatIsReadIsPacked(t *testing.T) {
	for _, terms := range everything {
		p := newPupil(t).make(terms)
		s, rng := p.look(), rand.New(rand.NewPCG(2, 1))
		for range 120 {
			for g := range p.games {
				for seat := range game.Seat(p.players) {
					is := p.read(g, seat.String())
					text, done := p.ask(observe, binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(g)), uint32(seat)+1))
					if !done {
						t.Fatalf("observe: %s", text)
					}
					mask, row := text[:p.space.Mask], text[p.space.Mask:]
					p.isToldAlike(is, mask, row)
					if is.Turn == is.You && (!bytes.Equal(mask, s.masks[g]) || !bytes.Equal(row, s.rows[g]) || s.turns[g] != byte(seat)+1) {
						t.Fatalf("%s: whoever is asked sees something else when he looks again", terms)
					}
				}
			}
			s = p.step(s.any(rng))
		}
	}
}

// isToldAlike compares what one reads with a mask and a row.
func (p *pupil) isToldAlike(is sight, mask, row []byte) {
	p.Helper()
	if !slices.Equal(slices.Sorted(slices.Values(is.Actions)), legal(mask)) || (is.Turn == is.You) != (len(is.Moves) > 0) {
		p.Fatalf("the moves are read as %v and packed as %v", is.Actions, legal(mask))
	}
	for i, a := range is.Actions {
		if p.space.Actions[a] != is.Moves[i] {
			p.Fatalf("action %d is %q, not %q", a, p.space.Actions[a], is.Moves[i])
		}
	}
	seat := func(code byte) string { return game.Seat(code - 1).String() }
	word := func(list []string, code byte) string {
		if code == 0 {
			return ""
		}
		return list[code-1]
	}
	if you, turn := p.part(row, "you")[0], p.part(row, "turn")[0]; seat(you) != is.You || seat(turn) != is.Turn {
		p.Fatalf("%s looks and %q is asked, packed as %d and %d", is.You, is.Turn, you, turn)
	}
	if asked := p.part(row, "asked")[0]; is.Asked == "" && asked != 0 || is.Asked != "" && p.space.Questions[asked-1] != (game.Question{Word: is.Asked, Rule: is.Cites}) {
		p.Fatalf("%s (%s) is asked, packed as %d", is.Asked, is.Cites, asked)
	}
	if !slices.ContainsFunc(p.space.Fields, func(f game.Field) bool { return f.Name == "events" }) {
		return
	}
	packed := p.part(row, "events")
	packed = packed[len(packed)-6*len(is.Events):]
	for i, e := range is.Events {
		x := packed[6*i:][:6]
		if word(p.space.Verbs, x[0]) != e.Verb || seat(x[1]) != e.Seat.String() || word(p.space.Places, x[2]) != e.At ||
			word(p.space.Things, x[3]) != e.What || int(x[4]) != e.N || seat(x[5]) != e.To.String() {
			p.Fatalf("%+v is packed as %v", e, x)
		}
	}
}

// Nobody is told what another has knocked with, in words or in numbers.
func TestEventsAreRedacted(t *testing.T) {
	p := newPupil(t).make(`"game":"toc-toc-toc","players":3,"events":1`)
	p.step(p.look().any(rand.New(rand.NewPCG(3, 3))))
	knows := 0
	for seat := range game.Seat(3) {
		e := p.read(0, seat.String()).Events[0]
		if e.Verb != "knock" {
			t.Fatalf("the first move brings %+v", e)
		}
		if e.What != "" {
			knows++
		}
	}
	if knows != 1 {
		t.Errorf("%d know the card", knows)
	}
	knocks, door := p.read(0, "A").Events[0].Seat, p.look().turns[0]
	p.told(&struct{}{}, `{"do":"resample","n":0,"seat":%q}`, game.Seat(door-1))
	if e := p.read(0, knocks.String()).Events[0]; e.What != "" {
		t.Errorf("whoever resamples what he sees is told in the name of another that it was %s", e.What)
	}
}

// Each has his own hand before him, whoever is asked.
func TestHandsAreOnesOwn(t *testing.T) {
	p := newPupil(t).make(`"game":"toc-toc-toc","players":3,"seed":5`)
	hands := map[string]bool{}
	for seat := range game.Seat(3) {
		hands[string(p.read(0, seat.String()).Own)] = true
	}
	if len(hands) != 3 {
		t.Errorf("three have the hands %v", hands)
	}
}

// A table shows again what was seen as far as its aid goes, and no further.
func TestAidIsTheTables(t *testing.T) {
	for aid, want := range map[string][2]bool{"": {}, "marks": {true, false}, "all": {true, true}} {
		p := newPupil(t).make(fmt.Sprintf(`"game":"dawn-under","edition":"2004","players":2,"seed":5,"aid":%q`, aid))
		rng, marks, recalls := rand.New(rand.NewPCG(5, 5)), false, false
		for range 20 {
			p.step(p.look().any(rng))
			shown := string(p.read(0, "A").Shown)
			marks, recalls = marks || strings.Contains(shown, `"mark":`), recalls || strings.Contains(shown, `"recall":`)
		}
		if got := [2]bool{marks, recalls}; got != want {
			t.Errorf("aid %q: what was opened is marked, and told again: %v, want %v", aid, got, want)
		}
	}
}

// Games end: those who have won share one point, the others have nothing; who plays on is refused, or is dealt another game.
func TestReturns(t *testing.T) {
	for _, auto := range []bool{false, true} {
		p := newPupil(t).make(fmt.Sprintf(`"game":"toc-toc-toc","players":4,"games":40,"auto":%t`, auto))
		s, rng := p.look(), rand.New(rand.NewPCG(4, 1))
		first, finished := s, 0
		for moves := 0; finished < p.games; moves++ {
			if s = p.step(s.any(rng)); moves > 200 {
				t.Fatal("the games have no end")
			}
			for g, flag := range s.flags {
				sum := float32(0)
				for _, r := range s.returns[4*g:][:4] {
					sum += r
				}
				if flag == 0 && sum != 0 || flag == 1 && math.Abs(float64(sum-1)) > 1e-6 {
					t.Fatalf("the returns %v go with flag %d", s.returns[4*g:][:4], flag)
				}
				if flag == 1 && auto {
					if finished++; s.turns[g] == 0 || bytes.Equal(s.rows[g], first.rows[g]) {
						t.Fatal("no other game has begun")
					}
				}
			}
			if !auto {
				finished = bytes.Count(s.flags, []byte{1})
			}
		}
		if auto {
			continue
		}
		is := p.read(7, "B")
		best := slices.Max(is.Ended.Scores)
		for seat, points := range is.Ended.Scores {
			if won := slices.Contains(is.Ended.Winners, game.Seat(seat)); won != (points == best) || won != (is.Ended.Returns[seat] > 0) || is.Ended.Returns[seat] != s.returns[4*7+seat] {
				t.Errorf("it ended with %+v, packed as %v", is.Ended, s.returns[28:32])
			}
		}
		if text, done := p.ask(step, numbers(make([]int32, p.games))); done || !strings.Contains(string(text), "the game is over") {
			t.Errorf("whoever plays on hears %s", text)
		}
	}
}

// A game that lasts too long is stopped, and nobody has won.
func TestStopped(t *testing.T) {
	p := newPupil(t).make(`"game":"dawn-under","edition":"2004","players":4,"moves":10`)
	s, rng := p.look(), rand.New(rand.NewPCG(5, 1))
	for range 10 {
		s = p.step(s.any(rng))
	}
	if is := p.read(0, "A"); s.flags[0] != 3 || s.turns[0] != 0 || slices.Max(s.returns) != 0 || is.Ended.Why != "stopped" || is.Turn != "" {
		t.Errorf("after ten moves it is %v, %+v", s, is.Ended)
	}
}

// Whoever says something illegal hears what and where, in lines and packed, and no game was moved; -1 leaves a game alone.
func TestIllegal(t *testing.T) {
	p := newPupil(t).make(`"game":"dawn-under","edition":"2004","players":4,"games":3`)
	before := p.look()
	for _, x := range []struct {
		action int32
		why    string
	}{
		{60, `"stop" is no move now`}, {5000, "the actions are 0 to 206"}, {-2, "the actions are 0 to 206"},
	} {
		text, done := p.ask(step, numbers([]int32{0, x.action, 0}))
		line := p.line(`{"do":"step","actions":[0,%d,0]}`, x.action)
		for _, answer := range []string{string(text), line} {
			if done || !strings.Contains(answer, `"code":"illegal"`) || !strings.Contains(answer, fmt.Sprintf(`"n":1,"action":%d`, x.action)) ||
				!strings.Contains(strings.ReplaceAll(answer, `\"`, `"`), x.why) {
				t.Errorf("%d is answered with %s", x.action, answer)
			}
		}
		if !bytes.Equal(p.look().all, before.all) {
			t.Fatalf("after %d something has changed", x.action)
		}
	}
	after := p.step([]int32{-1, 0, -1})
	if !bytes.Equal(after.rows[0], before.rows[0]) || bytes.Equal(after.rows[1], before.rows[1]) || !bytes.Equal(after.rows[2], before.rows[2]) {
		t.Error("it is not the one in the middle alone that was moved")
	}
}

// What is not understood is said, and nothing is lost: the games are as they were.
func TestRefused(t *testing.T) {
	p := newPupil(t)
	for _, early := range []string{`{"do":"look"}`, `{"do":"step","actions":[]}`, `{"do":"reset"}`} {
		if answer := p.line("%s", early); !strings.Contains(answer, `"code":"not_made"`) {
			t.Errorf("%s is answered with %s", early, answer)
		}
	}
	if text, done := p.ask(look, nil); done || !strings.Contains(string(text), "not_made") {
		t.Errorf("look is answered with %s", text)
	}
	p.make(`"game":"toc-toc-toc","players":3,"games":2`)
	before := p.look()
	for say, code := range map[string]string{
		`{"do":"fly"}`:                 "bad_message",
		`[1]`:                          "bad_message",
		`{"do":"look"`:                 "bad_message",
		`nothing`:                      "bad_message",
		`{"do":"look","colour":"red"}`: "bad_message",
		`{"do":"games","n":1}`:         "bad_message",
		`{"do":"make","game":"chess","players":2}`:                             "bad_terms",
		`{"do":"make","game":"toc-toc-toc","players":9}`:                       "bad_terms",
		`{"do":"make","game":"toc-toc-toc","players":3,"edition":"2004"}`:      "bad_terms",
		`{"do":"make","game":"toc-toc-toc","players":3,"aid":"some"}`:          "bad_terms",
		`{"do":"make","game":"toc-toc-toc","players":3,"games":0}`:             "bad_terms",
		`{"do":"make","game":"toc-toc-toc","players":3,"games":100000}`:        "bad_terms",
		`{"do":"make","game":"toc-toc-toc","players":3,"events":65}`:           "bad_terms",
		`{"do":"make","game":"toc-toc-toc","players":3,"moves":-1}`:            "bad_terms",
		`{"do":"make","game":"toc-toc-toc","players":3,"options":{"cheat":1}}`: "bad_terms",
		`{"do":"step","actions":[0]}`:                                          "bad_message",
		`{"do":"observe","n":2,"seat":"A"}`:                                    "no_such",
		`{"do":"observe","n":0,"seat":"D"}`:                                    "no_such",
		`{"do":"observe","n":0,"seat":""}`:                                     "bad_message",
		`{"do":"resample","n":0,"seat":"A","into":[1,1]}`:                      "no_such",
		`{"do":"resample","n":0,"seat":"A","into":[65536]}`:                    "no_such",
		`{"do":"reset","which":[2]}`:                                           "no_such",
	} {
		if answer := p.line("%s", say); !strings.HasPrefix(answer, `{"error":{"code":"`+code+`"`) {
			t.Errorf("%s is answered with %s", say, answer)
		}
	}
	for _, x := range []struct {
		op   byte
		said []byte
	}{{step, make([]byte, 7)}, {step, make([]byte, 4)}, {look, make([]byte, 1)}, {observe, make([]byte, 8)}, {observe, []byte{0, 0, 0, 0, 4, 0, 0, 0}}, {9, nil}} {
		if text, done := p.ask(x.op, x.said); done {
			t.Errorf("%d of %v is answered with %q", x.op, x.said, text)
		}
	}
	if !bytes.Equal(p.look().all, before.all) {
		t.Error("something has changed")
	}
}

// What breaks off is an error; what is too long is not read.
func TestBrokenOff(t *testing.T) {
	for said, why := range map[string]string{
		"\x00\x01":                          "breaks off",
		"\x00\x01\x00\x00\x08\x00\x00\x00a": "breaks off",
		"\x00\x01\x00\x00\xff\xff\xff\xff":  "may have",
		strings.Repeat(" ", 1<<20+1):        "more than",
	} {
		if err := env.Serve(catalog.House, strings.NewReader(said), io.Discard); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.20q: %v", said, err)
		}
	}
}

// A resample looks the same to its seat, now and in what has happened, and is another state; it follows from its seed, and the game that it
// was drawn from goes on as it would have gone. From there it can be played on.
func TestResample(t *testing.T) {
	for _, terms := range everything {
		p := newPupil(t).make(terms)
		s, rng := p.look(), rand.New(rand.NewPCG(6, 1))
		for range 25 {
			s = p.step(s.any(rng))
		}
		seat := game.Seat(s.turns[0] - 1).String()
		is := p.read(0, seat)
		p.told(&struct{}{}, `{"do":"resample","n":0,"seat":%q,"into":[5,1,6],"seed":3}`, seat)
		p.games = 7
		after := p.look()
		if !bytes.Equal(after.rows[0], s.rows[0]) {
			t.Errorf("%s: the game itself has changed", terms)
		}
		p.told(&struct{}{}, `{"do":"resample","n":0,"seat":%q,"into":[2,3],"seed":3}`, seat)
		p.told(&struct{}{}, `{"do":"resample","n":0,"seat":%q,"into":[3,4],"seed":3}`, seat)
		if now := p.look(); !bytes.Equal(now.rows[2], now.rows[3]) || p.future(2) != p.future(3) {
			t.Errorf("%s: the same seed draws another state", terms)
		}
		ends := map[string]bool{}
		for _, g := range []int{0, 5, 1, 6} {
			there := p.read(g, seat)
			there.Game = 0
			if fmt.Sprintf("%+v", there) != fmt.Sprintf("%+v", is) {
				t.Errorf("%s: to %s game %d is\n%+v\nand not\n%+v", terms, seat, g, there, is)
			}
			ends[p.future(g)] = true
		}
		if len(ends) < 3 {
			t.Errorf("%s: four games that look the same end in %d ways", terms, len(ends))
		}
	}
}

// future plays a game on, always by the first move, and says what its seats see then. Afterwards all games are other ones.
func (p *pupil) future(g int) (seen string) {
	p.Helper()
	for range 60 {
		s := p.look()
		actions := slices.Repeat([]int32{-1}, p.games)
		may := legal(s.masks[g])
		if len(may) == 0 {
			break
		}
		actions[g] = may[0]
		seen += string(p.step(actions).rows[g])
	}
	return seen
}

// Whoever is not asked draws others' hands as well, and what may be done in what he drew follows from these: of the true hand he learns nothing.
func TestAResampledHandHasMovesOfItsOwn(t *testing.T) {
	p := newPupil(t).make(`"game":"toc-toc-toc","players":3,"seed":5`)
	asked := p.read(0, "A").Turn
	other := game.Seat((p.look().turns[0]) % 3).String() // whoever sits after the one who is asked
	p.told(&struct{}{}, `{"do":"resample","n":0,"seat":%q,"into":[1,2,3,4,5,6,7,8]}`, other)
	for g := range 9 {
		there := p.read(g, asked)
		var own struct{ Hand []string }
		if err := json.Unmarshal(there.Own, &own); err != nil {
			t.Fatal(err)
		}
		var may []string
		for _, move := range there.Moves {
			if words := strings.Fields(move); !slices.Contains(may, words[2]) { // knock C ghost
				may = append(may, words[2])
			}
		}
		slices.Sort(own.Hand)
		slices.Sort(may)
		if own.Hand = slices.Compact(own.Hand); !slices.Equal(own.Hand, may) {
			t.Errorf("in game %d, which %s drew where %s is asked, one has %v and may knock with %v", g, other, asked, own.Hand, may)
		}
	}
}

// Two that are served at once, or one after the other with more processors, are told the same.
func TestManyGamesAreTheSame(t *testing.T) {
	terms := `"game":"toc-toc-toc","players":3,"games":%d,"auto":true,"seed":8`
	few, many := newPupil(t).make(fmt.Sprintf(terms, 5)), newPupil(t).make(fmt.Sprintf(terms, 500))
	a, b, rng := few.look(), many.look(), rand.New(rand.NewPCG(7, 1))
	for range 300 {
		actions := b.any(rng)
		a, b = few.step(actions[:5]), many.step(actions)
		for g := range few.games {
			if !bytes.Equal(a.rows[g], b.rows[g]) || a.flags[g] != b.flags[g] {
				t.Fatal("among many a game is another one")
			}
		}
	}
}

// BenchmarkEnv is what a move costs that is said and told, packed and in lines of JSON, to whoever moves at random and does not read the
// lines; and how many games that makes in a second.
func BenchmarkEnv(b *testing.B) {
	for _, table := range []string{`"game":"dawn-under","edition":"2004","players":4`, `"game":"toc-toc-toc","players":4`} {
		name := strings.Split(table, `"`)[3]
		for _, way := range []string{"packed", "json"} {
			b.Run(name+"/"+way, func(b *testing.B) {
				p := newPupil(b).make(table + `,"games":256,"auto":true`)
				s, rng := p.look(), rand.New(rand.NewPCG(1, 1))
				moves, ended := 0, 0
				for b.Loop() {
					if way == "packed" {
						s = p.step(s.any(rng))
					} else {
						p.line(`{"do":"step","actions":%s}`, strings.ReplaceAll(fmt.Sprint(s.any(rng)), " ", ","))
						s = p.look()
					}
					moves += p.games
					ended += p.games - bytes.Count(s.flags, []byte{0})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(moves), "ns/move")
				b.ReportMetric(float64(ended)/b.Elapsed().Seconds(), "games/s")
			})
		}
	}
}
