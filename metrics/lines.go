package metrics

import (
	"context"
	"log/slog"
)

// Lines is the handler of a log whose warnings and errors are counted, as "warn" and "error", before the one behind it has them.
func Lines(behind slog.Handler, counts *Counts) slog.Handler { return lines{behind, counts} }

type lines struct {
	slog.Handler
	counts *Counts
}

func (l lines) Handle(ctx context.Context, r slog.Record) error {
	switch {
	case r.Level >= slog.LevelError:
		l.counts.Add("error")
	case r.Level >= slog.LevelWarn:
		l.counts.Add("warn")
	}
	return l.Handler.Handle(ctx, r)
}

func (l lines) WithAttrs(attrs []slog.Attr) slog.Handler {
	return lines{l.Handler.WithAttrs(attrs), l.counts}
}
func (l lines) WithGroup(name string) slog.Handler { return lines{l.Handler.WithGroup(name), l.counts} }
