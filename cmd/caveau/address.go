package main

import (
	"net"

	"caveau/address"
)

// origin is the address that links give: the one that was asked for, or else the one that other devices at home reach.
func (s serving) origin(listener net.Listener) string {
	if s.publicURL != "" {
		return s.publicURL
	}
	host := "localhost"
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok {
		switch {
		case tcp.IP.IsUnspecified():
			if ip := address.Home(); ip != nil {
				host = ip.String()
			}
		case !tcp.IP.IsLoopback():
			host = tcp.IP.String()
		}
	}
	return s.scheme() + "://" + net.JoinHostPort(host, port(listener))
}

func (s serving) scheme() string {
	if s.certificate != nil {
		return "https"
	}
	return "http"
}

func port(listener net.Listener) string {
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return ""
	}
	return port
}
