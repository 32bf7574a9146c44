package slots_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caveau/game"
	"caveau/match/matchtest"
	"caveau/slots"
	"caveau/table"
)

// Two think in two slots, and a third waits until one of them has thought.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := slots.New(2, matchtest.Shelf{}, matchtest.Clock{}.Timer, slog.New(slog.DiscardHandler))
		busy := func(thinking, waiting int) {
			t.Helper()
			synctest.Wait()
			if a, b := all.Busy(); a != thinking || b != waiting {
				t.Errorf("%d think and %d wait, not %d and %d", a, b, thinking, waiting)
			}
		}
		busy(0, 0)
		var waits [3][]bool // what each hears of it
		for i := range waits {
			go all.Ask(t.Context(), "t", "toy", "lost", table.Seen{Moves: []string{"keep"}}, func(so bool) { waits[i] = append(waits[i], so) })
			synctest.Wait()
		}
		busy(2, 1)
		time.Sleep(2 * matchtest.Lost)
		busy(0, 0)
		if waits[0] != nil || waits[1] != nil || !slices.Equal(waits[2], []bool{true, false}) {
			t.Errorf("who had a slot at once, and who had not, heard %v", waits)
		}
	})
}

// A bot that does not come back from two questions is asked no more until it has come back from both.
func TestABotThatComesBackFromOneOfTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := slots.New(3, matchtest.Shelf{}, matchtest.Clock{}.Timer, slog.New(slog.DiscardHandler))
		ask := func() string {
			return all.Ask(t.Context(), "t", "toy", "lost", table.Seen{Moves: []string{"keep", "show"}}, func(bool) {})
		}
		go ask()
		time.Sleep(2 * time.Second)
		go ask()
		time.Sleep(matchtest.Lost - time.Second) // back from the first, and not from the second
		if began := time.Now(); ask() != "keep" || time.Since(began) > 0 {
			t.Errorf("it is asked again, for %v", time.Since(began))
		}
		time.Sleep(2 * matchtest.Lost)
	})
}

// An adviser who breaks down, or does not come back, harms nobody: the first legal move is said for him, and nothing of what he has seen.
func TestABadAdviser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, bot := range []string{"frail", "lost"} {
			var said strings.Builder
			all := slots.New(1, advisedBy{matchtest.Shelf{}, bot}, matchtest.Clock{}.Timer, slog.New(slog.NewTextHandler(&said, nil)))
			if words := all.Advise(t.Context(), "t", "toy", table.Seen{Moves: []string{"keep", "show"}, Seed: 4711}); words != "keep" || !strings.Contains(said.String(), "a bot") || strings.Contains(said.String(), "4711") {
				t.Errorf("%s says %q, and the log %s", bot, words, said.String())
			}
		}
		time.Sleep(2 * matchtest.Lost)
	})
}

// advisedBy is a shelf with that adviser.
type advisedBy struct {
	matchtest.Shelf
	bot string
}

func (a advisedBy) Bot(game, name string) (slots.Bot, bool) {
	if name == slots.Adviser {
		name = a.bot
	}
	return a.Shelf.Bot(game, name)
}

// A bot that does not come back is asked once, at however many tables it sits: there the first legal move is made for it, at once.
// When it has come back it is asked again. Other bots notice nothing.
func TestABotThatDoesNotComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		all := slots.New(2, matchtest.Shelf{}, matchtest.Clock{}.Timer, slog.New(slog.NewTextHandler(&said, nil)))
		ask := func(bot string) (words string, took time.Duration) {
			began := time.Now()
			words = all.Ask(t.Context(), "t", "toy", bot, table.Seen{Moves: []string{"keep", "show"}}, func(bool) {})
			return words, time.Since(began)
		}
		const late = 5*time.Second + 100*time.Millisecond // it was told that nobody listens any more, and had a moment to come back
		if words, took := ask("lost"); words != "keep" || took != late {
			t.Errorf("first it said %q after %v", words, took)
		}
		for range 10 {
			if words, took := ask("lost"); words != "keep" || took != 0 {
				t.Errorf("while it was lost, %q was said for it after %v", words, took)
			}
			if words, _ := ask("first"); words != "keep" {
				t.Errorf("another bot said %q", words)
			}
		}
		time.Sleep(matchtest.Lost)
		if _, took := ask("lost"); took != late {
			t.Errorf("it has come back, and was answered for after %v", took)
		}
		time.Sleep(matchtest.Lost)
		if n := strings.Count(said.String(), "takes too long"); n != 2 {
			t.Errorf("it was said %d times that it takes too long", n)
		}
	})
}

