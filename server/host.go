package server

import (
	"fmt"
	"net/http"

	"caveau/address"
)

// hosted answers those who asked for this house. A page elsewhere whose name was made to lead to this machine (DNS rebinding) is one
// site with the house to its visitor's browser, and could read all that he may; but it cannot ask by another name than its own.
func (s *Server) hosted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := address.Name(r.Host); !s.names.Have(name) {
			s.attempt(foreignHost, s.from(r), "host", brief(name))
			if s.told.First("host", brief(name)) {
				s.Slog.Warn("somebody asked for a house of another name and got nothing; if people are to open this one there, give its address with "+
					"--public-url; if it is one more name of it, with --host", "host", brief(name))
			}
			http.Error(w, fmt.Sprintf("There is no house called %q here. Open it by its address; whoever runs it can say with --public-url that "+
				"this is its address, or with --host that it is one more name of it.", name),
				http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
