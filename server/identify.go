package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"

	"caveau/guests"
	"caveau/lobby"
)

// A visit is a request of somebody.
type visit struct {
	lobby.Visitor
	badge guests.Badge // the zero Badge: of nobody whom we have named
}

// identify says who asks: the guest that we have named, by his cookie, and the address that he asks from. It is the one place that
// knows how somebody shows who he is. Whether his session was ended is asked later.
func (s *Server) identify(r *http.Request) visit {
	badge, err := s.guests.Badge(r)
	from := household(s.caller(r))
	if errors.Is(err, guests.ErrForged) {
		s.attempt(forgedCookie, from)
	}
	return visit{lobby.Visitor{Guest: badge.Guest, From: from}, badge}
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

// forwarded is where a proxy says whose request it passes on, the last proxy last.
const forwarded = "X-Forwarded-For"

// caller is the address that a request comes from. A proxy that is trusted is believed whom it names, and so on for as long as
// the address that is named is that of a trusted proxy itself. Anybody else may write into the header what he likes.
func (s *Server) caller(r *http.Request) netip.Addr {
	at := parseAddr(r.RemoteAddr)
	names := strings.Split(strings.Join(r.Header.Values(forwarded), ","), ",")
	for i := len(names) - 1; i >= 0 && s.trusts(at); i-- {
		named := parseAddr(strings.TrimSpace(names[i]))
		if !named.IsValid() {
			break
		}
		at = named
	}
	return at
}

// scheme is how a request came, http or https: to this server or, if a proxy that is trusted says so, to that.
func (s *Server) scheme(r *http.Request) string {
	said := r.Header.Values("X-Forwarded-Proto")
	if r.TLS != nil || len(said) > 0 && said[len(said)-1] == "https" && s.trusts(parseAddr(r.RemoteAddr)) {
		return "https"
	}
	return "http"
}

// isSecure tells whether a request came by https; of a house whose address has it, all do.
func (s *Server) isSecure(r *http.Request) bool {
	return s.origin.Scheme == "https" || s.scheme(r) == "https"
}

func (s *Server) trusts(at netip.Addr) bool {
	for _, p := range s.Proxies {
		if p.Contains(at) {
			return true
		}
	}
	return false
}

// parseAddr reads an address, with a port or without one; the zero Addr if it is none.
func parseAddr(text string) netip.Addr {
	if port, err := netip.ParseAddrPort(text); err == nil {
		return port.Addr().Unmap().WithZone("")
	}
	addr, _ := netip.ParseAddr(strings.Trim(text, "[]"))
	return addr.Unmap().WithZone("")
}

// household is what counts as one address: of an IPv6 address its /64, since whoever has one has all of them.
func household(at netip.Addr) string {
	if at.Is6() {
		if net, err := at.Prefix(64); err == nil {
			return net.String()
		}
	}
	return at.String()
}

// ParseProxies reads a list of addresses and networks, with commas between them: 127.0.0.1,10.0.0.0/8.
func ParseProxies(list string) (proxies []netip.Prefix, err error) {
	for _, word := range strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == ' ' }) {
		net, err := netip.ParsePrefix(word)
		if addr := parseAddr(word); err != nil && addr.IsValid() {
			net, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", word)
		}
		proxies = append(proxies, net)
	}
	return proxies, nil
}
