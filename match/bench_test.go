package match_test

import (
	"fmt"
	"log/slog"
	"testing"

	"caveau/game"
	"caveau/match"
	"caveau/match/matchtest"
	"caveau/store/storetest"
)

// BenchmarkMove is one accepted move of a person, told to five audiences of the table: two who play and three who watch
// (who share one frame). The log is in memory; what a disk costs is in store.
func BenchmarkMove(b *testing.B) {
	lobby, err := match.Open(b.Context(), match.Config{
		Log: storetest.Memory(), Shelf: matchtest.Shelf{}, Clock: matchtest.Clock{}, Rand: matchtest.Rand(1), Slog: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.Fatal(err)
	}
	defer lobby.Close()
	var people []*match.Client
	for i := range 5 {
		c := lobby.Connect(guest(fmt.Sprint(i)))
		defer c.Close()
		people = append(people, c)
	}
	say := func(i int, c match.Command) {
		people[i].Do(b.Context(), c)
		for _, p := range people {
			for len(p.Out()) > 0 {
				<-p.Out()
			}
		}
	}
	var table match.ID
	for n, seq := 0, 0; b.Loop(); n++ {
		if n%250 == 0 {
			b.StopTimer()
			if table, err = lobby.Make(b.Context(), people[0].Guest, match.Setup{Game: "toy", Edition: "endless", Seats: 2, Sit: true, First: "A"}); err != nil {
				b.Fatal(err)
			}
			for i := range people {
				say(i, match.Command{ID: "w", Do: "watch", Table: table})
			}
			say(1, match.Command{ID: "s", Do: "sit", Seat: "B", Table: table})
			say(0, match.Command{ID: "s", Do: "start", Table: table})
			seq = 3
			b.StartTimer()
		}
		say(n%2, match.Command{ID: fmt.Sprint(n), Do: "play", Table: table, Seat: game.Seat(n % 2).String(), Seq: seq, Move: "keep"})
		seq++
	}
}
