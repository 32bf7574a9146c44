package secrets

import (
	"encoding/base64"
	"encoding/binary"
	"go/ast"
	"go/types"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/wire"
)

// Where chance comes from: every use of a source of it, by the function that has it, and what for. What nobody may guess comes from the
// system's source, by way of chance and serving in cmd/caveau. A generator that could be worked out from what it gave, or a hash that could be
// turned round, gives nothing that has to stay secret. TestChanceIsListed compares this with the sources.
var chances = map[string]string{
	"caveau/cmd/caveau.chance crypto/rand.Read":           "256 bits of seed for each lot of chance",
	"caveau/cmd/caveau.chance math/rand/v2.New":           "of a ChaCha8",
	"caveau/cmd/caveau.chance math/rand/v2.NewChaCha8":    "nobody works it out from what it gave",
	"caveau/cmd/caveau.serving.live crypto/rand.Reader":   "the ids of guests",
	"caveau/cmd/caveau.makeKeys crypto/rand.Read":         "the key that signs cookies",
	"caveau/bot.Seen.Rand math/rand/v2.New":               "what a bot draws follows from its seed, which stands in the record",
	"caveau/bot.Seen.Rand math/rand/v2.NewPCG":            "as before: it knows no more than its seat, and draws nothing that is secret",
	"caveau/bot.looks.rand math/rand/v2.New":              "what a bot forgets follows from its seed, too",
	"caveau/bot.looks.rand math/rand/v2.NewPCG":           "as before",
	"caveau/bot/dawnbot.playOn math/rand/v2.New":          "the luck at an imagined table, the same for all moves that are tried there; it is drawn from bot.Seen.Rand",
	"caveau/bot/dawnbot.playOn math/rand/v2.NewPCG":       "as before",
	"caveau/bot/dawnbot.answer math/rand/v2.New":          "as before: who still knows at an imagined table what lies under a bat",
	"caveau/bot/dawnbot.answer math/rand/v2.NewPCG":       "as before",
	"caveau/bot/tocbot.habits.playOn math/rand/v2.NewPCG": "as before",
	"caveau/bot.response.follow math/rand/v2.New":         "as before",
	"caveau/bot.response.follow math/rand/v2.NewPCG":      "as before",
	"caveau/lab.player.asked math/rand/v2.New":            "the luck with which a cheat tries his moves, in no house: it follows from the experiment's seed",
	"caveau/lab.player.asked math/rand/v2.NewPCG":         "as before",
	"caveau/lab/cheat.Cheat.Move math/rand/v2.New":        "as before",
	"caveau/lab/cheat.Cheat.Move math/rand/v2.NewPCG":     "as before",
	"caveau/terms.Setup.checked math/rand/v2.New":         "a deal that nobody plays, to see whether the set-up can be dealt",
	"caveau/terms.Setup.checked math/rand/v2.NewPCG":      "as before",
	"caveau/env.games.next math/rand/v2.New":              "the deal of a game that a program learns from, in no house: it follows from a seed that the program says",
	"caveau/env.games.next math/rand/v2.NewPCG":           "as before",
	"caveau/env.games.resample math/rand/v2.New":          "as before, of a state that looks the same",
	"caveau/env.games.resample math/rand/v2.NewPCG":       "as before",
	"caveau/load.round.seat math/rand/v2.New":             "a client that plays at random",
	"caveau/load.round.seat math/rand/v2.NewPCG":          "as before",
	"caveau/load.socket.shakeHands crypto/rand.Read":      "the key of a client's handshake",
	"caveau/tools/mutate.draw math/rand/v2.New":           "which changes of the house are tried: it is in no house",
	"caveau/tools/mutate.draw math/rand/v2.NewPCG":        "as before",
}

// chancy are the packages from which chance comes, or what looks like it.
var chancy = []string{
	"crypto/rand", "math/rand", "math/rand/v2", "hash/adler32", "hash/crc32", "hash/crc64", "hash/fnv", "hash/maphash", "crypto/md5", "crypto/sha1", "crypto/rc4",
}

