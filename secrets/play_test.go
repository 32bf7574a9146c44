package secrets

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"regexp"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/server"
	"caveau/wire"
)

// A play is one world of a pair, from the empty house to the last of the pair's moves. All that it does follows from the
// pair, and is the same in both worlds.
type play struct {
	*house
	*pair
	world *world
	which int // 0 or 1
	aid   game.Aid
	woken bool // all is planted in the log after the start, while the house is closed
	began int  // how many moves of the pair had been made when the table began
	rng   *rand.Rand

	table    string
	aside    string    // a table of Ana's that is not listed, and that she tells nobody of
	named    []*person // who have a cookie
	seated   []*person // by seat, nil where a bot sits
	out      *person   // he sat there
	eve      *person   // she has a name, and looks on
	max      *person   // he listens to the lobby
	stranger *person   // he has none
	ada      *person   // she runs the house
	acts     []act
	known    map[string]int // entries by table, when they were looked at last
	words    []string       // that are sometimes refused
	touchy   []string       // and among them those that name what differs
}

// An act is a request or a command that changes nothing.
type act struct {
	path    string
	request *request
	command *command
}

// run is one world: all that was heard in it.
func (p *pair) run(t *testing.T, which int, aid game.Aid, woken bool, seed uint64) (heard *book) {
	synctest.Test(t, func(t *testing.T) {
		play := &play{pair: p, which: which, aid: aid, woken: woken, rng: rand.New(rand.NewPCG(seed, 3)), known: map[string]int{}}
		play.world = &world{deal: p.deals[which], secret: play.plant}
		if woken {
			play.world = &world{deal: p.deals[0], secret: func(e fact.Entry) fact.Entry { return e }}
		}
		play.house = newHouse(t, play.world)
		if seed%2 == 1 {
			play.limits = server.Limits{} // the usual ones
		}
		play.open()
		t.Cleanup(func() { play.close() })
		play.gather()
		play.sweep(nil)
		play.start()
		for i, s := range p.steps {
			if left := len(p.steps) - i; left < 5 || left <= sweptMoves && i%2 == 0 {
				play.sweep(&s)
			}
			play.book.turn(i + 1)
			play.move(s)
		}
		play.doubt()
		play.sweep(&step{seat: p.last[0].Turn(), legal: slices.Concat(p.last[0].Moves(), p.last[1].Moves())}) // a move now would tell the worlds apart
		play.again()
		play.keepsQuiet()
		heard = play.book
	})
	return heard
}

func (p *play) open() { p.house.open(shelf{examined, p}) }

// people are who sits there, in seat order. On the last of three seats or more sits a bot.
var people = []string{"Ana", "Ben", "Cleo", "Dora", "Emil", "Fred"}

const (
	moveTime  = 600 * time.Second
	awayTime  = 120 * time.Second
	botTime   = 60 * time.Second // at most; longer than a sweep takes
	graceTime = 5 * time.Second  // in which no clock runs after a restart, at most
)

