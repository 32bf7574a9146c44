package push

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"

	_ "golang.org/x/crypto/x509roots/fallback" // for a machine that knows no certificates: the image has nothing but the program in it
)

// What a browser names as its push service is somebody's word. So nobody makes the house ask for anything inside of the network where it
// stands: it is looked at which address a name has come to, when it is dialled, and no answer leads anywhere else.

// errInside is that a name leads to where nobody outside may look.
var errInside = errors.New("the address is none of the internet's")

const (
	dialTime = 5 * time.Second
	idleTime = time.Minute
	mostIdle = 8
)

// outside is how the house reaches the internet, and nothing else.
func outside() *http.Transport {
	dialer := net.Dialer{Timeout: dialTime, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err == nil && (!isOutside(to.Addr()) || to.Port() != 443) {
			err = errInside
		}
		return err
	}}
	return &http.Transport{
		DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: dialTime, MaxIdleConns: mostIdle, IdleConnTimeout: idleTime,
		MaxResponseHeaderBytes: 16 << 10, DisableCompression: true,
	}
}

// inside are the networks that look like any other and are not (IANA's registries of special purposes): shared behind a carrier, for
// protocols, examples and measurements, those that lead to an address within, and those that nobody has.
var inside = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("100:0:0:1::/64"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
	netip.MustParsePrefix("3fff::/20"), netip.MustParsePrefix("5f00::/16"),
}

// translated are addresses of IPv4 as a network writes them that has none itself (RFC 6052).
var translated = netip.MustParsePrefix("64:ff9b::/96")

// isOutside tells whether anybody on the internet has that address.
func isOutside(a netip.Addr) bool {
	if a = a.Unmap(); translated.Contains(a) {
		all := a.As16()
		a = netip.AddrFrom4([4]byte(all[12:]))
	}
	return a.IsGlobalUnicast() && !a.IsPrivate() && a.Zone() == "" && !slices.ContainsFunc(inside, func(p netip.Prefix) bool { return p.Contains(a) })
}
