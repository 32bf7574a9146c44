package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"

	"caveau/game"
)

// A Shard is some of an experiment's games: a value, so that whoever hands out work can write it down and send it elsewhere. The rows
// of shards that follow each other, one after the other, are the rows of the whole.
type Shard struct {
	Experiment Experiment `json:"experiment"`
	First      int        `json:"first"`  // the number of its first game, from 0
	Number     int        `json:"number"` // how many games
}

// ReadShard reads an experiment, and is the shard of so many of its games from the first on; of all that follow where number is
// negative. It refuses, naming the place, what cannot be played.
func ReadShard(text []byte, shelf Shelf, first, number int) (s Shard, err error) {
	if err := game.ReadStrict(text, &s.Experiment); err != nil {
		return s, err
	}
	s, err = whole(s.Experiment, shelf)
	if number < 0 {
		number = max(0, s.Number-first)
	}
	s.First, s.Number = first, number
	if err == nil {
		_, err = s.plan(shelf)
	}
	return s, err
}

// whole is all of an experiment.
func whole(e Experiment, shelf Shelf) (Shard, error) {
	p, err := e.plan(shelf)
	return Shard{Experiment: e, Number: p.games()}, err
}

// Identity is what the experiment is known by, in all its rows, and how many games it has in all.
func (s Shard) Identity(shelf Shelf) (digest string, games int, err error) {
	p, err := s.plan(shelf)
	return p.digest, p.games(), err
}

func (s Shard) plan(shelf Shelf) (plan, error) {
	p, err := s.Experiment.plan(shelf)
	if err == nil && (s.First < 0 || s.Number < 0 || s.Number > p.games()-s.First) {
		err = fmt.Errorf("there is no shard of %d games from game %d on: the experiment has games 0 to %d", s.Number, s.First, p.games()-1)
	}
	return p, err
}

// Run plays the shard on all cores and hands over the lines of its rows, each with its end of line, in the order of their
// numbers. It ends early with the context's error, or with that of a bot or of write; what was handed over until then stands.
func (s Shard) Run(ctx context.Context, shelf Shelf, write func(line []byte) error) error {
	p, err := s.plan(shelf)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cores := runtime.GOMAXPROCS(0)
	todo := make(chan ticket)
	inOrder := make(chan ticket, 64*cores) // so far the quick may run ahead of the slow
	go s.handOut(ctx, todo, inOrder)
	var players sync.WaitGroup
	for range cores {
		players.Go(func() {
			for t := range todo {
				t.done <- p.line(ctx, t.n)
			}
		})
	}
	for t := range inOrder {
		l := <-t.done
		if err == nil {
			err = l.err
		}
		if err == nil {
			err = write(l.text)
		}
		if err != nil {
			stop()
		}
	}
	players.Wait()
	return err
}

// A ticket is a game to be played, and where its row is awaited.
type ticket struct {
	n    int
	done chan line
}

type line struct {
	text []byte
	err  error
}

func (s Shard) handOut(ctx context.Context, todo, inOrder chan<- ticket) {
	defer close(inOrder)
	defer close(todo)
	for n := s.First; n < s.First+s.Number && ctx.Err() == nil; n++ {
		t := ticket{n, make(chan line, 1)}
		inOrder <- t
		todo <- t
	}
}

func (p plan) line(ctx context.Context, n int) line {
	row, err := p.play(ctx, n)
	if err != nil {
		return line{err: err}
	}
	text, err := json.Marshal(row)
	return line{append(text, '\n'), err}
}
