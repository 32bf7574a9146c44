package server

import (
	"context"
	"errors"
	"net/http"

	"caveau/address"
	"caveau/guests"
	"caveau/lobby"
)

// A visit is a request of somebody.
type visit struct {
	lobby.Visitor
	badge guests.Badge // the zero Badge: of nobody whom we have named; of a line also whoever opened a page that asks as nobody, where strangers get none
}

// identify says who asks: the guest that we have named, by his cookie, or a program of one, by its token, and what the address that he asks from counts as.
// It is the one place that knows how somebody shows who he is. Whether his session was ended, or the token revoked, is asked later.
func (s *Server) identify(r *http.Request) visit {
	badge, err := s.guests.Badge(r)
	switch {
	case !errors.Is(err, guests.ErrForged):
	case guests.HasToken(r):
		s.attempt(forgedToken, s.from(r))
	default:
		s.attempt(forgedCookie, s.from(r))
	}
	v := visit{lobby.Visitor{Guest: badge.Guest, From: s.veil(s.from(r))}, badge}
	if r.URL.Path == "/ws" && s.bars(v) {
		v.badge = s.guests.Opener(r)
	}
	return v
}

// from is the address that somebody asks from.
func (s *Server) from(r *http.Request) string { return address.Household(s.Proxies.Caller(r)) }

// veil is what an address counts as: where others count as well, what all nodes of the house call it.
func (s *Server) veil(from string) string {
	if s.Others == nil {
		return from
	}
	return address.Veiled(from, s.Secret)
}

// Identify is whoever asks, as far as his cookie says it.
func (s *Server) Identify(r *http.Request) lobby.Visitor { return s.identify(r).Visitor }

// known asks whether his session lasts; if it does not he is nobody.
func (s *Server) known(r *http.Request, v visit) (visit, error) {
	if v.badge.ID == "" {
		return v, nil
	}
	err := s.guests.Check(r.Context(), v.badge)
	if errors.Is(err, guests.ErrEnded) {
		return visit{Visitor: lobby.Visitor{From: v.From}}, nil
	}
	return v, err
}

// visited is who was identified when the request came in, visitor is he without his badge.
func visited(r *http.Request) visit {
	v, _ := r.Context().Value(visitKey{}).(visit)
	return v
}

func visitor(r *http.Request) lobby.Visitor { return visited(r).Visitor }

func with(r *http.Request, v visit) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
}

type visitKey struct{}

// isSecure tells whether a request came by https; of a house whose address has it, all do.
func (s *Server) isSecure(r *http.Request) bool {
	return s.origin.Scheme == "https" || s.Proxies.Scheme(r) == "https"
}