// gather brings everyone together around a table.
func (p *play) gather() {
	p.words = p.vocabulary()
	p.touchy = p.about(p.words)
	bots := `"bots": ["` + p.bot() + `"], `
	if p.players == 2 {
		bots = ""
	}
	for i := range p.players {
		p.seated = append(p.seated, p.person(people[i], game.Seat(i)))
	}
	p.eve, p.max = p.person("Eve", game.Watcher), p.person("Max", game.Watcher)
	p.stranger = &person{h: p.house, name: "a stranger", seat: game.Watcher}
	p.owns()
	ana := p.seated[0]
	made := ana.ask(request{method: "POST", path: "/api/tables", body: fmt.Sprintf(`{"game": %q, "edition": %q, "seats": %d, `+
		`"sit": true, "listed": true, "first": %q, %s"moveTime": %d, "awayTime": %d, "botTime": [50000, 60000], "aid": %q}`,
		p.game, p.edition, p.players, p.deals[0].Turn(), bots, moveTime/time.Second, awayTime/time.Second, p.aid)})
	p.table = find(p.t, made, `"table":"([^"]+)"`)
	robbie := find(p.t, ana.ask(request{method: "POST", path: "/api/programs", body: `{"name": "Robbie"}`}), `"token":"([^"]+)"`)
	ana.ask(request{method: "GET", path: "/api/tables/mine", header: "Authorization: Bearer " + robbie})
	aside := ana.ask(request{method: "POST", path: "/api/tables", body: `{"game": "toc-toc-toc", "seats": 3, "sit": true}`})
	p.aside = find(p.t, aside, `"table":"([^"]+)"`)
	if bots != "" {
		p.seated[p.players-1] = nil
	}
	for _, one := range p.everyone() {
		p.comeIn(one)
		if int(one.seat) < p.players && one != ana {
			p.say(one, `{"id": "ID", "do": "sit", "table": "TABLE", "seat": "SEAT"}`)
		}
	}
	for path, list := range requests {
		for i := range list {
			p.acts = append(p.acts, act{path: path, request: &list[i]})
		}
	}
	for do, list := range commands {
		for i := range list {
			p.acts = append(p.acts, act{path: do, command: &list[i]})
		}
	}
	slices.SortFunc(p.acts, func(a, b act) int { return strings.Compare(a.text(), b.text()) })
	shuffle(p.rng, p.acts)
}

func (a act) text() string {
	if a.request != nil {
		return a.path + a.request.text("")
	}
	return a.path + a.command.text
}

func find(t *testing.T, text, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no %s in %s", pattern, text)
	}
	return m[1]
}

func (p *play) person(name string, seat game.Seat) *person {
	one := &person{h: p.house, name: name, seat: seat}
	welcome := one.ask(request{method: "POST", path: "/api/guest", body: `{"name": "` + name + `"}`})
	one.cookie, one.id = find(p.t, welcome, `Set-Cookie: ([^;]+);`), find(p.t, welcome, `"id":"([^"]+)"`)
	p.named = append(p.named, one)
	return one
}

// everyone is all who have a socket.
func (p *play) everyone() (list []*person) {
	for _, one := range p.seated {
		if one != nil {
			list = append(list, one)
		}
	}
	if p.out != nil {
		list = append(list, p.out)
	}
	return append(list, p.eve, p.stranger, p.max)
}

// comeIn opens somebody's socket. Nobody listens to a table and to the lobby at once: they do not wait for each other.
func (p *play) comeIn(one *person) {
	if one == p.max {
		one.listen()
		p.say(one, `{"id": "ID", "do": "lobby"}`)
		return
	}
	seq := 0
	if one.socket != nil {
		seq = one.socket.seen(p.table)
	}
	one.listen()
	p.say(one, `{"id": "ID", "do": "watch", "table": "TABLE", "seq": `+strconv.Itoa(seq)+`}`)
}

// say says a command with its blanks filled in.
func (p *play) say(one *person, text string) { p.sayNot(one, text, nil) }

// sayNot says a command whose WORDS are none of those that somebody could say now.
func (p *play) sayNot(one *person, text string, now *step) {
	one.n++
	own, other := game.Seat(0), game.Seat(1)
	if int(one.seat) < p.players {
		own, other = one.seat, one.seat.Left(uint8(p.players))
	}
	if now != nil && one.seat != now.seat {
		now = nil // whatever he says, he is not asked
	}
	words := p.refused(now)
	text = strings.NewReplacer("ID", one.name+strconv.Itoa(one.n), "TABLE", p.table, "SEAT", own.String(), "OTHER", other.String(),
		"SEQ", strconv.Itoa(one.socket.seen(p.table)), "WORDS", words, "BITS", fair.Bits{9}.String()).Replace(text)
	one.say(text)
}

