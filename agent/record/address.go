package record

import (
	"net"
	"strings"
)

const loopback = "127.0.0.1"

// addresses are the machine's IPv4 addresses as the format has them, separated by commas; the one by which it reaches
// itself, if it has no other.
func addresses() string {
	found, err := net.InterfaceAddrs()
	if err != nil {
		return loopback
	}
	var list []string
	for _, address := range found {
		if network, ok := address.(*net.IPNet); ok && network.IP.To4() != nil && !network.IP.IsLoopback() {
			list = append(list, network.IP.String())
		}
	}
	return strings.Join(append(list, loopback), ",")
}
