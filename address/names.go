// Package address knows addresses: from which a request comes, with proxies on the way, and by which a house may be asked for.
package address

import (
	"net"
	"net/netip"
	"strings"
)

// Names are those of a house, as Name has them.
type Names map[string]bool

// NewNames are the names of a house: that of its public address, and those it was given, each with its domain and without.
func NewNames(public string, hosts []string) Names {
	names := Names{Name(public): true}
	for _, host := range hosts {
		name := Name(host)
		short, _, _ := strings.Cut(name, ".")
		names[name], names[short] = true, true
	}
	return names
}

// Have tells whether that is a name of the house. An address leads to it by itself, and nobody else can have the names that only
// mean something in one's own network. Without a name comes no browser.
func (n Names) Have(name string) bool {
	if _, err := netip.ParseAddr(name); err == nil || name == "" || name == "localhost" {
		return true
	}
	return strings.HasSuffix(name, ".localhost") || strings.HasSuffix(name, ".local") || n[name]
}

// Name is a host without its port, as names are compared.
func Name(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

// Host is a host as browsers name it: in small letters, without the port that its scheme has anyway.
func Host(host, scheme string) string {
	return strings.TrimSuffix(strings.ToLower(host), map[string]string{"http": ":80", "https": ":443"}[scheme])
}
