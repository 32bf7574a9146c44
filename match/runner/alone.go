package runner

import (
	"context"
	"sync/atomic"
	"time"

	"caveau/fact"
	"caveau/wire"
)

// Alone are the deeds of a house that has its log to itself, as in a file: whatever it wakes is its own.
type Alone struct{ terms atomic.Int64 }

var _ fact.Deeds = (*Alone)(nil)

// Take, and all that follows, is fact.Deeds'.
func (a *Alone) Take(ctx context.Context, _ wire.ID) (term int64, err error) {
	return a.terms.Add(1), ctx.Err()
}
func (a *Alone) Give(ctx context.Context, _ wire.ID, _ int64, _ fact.Left) error {
	return ctx.Err()
}
func (a *Alone) Renew(ctx context.Context, _ time.Duration, _ ...int64) error { return ctx.Err() }
func (a *Alone) Sweep(ctx context.Context) (free []wire.ID, err error)        { return nil, ctx.Err() }
func (a *Alone) Speaks(ctx context.Context) (int, error)                      { return wire.Speaks, ctx.Err() }
