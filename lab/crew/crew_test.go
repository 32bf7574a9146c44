package crew

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"caveau/catalog"
	"caveau/lab"
	"caveau/slots"
	"caveau/table"
)

// some are 168 games, 21 pieces.
const some = `{"seed":11,"deals":28,"tables":[
	{"game":"dawn-under","editions":["2017"],"players":[4],"bots":["random","rules"],"moves":25},
	{"game":"toc-toc-toc","players":[4],"bots":["random","rules","rules","rules"],"moves":12}]}`

func shard(t testing.TB, first, number int) lab.Shard {
	t.Helper()
	s, err := lab.ReadShard([]byte(some), catalog.House.Laboratory(), first, number)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rows are the lines of a shard that is played by hand.
func rows(ctx context.Context, s lab.Shard, hand lab.Hand, shelf lab.Shelf) (text []byte, err error) {
	err = hand(s, ctx, shelf, func(line []byte) error {
		text = append(text, line...)
		return nil
	})
	return text, err
}

// alone are those of one machine by itself.
func alone(t *testing.T, s lab.Shard) []byte {
	t.Helper()
	text, err := rows(t.Context(), s, lab.Shard.Run, catalog.House.Laboratory())
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A bus is a NATS server of the test's own. Its port stays the same when it starts again.
type bus struct {
	t      testing.TB
	with   server.Options
	server *server.Server
}

func newBus(t testing.TB) *bus {
	t.Helper()
	b := &bus{t: t, with: server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir()}}
	b.start()
	b.with.Port = b.server.Addr().(*net.TCPAddr).Port
	t.Cleanup(b.stop)
	return b
}

func (b *bus) start() {
	b.t.Helper()
	with := b.with
	s, err := server.NewServer(&with)
	if err != nil {
		b.t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		b.t.Fatal("the server does not start")
	}
	b.server = s
}

func (b *bus) stop() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
}

// forget starts it again, empty.
func (b *bus) forget() {
	b.stop()
	b.with.StoreDir = b.t.TempDir()
	b.start()
}

func (b *bus) address() string { return fmt.Sprintf("nats://127.0.0.1:%d", b.with.Port) }

// machine joins the crew, with less patience than elsewhere.
func (b *bus) machine() *Crew {
	b.t.Helper()
	c, err := Join(b.t.Context(), b.address(), "this build", func(string) {})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(c.Close)
	c.patience = 300 * time.Millisecond
	return c
}

// A counting shelf counts what bots are asked, and lets a test do something at any question.
type counting struct {
	catalog.Shelf
	asked atomic.Int64
	at    func(question int64) (answer string)
}

func (s *counting) Bot(gameName, name string) (slots.Bot, bool) {
	b, ok := s.Shelf.Bot(gameName, name)
	return heard{b, s}, ok
}

type heard struct {
	slots.Bot
	shelf *counting
}

func (h heard) Move(ctx context.Context, seen table.Seen) string {
	if n := h.shelf.asked.Add(1); h.shelf.at != nil {
		if answer := h.shelf.at(n); answer != "" {
			return answer
		}
	}
	return h.Bot.Move(ctx, seen)
}

func newCounting(at func(question int64) string) *counting {
	return &counting{Shelf: catalog.House.Laboratory(), at: at}
}

// Each machine has the rows of all, which are those of one alone, and no game is played twice.
func TestAllHaveTheRowsOfAll(t *testing.T) {
	b, s := newBus(t), shard(t, 0, -1)
	questions := newCounting(nil)
	want, err := rows(t.Context(), s, lab.Shard.Run, questions)
	if err != nil {
		t.Fatal(err)
	}
	together := newCounting(nil)
	var machines sync.WaitGroup
	for range 3 {
		c := b.machine()
		c.patience = patience
		machines.Go(func() {
			if text, err := rows(t.Context(), s, c.Run, together); err != nil || !bytes.Equal(text, want) {
				t.Errorf("a machine has other rows: %v", err)
			}
		})
	}
	machines.Wait()
	if all, once := together.asked.Load(), questions.asked.Load(); all != once {
		t.Errorf("bots were asked %d times by the three, and %d times alone", all, once)
	}

	late := newCounting(nil)
	if text, err := rows(t.Context(), s, b.machine().Run, late); err != nil || !bytes.Equal(text, want) {
		t.Errorf("who comes late has other rows: %v", err)
	}
	if n := late.asked.Load(); n > 0 {
		t.Errorf("who came when all was played asked bots %d times", n)
	}
}

