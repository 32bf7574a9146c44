package store

import (
	"context"
	"errors"
	"strings"
)

func IsServer(db string) bool {
	return strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://")
}

func openServer(ctx context.Context, url string) (*Store, error) { return nil, errors.New("todo") }
