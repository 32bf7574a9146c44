package lobby

import (
	"context"

	"caveau/match/runner"
	"caveau/table"
	"caveau/wire"
)

// Look has a table woken and looked at, as every visit does.
func (l *Lobby) Look(ctx context.Context, id wire.ID, at func(*table.Table, wire.Card)) error {
	return l.visit(id, func(r *runner.Runner) (bool, error) { return r.Look(ctx, at) })
}

// Read has a table looked at by whoever shows it, awake or not.
func (l *Lobby) Read(ctx context.Context, id wire.ID, look func(*table.Table, wire.Card)) error {
	return l.read(ctx, id, look)
}

// MostLinger is how many tables are remembered that were looked at.
const MostLinger = mostLinger
