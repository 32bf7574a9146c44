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

// tablePage is the page of a table, with what its link is told by; that gets no stranger in a house for invited people, and nobody who asks for too much.
func (s *Server) tablePage(client *static.Files) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if v, now := visited(r), s.Clock.Now; s.spent.requests.Address.Allow(v.From, now()) { // before it is looked up who he is
			v, err := s.known(r, v)
			if err == nil && !s.bars(v) && (v.Guest.ID == "" || s.spent.requests.Guest.Allow(v.Guest.ID, now())) {
				if c, err := s.Lobby.Card(r.Context(), wire.ID(r.PathValue("table"))); err == nil {
					client.Headed(w, preview.Head(c, s.Lobby.Games(), s.link(c.Table), s.Origin))
					return
				}
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
	w.Header().Set("Cache-Control", "no-store")
	io.WriteString(w, code)
}
