// Package crew plays an experiment on several machines, which know nothing of each other but a NATS server with JetStream (ADR 19).
//
// Nobody leads. On each machine the same command lays out what is missing, in pieces, on a queue; takes pieces from it, one a core; puts their
// rows beside it; and gathers the rows of all, so that each ends with the same file. A piece that somebody took and said nothing of for a while
// is given to another. Whoever plays a piece comes to the same rows, so that one that is played twice does no harm; and a bus that
// forgets everything costs time alone, for what stands in the files stands.
package crew

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"caveau/broker"
	"caveau/lab"
)

// patience is how long whoever took a piece may be silent. He says three times as often that he is still at it.
const patience = 15 * time.Second

// A Crew is a machine's connection to the others.
type Crew struct {
	build    string
	conn     *nats.Conn
	js       jetstream.JetStream
	patience time.Duration

	mu   sync.Mutex
	say  func(string)
	said string // the last of it, so that many who stand before one trouble say it once
}

// Join connects to the server at that address, nats://… or tls://…. Only machines of one build play together, since others may have other
// bots. What happens to the bus from then on is told to say, a sentence at a time. Neither an error nor a sentence has the address's password in it.
func Join(ctx context.Context, address, build string, say func(string)) (*Crew, error) {
	at, err := broker.Parse(address)
	if err != nil {
		return nil, err
	}
	c := &Crew{build: build, patience: patience, say: say}
	c.conn, err = at.Connect("caveau lab",
		func(err error) { c.tell(err, "the bus is away, and waited for") },
		func() { c.tell(errors.New(at.String()), "the bus is back") },
	)
	if err != nil {
		return nil, err
	}
	if c.js, err = jetstream.New(c.conn); err == nil {
		_, err = c.js.AccountInfo(ctx)
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("the bus at %s has no JetStream for us, which lends out what is to be played: %w", at, err)
	}
	return c, nil
}

// Close leaves the crew. What was taken and not played has been given back by then.
func (c *Crew) Close() {
	c.conn.FlushTimeout(time.Second)
	c.conn.Close()
}

func (c *Crew) tell(err error, what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if sentence := fmt.Sprintf("%s: %v", what, err); sentence != c.said {
		c.said = sentence
		c.say(sentence)
	}
}

// Run is what Shard.Run is, by all who run it: it hands over the lines of all rows of the shard, in the order of their numbers, whoever
// played them. It plays until none is missing, and waits as long as the bus is away.
func (c *Crew) Run(s lab.Shard, ctx context.Context, shelf lab.Shelf, write func(line []byte) error) error {
	e, err := c.experiment(s, shelf)
	if err != nil {
		return err
	}
	g := &gathering{experiment: e, Shard: s, write: write, ahead: map[int][]byte{}}
	ctx, stop := context.WithCancelCause(ctx)
	var players sync.WaitGroup
	defer players.Wait()
	defer stop(nil)
	for range runtime.GOMAXPROCS(0) {
		players.Go(func() {
			again(ctx, func() error { return c.play(ctx, e) }, func(err error) { c.tell(err, "the bus takes and gives nothing") }, stop)
		})
	}
	again(ctx, func() error { return c.gather(ctx, g) }, func(err error) { c.tell(err, "the bus tells nothing") }, stop)
	if !g.complete() {
		return context.Cause(ctx)
	}
	return nil
}

// again does it until it is done, a second after each trouble, of which told hears. What another try does not mend ends everything.
func again(ctx context.Context, do func() error, told func(error), end context.CancelCauseFunc) {
	for ctx.Err() == nil {
		err := do()
		if err == nil || ctx.Err() != nil {
			return
		}
		var f final
		if errors.As(err, &f) {
			end(f.error)
			return
		}
		told(err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// A final error is one that another try does not mend.
type final struct{ error }
