package address

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// Proxies are those who may say whose request they pass on.
type Proxies []netip.Prefix

// ParseProxies reads a list of addresses and networks, with commas between them: 127.0.0.1,10.0.0.0/8.
func ParseProxies(list string) (proxies Proxies, err error) {
	for _, word := range strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == ' ' }) {
		net, err := netip.ParsePrefix(word)
		if addr := Parse(word); err != nil && addr.IsValid() {
			net, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", word)
		}
		proxies = append(proxies, net)
	}
	return proxies, nil
}

// Forwarded is the header in which a proxy says whose request it passes on, the last proxy last.
const Forwarded = "X-Forwarded-For"

// Caller is the address that a request comes from. A proxy that is trusted is believed whom it names, and so on for as long as
// the address that is named is that of a trusted proxy itself. Anybody else may write into the header what he likes.
func (p Proxies) Caller(r *http.Request) netip.Addr {
	at := Parse(r.RemoteAddr)
	names := strings.Split(strings.Join(r.Header.Values(Forwarded), ","), ",")
	for i := len(names) - 1; i >= 0 && p.Trust(at); i-- {
		named := Parse(strings.TrimSpace(names[i]))
		if !named.IsValid() {
			break
		}
		at = named
	}
	return at
}

// Scheme is how a request came, http or https: to this server or, if a proxy that is trusted says so, to that.
func (p Proxies) Scheme(r *http.Request) string {
	said := r.Header.Values("X-Forwarded-Proto")
	if r.TLS != nil || len(said) > 0 && said[len(said)-1] == "https" && p.Trust(Parse(r.RemoteAddr)) {
		return "https"
	}
	return "http"
}

// Trust tells whether an address is that of a proxy.
func (p Proxies) Trust(at netip.Addr) bool {
	for _, net := range p {
		if net.Contains(at) {
			return true
		}
	}
	return false
}

// Parse reads an address, with a port or without one; the zero Addr if it is none.
func Parse(text string) netip.Addr {
	if port, err := netip.ParseAddrPort(text); err == nil {
		return port.Addr().Unmap().WithZone("")
	}
	addr, _ := netip.ParseAddr(strings.Trim(text, "[]"))
	return addr.Unmap().WithZone("")
}

// Household is what counts as one address: of an IPv6 address its /64, since whoever has one has all of them.
func Household(at netip.Addr) string {
	if at.Is6() {
		if net, err := at.Prefix(64); err == nil {
			return net.String()
		}
	}
	return at.String()
}

// Veiled is another name for an address: the same for the same one and key, and nobody who has not the key can find the address out from it.
func Veiled(address string, key []byte) string {
	sum := hmac.New(sha256.New, key)
	sum.Write([]byte("caveau address " + address))
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:12])
}
