package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"caveau/bus"
	"caveau/bus/natsbus"
	"caveau/server"
	"caveau/store"
)

// openTime is how long the first lease of a node lasts: until its lobby is open, which renews it.
const openTime = 30 * time.Second

// open opens what the house keeps everything in, as one node of several where there is a bus.
func (s serving) open(ctx context.Context) (*store.Store, error) {
	if s.bus == "" && s.node != "" {
		return nil, errors.New("--node is the name of one of several nodes, which have a --bus")
	}
	if s.bus == "" {
		return store.Open(ctx, s.db)
	}
	return store.Join(ctx, s.db, openTime)
}

// dial is this node's way to the others, for tables and for limits; close it when the lobby is closed.
func (s serving) dial() (way bus.Bus, others server.Others, close func(), err error) {
	if s.bus == "" {
		return nil, nil, func() {}, nil
	}
	b, err := natsbus.Dial(natsbus.Config{Address: s.bus, Node: s.node, Slog: s.slog})
	if err != nil {
		return nil, nil, nil, fmt.Errorf("--bus: %w", err)
	}
	return b, b, b.Close, nil
}
