package lobby

import (
	"context"
	"sync/atomic"
	"time"

	"caveau/fact"
	"caveau/wire"
)

// Alone are the deeds of a house that has its log to itself, as in a file: whatever it wakes is its own.
type alone struct{ terms atomic.Int64 }

var _ fact.Deeds = (*alone)(nil)

func (a *alone) Take(ctx context.Context, _ wire.ID) (term int64, err error) {
	return a.terms.Add(1), ctx.Err()
}
func (a *alone) Give(ctx context.Context, _ wire.ID, _ int64) error    { return ctx.Err() }
func (a *alone) Renew(ctx context.Context, _ time.Duration) error      { return ctx.Err() }
func (a *alone) Sweep(ctx context.Context) (free []wire.ID, err error) { return nil, ctx.Err() }
