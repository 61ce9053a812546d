package enrich

import (
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

// counts are the numbers of elements.
type counts struct {
	known  [trace.KindCount]uint64 // but for Foreign, which others counts by name
	others map[string]uint64       // of names that the table of elements does not have
}

// addRare counts the elements inside an element, and the element itself if it is foreign.
func (c *counts) addRare(event *trace.Event) {
	if event.Kind == trace.Foreign {
		c.others[event.Name()]++
	}
	if event.Extra == nil {
		return
	}
	for _, inner := range event.Extra.Elements {
		if kind := trace.Lookup([]byte(inner.Name)); kind != trace.Foreign {
			c.known[kind] += inner.Count
		} else {
			c.others[inner.Name] += inner.Count
		}
	}
}

// ends returns the number of elements that end a trace or its JVM.
func (c *counts) ends() uint64 {
	return c.known[trace.RuntimeShutdown] + c.known[trace.TraceEnd] + c.known[trace.AgentDestroy]
}

// sorted returns the counts by name.
func (c *counts) sorted() (all []trace.ElementCount) {
	for kind, count := range c.known {
		if count > 0 && trace.Kind(kind) != trace.Foreign {
			all = append(all, trace.ElementCount{Name: trace.Kind(kind).String(), Count: count})
		}
	}
	for name, count := range c.others {
		all = append(all, trace.ElementCount{Name: name, Count: count})
	}
	slices.SortFunc(all, func(a, b trace.ElementCount) int { return strings.Compare(a.Name, b.Name) })
	return all
}
