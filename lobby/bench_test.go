package lobby_test

import (
	"caveau/lobby"
	"caveau/terms"
	"caveau/wire"
	"fmt"
	"log/slog"
	"testing"

	"caveau/game"
	"caveau/match/matchtest"
	"caveau/store/storetest"
)

// BenchmarkMove is one accepted move of a person, told to five audiences of the table: two who play and three who watch
// (who share one frame). The log is in memory; what a disk costs is in store.
func BenchmarkMove(b *testing.B) {
	opened, err := lobby.Open(b.Context(), lobby.Config{
		Log: storetest.Memory(), Shelf: matchtest.Shelf{}, Clock: matchtest.Clock{}, Rand: matchtest.Rand(1), Slog: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.Fatal(err)
	}
	defer opened.Close()
	told := make(chan bool, 1) // the one who came last is told last
	var people []*lobby.Session
	for i := range 5 {
		c := opened.Connect(visitor(fmt.Sprint(i)), func() {
			if i != 4 {
				return
			}
			select {
			case told <- true:
			default: // that somebody came is told by the way
			}
		})
		defer c.Close()
		people = append(people, c)
	}
	take := func() {
		for _, p := range people {
			for messages, _ := p.Take(nil); len(messages) > 0; messages, _ = p.Take(messages) {
			}
		}
	}
	var id wire.ID
	for n, seq := 0, 0; b.Loop(); n++ {
		if n%250 == 0 {
			b.StopTimer()
			for _, p := range people { // nobody watches more than so many tables
				p.Do(wire.Command{ID: "u", Do: "unwatch", Table: id})
			}
			<-told
			take()
			if id, err = opened.Make(b.Context(), people[0].Who(), terms.Setup{Game: "toy", Edition: "endless", Seats: 2, Sit: true, First: "A"}); err != nil {
				b.Fatal(err)
			}
			for i, p := range people {
				p.Do(wire.Command{ID: "w", Do: "watch", Table: id})
				if i == 4 {
					<-told
				}
			}
			take()
			people[1].Do(wire.Command{ID: "s", Do: "sit", Seat: "B", Table: id})
			<-told
			take()
			people[0].Do(wire.Command{ID: "s", Do: "start", Table: id})
			<-told
			take()
			seq = 3
			b.StartTimer()
		}
		people[n%2].Do(wire.Command{ID: fmt.Sprint(n), Do: "play", Table: id, Seat: game.Seat(n % 2).String(), Seq: seq, Move: "keep"})
		<-told
		take()
		seq++
	}
}