// Nor is one asked meanwhile that did not come back when nobody wanted its word any more, however often that happens.
func TestABotThatNobodyWaitsForAnyMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := slots.New(2, matchtest.Shelf{}, matchtest.Clock{}.Timer, slog.New(slog.DiscardHandler))
		began := time.Now()
		for range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			all.Ask(ctx, "t", "toy", "lost", table.Seen{Moves: []string{"keep"}}, func(bool) {})
			cancel()
		}
		if took := time.Since(began); took != time.Second+100*time.Millisecond {
			t.Errorf("five times somebody waited for it, for %s", took)
		}
		time.Sleep(2 * matchtest.Lost)
		began = time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		all.Ask(ctx, "t", "toy", "lost", table.Seen{Moves: []string{"keep"}}, func(bool) {})
		if time.Since(began) < time.Second {
			t.Error("it has come back, and is not asked")
		}
		time.Sleep(2 * matchtest.Lost)
	})
}

// Who is not wanted any more just as there is room for him keeps nobody else's.
func TestABotThatIsCancelledAsItsTurnComes(t *testing.T) {
	for _, wanted := range []bool{true, false} { // as it waits, and before that
		synctest.Test(t, func(t *testing.T) {
			all := slots.New(1, matchtest.Shelf{}, matchtest.Clock{}.Timer, slog.New(slog.DiscardHandler))
			ask := func(ctx context.Context, waits func(bool)) string {
				return all.Ask(ctx, "t", "toy", "first", table.Seen{Moves: []string{"keep"}}, waits)
			}
			ctx, cancel := context.WithCancel(t.Context())
			if wanted {
				go all.Ask(t.Context(), "t", "toy", "lost", table.Seen{Moves: []string{"keep"}}, func(bool) {})
				synctest.Wait()
				go ask(ctx, func(so bool) {
					if !so {
						cancel()
					}
				})
			} else {
				cancel()
				ask(ctx, func(bool) {})
			}
			time.Sleep(2 * matchtest.Lost)
			cancel()
			if thinking, waiting := all.Busy(); thinking+waiting > 0 {
				t.Errorf("%d think and %d wait, and nobody wants anything", thinking, waiting)
			}
			within, over := context.WithTimeout(t.Context(), time.Minute)
			defer over()
			if word := ask(within, func(bool) {}); word != "keep" {
				t.Errorf("the next says %q", word)
			}
		})
	}
}

// Whatever goes wrong with a bot, the log of the process says which bot and at which table, and nothing of what its seat knows.
func TestTheLogSaysNothingOfWhatABotIsHanded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		all := slots.New(2, matchtest.Shelf{}, matchtest.Clock{}.Timer, slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: slog.LevelDebug - 8})))
		seen := table.Seen{
			View: struct{ card string }{"in his hand"}, Events: []game.Event{{Verb: "knock", What: "before a door"}}, Moves: []string{"knock with one", "knock with another"}, Seed: 4242424242,
		}
		for _, bot := range []string{"first", "mad", "frail", "slow", "lost", "lost", "nobody"} {
			if all.Ask(t.Context(), "t", "toy", bot, seen, func(bool) {}) == "" {
				t.Errorf("nothing is said for %s", bot)
			}
		}
		time.Sleep(2 * matchtest.Lost)
		for _, words := range []string{"hand", "knock", "door", "one", "another", "4242"} {
			if strings.Contains(said.String(), words) {
				t.Errorf("the log has %q, which a bot was handed:\n%s", words, &said)
			}
		}
		if n := strings.Count(said.String(), "\n"); n < 4 {
			t.Errorf("only %d lines were written", n)
		}
	})
}

// One that comes back when it hears that its time is over is not lost: whoever waits for its slot asks it, every time.
func TestABotThatIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := slots.New(1, matchtest.Shelf{}, matchtest.Clock{}.Timer, slog.New(slog.DiscardHandler))
		var ends []time.Duration
		var mu sync.Mutex
		began := time.Now()
		for range 50 {
			go func() {
				all.Ask(t.Context(), "t", "toy", "slow", table.Seen{Moves: []string{"keep"}}, func(bool) {})
				mu.Lock()
				defer mu.Unlock()
				ends = append(ends, time.Since(began))
			}()
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		for i, end := range ends {
			if want := time.Duration(i+1) * 5 * time.Second; end != want {
				t.Fatalf("the %dth was answered after %v, want %v", i+1, end, want)
			}
		}
		if len(ends) != 50 {
			t.Errorf("%d were answered", len(ends))
		}
	})
}

// In a page nobody hears that time goes by while a bot thinks: its word and the end of its time come at once, and its word counts.
func TestAWordAtTheEndOfItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := func(time.Duration) (<-chan time.Time, func() bool) {
			synctest.Wait() // it has said its word
			fires := make(chan time.Time, 1)
			fires <- time.Now()
			return fires, func() bool { return false }
		}
		all := slots.New(1, matchtest.Shelf{}, late, slog.New(slog.DiscardHandler))
		for range 64 {
			if words := all.Ask(t.Context(), "t", "toy", "mad", table.Seen{Moves: []string{"keep"}}, func(bool) {}); words != "fly" {
				t.Fatalf("%q was said for it", words)
			}
		}
	})
}