func TestChanceIsListed(t *testing.T) {
	h := loadModule(t)
	there := map[string]bool{}
	for _, p := range h.packages {
		if strings.HasPrefix(p.ImportPath, "caveau/store/disktest") {
			continue // a disk of the tests
		}
		h.eachUse(t, p, func(in string, object types.Object) {
			_, isType := object.(*types.TypeName)
			if object.Pkg() != nil && slices.Contains(chancy, object.Pkg().Path()) && !isType && object.Parent() == object.Pkg().Scope() {
				there[in+" "+nameOf(object)] = true
			}
		})
	}
	same(t, "sources of chance", slices.Sorted(maps.Keys(there)), keys(chances))
}

// eachUse calls found for whatever a package uses, with the name of the function or variable that does.
func (h *module) eachUse(t *testing.T, p modulePackage, found func(in string, object types.Object)) {
	info, files := h.check(t, p, nil)
	for _, file := range files {
		for _, decl := range file.Decls {
			in := ""
			if f, ok := decl.(*ast.FuncDecl); ok {
				in = nameOfFunc(info.Defs[f.Name].(*types.Func))
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				if spec, ok := n.(*ast.ValueSpec); ok && in == "" {
					in = nameOf(info.Defs[spec.Names[0]])
				}
				if ident, ok := n.(*ast.Ident); ok && info.Uses[ident] != nil {
					found(in, info.Uses[ident])
				}
				return true
			})
		}
	}
}

// What nobody may guess has chance enough, and what is drawn for one purpose tells nothing of another: each bit that is drawn is turned over
// once, and it is seen what becomes of it.
func TestNobodyCanGuess(t *testing.T) {
	lots, changed := &lots{lot: -1}, map[string]int{}
	usual := lots.draw(t)
	for lot, used := range slices.Clone(lots.used) {
		for bit := range used {
			lots.lot, lots.bit = lot, bit
			var others []string
			for name, number := range lots.draw(t) {
				if number != usual[name] {
					changed[name]++
					others = append(others, name)
				}
			}
			if len(others) > 1 {
				t.Fatalf("one bit of chance changes %s: who knows one of them knows something of the other", strings.Join(others, " and "))
			}
		}
	}
	for name, bits := range map[string]int{"a guest's id": 128, "a table's name": 100, "the secret of a deal": 256} {
		if changed[name] < bits {
			t.Errorf("%s follows from %d bits of chance, and should from %d", name, changed[name], bits)
		}
	}
}

// So it is with what is drawn later: for another session, for another device, and for a deal whose ceremony begins again. Here all bits of a lot are
// turned over at once.
func TestNobodyCanGuessWhatIsDrawnLater(t *testing.T) {
	lots, from := &lots{lot: -1, bit: everyBit}, map[string]int{}
	usual := lots.drawLater(t)
	for lot := range slices.Clone(lots.used) {
		lots.lot = lot
		var others []string
		for name, number := range lots.drawLater(t) {
			if number != usual[name] {
				from[name]++
				others = append(others, name)
			}
		}
		if len(others) > 1 {
			t.Errorf("one lot of chance changes %s: who knows one of them knows something of the other", strings.Join(others, " and "))
		}
	}
	digits := map[string]int{"a guest's id": 32, "a session": 32, "the code for another device": 32}
	for _, read := range []string{"", fromTheLog} {
		digits["the name"+read], digits["the secret of a deal"+read], digits["the secret of the next attempt"+read] = 20, 64, 64
	}
	for name, digits := range digits {
		if from[name] != 1 || len(usual[name]) != digits {
			t.Errorf("%s, %q, follows from %d lots of chance: it should have %d digits, and follow from one", name, usual[name], from[name], digits)
		}
	}
}

const fromTheLog = " of a table that was read from the log"

