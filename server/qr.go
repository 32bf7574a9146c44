package server

import (
	"io"
	"net/http"

	"caveau/qrcode"
	"caveau/reply"
	"caveau/wire"
)

func (s *Server) qr(w http.ResponseWriter, r *http.Request) {
	id := wire.ID(r.PathValue("table"))
	if _, err := s.Lobby.Card(r.Context(), id); err != nil {
		reply.Error(w, err)
		return
	}
	code, err := qrcode.SVG(s.link(id))
	if err != nil {
		s.fail(w, "a link cannot be drawn", err)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "no-cache")
	io.WriteString(w, code)
}
