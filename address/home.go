package address

import (
	"net"
	"strings"
)

// Home is the first private IPv4 address of an interface that leads to other devices, nil if there is none.
func Home() net.IP {
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
