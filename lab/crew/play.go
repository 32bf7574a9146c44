package crew

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"caveau/lab"
)

// pieceOf is how many games are taken at once: few, so that little is lost with a machine, and nobody is long idle at the end.
const pieceOf = 8

// An experiment is what all machines of a crew play. Its pieces are counted from its first game, whatever part of it somebody asks for, so that they are
// alike for all.
type experiment struct {
	lab.Experiment
	shelf  lab.Shelf
	digest string
	games  int
	queue  string
}

// experiment is what a shard is a part of. Another build meets at another queue.
func (c *Crew) experiment(s lab.Shard, shelf lab.Shelf) (experiment, error) {
	digest, games, err := s.Identity(shelf)
	name := sha256.Sum256([]byte(digest + " " + c.build))
	return experiment{s.Experiment, shelf, digest, games, fmt.Sprintf("caveau-lab-%x", name[:6])}, err
}

// piece is piece k, as a shard.
func (e experiment) piece(k int) lab.Shard {
	return lab.Shard{Experiment: e.Experiment, First: k * pieceOf, Number: min(pieceOf, e.games-k*pieceOf)}
}

// Two streams an experiment: what is to be played, from which goes away what was, and the rows.
func todo(queue string) string { return queue + "-todo" }
func done(queue string) string { return queue + "-done" }

// kept is how long either lies on the bus: whoever joins late is handed what others played.
const kept = 7 * 24 * time.Hour

// liesThere is what JetStream answers to a second message of one subject, in a stream that keeps the first.
const liesThere jetstream.ErrorCode = 10077

// streams are those of a queue, which are made if they are missing: who takes from the first, and the second. What is there is not set up
// again, as machines of one build would ask for the same: a server that changes a stream while somebody begins to take from it may race.
func (c *Crew) streams(ctx context.Context, queue string) (work jetstream.Consumer, results jetstream.Stream, err error) {
	_, err = c.stream(ctx, jetstream.StreamConfig{
		Name: todo(queue), Subjects: []string{todo(queue) + ".*"}, Description: "caveau lab: games to be played, by the number of their piece",
		Retention: jetstream.WorkQueuePolicy, MaxAge: kept,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	})
	if err == nil {
		results, err = c.stream(ctx, jetstream.StreamConfig{
			Name: done(queue), Subjects: []string{done(queue) + ".*"}, Description: "caveau lab: rows of games that were played, by the number of their piece",
			MaxAge: kept, MaxMsgsPerSubject: 1, Compression: jetstream.S2Compression,
		})
	}
	if err == nil {
		work, err = c.js.Consumer(ctx, todo(queue), "players")
	}
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		work, err = c.js.CreateOrUpdateConsumer(ctx, todo(queue), jetstream.ConsumerConfig{
			Durable: "players", AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.patience, MaxAckPending: -1,
		})
	}
	return work, results, err
}

// stream is the one of that name, made if it is missing.
func (c *Crew) stream(ctx context.Context, as jetstream.StreamConfig) (jetstream.Stream, error) {
	s, err := c.js.Stream(ctx, as.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return c.js.CreateStream(ctx, as)
	}
	return s, err
}

// play takes pieces and plays them, one after the other.
func (c *Crew) play(ctx context.Context, e experiment) error {
	work, results, err := c.streams(ctx, e.queue)
	if err != nil {
		return err
	}
	for {
		m, err := next(ctx, work)
		if err != nil {
			return err
		}
		if err := c.playOne(ctx, e, m, results); err != nil {
			m.Nak() // somebody else may have it at once; where even this is lost, after a while
			return err
		}
	}
}

// next waits until something lies there. Each question is answered at once, and is waited for by whoever is interrupted too: what came to one
// who listens no more would be nobody's for as long as we are patient.
func next(ctx context.Context, work jetstream.Consumer) (jetstream.Msg, error) {
	for pause := 10 * time.Millisecond; ctx.Err() == nil; pause = min(2*pause, time.Second) {
		some, err := work.FetchNoWait(1)
		if err != nil {
			return nil, err
		}
		if m, ok := <-some.Messages(); ok {
			return m, nil
		}
		if err := some.Error(); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	return nil, ctx.Err()
}

// playOne plays the piece of a message. Its rows lie there before it is off the queue.
func (c *Crew) playOne(ctx context.Context, e experiment, m jetstream.Msg, results jetstream.Stream) error {
	k, err := pieceNamed(m.Subject())
	if err != nil || k < 0 || k*pieceOf >= e.games {
		return m.Term() // nobody of ours has laid that out
	}
	if _, err := results.GetLastMsgForSubject(ctx, named(done(e.queue), k)); err == nil {
		return m.DoubleAck(ctx) // whoever played it came no further
	}
	still := time.NewTicker(c.patience / 3)
	playing, played := context.WithCancel(ctx)
	go func() {
		defer still.Stop()
		for playing.Err() == nil {
			select {
			case <-still.C:
				m.InProgress()
			case <-playing.Done():
			}
		}
	}()
	defer played()
	var rows bytes.Buffer
	err = e.piece(k).Run(ctx, e.shelf, func(line []byte) error { rows.Write(line); return nil })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return final{err}
	}
	return c.handIn(ctx, e, k, rows.Bytes(), m)
}

// handIn is repeated as long as the bus is away: what was played need not be played again.
func (c *Crew) handIn(ctx context.Context, e experiment, k int, rows []byte, m jetstream.Msg) (err error) {
	again(ctx, func() error {
		_, err := c.js.Publish(ctx, named(done(e.queue), k), rows)
		return err
	}, func(err error) { c.tell(err, "the bus takes and gives nothing") }, func(error) {})
	if ctx.Err() == nil {
		m.DoubleAck(ctx) // where it is lost, whoever gets the piece finds the rows
	}
	return ctx.Err()
}