// Whoever asks for a part, wherever it begins and ends, gets that part, while another plays the whole.
func TestParts(t *testing.T) {
	b, whole := newBus(t), shard(t, 0, -1)
	lines := bytes.SplitAfter(alone(t, whole), []byte("\n"))
	var machines sync.WaitGroup
	for _, part := range [][2]int{{0, whole.Number}, {3, 2}, {5, 9}, {16, 8}, {whole.Number - 1, 1}, {7, 0}} {
		s := shard(t, part[0], part[1])
		c := b.machine()
		machines.Go(func() {
			want := bytes.Join(lines[s.First:s.First+s.Number], nil)
			if text, err := rows(t.Context(), s, c.Run, catalog.House.Laboratory()); err != nil || !bytes.Equal(text, want) {
				t.Errorf("games %d to %d are others: %v", s.First, s.First+s.Number-1, err)
			}
		})
	}
	machines.Wait()
}

// Machines of another build play by themselves: their bots may be others.
func TestAnotherBuild(t *testing.T) {
	b, s := newBus(t), shard(t, 0, 16)
	other := b.machine()
	other.build = "another"
	for _, c := range []*Crew{b.machine(), other} {
		shelf := newCounting(nil)
		if _, err := rows(t.Context(), s, c.Run, shelf); err != nil {
			t.Fatal(err)
		}
		if shelf.asked.Load() == 0 {
			t.Errorf("build %q took the rows of another", c.build)
		}
	}
}

// What a machine took and said nothing of any more is played by another.
func TestOneFallsSilent(t *testing.T) {
	b, s := newBus(t), shard(t, 0, -1)
	silent, c := b.machine(), b.machine()
	taken := make(chan struct{})
	shelf := newCounting(func(n int64) string {
		if n == 20 {
			work, err := silent.js.Consumer(t.Context(), todo(queueOf(t, silent, s)), "players")
			if err == nil {
				_, err = work.Next()
			}
			if err != nil {
				t.Error(err)
			}
			close(taken)
		}
		return ""
	})
	text, err := rows(t.Context(), s, c.Run, shelf)
	if err != nil || !bytes.Equal(text, alone(t, s)) {
		t.Errorf("its rows are missing: %v", err)
	}
	<-taken
}

// Whoever is interrupted gives back at once what he took.
func TestGivenBack(t *testing.T) {
	b, s := newBus(t), shard(t, 0, -1)
	c := b.machine()
	c.patience = time.Hour
	ctx, interrupt := context.WithCancel(t.Context())
	shelf := newCounting(func(n int64) string {
		if n == 50 {
			interrupt()
		}
		return ""
	})
	if _, err := rows(ctx, s, c.Run, shelf); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted, it ends with %v", err)
	}
	other := b.machine()
	other.patience = time.Hour
	if text, err := rows(t.Context(), s, other.Run, catalog.House.Laboratory()); err != nil || !bytes.Equal(text, alone(t, s)) {
		t.Errorf("another does not come to the end: %v", err)
	}
}

// A bus that goes away while machines play is waited for; and if it comes back without knowing anything of them, it is told again.
func TestTheBusGoesAway(t *testing.T) {
	for _, x := range []struct {
		what string
		away func(b *bus)
	}{
		{"it comes back", func(b *bus) { b.stop(); b.start() }},
		{"it has forgotten everything", (*bus).forget},
	} {
		t.Run(x.what, func(t *testing.T) {
			b, s := newBus(t), shard(t, 0, -1)
			var gone sync.WaitGroup
			var oneByOne sync.Mutex
			shelf := newCounting(func(n int64) string {
				if n == 300 || n == 1500 {
					gone.Go(func() {
						oneByOne.Lock()
						defer oneByOne.Unlock()
						x.away(b)
					})
				}
				return ""
			})
			var machines sync.WaitGroup
			for range 2 {
				c := b.machine()
				machines.Go(func() {
					if text, err := rows(t.Context(), s, c.Run, shelf); err != nil || !bytes.Equal(text, alone(t, s)) {
						t.Errorf("a machine has other rows: %v", err)
					}
				})
			}
			machines.Wait()
			gone.Wait()
			if n := shelf.asked.Load(); n < 1500 {
				t.Errorf("the bus did not go away: %d questions", n)
			}
		})
	}
}

// What was to be played and lies on the bus no longer is laid out again.
func TestTheQueueIsLost(t *testing.T) {
	b, s := newBus(t), shard(t, 0, -1)
	c := b.machine()
	shelf := newCounting(func(n int64) string {
		if n == 100 {
			if err := c.js.DeleteStream(t.Context(), todo(queueOf(t, c, s))); err != nil {
				t.Error(err)
			}
		}
		return ""
	})
	if text, err := rows(t.Context(), s, c.Run, shelf); err != nil || !bytes.Equal(text, alone(t, s)) {
		t.Errorf("the rest is not played: %v", err)
	}
}

