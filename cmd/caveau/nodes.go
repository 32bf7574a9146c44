package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"caveau/bus"
	"caveau/bus/natsbus"
	"caveau/fact"
	"caveau/lobby"
	"caveau/server"
	"caveau/store"
)

// lost is why this node has to close, where it does.
func lost(tables *lobby.Lobby) error {
	select {
	case <-tables.Ended():
		return fact.ErrEpoch
	case <-tables.Deaf():
		return errDeaf
	default:
		return nil
	}
}

var errDeaf = errors.New("the bus does not bring this node what the others say, who hear each other; its tables go on there")

// open opens what the house keeps everything in, as one node of several where there is a bus.
func (s serving) open(ctx context.Context) (*store.Store, error) {
	if s.bus == "" && s.node != "" {
		return nil, errors.New("--node is the name of one of several nodes, which have a --bus")
	}
	if s.bus == "" {
		return store.Open(ctx, s.db)
	}
	return store.Join(ctx, s.db, 30*time.Second) // until its lobby is open, which renews the lease
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
