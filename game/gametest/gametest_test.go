package gametest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"caveau/game"
)

// A toy is a game of two players that is just large enough for the laws: six cards, from one to six, lie face down. Each
// in turn takes one and turns it up, until one is left; who has the most points wins.
type toy struct {
	table
	card [6]number
}

// The table is the open part of a toy.
type table struct {
	lie    lie
	turn   game.Seat
	up     uint8 // a bit for each card
	points [2]number
}

type number uint8

var numbers = []string{"", "one", "two", "three", "four", "five", "six"}

func (n number) String() string { return numbers[n] }

// A lie is what is wrong with a toy, if anything; each breaks one law.
type lie uint8

const (
	honest         lie = iota
	writesWrong        // the deal that it writes is another one
	asksForOne         // it asks which of one card is taken
	shouts             // its notation has capitals
	saysTheSame        // two moves have the same notation
	stalls             // nothing is left to do, and it is not over
	crowns             // whoever leads has won while it goes on
	loses              // a card is lost
	findsAnother       // a card is there twice
	tosses             // the same move is not always the same
	forgets            // a sample closes what the seat has seen
	smuggles           // the view carries the truth, and the sampler returns it
	remembers          // the sampler has heard of the truth behind the view's back
	sorts              // the sampler does not shuffle
	blushes            // the order of the moves tells what lies hidden
	showsThrough       // the screen tells what lies hidden
	tellsEverybody     // an event does
	shrugs             // a refusal does not say why
	blurts             // a refusal tells what lies hidden
	squints            // the table looks otherwise from B
	blanks             // something on it is said to be nothing
	whispers           // a watcher is told something alone
	scrawls            // what lies on it is written otherwise than encoding/json would
	blots              // and so is what a seat alone sees
	conceals           // all are said to see all, and B has something of its own
	confides           // what a seat alone sees tells what lies hidden
	mumbles            // a question does not say why
	hints              // a question tells what lies hidden
	insists            // a question is asked when the game is over
	miscounts          // the winner has not the most points
	counts             // there are points before the end
	flatters           // how all stand has another one ahead than who has won
	divines            // how all stand tells what lies hidden
	keeps              // something is hidden even in the end
	promises           // the log keeps for good what is closed
	gossips            // the log keeps for good what is a secret
	obliges            // a set-up is taken that no edition names
	stiff              // and one that an edition names is not
	changes            // the usual number is not what counts
	wastes             // a move allocates
)

// What liars need besides their own value.
var (
	tossed   int
	overhead [6]number
	rubbish  []byte
)

func (p toy) Turn() game.Seat {
	if p.over() {
		return game.NoSeat
	}
	return p.turn
}

func (p toy) over() bool {
	least := 2
	if p.lie == asksForOne {
		least = 1
	}
	return 6-bits.OnesCount8(p.up) < least
}

func (p toy) Outcome() game.Outcome {
	o := game.Outcome{Over: p.over() && p.lie != stalls}
	if p.over() || p.lie == counts {
		o.Scores = game.Scores{int(p.points[0]), int(p.points[1])}
	}
	if p.over() && p.lie == miscounts {
		o.Scores[0], o.Scores[1] = o.Scores[1], o.Scores[0]+1
	}
	switch {
	case !p.over() && p.lie != crowns:
		o.Winners = 0
	case p.points[0] > p.points[1]:
		o.Winners = game.Seats(0).With(0)
	case p.points[0] < p.points[1]:
		o.Winners = game.Seats(0).With(1)
	default:
		o.Winners = game.EverySeat(2)
	}
	return o
}

func (p toy) Asks() game.Question {
	q := game.Question{Word: "take", Rule: "ch. 1"}
	switch {
	case p.lie == mumbles:
		q.Rule = ""
	case p.lie == hints && p.card[5] > 3:
		q.Rule = "ch. 2"
	case p.over() && p.lie != insists:
		return game.Question{}
	}
	return q
}

// A pick is a move: which card is taken.
type pick struct {
	card uint8
	lie  lie
}

func (m pick) String() string {
	switch m.lie {
	case shouts:
		return "TAKE " + string(rune('a'+m.card))
	case saysTheSame:
		return "take a card"
	default:
		return "take " + string(rune('a'+m.card))
	}
}

func (p toy) Moves(dst []pick) []pick {
	from := len(dst)
	if p.over() {
		return dst
	}
	for i := range uint8(6) {
		if p.up>>i&1 == 0 {
			dst = append(dst, pick{i, p.lie})
		}
	}
	if p.lie == blushes && p.card[dst[from].card] > 3 {
		slices.Reverse(dst[from:])
	}
	return dst
}