// drawLater is what is drawn in a new house for a guest who goes on at another device, and does not open his number.
func (l *lots) drawLater(t *testing.T) (drawn map[string]string) {
	drawn = map[string]string{}
	l.inHouse(t, func(h *house, ana *person, welcome string) {
		t := h.t
		drawn["a guest's id"] = find(t, welcome, `"id":"([^"]+)"`)
		value, _, _ := strings.Cut(strings.TrimPrefix(ana.cookie, "caveau_guest="), ".")
		badge, err := base64.RawURLEncoding.DecodeString(value)
		if err != nil {
			t.Fatal(err)
		}
		drawn["a session"] = find(t, string(badge), `"session":"([^"]+)"`)
		drawn["the code for another device"] = find(t, ana.ask(request{method: "POST", path: "/api/guest/way", body: `{"table": ""}`}), `move#([^."]+)\.`)
		for _, read := range []string{"", fromTheLog} {
			made := ana.ask(request{method: "POST", path: "/api/tables", body: `{"game": "toc-toc-toc", "seats": 3, "sit": true, "bots": ["random", "random"]}`})
			if read != "" {
				ana.hangUp()
				h.close()
				h.open(examined)
			}
			play := &play{house: h, table: find(t, made, `"table":"([^"]+)"`), pair: &pair{rulebook: rulebook{players: 3}}, rng: rand.New(rand.NewPCG(1, 1)), words: []string{"none"}}
			ana.seat, drawn["the name"+read] = 0, play.table
			play.comeIn(ana)
			play.seal(ana)
			play.say(ana, `{"id": "ID", "do": "start", "table": "TABLE"}`)
			play.sleep(6 * time.Second)
			entries, err := h.log.Entries(t.Context(), wire.ID(play.table), 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				switch kind := readEntry(t, e); kind.Kind {
				case "made":
					drawn["the secret of a deal"+read] = strings.Trim(string(kind.Fact["secret"]), `"`)
				case "anew":
					drawn["the secret of the next attempt"+read] = strings.Trim(string(kind.Fact["secret"]), `"`)
				}
			}
		}
		ana.hangUp()
	})
	return drawn
}

// everyBit of a lot.
const everyBit = -1

// Lots are sources of chance that give the same in every house, but for one bit, or all of a lot.
type lots struct {
	n        int   // how many were taken
	used     []int // how many bits of each
	lot, bit int   // the bit that is another
}

// draw is what is drawn in a new house for a guest who makes a table.
func (l *lots) draw(t *testing.T) (drawn map[string]string) {
	l.inHouse(t, func(h *house, ana *person, welcome string) {
		t := h.t
		table := find(t, ana.ask(request{method: "POST", path: "/api/tables", body: `{"game": "toc-toc-toc", "edition": "", "seats": 3}`}), `"table":"([^"]+)"`)
		seal := find(t, ana.ask(request{method: "GET", path: "/api/tables/" + table}), `"seal":"([0-9a-f]+)"`)
		drawn = map[string]string{"a guest's id": find(t, welcome, `"id":"([^"]+)"`), "a table's name": table, "the secret of a deal": seal}
	})
	return drawn
}

// inHouse has Ana come to a new house whose chance is these lots.
func (l *lots) inHouse(t *testing.T, do func(h *house, ana *person, welcome string)) {
	l.n = 0
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, &world{secret: func(e fact.Entry) fact.Entry { return e }})
		h.rand, h.guest = func() *rand.Rand { return rand.New(l.next()) }, l
		h.open(examined)
		defer h.close()
		ana := &person{h: h, name: "Ana", seat: game.Watcher}
		welcome := ana.ask(request{method: "POST", path: "/api/guest", body: `{"name": "Ana"}`})
		ana.cookie = find(t, welcome, `Set-Cookie: ([^;]+);`)
		do(h, ana, welcome)
	})
}

// next is the next lot.
func (l *lots) next() *lot {
	if l.n == len(l.used) {
		l.used = append(l.used, 0)
	}
	l.n++
	return &lot{lots: l, n: l.n - 1, rng: rand.New(rand.NewPCG(9, uint64(l.n)))}
}

// Read gives the bytes of a lot.
func (l *lots) Read(data []byte) (int, error) {
	from := l.next()
	for i := 0; i < len(data); i += 8 {
		copy(data[i:], binary.BigEndian.AppendUint64(nil, from.Uint64()))
	}
	return len(data), nil
}

// A lot is one source.
type lot struct {
	*lots
	n, i int
	rng  *rand.Rand
}

func (l *lot) Uint64() uint64 {
	word := l.rng.Uint64()
	switch {
	case l.lot != l.n:
	case l.bit == everyBit:
		word = ^word
	case l.bit/64 == l.i:
		word ^= 1 << (l.bit % 64)
	}
	l.i++
	l.used[l.n] = max(l.used[l.n], 64*l.i)
	return word
}
