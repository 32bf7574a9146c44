//go:build js && wasm

package main

import (
	"context"
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"syscall/js"

	"caveau/catalog"
	"caveau/game"
	"caveau/match/runner"
	"caveau/pocket"
	"caveau/terms"
	"caveau/wire"
)

// The house in the page (package pocket), for a worker of the page: what it asks is answered in JSON, later, by a call. Nothing here may
// wait in a call from the page, which would wait with it.

// open opens the house: kept are the lines that the device has, keep keeps another one and calls back with whether it did, and so does forget,
// which forgets all lines of a table and of some guests.
func open(_ js.Value, args []js.Value) any {
	kept, keep, forget, done := args[0].String(), args[1], args[2], args[3]
	go func() {
		var lines []pocket.Line
		err := json.Unmarshal([]byte(kept), &lines)
		if err == nil {
			house, err = pocket.Open(context.Background(), pocket.Config{
				Shelf: catalog.House, Clock: runner.Wall{}, Rand: chance, Kept: lines, Keep: keeper(keep), Forget: forgetter(forget), Slog: slog.New(slog.NewTextHandler(os.Stderr, nil)),
			})
		}
		answer(done, shelf{catalog.House.Games(), botsOf()}, err)
	}()
	return nil
}

var house *pocket.House

// A shelf is what there is to play here, and against whom.
type shelf struct {
	Games []game.Info `json:"games"`
	Bots  []string    `json:"bots"`
}

// botsOf are the bots that every game has.
func botsOf() []string { return catalog.House.Bots(catalog.House.Games()[0].Name) }

var errUnkept = errors.New("the device keeps nothing")

func keeper(keep js.Value) func(pocket.Line) error {
	return func(line pocket.Line) error { return waits(keep, wire.Message(line)) }
}

func forgetter(forget js.Value) func(wire.ID, []string) error {
	return func(table wire.ID, guests []string) error {
		return waits(forget, wire.Message(map[string]any{"table": table, "guests": guests}))
	}
}

// waits tells the device to do something, and waits until it has.
func waits(do js.Value, text []byte) error {
	did := make(chan bool, 1)
	done := js.FuncOf(func(_ js.Value, args []js.Value) any {
		did <- args[0].Bool()
		return nil
	})
	defer done.Release()
	do.Invoke(string(text), done)
	if !<-did {
		return errUnkept
	}
	return nil
}

func answer(done js.Value, said any, err error) {
	if err != nil {
		said = map[string]*wire.Error{"error": wire.AsError(err)}
	}
	done.Invoke(string(wire.Message(said)))
}

// A question is what the page asks of the house, besides what goes over a line.
type question struct {
	What  string            `json:"what"`
	Table wire.ID           `json:"table"`
	Seat  string            `json:"seat"`
	Setup terms.Setup       `json:"setup"`
	Names map[string]string `json:"names"`
	Eyes  string            `json:"eyes"`
	Kept  wire.ID           `json:"kept"`
}

func ask(_ js.Value, args []js.Value) any {
	text, done := args[0].String(), args[1]
	go func() {
		var q question
		err := json.Unmarshal([]byte(text), &q)
		var said any
		if err == nil {
			said, err = q.answered(context.Background())
		}
		answer(done, said, err)
	}()
	return nil
}

func (q question) answered(ctx context.Context) (said any, err error) {
	switch q.What {
	case "make":
		id, err := house.Make(ctx, q.Setup, q.Names)
		return map[string]wire.ID{"table": id}, err
	case "tables":
		return house.Tables(ctx)
	case "played":
		return house.Played(ctx)
	case "kept":
		return struct{}{}, house.Kept(q.Table, q.Kept)
	case "drop":
		return struct{}{}, house.Drop(ctx, q.Table)
	case "replay":
		rec, err := house.Record(ctx, q.Table)
		if err != nil {
			return nil, err
		}
		return replayed(wire.Message(rec), q.Eyes)
	case "record":
		return house.Record(ctx, q.Table)
	case "story":
		return house.Story(ctx, q.Table)
	case "advice":
		move, err := house.Advice(ctx, q.Table, q.Seat)
		return map[string]string{"move": move}, err
	}
	return nil, wire.Refuse(wire.CodeBadCommand, "nobody knows what %q is", q.What)
}

// line is a line to a table for whoever has a seat: tell is told what the house says. What is answered has say and hang; what is said before
// the house has picked up waits.
func line(_ js.Value, args []js.Value) any {
	table, seat, tell := wire.ID(args[0].String()), args[1].String(), args[2]
	said := make(chan string, 256)
	go func() {
		c := house.Sit(context.Background(), table, seat, func(text []byte) { tell.Invoke(string(text)) })
		for text := range said {
			c.Say([]byte(text))
		}
		c.Close()
	}()
	var say, hang js.Func
	say = js.FuncOf(func(_ js.Value, args []js.Value) any {
		said <- args[0].String()
		return nil
	})
	hang = js.FuncOf(func(js.Value, []js.Value) any {
		close(said)
		say.Release()
		hang.Release()
		return nil
	})
	return map[string]any{"say": say, "hang": hang}
}

// chance is a new source that nobody can guess: 256 bits of seed from the browser.
func chance() *rand.Rand {
	var seed [32]byte
	crand.Read(seed[:]) // it never fails: it ends the process sooner
	return rand.New(rand.NewChaCha8(seed))
}
