package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// hosted answers those who asked for this house. A page elsewhere whose name was made to lead to this machine (DNS rebinding) is one
// site with the house to its visitor's browser, and could read all that he may; but it cannot ask by another name than its own.
func (s *Server) hosted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := hostname(r.Host); !s.isCalled(name) {
			s.attempt(foreignHost, household(s.caller(r)), "host", brief(name))
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

// IsCalled tells whether a request asks a host by a name that it has: one of these, or one that nobody else can have.
func IsCalled(host string, names []string) bool { return isCalled(hostname(host), namesOf("", names)) }

func (s *Server) isCalled(name string) bool { return isCalled(name, s.names) }

// isCalled tells whether that is a name of this house. An address leads here by itself, and nobody else can have the names that only
// mean something in one's own network. Without a name comes no browser.
func isCalled(name string, names map[string]bool) bool {
	if _, err := netip.ParseAddr(name); err == nil || name == "" || name == "localhost" {
		return true
	}
	return strings.HasSuffix(name, ".localhost") || strings.HasSuffix(name, ".local") || names[name]
}

// namesOf are the names of a house: that of its public address, and those it was given, each with its domain and without.
func namesOf(origin string, hosts []string) map[string]bool {
	names := map[string]bool{hostname(origin): true}
	for _, host := range hosts {
		name := hostname(host)
		short, _, _ := strings.Cut(name, ".")
		names[name], names[short] = true, true
	}
	return names
}

// hostname is a host without its port, as names are compared.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}
