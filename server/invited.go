package server

import (
	"context"
	"net/http"
	"strings"

	"caveau/lobby"
	"caveau/reply"
	"caveau/wire"
)

// An Owner is whoever runs the house (package owner): he has a page, and says who may come in.
type Owner interface {
	// Answer answers what is asked at /api/owner/, over https or not; false where somebody wanted to pass for him.
	Answer(w http.ResponseWriter, r *http.Request, secure bool) bool
	// Invited tells whether strangers need an invitation. Redeem lets one in by it; a *wire.Error if it is not good.
	Invited() bool
	Redeem(ctx context.Context, invitation string) error
}

func (s *Server) owner(w http.ResponseWriter, r *http.Request) {
	if s.Owner == nil {
		reply.Refuse(w, http.StatusNotFound, "bad_request", "nobody has a page here")
		return
	}
	if v := visitor(r); !s.Owner.Answer(w, r, s.isSecure(r)) {
		s.attempt(ownersPage, v.From, "guest", v.Guest.ID)
	}
}

// bars tells whether somebody is a stranger in a house that is for invited people only. Whoever has been given a name is none.
func (s *Server) bars(v lobby.Visitor) bool {
	return v.Guest.ID == "" && s.Owner != nil && s.Owner.Invited()
}

// invited keeps strangers from the tables of such a house. The rules are for everybody, and so is the page that says what to do.
func (s *Server) invited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tables := r.URL.Path == "/ws" || strings.HasPrefix(r.URL.Path, "/api/tables")
		if tables && s.bars(visitor(r)) {
			reply.Error(w, wire.Refuse(wire.CodeUninvited, "this house is for invited people: ask whoever runs it for an invitation"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// comeIn tells whether somebody may have a name, who has none: where that takes an invitation, he uses it once. If not, that has been
// answered.
func (s *Server) comeIn(w http.ResponseWriter, r *http.Request, invitation string) bool {
	v := visitor(r)
	if !s.bars(v) {
		return true
	}
	err := s.Owner.Redeem(r.Context(), invitation)
	if err != nil {
		reply.Error(w, err)
	}
	return err == nil
}

// TurnOut makes a stranger of a guest: his sessions end, and no passkey of his opens the house.
func (s *Server) TurnOut(ctx context.Context, guest string) error { return s.guests.Forget(ctx, guest) }