func (p toy) Play(m pick, ev *game.Events) toy {
	p.up |= 1 << m.card
	p.points[p.turn] += p.card[m.card]
	ev.Say(p.turn, "take", nil, p.card[m.card], "ch. 1")
	ev.Stays()
	p.turn = p.turn.Left(2)
	switch p.lie {
	case loses:
		p.card[m.card] = 0
	case findsAnother:
		p.card[m.card] = p.card[(m.card+1)%6]
	case tosses:
		tossed++
		p.points[0] = number(tossed % 7)
	case tellsEverybody:
		ev.Say(p.turn, "peek", nil, p.card[5], "ch. 1")
	case promises:
		ev.Say(p.turn, "peek", nil, p.card[5], "ch. 1")
		ev.Stays()
	case gossips:
		ev.Tell(game.Event{Seat: p.turn, Verb: "peek", Secret: game.EverySeat(1), Stays: true})
	case remembers:
		overhead = p.card
	case wastes:
		rubbish = make([]byte, 100)
	}
	return p
}

func (p toy) View(s game.Seat) view {
	v := view{seat: s, table: p.table}
	for i, n := range p.card {
		if p.up>>i&1 == 1 {
			v.card[i] = n
		}
	}
	if p.lie == smuggles {
		v.bag = p.card
	}
	if p.lie == showsThrough || p.lie == confides {
		overhead = p.card
	}
	if p.lie == remembers {
		overhead = p.card
	}
	return v
}

// A view of a toy is the same for everyone: nobody looks under a card.
type view struct {
	seat game.Seat
	table
	card [6]number // 0 where it is face down
	bag  [6]number // empty, unless somebody smuggles
}

func (v view) Sample(rng *rand.Rand) toy {
	p := toy{table: v.table, card: v.card}
	switch v.lie {
	case smuggles:
		p.card = v.bag
		return p
	case remembers:
		p.card = overhead
		return p
	case forgets:
		p.up &= p.up - 1
	}
	var unseen []number
	for n := number(1); n <= 6; n++ {
		if !slices.Contains(v.card[:], n) {
			unseen = append(unseen, n)
		}
	}
	if v.lie != sorts {
		rng.Shuffle(len(unseen), func(i, j int) { unseen[i], unseen[j] = unseen[j], unseen[i] })
	}
	for i := range p.card {
		if p.card[i] == 0 {
			p.card[i], unseen = unseen[0], unseen[1:]
		}
	}
	return p
}

func (v view) Shown(game.Aid) any {
	switch {
	case v.lie == showsThrough:
		return overhead[5]
	case v.lie == squints && v.seat == 1:
		return v.seat
	case v.lie == blanks:
		return map[string]any{"rat": nil}
	case v.lie == scrawls:
		return scrawl{}
	}
	shown := []string{}
	for _, n := range v.card {
		shown = append(shown, n.String())
	}
	return shown
}

func (v view) Own(game.Aid) any {
	switch {
	case v.lie == whispers && v.seat == game.Watcher:
		return "psst"
	case v.lie == confides:
		return overhead[5]
	case v.lie == blots && v.seat == 1:
		return scrawl{}
	case v.lie == conceals && v.seat == 1:
		return "psst"
	}
	return nil
}

// A scrawl writes itself as nobody else would write it.
type scrawl struct{}

func (scrawl) AppendJSON(t game.JSON) game.JSON { return append(t, '{', ' ', '}') }

// A toyDeal is a deal in the record's words.
type toyDeal struct {
	First string   `json:"first"`
	Cards []string `json:"cards"`
}