// refused are words that are refused now; often they are about what differs between the worlds.
func (p *play) refused(now *step) string {
	for {
		list := p.words
		if p.rng.IntN(2) == 0 && len(p.touchy) > 0 {
			list = p.touchy
		}
		words := list[p.rng.IntN(len(list))]
		if now == nil || !slices.Contains(now.legal, words) {
			return words
		}
	}
}

// sweep has the target, a watcher and a stranger ask and say things that change nothing, before the move now is made.
func (p *play) sweep(now *step) {
	cast := []*person{p.eve, p.stranger, p.seated[0]}
	if int(p.target) < len(p.seated) && p.seated[p.target] != nil {
		cast[2] = p.seated[p.target]
	}
	for i := range 8 {
		one := cast[i%len(cast)]
		next := p.acts[0]
		p.acts = append(p.acts[1:], next)
		p.act(one, next, now)
	}
	p.touch(cast[2], now)
	p.sleep(430 * time.Millisecond)
	p.book.add(numbers, fmt.Appendf(nil, "%+v %v %v\n", p.lobby.Counts(), p.door.Answers(), p.door.Sockets()))
}

// touch has somebody say words about what differs between the worlds, one after another of all there are: whoever is not
// asked, and whoever is and may not say them, must be refused alike.
func (p *play) touch(one *person, now *step) {
	for range min(3, len(p.touchy)) {
		words := p.touchy[0]
		p.touchy = append(p.touchy[1:], words)
		if now == nil || now.seat != one.seat || !slices.Contains(now.legal, words) {
			p.say(one, `{"id": "ID", "do": "play", "table": "TABLE", "seat": "SEAT", "seq": SEQ, "move": "`+words+`"}`)
		}
	}
}

func (p *play) act(one *person, a act, now *step) {
	switch {
	case a.request != nil:
		r := *a.request
		r.path = strings.ReplaceAll(r.path, "TABLE", p.table)
		if slices.Contains(endings, a.path) {
			one = p.person("Lea", game.Watcher) // who comes to go
		}
		if p.rng.IntN(2) == 0 {
			p.failOnce(false) // if it writes
		}
		one.ask(r)
		if strings.Contains(a.path, "/api/owner/") {
			p.ada.ask(r)
		}
		p.log.Fail(nil)
	case a.command.by == guests && one == p.seated[0], a.command.by == lookers && one.seat != game.Watcher:
		p.act(p.eve, a, now)
	default:
		p.sayNot(one, a.command.text, now)
		switch a.path { // and as before
		case "unwatch":
			p.say(one, `{"id": "ID", "do": "watch", "table": "TABLE", "seq": SEQ}`)
		case "lobby":
			p.say(one, `{"id": "ID", "do": "unlobby"}`)
		}
	}
}

func (p *play) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// aToken is what a program is given.
var aToken = regexp.MustCompile(`"token":"([^"]+)"`)

// keepsQuiet makes sure that nobody is told by what somebody else is known, or could be passed off: neither his cookie, whole or in part, nor his
// id, nor where he asks from, nor at which tables he sits that are not listed, nor what the house signs with, nor what goes wrong in it. The server's own log and its owner's page have ids and
// addresses, and nothing else of that, and no number
// that somebody has sealed.
func (p *play) keepsQuiet() {
	lines, tokens := 0, map[string]string{} // and whose they are
	for e, page := range p.book.pages {
		for _, h := range page {
			for _, told := range aToken.FindAllSubmatch(h.data, -1) {
				tokens[string(told[1])] = e.name
			}
		}
	}
	if len(tokens) == 0 {
		p.t.Error("nobody has brought a program")
	}
	for e, page := range p.book.pages {
		hidden := []string{"Access-Control-", nonsense, key, hex.EncodeToString([]byte(key)), base64.RawURLEncoding.EncodeToString([]byte(key))}
		for _, one := range p.named {
			if one.name != e.name {
				hidden = append(hidden, one.marks(e == serverLog || e == ada)...)
			}
		}
		for token, whose := range tokens {
			if whose != e.name {
				hidden = append(hidden, token)
			}
		}
		if e.name != people[0] && e != ada && e != serverLog && p.aside != "" {
			hidden = append(hidden, p.aside)
		}
		if e != serverLog {
			hidden = append(hidden, "caveau.db", "does not turn")
		} else {
			hidden = append(hidden, forged, number.String(), fair.Bits{31: byte(p.which)}.String())
		}
		for _, h := range page {
			lines += bytes.Count(h.data, []byte("\n"))
			for _, words := range hidden {
				if bytes.Contains(h.data, []byte(words)) {
					p.t.Errorf("%s, has %q, which is not for him: %.2000s", e, words, h.data)
					return
				}
			}
		}
	}
	if lines < 5 {
		p.t.Errorf("everybody together has heard only %d lines", lines)
	}
}

