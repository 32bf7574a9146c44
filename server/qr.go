package server

import (
	"fmt"
	"net/http"
	"strings"

	"rsc.io/qr"

	"caveau/wire"
)

func (s *Server) qr(w http.ResponseWriter, r *http.Request) {
	id := wire.ID(r.PathValue("table"))
	if _, err := s.Lobby.Card(r.Context(), id); err != nil {
		refuseFor(w, err)
		return
	}
	code, err := qr.Encode(s.link(id), qr.M)
	if err != nil {
		s.fail(w, "a link cannot be drawn", err)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "no-cache")
	fmt.Fprint(w, svg(code))
}

// svg draws the code as one path of horizontal bars, with the four modules of quiet around it that readers need.
func svg(code *qr.Code) string {
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+4, y+4, x-from, x-from)
			}
		}
	}
	size := code.Size + 8
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`+
		`<rect width="%d" height="%d" fill="#fff"/><path d="%s"/></svg>`, size, size, size, size, path.String())
}