// toyRules are the rules of an honest toy, or of one that lies.
func toyRules(lie lie) game.Rules[toy] {
	return game.Rules[toy]{
		Name: "toy",
		Editions: []game.Edition{{
			MinSeats: 2, MaxSeats: 2,
			Options: []game.Option{
				{Name: "bonus", Least: 1, Most: 3, Usual: 2, Players: []int{2}},
				{Name: "crowd", Least: 1, Most: 3, Players: []int{3}},
			},
			Choices: []game.Choice{
				{Name: "pair", Of: numbers[1:], Count: 2, Players: []int{2}},
				{Name: "crowd", Of: numbers[1:], Count: 2, Players: []int{3}},
			},
		}},
		MaxMoves: 40,
		AllSee:   lie == conceals,
		Deal: func(setup game.Setup, c game.Chance) (toy, error) {
			p := toy{table: table{lie: lie}}
			if err := checkSetup(setup, lie); err != nil {
				return p, err
			}
			for i := range p.card {
				p.card[i] = number(i + 1)
			}
			game.Shuffle(c, p.card[:])
			if _, agreed := setup.Options["bonus"]; agreed && lie == changes {
				slices.Reverse(p.card[:])
			}
			return p, nil
		},
		Read:  func(_ game.Setup, text json.RawMessage) (toy, error) { return readToy(lie, text) },
		Write: func(p toy) any { return writeToy(p) },
		Dump:  func(p toy) any { return writeToy(toy{card: p.card}) },
		Check: checkToy,
		Standing: func(p toy) game.Scores {
			sc := game.Scores{int(p.points[0]), int(p.points[1])}
			switch lie {
			case flatters:
				sc[0] += 21
			case divines:
				sc[0] += int(p.card[5])
			}
			return sc
		},
		Reveal: func(p toy) any {
			switch lie {
			case keeps:
				return struct{}{}
			case scrawls:
				return scrawl{}
			}
			return writeToy(p)
		},
		Refuse: func(p toy, _ game.Seat, _ string) game.Refusal {
			if lie == blurts && p.card[0] > p.card[1] {
				return game.Refusal{Code: "higher", Rule: "ch. 1"}
			}
			if lie == shrugs {
				return game.Refusal{Code: "no"}
			}
			return game.Refusal{Code: "no", Rule: "ch. 1"}
		},
	}
}

func writeToy(p toy) toyDeal {
	d := toyDeal{First: p.turn.String()}
	for _, n := range p.card {
		d.Cards = append(d.Cards, n.String())
	}
	if p.lie == writesWrong {
		d.Cards[0], d.Cards[1] = d.Cards[1], d.Cards[0]
	}
	return d
}

func readToy(lie lie, text json.RawMessage) (toy, error) {
	var d toyDeal
	if err := json.Unmarshal(text, &d); err != nil {
		return toy{}, err
	}
	p := toy{table: table{lie: lie}}
	for i, name := range d.Cards {
		p.card[i] = number(slices.Index(numbers, name))
	}
	return p, checkToy(p)
}

func checkToy(p toy) error {
	cards := p.card
	slices.Sort(cards[:])
	if cards != [6]number{1, 2, 3, 4, 5, 6} {
		return fmt.Errorf("the cards are %v", cards)
	}
	return nil
}

// checkSetup: a toy knows a bonus of one to three and a choice of two numbers, for two players; they change nothing.
func checkSetup(setup game.Setup, lie lie) error {
	if lie == obliges {
		return nil
	}
	for name, n := range setup.Options {
		if name != "bonus" || n < 1 || n > 3 || lie == stiff && n == 3 {
			return fmt.Errorf("option %s: %d", name, n)
		}
	}
	for name, words := range setup.Choices {
		if name != "pair" || len(words) != 2 || words[0] == words[1] || !slices.Contains(numbers, words[0]) || !slices.Contains(numbers, words[1]) {
			return fmt.Errorf("choice %s: %s", name, words)
		}
	}
	return nil
}

// broken is what a law finds in a game.
func broken[P game.Position[P, M, V], M game.Move, V game.View[P]](t *testing.T, rules game.Rules[P], name string) error {
	t.Helper()
	for _, law := range lawsOf[P, M, V]() {
		if !strings.HasPrefix(law.name, name+":") {
			continue
		}
		for seed := range uint64(law.games) {
			w := world[P, M, V]{rules: rules, setup: game.Setup{Players: 2, First: game.NoSeat}, rng: rand.New(rand.NewPCG(seed, 2))}
			if err := law.holds(&w); err != nil {
				return err
			}
		}
		return nil
	}
	t.Fatalf("there is no law of the name of %q", name)
	return nil
}

func TestAnHonestGameKeepsTheLaws(t *testing.T) { Run(t, toyRules(honest)) }