// marks are what somebody is known by, of which nobody else is told. Whoever runs the house may know who it was and where he asked from.
func (one *person) marks(toTheOwner bool) (marks []string) {
	_, value, _ := strings.Cut(one.cookie, "=")
	marks = strings.Split(value, ".")
	if !toTheOwner {
		host, _, _ := net.SplitHostPort(tap{listener: one.listensBy("")}.RemoteAddr().String())
		marks = append(marks, host)
		if one.id != "" {
			marks = append(marks, one.id)
		}
	}
	return marks
}

// number is what Ana and Ben give to the deal: the same in both worlds. Its seal is not, for it is made from the table's.
var number = fair.Bits{1: 42}

// start deals. Ben does not open his number, so the ceremony begins again, and it is dealt without him. A woken world is dealt another
// game, closed, and finds its own in the log.
func (p *play) start() {
	ana, ben := p.seated[0], p.seated[1]
	for _, one := range []*person{ana, ben} {
		p.seal(one)
		p.mustBe("seal")
	}
	p.sweep(nil)
	p.book.turn(0)
	p.say(ana, `{"id": "ID", "do": "start", "table": "TABLE"}`)
	p.mustBe("call")
	p.unseal(ana)
	p.mustBe("unseal")
	p.sweep(nil)
	p.sleep(5 * time.Second)
	p.mustBe("anew")
	p.sweep(nil)
	p.seal(ana) // nobody else is waited for
	p.mustBe("call")
	p.unseal(ana)
	p.mustBe("start")
	if p.woken {
		p.restart(p.plant)
	}
}

// seal has somebody seal his number, for the secret that is sealed now, and unseal has him open it.
func (p *play) seal(one *person) {
	card := one.ask(request{method: "GET", path: "/api/tables/" + p.table})
	table, err := fair.Parse(find(p.t, card, `"seal":"([0-9a-f]+)"`))
	if err != nil {
		p.t.Fatal(err)
	}
	seal := fair.Newest.SealNumber(table, one.seat.String(), number)
	p.say(one, `{"id": "ID", "do": "seal", "table": "TABLE", "bits": "`+seal.String()+`"}`)
}

func (p *play) unseal(one *person) {
	p.say(one, `{"id": "ID", "do": "unseal", "table": "TABLE", "bits": "`+number.String()+`"}`)
}

// zed comes late: he has only ever seen the table of the rematch.
var zed = listener{game.Watcher, "Zed", "WebSocket"}

// doubt has Ana propose to stop, and everybody look at all that there is while it is asked. Then she takes it back: nobody has learned anything.
func (p *play) doubt() {
	if !slices.ContainsFunc(p.seated[1:], func(one *person) bool { return one != nil }) {
		return // nobody would be asked
	}
	p.say(p.seated[0], `{"id": "ID", "do": "break", "table": "TABLE"}`)
	p.mustBe("propose")
	seq, _ := p.newest()
	for _, one := range p.everyone() {
		for _, path := range []string{"/t/TABLE", "/api/tables/TABLE", "/api/tables/TABLE/record", "/api/tables/TABLE/story", "/api/tables/mine"} {
			one.ask(request{method: "GET", path: strings.Replace(path, "TABLE", p.table, 1)})
		}
		if one != p.max {
			p.say(one, `{"id": "ID", "do": "watch", "table": "TABLE"}`)
		}
	}
	p.say(p.seated[0], `{"id": "ID", "do": "decline", "table": "TABLE", "seq": `+strconv.Itoa(seq)+`}`)
	p.mustBe("decline")
}

