package server

import (
	"context"
	"net/http"
	"strings"

	"caveau/reply"
	"caveau/wire"
)

// An Owner is whoever runs the house (package owner): he has a page, and says who may come in.
type Owner interface {
	// Answer answers what is asked at /api/owner/, over https or not; false where somebody wanted to pass for him.
	Answer(w http.ResponseWriter, r *http.Request, secure bool) bool
	// Invited tells whether strangers need an invitation. Redeem lets a guest in by it, once what makes one of him is done; a *wire.Error if it
	// is not good, or what went wrong with that: then it is not used.
	Invited() bool
	Redeem(ctx context.Context, invitation, guest string, do func() error) error
}

func (s *Server) owner(w http.ResponseWriter, r *http.Request) {
	if s.Owner == nil {
		reply.Refuse(w, http.StatusNotFound, "bad_request", "nobody has a page here")
		return
	}
	if v := visitor(r); !s.Owner.Answer(w, r, s.isSecure(r)) {
		s.attempt(ownersPage, s.from(r), "guest", v.Guest.ID)
	}
}

// bars tells whether somebody is a stranger in a house that is for invited people only. Whoever has been given a name is none, nor is a big screen that he opened.
func (s *Server) bars(v visit) bool {
	return v.badge.ID == "" && s.Owner != nil && s.Owner.Invited()
}

// invited keeps strangers from the tables of such a house. The rules are for everybody, and so is the page that says what to do.
func (s *Server) invited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tables := r.URL.Path == "/ws" || strings.HasPrefix(r.URL.Path, "/api/tables")
		if tables && s.bars(visited(r)) {
			reply.Error(w, wire.Refuse(wire.CodeUninvited, "this house is for invited people: ask whoever runs it for an invitation"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// comeIn gives somebody a name, or another. Who has none uses an invitation once, where that takes one.
func (s *Server) comeIn(ctx context.Context, v visit, invitation, guest string, rename func() error) error {
	if !s.bars(v) {
		return rename()
	}
	return s.Owner.Redeem(ctx, invitation, guest, rename)
}

// TurnOut makes a stranger of a guest: his sessions end, and no passkey of his opens the house.
func (s *Server) TurnOut(ctx context.Context, guest string) error { return s.guests.Forget(ctx, guest) }
