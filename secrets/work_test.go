package secrets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/match"
	"caveau/match/matchtest"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// workers are the packages whose work is counted: all that know what lies face down.
var workers = []string{
	"bot", "ceremony", "company", "fact", "fair", "game", "games/dawn", "games/toctoc", "match", "table", "terms", "tools/pebbles", "wire",
}

// How long an answer takes tells how much was done for it. So work is counted, block by block of the sources, at a table of either world:
// what is done for somebody who cannot tell the worlds apart is the same in both. So is what is done for all when somebody moves, as long as
// what differs lies hidden from all; where it lies in somebody's hand, it is but for what handwork allows.
func TestWork(t *testing.T) {
	if counters == nil {
		dir, replace := t.TempDir(), map[string]string{}
		withCounters(t, dir, workers, replace)
		if said, err := runAnew(t, dir, replace, "^TestWork$"); err != nil {
			t.Errorf("%v\n%s", err, said)
		}
		return
	}
	for i, r := range rulebooks() {
		for _, target := range r.audiences() {
			t.Run(fmt.Sprintf("%s, %d players, aid %q, %s", r, r.players, r.aid, who(target)), func(t *testing.T) {
				p, err := newPair(r.rulebook, target, sweptMoves, rand.New(rand.NewPCG(uint64(2000+10*i)+uint64(target), 1)))
				if err != nil {
					t.Fatal(err)
				}
				p.compareWork(t, p.work(t, 0, r.aid), p.work(t, 1, r.aid))
			})
		}
	}
}

// handwork is what follows from a hand that others may not see: its owner is told it, letter by letter, and his words are looked for among
// his moves. A block of these files may be run so many times more in one world than in the other: that is a fraction of a microsecond.
var handwork = map[string]uint32{
	"game/json.go":             100,
	"game/edge.go":             20,
	"game/seat.go":             20,
	"games/toctoc/cards.go":    20,
	"games/toctoc/move.go":     20,
	"games/toctoc/toctoc.go":   20,
	"tools/pebbles/pebbles.go": 20,
}

// A job is something that was done at a table, and how often each block was run for it.
type job struct {
	what   string
	moves  int    // that had been made then
	forHim bool   // who cannot tell the worlds apart; else for all
	told   string // to whom something was told, in order, and when something is to be done next
	counts []uint32
}

// A desk is a table with its owner in one of the worlds, and people who say things there. All of it is one loop.
type desk struct {
	owner   *match.Owner
	now     time.Time
	clients []match.Client // by seat, and one who looks on
	told    []string
	said    int
	jobs    []job
}

// work is what is done in one world of a pair.
func (p *pair) work(t *testing.T, which int, aid game.Aid) []job {
	d := p.desk(t, which, aid)
	him := d.clients[min(int(p.target), p.players)]
	d.job("start", 0, false, d.begin)
	words, rng := p.vocabulary(), rand.New(rand.NewPCG(1, 9))
	for i := 0; ; i++ {
		legal := slices.Concat(p.last[0].Moves(), p.last[1].Moves())
		if i < len(p.steps) {
			legal = p.steps[i].legal
		}
		for _, c := range []match.Client{him, d.clients[p.players]} {
			d.job("watch", i, true, func() { d.say(c, wire.Command{Do: "watch"}) })
			for range 6 {
				if w := words[rng.IntN(len(words))]; !slices.Contains(legal, w) {
					d.job("refuse "+w, i, true, func() { d.play(c, p.target, w) })
				}
			}
		}
		d.job("frames", i, true, func() { d.frames(p.target) })
		if i == len(p.steps) {
			return d.jobs
		}
		s := p.steps[i]
		d.pass(time.Second)
		before := d.owner.Table().Seq()
		d.job(s.seat.String()+" "+s.words[0], i+1, false, func() { d.play(d.clients[s.seat], s.seat, s.words[which]) })
		if d.owner.Table().Seq() == before {
			t.Fatalf("%s: %s is not done", s.seat, s.words[which])
		}
	}
}