// again breaks the game off, whereupon nothing of it is a secret any more, and deals another at a new table, with another
// secret. There nobody gives a number.
func (p *play) again() {
	ana := p.seated[0]
	p.book.turn(len(p.steps) + 1)
	p.say(ana, `{"id": "ID", "do": "break", "table": "TABLE"}`)
	if seq, e := p.newest(); e.Kind == "propose" { // whoever else is there is asked
		for _, one := range p.seated[1:] {
			if one != nil {
				p.say(one, `{"id": "ID", "do": "agree", "table": "TABLE", "seq": `+strconv.Itoa(seq)+`}`)
			}
		}
	}
	p.mustBe("break")
	p.say(ana, `{"id": "ID", "do": "rematch", "table": "TABLE"}`)
	p.mustBe("rematch")
	_, e := p.newest()
	p.table = find(p.t, string(e.Fact["next"]), `"(.+)"`)
	late := p.person("Zed", game.Watcher)
	p.comeIn(late)
	p.comeIn(ana)
	p.say(ana, `{"id": "ID", "do": "start", "table": "TABLE"}`)
	p.mustBe("start")
	for range 6 {
		p.say(late, commands["play"][0].text)
		late.ask(request{method: "GET", path: "/api/tables/" + p.table})
	}
	late.hangUp()
	p.comeIn(late)
	p.rules()
}

// newest is the newest entry of the table.
func (p *play) newest() (int, entry) {
	known := max(p.known[p.table], 1)
	entries, err := p.log.Entries(p.t.Context(), wire.ID(p.table), known-1) // not all of them: this is asked every second
	if err != nil {
		p.t.Fatal(err)
	}
	p.known[p.table] = known - 1 + len(entries)
	return p.known[p.table], readEntry(p.t, entries[len(entries)-1])
}

// mustBe makes sure that the newest entry is of that kind.
func (p *play) mustBe(kind string) {
	p.t.Helper()
	if _, e := p.newest(); e.Kind != kind {
		p.t.Fatalf("the newest entry is a %q, %s, not a %q", e.Kind, encode(p.t, e.Fact), kind)
	}
}

type entry struct {
	Kind string                     `json:"kind"`
	Fact map[string]json.RawMessage `json:"fact"`
	By   json.RawMessage            `json:"by,omitempty"`
}

