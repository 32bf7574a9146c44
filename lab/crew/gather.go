package crew

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"caveau/lab"
)

// A gathering is what a machine has of an experiment's rows.
type gathering struct {
	experiment
	lab.Shard // what is still asked for; it shrinks as rows are written
	write     func(line []byte) error
	ahead     map[int][]byte // pieces that came before those in front of them
}

func (g *gathering) complete() bool { return g.Number == 0 }

// missing are the pieces that are asked for and not here.
func (g *gathering) missing() (pieces []int) {
	for k := g.First / pieceOf; k*pieceOf < g.First+g.Number; k++ {
		if g.ahead[k] == nil {
			pieces = append(pieces, k)
		}
	}
	return pieces
}

// gather takes the rows that anybody has played, those that lie there first, and lays out what is missing then. It ends when nothing is.
func (c *Crew) gather(ctx context.Context, g *gathering) error {
	if g.complete() {
		return nil
	}
	_, results, err := c.streams(ctx, g.queue)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	told, err := listen(ctx, results, stop)
	if err != nil {
		return err
	}
	laid := results.CachedInfo().State.Msgs == 0 // else when what lies there is here
	if laid {
		err = c.layOut(ctx, g)
	}
	quiet := time.NewTicker(c.patience)
	defer quiet.Stop()
	for heard := 0; err == nil && !g.complete(); {
		select {
		case r := <-told:
			heard++
			err = g.take(r.piece, r.rows)
			if err == nil && r.last && !laid {
				laid = true
				err = c.layOut(ctx, g)
			}
		case <-quiet.C:
			if heard == 0 {
				err = c.lookAfter(ctx, g, results)
			}
			heard = 0
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	return err
}

// A result is what somebody played of a piece.
type result struct {
	piece int
	rows  []byte
	last  bool // of those that lie there
}

// listen hears all rows that were played, from the first that lie there on.
func listen(ctx context.Context, results jetstream.Stream, failed context.CancelCauseFunc) (<-chan result, error) {
	consumer, err := results.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return nil, err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, messages.Stop)
	told := make(chan result)
	go func() {
		for {
			m, err := messages.Next()
			if err == nil {
				err = pass(ctx, m, told)
			}
			if err != nil {
				failed(err)
				return
			}
		}
	}()
	return told, nil
}

func pass(ctx context.Context, m jetstream.Msg, told chan<- result) error {
	about, err := m.Metadata()
	if err != nil {
		return err
	}
	k, err := pieceNamed(m.Subject())
	if err != nil {
		return err
	}
	select {
	case told <- result{k, m.Data(), about.NumPending == 0}:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// take takes the rows of piece k, and writes all whose turn has come. What is not that piece's is refused, and changes nothing.
func (g *gathering) take(k int, text []byte) error {
	if k < g.First/pieceOf || k*pieceOf >= g.First+g.Number || g.ahead[k] != nil {
		return nil // nobody here asks for it, or it is here
	}
	if err := g.check(k, text); err != nil {
		return final{err}
	}
	g.ahead[k] = text
	for !g.complete() && g.ahead[g.First/pieceOf] != nil {
		if err := g.writePiece(g.First / pieceOf); err != nil {
			return final{err}
		}
	}
	return nil
}

func (g *gathering) check(k int, text []byte) error {
	rows, err := lab.ReadRows(text)
	piece := g.piece(k)
	for i, r := range rows {
		if err == nil && (r.Experiment != g.digest || r.N != piece.First+i) {
			err = fmt.Errorf("line %d is game %d of experiment %.20q", i+1, r.N, r.Experiment)
		}
	}
	if err == nil && len(rows) != piece.Number {
		err = fmt.Errorf("it has %d rows", len(rows))
	}
	if err != nil {
		return fmt.Errorf("what lies on the bus, in %s, is not games %d to %d of this experiment: %w; take that stream away",
			done(g.queue), piece.First, piece.First+piece.Number-1, err)
	}
	return nil
}

// writePiece writes the rows of piece k that are asked for: a shard may begin or end within one.
func (g *gathering) writePiece(k int) error {
	n := k * pieceOf
	for line := range bytes.Lines(g.ahead[k]) {
		if n == g.First && !g.complete() {
			if err := g.write(line); err != nil {
				return err
			}
			g.First, g.Number = g.First+1, g.Number-1
		}
		n++
	}
	delete(g.ahead, k)
	return nil
}

// layOut lays out what is missing. What lies there already, or is being played, is not laid out again.
func (c *Crew) layOut(ctx context.Context, g *gathering) error {
	var answers []jetstream.PubAckFuture
	for _, k := range g.missing() {
		a, err := c.js.PublishAsync(named(todo(g.queue), k), nil)
		if err != nil {
			return err
		}
		answers = append(answers, a)
	}
	for _, a := range answers {
		select {
		case <-a.Ok():
		case err := <-a.Err():
			if refused := new(jetstream.APIError); !errors.As(err, &refused) || refused.ErrorCode != liesThere {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// lookAfter is for when nothing has come for a while: the bus may have forgotten what was to be played, or what was.
func (c *Crew) lookAfter(ctx context.Context, g *gathering, results jetstream.Stream) error {
	made := results.CachedInfo().Created
	now, err := results.Info(ctx)
	if err != nil {
		return err
	}
	if !now.Created.Equal(made) {
		return errors.New("it has forgotten what was played")
	}
	work, err := c.js.Stream(ctx, todo(g.queue))
	if err != nil {
		return err
	}
	if work.CachedInfo().State.Msgs >= uint64(len(g.missing())) {
		return nil // somebody thinks for long
	}
	return c.layOut(ctx, g)
}

func named(stream string, piece int) string { return stream + "." + strconv.Itoa(piece) }

func pieceNamed(subject string) (int, error) {
	return strconv.Atoi(subject[strings.LastIndexByte(subject, '.')+1:])
}
