package server

import (
	"io"
	"net/http"

	"caveau/preview"
	"caveau/qrcode"
	"caveau/reply"
	"caveau/static"
	"caveau/wire"
)

// tablePage is the page of a table, with what its link is told by. Nobody gets more of it than of the door sign: no stranger in a house
// for invited people, and nobody who asks for too much.
func (s *Server) tablePage(client *static.Files) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := s.known(r, visited(r))
		if err == nil && !s.bars(v.Visitor) && s.spent.requests.Allow(v.From, v.Guest.ID, s.Clock.Now()) {
			if c, err := s.Lobby.Card(r.Context(), wire.ID(r.PathValue("table"))); err == nil {
				client.Headed(w, preview.Head(c, s.Lobby.Games(), s.link(c.Table), s.Origin))
				return
			}
		}
		client.Index(w, r)
	}
}

// qr is a table's link, drawn for phones to read.
func (s *Server) qr(w http.ResponseWriter, r *http.Request) {
	id := wire.ID(r.PathValue("table"))
	if _, err := s.Lobby.Card(r.Context(), id); err != nil {
		reply.Error(w, err)
		return
	}
	code, err := qrcode.SVG(s.link(id))
	if err != nil {
		s.fail(w, r, "a link cannot be drawn", err)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "no-cache")
	io.WriteString(w, code)
}
