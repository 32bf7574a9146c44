package lobby

import (
	"context"

	"caveau/match"
	"caveau/wire"
)

// Look has a table looked at, as every visit does.
func (l *Lobby) Look(ctx context.Context, id wire.ID, at func(*match.Owner)) error {
	return l.look(ctx, id, at)
}