func readEntry(t *testing.T, e fact.Entry) (read entry) {
	t.Helper()
	if err := json.Unmarshal(e.Data, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// restart closes the house and opens it again, with the log rewritten meanwhile where that is wanted. Everyone comes back.
func (p *play) restart(rewrite func(fact.Entry) fact.Entry) {
	p.house.close()
	if rewrite != nil {
		entries, err := p.log.Entries(p.t.Context(), wire.ID(p.table), 0)
		if err != nil {
			p.t.Fatal(err)
		}
		p.log.Flaky = flaky()
		for _, e := range entries {
			if err := p.log.Append(p.t.Context(), wire.ID(p.table), rewrite(e)); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	p.open()
	p.owns()
	for _, one := range p.everyone() {
		p.comeIn(one)
	}
}

// plant puts what may differ between twin worlds into an entry: the secret from which the deal should follow, the deal, and
// what the bots draw from, but not what the target draws from if it is a bot. What else is drawn there must be named here.
func (p *play) plant(e fact.Entry) fact.Entry {
	read := readEntry(p.t, e)
	for key := range read.Fact {
		switch read.Kind + " " + key {
		case "made secret": // of the attempt that failed
			read.Fact[key] = encode(p.t, fair.Bits{31: byte(p.which)})
		case "anew secret":
			read.Fact[key] = encode(p.t, fair.Bits{30: byte(p.which)})
		case "start deal":
			read.Fact[key] = encode(p.t, p.deals[p.which].Deal())
		case "start seeds":
			seeds := make([]uint64, p.players)
			for i := range seeds {
				if seeds[i] = uint64(i + 1); game.Seat(i) != p.target {
					seeds[i] += uint64(1000 * p.which)
				}
			}
			read.Fact[key] = encode(p.t, seeds)
		case "made setup", "made host", "made chairs", "made derivation", "made standin":
		default:
			if read.Kind == "made" || read.Kind == "anew" || read.Kind == "start" {
				p.t.Fatalf("a %q entry has a %q: let plant say whether it is the same in both worlds", read.Kind, key)
			}
		}
	}
	e.Data = encode(p.t, read)
	return e
}

func encode(t *testing.T, v any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// move makes a move on one of the ways on which moves are made.
func (p *play) move(s step) {
	one := p.seated[s.seat]
	switch n := p.rng.IntN(20); {
	case one == nil:
		p.await(botTime)
	case n == 0: // the time runs out
		p.await(moveTime + graceTime)
	case n == 1: // he stands up, and a bot moves for him until he is back
		p.say(one, `{"id": "ID", "do": "leave", "table": "TABLE"}`)
		p.await(botTime)
		p.say(one, `{"id": "ID", "do": "sit", "table": "TABLE", "seat": "SEAT"}`)
	case n == 2 && one != p.seated[0]: // he is gone for too long
		one.hangUp()
		p.await(awayTime + botTime)
		p.comeIn(one)
	default:
		words := encode(p.t, s.words[p.which])
		before, _ := p.newest()
		had := strconv.Itoa(one.socket.seen(p.table))
		if p.rng.IntN(6) == 0 { // he is told that it cannot be kept, and says it again unless it was
			p.failOnce(p.rng.IntN(2) == 0)
		}
		for range 2 {
			if now, _ := p.newest(); now == before {
				p.say(one, `{"id": "ID", "do": "play", "table": "TABLE", "seat": "SEAT", "seq": SEQ, "move": `+string(words)+`}`)
				p.sleep(3 * time.Second)
			}
		}
		p.mustBe("move")
		if p.rng.IntN(4) == 0 || s.words[0] != s.words[1] { // he has pressed twice, and comes too late; with what is secret he always does
			p.say(one, `{"id": "ID", "do": "play", "table": "TABLE", "seat": "SEAT", "seq": `+had+`, "move": `+string(words)+`}`)
			p.sleep(time.Second)
		}
	}
	if p.rng.IntN(15) == 0 {
		p.restart(nil)
	}
}

// nonsense is what a bot says when there is nothing more to be said: the table plays its first move, and nobody is told its words, which might as
// well name what is in its hand.
const nonsense = "fly to the moon"

// next is what the play wants said next. While a bot thinks of it a profile of the process says nothing of whom, nor where: developers are sent them.
func (p *play) next(ctx context.Context) string {
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		p.t.Error(err)
	}
	if _, labels, are := strings.Cut(profile.String(), "# labels:"); are {
		p.t.Errorf("a profile can tell who thinks where: %.200s", labels)
	}
	entries, err := p.log.Entries(ctx, wire.ID(p.table), 0)
	if err != nil {
		return ""
	}
	i := p.began
	for _, e := range entries {
		if readEntry(p.t, e).Kind == "move" {
			i++
		}
	}
	if i >= len(p.steps) {
		return nonsense
	}
	return p.steps[i].words[p.which]
}

// await waits until a bot has moved, no longer than that.
func (p *play) await(longest time.Duration) {
	before, _ := p.newest()
	for range longest/time.Second + 1 {
		p.sleep(time.Second)
		if n, e := p.newest(); n > before && e.Kind == "move" {
			return
		}
	}
	p.t.Fatalf("nobody has moved for %s", longest)
}
