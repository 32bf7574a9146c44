package main

import (
	"net"
	"strings"
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
			if ip := homeAddress(); ip != nil {
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

// homeAddress is the first private IPv4 address of an interface that leads to other devices, nil if there is none.
func homeAddress() net.IP {
	list, err := net.Interfaces()
	if err != nil {
		return nil
	}
	for _, i := range list {
		if !reaches(i) {
			continue
		}
		addrs, err := i.Addrs()
		if err != nil {
			continue
		}
		for _, a := range addrs {
			if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsPrivate() {
				return n.IP.To4()
			}
		}
	}
	return nil
}

// The interfaces that lead to containers, virtual machines and tunnels, by the beginnings of their names.
var virtual = []string{"docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "tun", "tap", "wg", "utun", "zt", "tailscale", "podman", "lxc", "cni"}

func reaches(i net.Interface) bool {
	if i.Flags&net.FlagUp == 0 || i.Flags&(net.FlagLoopback|net.FlagPointToPoint) != 0 {
		return false
	}
	for _, name := range virtual {
		if strings.HasPrefix(i.Name, name) {
			return false
		}
	}
	return true
}
