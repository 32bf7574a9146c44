package server

import (
	"net/http"
	"strings"

	"caveau/guests"
	"caveau/reply"
	"caveau/wire"
)

// bearing keeps programs to the tables: what is a person's, such as passkeys, programs and the owner's page, is none of theirs. Whose token is
// none of ours any more hears so, rather than to look on as a stranger.
func (s *Server) bearing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		switch {
		case !guests.HasToken(r) || path != "/ws" && !strings.HasPrefix(path, "/api/"):
		case visitor(r).Guest.ID == "":
			reply.Error(w, wire.Refuse(wire.CodeNoGuest, "this token is none of ours, or was revoked"))
			return
		case path != "/ws" && path != "/api/hello" && path != "/api/tables" && !strings.HasPrefix(path, "/api/tables/"):
			reply.Error(w, wire.Refuse(wire.CodeProgram, "that is for people: a program may ask for /api/hello, tables and the WebSocket"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// newcomers keeps an address from bringing too many who have no name yet.
func (s *Server) newcomers(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if v := visitor(r); !s.may(aGuest, v) {
			s.tooMany(w, r, v, "many have come from your address lately: try again in a minute", "60")
			return
		}
		next(w, r)
	}
}

// goOn gives a guest the cookie that he should have by now; a program has none.
func (s *Server) goOn(w http.ResponseWriter, r *http.Request, badge guests.Badge, name string) error {
	if guests.HasToken(r) {
		return nil
	}
	return s.guests.GoOn(w, r, badge, name)
}