// desk is a table at which people have sat down on all seats.
func (p *pair) desk(t *testing.T, which int, aid game.Aid) *desk {
	s := shelf{examined, &play{world: &world{deal: p.deals[which]}}}
	d := &desk{now: time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)}
	for _, name := range append(slices.Clone(people[:p.players]), "Eve") {
		d.clients = append(d.clients, match.Client{Page: int64(len(d.clients)), Visitor: match.Visitor{Guest: wire.Guest{ID: "the id of " + name, Name: name}}})
	}
	founding, err := fact.Found(s, d.clients[0].Visitor.Guest, terms.Setup{
		Game: p.game, Edition: p.edition, Seats: p.players, Sit: true, First: p.deals[0].Turn().String(), MoveTime: 600, AwayTime: 120, BotTime: &[2]int{1000, 2000}, Aid: aid,
	})
	if err != nil {
		t.Fatal(err)
	}
	founding.Draw(matchtest.Rand(1)())
	made := table.New(s)
	if err := made.Replay(founding.First(d.now)); err != nil {
		t.Fatal(err)
	}
	d.owner = match.NewOwner("t", made, fact.Rest{}, match.Hours{Opened: d.now, Untouched: time.Hour}, fair.Bits{7}, d.now)
	for i, c := range d.clients {
		d.say(c, wire.Command{Do: "watch"})
		if i > 0 && i < p.players {
			d.say(c, wire.Command{Do: "sit", Seat: game.Seat(i).String()})
		}
	}
	d.pass(time.Second)
	return d
}

// job does something and notes how much was done.
func (d *desk) job(what string, moves int, forHim bool, do func()) {
	d.told = nil
	counts := countOf(do)
	due, _ := d.owner.Alarm()
	d.jobs = append(d.jobs, job{what, moves, forHim, strings.Join(d.told, " ") + due.Format(" 15:04:05.999"), counts})
}

func (d *desk) say(c match.Client, cmd wire.Command) {
	d.said++
	cmd.ID, cmd.Table = fmt.Sprint(d.said), "t"
	d.step(match.Said{Client: c, Command: cmd, Until: d.now.Add(time.Second)})
}

func (d *desk) begin() {
	d.say(d.clients[0], wire.Command{Do: "start"})
	d.pass(0)
}

func (d *desk) play(c match.Client, seat game.Seat, words string) {
	if seat == game.Watcher {
		seat = 0
	}
	d.say(c, wire.Command{Do: "play", Seat: seat.String(), Seq: d.owner.Table().Seq(), Move: words})
}

// step has the owner take an input, and whatever follows. The log keeps everything at once.
func (d *desk) step(in match.Input) {
	for in != nil {
		effects := slices.Clone(d.owner.Step(in, d.now))
		in = nil
		for _, e := range effects {
			switch e := e.(type) {
			case match.Append:
				in = match.Appended{}
			case match.Send:
				d.told = append(d.told, e.To.Visitor.Guest.Name)
			}
		}
	}
}

// pass lets time pass, and the owner do what is due.
func (d *desk) pass(while time.Duration) {
	d.now = d.now.Add(while)
	for at, ok := d.owner.Alarm(); ok && !at.After(d.now); at, ok = d.owner.Alarm() {
		d.step(match.Tick{})
	}
}

// frames makes all that an audience is told of the newest move, and when it comes.
func (d *desk) frames(audience game.Seat) {
	t := d.owner.Table()
	f := t.Frames("t", table.Present{}, t.Seq()-1, true, d.now)
	f.For(audience, false)
	f.WithLog(audience, false)
	t.Card("t", table.Present{})
}

// compareWork compares what was done in both worlds.
func (p *pair) compareWork(t *testing.T, one, two []job) {
	if len(one) != len(two) {
		t.Fatalf("there is something to be done %d times in one world, and %d times in the other", len(one), len(two))
	}
	for i, a := range one {
		b := two[i]
		if a.told != b.told {
			t.Errorf("%s, after %d moves: is told to %s in one world, and to %s in the other", a.what, a.moves, a.told, b.told)
		}
		exactly := a.forHim || p.hiddenFromAll(a.moves)
		for k, n := range a.counts {
			if n == b.counts[k] {
				continue
			}
			file, line := placeOf(k)
			if more := max(n, b.counts[k]) - min(n, b.counts[k]); exactly || more > handwork[file] {
				t.Errorf("%s, after %d moves: more is done in one world: %s:%d is run %d times, and %d in the other", a.what, a.moves, file, line, n, b.counts[k])
			}
		}
		if t.Failed() {
			return
		}
	}
}

// hiddenFromAll tells whether nobody at all can tell the worlds apart yet.
func (p *pair) hiddenFromAll(moves int) bool {
	return !slices.ContainsFunc(p.audiences(), func(s game.Seat) bool { return p.limit[s] < moves })
}
