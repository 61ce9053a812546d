package record

import (
	"net"
	"strings"
	"time"

	"github.com/trcx/trcx/agent/drain"
	"github.com/trcx/trcx/agent/options"
)

// preamble returns the description of the machine and of the options that begins a trace.
func preamble(o *options.Options, host string) drain.Preamble {
	_, east := time.Now().Zone()
	p := drain.Preamble{Hostname: host, Address: addresses(), Timezone: -east / 60, Parameters: o.Text,
		Interval: o.Heap.Interval()}
	for _, filter := range o.ActiveFilters() {
		p.Filters = append(p.Filters, drain.Filter{
			Pattern: filter.Class.Text, Mode: filter.Mode(), GenericPattern: filter.Class.Wildcard.String(),
			MethodPattern: filter.Method.Text, MethodMode: filter.Mode(),
			MethodGenericPattern: filter.Method.Wildcard.String(),
		})
	}
	for _, setting := range o.Echo() {
		p.Options = append(p.Options, drain.Option{Key: setting.Key, Value: setting.Value})
	}
	return p
}

const loopback = "127.0.0.1"

// addresses returns the machine's IPv4 addresses as the format has them, separated by commas, the loopback address
// last.
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
