package server

import (
	"net/http"
	"net/url"

	"caveau/address"
	"caveau/reply"
)

// guarded keeps pages elsewhere from posting, and from opening a line, in a guest's name: his browser adds his cookie to whatever they
// ask for, but says whose page it is.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads := r.URL.Path != "/ws" && (r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions)
		if reads {
			next.ServeHTTP(w, r)
			return
		}
		if !s.isForeign(r) {
			s.warnOfLinks(r)
			next.ServeHTTP(w, r)
			return
		}
		s.attempt(foreignPage, s.from(r), "page", brief(r.Header.Get("Origin")))
		if s.told.First("page", "") {
			s.Slog.Warn("a page of another address was refused; if people open the house there, give it with --public-url",
				"page", brief(r.Header.Get("Origin")), "house", s.Origin)
		}
		reply.Refuse(w, http.StatusForbidden, "bad_request", "a page of another site may not do that")
	})
}

// warnOfLinks says once that the house is open under another port, or scheme, of its public name than that of its links: an invitation may lead
// nowhere, and nobody would know but those who do not come.
func (s *Server) warnOfLinks(r *http.Request) {
	page, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || page.Hostname() != s.origin.Hostname() || page.Scheme+"://"+page.Host == s.Origin || !s.told.First("links", "") {
		return
	}
	s.Slog.Warn("people open the house at another address than its links and invitations have; if nothing is open at that, give theirs with --public-url",
		"page", brief(page.String()), "links", s.Origin)
}

// isForeign tells whether a page elsewhere asks. Under the public name a page is ours by its scheme too, whatever somebody on the way
// has served of that name without https; under another, such as an address at home, it is ours if it came from where it asks. Who names
// no origin is no page.
func (s *Server) isForeign(r *http.Request) bool {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	if origin == "" {
		return site != "" && site != "same-origin" && site != "none"
	}
	host := address.Host(r.Host, s.Proxies.Scheme(r))
	return origin != s.Origin && (host == s.origin.Host || origin != s.Proxies.Scheme(r)+"://"+host)
}
