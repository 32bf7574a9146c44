package tocbot

import (
	"flag"
	"fmt"
	"go/format"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"caveau/game"
	"caveau/games/toctoc"
)

var learn = flag.Int("learn", 0, "learn habits from so many games, and write learned.go: 30000 for those that the bot has")

// A learner plays against himself and matches regrets: what he would rather have done he does the more often. Whether he opens
// follows from them in proportion, those below nought forgotten (Hart and Mas-Colell 2000, Tammelin 2014). What he knocks with is
// now one thing and now another, so of that each mean regret is an exponent (Freund and Schapire 1997). What he has done on the
// average are his habits.
type learner struct {
	now     habits // what he does in the next game
	regrets struct {
		open, shut, knock habits // how much better each was than what he did, in all
	}
	could habits // how often he could have, in all
	times habits // how often he could, since he is no beginner
	did   habits // and how much of that he did
	dice  *rand.PCG
}

const (
	deliberate = 6   // he thinks over one decision of so many
	sharper    = 150 // he does e times as often what brings him one in so many games more
)

func (l *learner) game(players int) error {
	p, err := toctoc.Rules.Deal(game.Setup{Players: players, First: game.NoSeat}, rand.New(l.dice))
	if err != nil {
		return err
	}
	for p.Asked() != game.NoSeat {
		if l.dice.Uint64()%deliberate == 0 && p.Host() == game.NoSeat {
			if p.Door() == game.NoSeat {
				l.knocks(&p)
			} else {
				l.answers(&p)
			}
		}
		p.Do(l.now.move(&p, l.dice), nil)
	}
	return nil
}

// after is how likely a seat wins after a move, as far as that can be seen at once.
func (l *learner) after(p *toctoc.Position, m toctoc.Move, luck uint64, s game.Seat) float32 {
	q := *p
	q.Do(m, nil)
	return float32(l.now.playOn(&q, 0, luck, s))
}

func (l *learner) answers(p *toctoc.Position) {
	home, knocker, hand := stakesOf(p.Party(p.Door())), stakesOf(p.Party(p.Knocker())), p.Hand(p.Knocker())
	in := func(h *habits) cell { return h.door(&home, &knocker, &hand, p.Pile()) }
	luck, s := l.dice.Uint64(), p.Door()
	open, shut := l.after(p, toctoc.Accept, luck, s), l.after(p, toctoc.Refuse, luck, s)
	often := *in(&l.now)
	*in(&l.regrets.open) = max(0, *in(&l.regrets.open)+(1-often)*(open-shut))
	*in(&l.regrets.shut) = max(0, *in(&l.regrets.shut)+often*(shut-open))
	*in(&l.times)++
	*in(&l.did) += often
	if a, b := *in(&l.regrets.open), *in(&l.regrets.shut); a+b > 0 {
		*in(&l.now) = a / (a + b)
	}
}

func (l *learner) knocks(p *toctoc.Position) {
	me, hand, pile := p.Knocker(), p.Hand(p.Knocker()), p.Pile()
	mine := stakesOf(p.Party(me))
	type choice struct {
		in     func(*habits) cell
		often  float32
		chance float32
	}
	var all []choice
	luck, sum := l.dice.Uint64(), float32(0)
	for to := me.Left(uint8(p.Seats())); to != me; to = to.Left(uint8(p.Seats())) {
		home := stakesOf(p.Party(to))
		open := *l.now.door(&home, &mine, &hand, pile)
		for _, c := range hand.Cards[:hand.N] {
			in := func(h *habits) cell { return h.appeal(c, &home, &mine, open, pile) }
			q := *p
			q.Do(toctoc.Knock(to, c), nil)
			chance := open*l.after(&q, toctoc.Accept, luck, me) + (1-open)*l.after(&q, toctoc.Refuse, luck, me)
			all = append(all, choice{in, *in(&l.now), chance})
			sum += *in(&l.now)
		}
	}
	mean := float32(0)
	for _, x := range all {
		mean += x.chance / float32(len(all))
	}
	for _, x := range all {
		*x.in(&l.regrets.knock) += x.chance - mean
		*x.in(&l.could)++
		*x.in(&l.times)++
		*x.in(&l.did) += x.often / sum * float32(len(all))
	}
	for _, x := range all {
		*x.in(&l.now) = float32(math.Exp(sharper * float64(*x.in(&l.regrets.knock)/(*x.in(&l.could)+20))))
	}
}

// cells are all numbers of the table.
func (h *habits) cells() (all []cell) {
	for a := range h.open {
		for b := range h.open[a] {
			for c := range h.open[a][b] {
				for d := range h.open[a][b][c] {
					all = append(all, &h.open[a][b][c][d])
				}
			}
		}
	}
	for a := range h.knock {
		for b := range h.knock[a] {
			for c := range h.knock[a][b] {
				for d := range h.knock[a][b][c] {
					all = append(all, &h.knock[a][b][c][d])
				}
			}
		}
	}
	return all
}

// habits is what he did on the average, to two digits; where he never was, half.
func (l *learner) habits() (h habits) {
	times, did := l.times.cells(), l.did.cells()
	for i, at := range h.cells() {
		*at = 0.5
		if *times[i] > 0 {
			*at = max(0.001, float32(math.Round(1000*float64(*did[i] / *times[i]))/1000))
		}
	}
	return h
}

const written = `package tocbot

// learned are the habits that go test ./bot/tocbot -run TestLearn -learn %d writes here.
var learned = habits{
	open: [exposures][exposures][known][stages]float32%s,
	knock: [levels][swings][stages][ahead]float32%s,
}
`

// learns is what somebody has learned from so many games, the same for the same number.
func learns(t *testing.T, games int) habits {
	t.Helper()
	l := learner{dice: rand.NewPCG(1, 6)}
	for _, at := range l.now.cells() {
		*at = 0.5
	}
	for g := range games {
		if err := l.game(3 + g%3); err != nil {
			t.Fatal(err)
		}
		if g == games/4 { // what he did as a beginner is no habit
			l.did, l.times = habits{}, habits{}
		}
	}
	return l.habits()
}

// TestLearn learns from a few games, or with -learn from many, and writes learned.go: fewer than a thousand numbers, and always
// the same. Who has learned is invited in and not robbed: he opens to good cards, and not to bad ones, where he knows.
func TestLearn(t *testing.T) {
	games := max(*learn, 600)
	h := learns(t, games)
	if n := len(h.cells()); n >= 1000 {
		t.Errorf("the table has %d numbers", n)
	}
	const empty = 1 // the pile
	if good, bad := h.open[2][2][0][empty], h.open[2][2][known-1][empty]; good < 0.7 || bad > 0.3 {
		t.Errorf("he opens to good cards %.2f of the time, and to bad ones %.2f", good, bad)
	}
	if *learn == 0 {
		if h != learns(t, games) {
			t.Error("from the same games he learns something else")
		}
		return
	}
	literal := strings.NewReplacer("]] [[", "}},\n{{", "[", "{", "]", "}", " ", ", ")
	text, err := format.Source(fmt.Appendf(nil, written, games, literal.Replace(fmt.Sprint(h.open)), literal.Replace(fmt.Sprint(h.knock))))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("learned.go", text, 0o600); err != nil {
		t.Fatal(err)
	}
}