func TestEachLieIsCaughtByItsLaw(t *testing.T) {
	for _, test := range []struct {
		lie  lie
		law  string
		says string
	}{
		{writesWrong, "deal", "another position"},
		{asksForOne, "moves", "has 1 moves"},
		{shouts, "notation", `"TAKE a" is no notation`},
		{saysTheSame, "notation", `"take a card" is`},
		{stalls, "end", "not over after 5 moves, and nothing is left to do"},
		{loses, "check", "the cards are"},
		{findsAnother, "check", "the cards are"},
		{tosses, "same", "is not the same twice"},
		{forgets, "sample", "is not the truth"},
		{smuggles, "independence", "too few twin worlds"},
		{smuggles, "no leak", "no twin world"},
		{remembers, "independence", "samples lean"},
		{sorts, "independence", "samples lean"},
		{blushes, "no tell", "tell what lies hidden"},
		{showsThrough, "no leak", "what lies on the table"},
		{confides, "no leak", "alone sees"},
		{hints, "no leak", "what is asked"},
		{squints, "table", "another table lies before"},
		{blanks, "table", "said to be nothing"},
		{whispers, "table", "something of his own"},
		{scrawls, "table", "lies on the table is written otherwise"},
		{blots, "table", `"B" alone has is written otherwise`},
		{conceals, "table", "all are said to see all"},
		{mumbles, "question", "and a rule"},
		{hints, "question", "what lies hidden"},
		{insists, "question", "nobody is asked"},
		{miscounts, "points", "have won with the points"},
		{counts, "points", "goes on"},
		{flatters, "standing", "have won, and all stand at"},
		{divines, "standing", "tells what lies hidden"},
		{keeps, "reveal", "something stays hidden"},
		{scrawls, "reveal", "is written otherwise"},
		{promises, "for good", "the table does not"},
		{gossips, "for good", "not everybody may know it"},
		{obliges, "setup", "no edition names"},
		{stiff, "setup", "bonus, 3: may be agreed on: true"},
		{changes, "setup", "as is usual"},
		{tellsEverybody, "no leak", "hears tells them apart"},
		{shrugs, "refusal", "a code and a rule"},
		{blurts, "no word", "is refused as"},
		{wastes, "thrift", "allocate"},
	} {
		err := broken(t, toyRules(test.lie), test.law)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("lie %d, law %q: found %v, want something about %q", test.lie, test.law, err, test.says)
		}
	}
}

// A stopped game is not over: all five moves would have ended it, and the table allows only three.
func stoppedToy(lie lie) game.Rules[toy] {
	rules := toyRules(lie)
	rules.MaxMoves = 3
	return rules
}

func TestAStoppedGameKeepsTheLaws(t *testing.T) { Run(t, stoppedToy(honest)) }

func TestAStoppedGameHasNoWinner(t *testing.T) {
	if err := broken(t, stoppedToy(crowns), "end"); err == nil || !strings.Contains(err.Error(), "stopped after 3 moves, and ends with") {
		t.Errorf("whoever leads when a game is stopped has won: found %v", err)
	}
}

func TestAGameHasToBeStoppedSomeTime(t *testing.T) {
	rules := toyRules(honest)
	rules.MaxMoves = 0
	if err := broken(t, rules, "end"); err == nil || !strings.Contains(err.Error(), "stopped before the first move") {
		t.Errorf("rules that name no last move: found %v", err)
	}
}

// A pointing toy has something that its copies share.
type pointing struct {
	toy
	at [1]struct{ card *number }
}

func (p pointing) Play(m pick, ev *game.Events) pointing {
	p.toy = p.toy.Play(m, ev)
	p.at[0].card = &p.card[m.card]
	return p
}

func (p pointing) View(s game.Seat) pointingView { return pointingView{p.toy.View(s)} }

type pointingView struct{ view }

func (v pointingView) Sample(rng *rand.Rand) pointing { return pointing{toy: v.view.Sample(rng)} }

func TestAPointerIsFound(t *testing.T) {
	if err := broken[pointing, pick, pointingView](t, game.Rules[pointing]{}, "value"); err == nil || !strings.Contains(err.Error(), "at card *gametest.number") {
		t.Errorf("a position with a pointer: %v", err)
	}
	if err := broken(t, toyRules(honest), "value"); err != nil {
		t.Error(err)
	}
}

// A deal that fails is told of, and so is a game that refuses its own deal.
func TestADealThatFails(t *testing.T) {
	rules := toyRules(honest)
	fault := errors.New("no cards")
	rules.Read = func(game.Setup, json.RawMessage) (toy, error) { return toy{}, fault }
	if err := broken(t, rules, "deal"); !errors.Is(err, fault) {
		t.Errorf("a deal that cannot be read: %v", err)
	}
	rules.Deal = func(game.Setup, game.Chance) (toy, error) { return toy{}, fault }
	if err := broken(t, rules, "end"); !errors.Is(err, fault) {
		t.Errorf("a deal that fails: %v", err)
	}
}
