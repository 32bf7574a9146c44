package catalog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caveau/catalog"
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/record"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

var framesDir = flag.String("frames", "", "write the frames of whole games into this `directory`, for the client's tests")

// A recording is the frames of a whole game, as every audience is sent them.
type recording struct {
	edition string
	game    string
	seats   int
	aid     game.Aid
	seed    uint64

	bot    string   // who plays on all seats; nobody: any move is made
	lesson []byte   // the record of a lesson, which is played as far as it goes
	script []string // its moves
	paced  [][]byte // what seat A is told, each with how long a bot takes for the move after it, in milliseconds
}

func (r recording) name() string {
	name := r.game
	if r.edition != "" {
		name += "-" + r.edition
	}
	return fmt.Sprintf("%s-%d", name, r.seats)
}

// recordings are of every edition on the shelf, with the fewest and with the most who can play, and with another aid each.
func recordings() (list []recording) {
	aids := []game.Aid{game.AidAll, game.AidNone, game.AidMarks}
	for _, info := range catalog.House.Games() {
		for _, e := range info.Editions {
			for _, seats := range []int{e.MinSeats, min(4, e.MaxSeats), e.MaxSeats} {
				r := recording{edition: e.Name, game: info.Name, seats: seats, aid: aids[len(list)%len(aids)], seed: uint64(len(list) + 1)}
				if len(list) == 0 || list[len(list)-1].name() != r.name() {
					list = append(list, r)
				}
			}
		}
	}
	return list
}

// TestFrames plays a whole game by every rulebook. Every frame is read as docs/protocol.md has it, with no key that is not there; the
// middle move of four at Dawn Under is told to all of them in 4 KiB. With -frames the games are written down, a message a line.
func TestFrames(t *testing.T) {
	if *framesDir != "" {
		writeFile(t, "games.json", wire.Message(catalog.House.Games()))
	}
	for _, r := range recordings() {
		t.Run(r.name(), func(t *testing.T) {
			told, back := r.play(t)
			for _, messages := range append(told, back) {
				for _, m := range messages {
					mustRead(t, m)
				}
			}
			if r.name() == "dawn-under-2004-4" {
				r.mustBeSmall(t, told)
			}
			if *framesDir != "" {
				r.write(t, told, back)
			}
		})
	}
	for _, r := range lessons(t) {
		name := r.name() + "-lesson"
		t.Run(name, func(t *testing.T) {
			told, _ := r.play(t)
			if *framesDir != "" {
				writeFile(t, name+".jsonl", bytes.Join(told[0], []byte("\n")))
			}
		})
	}
	for _, r := range usual() {
		name := fmt.Sprintf("%s-%d-usual", r.name(), r.seed)
		t.Run(name, func(t *testing.T) {
			r.play(t)
			if *framesDir != "" {
				writeFile(t, name+".jsonl", bytes.Join(r.paced, []byte("\n")))
			}
		})
	}
}

// usual are games as they are usually played: one person and three bots by rules, at the usual pace and with no aid.
func usual() (list []*recording) {
	for _, info := range catalog.House.Games() {
		for _, e := range info.Editions {
			for range 3 {
				list = append(list, &recording{edition: e.Name, game: info.Name, seats: min(4, e.MaxSeats), seed: uint64(len(list) + 1), bot: "rules"})
			}
		}
	}
	return list
}

// lessons are the games that the client's lessons play, each by the record that lies beside it.
func lessons(t *testing.T) (list []*recording) {
	t.Helper()
	for _, name := range lessonFiles(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := record.Read(text)
		if err != nil {
			t.Fatal(name, err)
		}
		list = append(list, &recording{edition: rec.Edition, game: rec.Game, seats: len(rec.Players), lesson: text, script: rec.Moves})
	}
	return list
}