// What lies on the bus and is no row of the experiment ends everything, and none of it is written.
func TestSomethingElseOnTheBus(t *testing.T) {
	s := shard(t, 0, 16)
	text := alone(t, s)
	lines := bytes.SplitAfter(text, []byte("\n"))
	for what, rest := range map[string][]byte{
		"a letter":           []byte("Dear Ana,\n"),
		"one row too few":    bytes.Join(lines[8:15], nil),
		"other games":        bytes.Join(lines[0:8], nil),
		"another experiment": bytes.ReplaceAll(bytes.Join(lines[8:16], nil), []byte(`"experiment":"`), []byte(`"experiment":"x`)),
	} {
		t.Run(what, func(t *testing.T) {
			b := newBus(t)
			c := b.machine()
			queue := queueOf(t, c, s)
			if _, _, err := c.streams(t.Context(), queue); err != nil {
				t.Fatal(err)
			}
			if _, err := c.js.Publish(t.Context(), named(done(queue), 1), rest); err != nil {
				t.Fatal(err)
			}
			written, err := rows(t.Context(), s, c.Run, catalog.House.Laboratory())
			if err == nil || !strings.Contains(err.Error(), "is not games 8 to 15") {
				t.Errorf("it ends with %v", err)
			}
			if !bytes.HasPrefix(text, written) || len(written) > len(text)/2+200 {
				t.Errorf("it was written: %s", written)
			}
		})
	}
}

// queueOf is where the machines of a build meet for a shard.
func queueOf(t *testing.T, c *Crew, s lab.Shard) string {
	t.Helper()
	e, err := c.experiment(s, catalog.House.Laboratory())
	if err != nil {
		t.Fatal(err)
	}
	return e.queue
}

// A bot that says what it may not ends it for whoever asked it, as it does alone.
func TestABotThatMayNot(t *testing.T) {
	b, s := newBus(t), shard(t, 0, 16)
	shelf := newCounting(func(n int64) string {
		if n > 40 {
			return "fly"
		}
		return ""
	})
	if _, err := rows(t.Context(), s, b.machine().Run, shelf); err == nil || !strings.Contains(err.Error(), `says "fly"`) {
		t.Errorf("it ends with %v", err)
	}
}

// A file that cannot be written ends it.
func TestAFullDisk(t *testing.T) {
	b, s := newBus(t), shard(t, 0, 16)
	full := errors.New("no space left")
	err := b.machine().Run(s, t.Context(), catalog.House.Laboratory(), func([]byte) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("it ends with %v", err)
	}
}

// Whoever cannot join is told why, and no password.
func TestCannotJoin(t *testing.T) {
	bare, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, Username: "ana", Password: "hush"})
	if err != nil {
		t.Fatal(err)
	}
	bare.Start()
	defer bare.Shutdown()
	if !bare.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	at := bare.Addr().String()
	for _, x := range []struct{ address, says string }{
		{"localhost:4222", "an address like nats://host:4222"},
		{"http://localhost:4222", "an address like nats://host:4222"},
		{"nats://ana:hush@127.0.0.1:1", "no servers available"},
		{"nats://ana:hushhush@" + at, "Authorization Violation"},
		{"nats://ana:hush@" + at, "has no JetStream"},
	} {
		c, err := Join(t.Context(), x.address, "this build", func(string) {})
		if err == nil {
			c.Close()
		}
		if err == nil || !strings.Contains(err.Error(), x.says) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", x.address, err)
		}
	}
}

// What it costs to play over a bus, with bots that take no time: by one machine alone, and by a crew of one.
func BenchmarkRows(b *testing.B) {
	crew := newBus(b).machine()
	for _, x := range []struct {
		name string
		hand lab.Hand
	}{{"alone", lab.Shard.Run}, {"crew", crew.Run}} {
		b.Run(x.name, func(b *testing.B) {
			s, err := lab.ReadShard([]byte(strings.Replace(some, `"deals":28`, `"deals":1000`, 1)), catalog.House.Laboratory(), 0, -1)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				s.Experiment.Seed++ // else the second time lies on the bus
				if err := x.hand(s, b.Context(), catalog.House.Laboratory(), func([]byte) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*s.Number)/b.Elapsed().Seconds(), "games/s")
		})
	}
}