// play is what each seat, and last a watcher, is told of the game; and what the first seat would be told, had he just come back.
func (r *recording) play(t *testing.T) (told [][][]byte, back [][]byte) {
	t.Helper()
	rng, now := rand.New(rand.NewPCG(r.seed, 1)), time.Date(2026, 10, 31, 20, 0, 0, 0, time.UTC)
	guest := func(i int) wire.Guest {
		return wire.Guest{ID: fmt.Sprint("guest ", i), Name: []string{"Ana", "Ben", "Cleo", "Dora", "Emil", "Fay"}[i]}
	}
	setup := terms.Setup{Game: r.game, Edition: r.edition, Seats: r.seats, Sit: true, First: "A", Aid: r.aid}
	if r.lesson != nil {
		setup = terms.Setup{Record: r.lesson, Ply: new(int), Sit: true}
	}
	f, err := fact.Found(catalog.House, guest(0), setup)
	if err != nil {
		t.Fatal(err)
	}
	f.Draw(rng)
	f.Made.Derivation = fair.Deal1 // its deals are those that the client's tests know
	tab := table.New(catalog.House)
	if err := tab.Replay(f.First(now)); err != nil {
		t.Fatal(err)
	}
	for i := range r.seats {
		tab.Call(guest(i).ID, guest(i).Name)
	}
	told = make([][][]byte, r.seats+1)
	here := table.Present{Seats: game.EverySeat(uint8(r.seats)), Watchers: 1}
	tell := func(since int) {
		frames := tab.Frames("table", here, since, since == 0, now)
		back = append(back, tab.Frames("table", here, tab.Seq(), true, now).WithLog(0, true))
		for i := range told {
			seat := game.Seat(i)
			if i == r.seats {
				seat = game.Watcher
			}
			if since == 0 {
				told[i] = append(told[i], frames.WithLog(seat, i == 0))
			} else {
				told[i] = append(told[i], frames.For(seat, i == 0))
			}
		}
		pause := tab.BotTime(fair.Bits{byte(r.seed)})
		r.paced = append(r.paced, fmt.Appendf(nil, `{"pause":%d,%s`, pause.Milliseconds(), told[0][len(told[0])-1][1:]))
		now = now.Add(pause)
		if tab.Turn() == 0 {
			now = now.Add(10 * time.Second) // people look first, and then think
		}
	}
	do := func(d *table.Decision, err error) {
		t.Helper()
		if err != nil || d == nil {
			t.Fatalf("it was decided %v, %v", d, err)
		}
		since := tab.Seq()
		if err := tab.Apply(d, now); err != nil {
			t.Fatal(err)
		}
		tell(since)
	}
	tell(0)
	for i := 1; i < r.seats; i++ {
		do(tab.Decide(wire.Command{ID: fmt.Sprint("sit", i), Do: "sit", Seat: game.Seat(i).String()}, guest(i), here.Seats))
	}
	do(tab.Decide(wire.Command{ID: "start", Do: "start"}, guest(0), here.Seats))
	for n := 0; tab.State() == table.Running && (r.lesson == nil || n < len(r.script)); n++ {
		turn := tab.Turn()
		c := wire.Command{ID: fmt.Sprint("move", n), Do: "play", Seat: turn.String(), Seq: tab.Seq(), Move: r.move(n, tab.Seen(turn), rng)}
		do(tab.Decide(c, guest(int(turn)), here.Seats))
	}
	return told, back
}

func (r *recording) move(n int, seen table.Seen, rng *rand.Rand) string {
	if r.lesson != nil {
		_, words, _ := strings.Cut(r.script[n], " ")
		return words
	}
	if bot, ok := catalog.House.Bot(r.game, r.bot); ok {
		return bot.Move(context.Background(), seen)
	}
	return seen.Moves[rng.IntN(len(seen.Moves))]
}

func mustRead(t *testing.T, message []byte) {
	t.Helper()
	var m struct {
		Table wire.ID                    `json:"table"`
		Frame map[string]json.RawMessage `json:"frame"`
	}
	if err := json.Unmarshal(message, &m); err != nil || m.Table != "table" {
		t.Fatalf("%s: %v", message, err)
	}
	text, err := json.Marshal(m.Frame)
	if err != nil {
		t.Fatal(err)
	}
	type plain wire.Frame // whose own reading would overlook a key that is not there
	exact := json.NewDecoder(bytes.NewReader(text))
	exact.DisallowUnknownFields()
	if err := exact.Decode(new(plain)); err != nil {
		t.Fatalf("%s: %v", message, err)
	}
}

// smallFrames is how much the middle move of a game is told in, to everybody who sits there, in bytes.
const smallFrames = 4096

func (r recording) mustBeSmall(t *testing.T, told [][][]byte) {
	t.Helper()
	middle, bytes := len(told[0])/2, 0
	for _, messages := range told[:r.seats] {
		bytes += len(messages[middle])
	}
	t.Logf("move %d of %d is told to %d seats in %d bytes", middle, len(told[0]), r.seats, bytes)
	if bytes > smallFrames {
		t.Errorf("the middle move is told in %d bytes, not in %d:\n%s", bytes, smallFrames, told[0][middle])
	}
}

// write writes a file for the first seat, the second, and a watcher: between them everybody is asked and looks on. Of games of four, and of
// those whose logs are short, there is one too of what a page that is loaded again is told.
func (r recording) write(t *testing.T, told [][][]byte, back [][]byte) {
	t.Helper()
	if r.seats == 4 || len(back) < 200 {
		writeFile(t, r.name()+"-A-again.jsonl", bytes.Join(back, []byte("\n")))
	}
	for who, i := range map[string]int{"A": 0, "B": 1, "watcher": r.seats} {
		writeFile(t, r.name()+"-"+who+".jsonl", bytes.Join(told[i], []byte("\n")))
	}
}

func writeFile(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(*framesDir, name), append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}
