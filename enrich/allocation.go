package enrich

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// putAllocation puts the Allocation of an objAlloc. An objAlloc without size and weight only names the object's class.
func (e *Enricher) putAllocation(event *trace.Event) {
	a := &e.reused.allocation
	size, sized := parseNumber(string(event.Value(trace.AttrSize)))
	*a = trace.Allocation{Session: e.session.Index, Time: e.timeOf(event), Size: size}
	if event.Extra != nil {
		a.Interval = positive(event.Extra, trace.NoteInterval)
		a.Weight = positive(event.Extra, trace.NoteWeight)
		a.Stack = e.stackOf(event)
	}
	if !sized && a.Weight == 0 {
		return
	}
	if id := event.Object(trace.AttrObjID); id.IsObject() {
		a.Object = id
	}
	if c := e.class(event.Class(trace.AttrClassIDRef)); c != nil {
		a.Class = c.name
	}
	if id := event.Thread(); id.Known() {
		a.Thread = e.thread(id).ref()
	}
	e.put(a)
}

// positive returns the number of an annotation; 0 if the event does not have it.
func positive(x *trace.Extra, name string) uint64 {
	if !bytes.Contains(x.Inner, []byte(name)) {
		return 0
	}
	text, _ := x.Annotation(name)
	n, _ := parseNumber(text)
	return n
}

// parseNumber returns the number in a text; 0 and false if it is none.
func parseNumber(text string) (n uint64, ok bool) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// parseNumbers parses the fields at these indexes. It reports whether all are numbers.
func parseNumbers(fields []string, numbers map[int]*uint64) (ok bool) {
	for i, number := range numbers {
		if *number, ok = parseNumber(fields[i]); !ok {
			return false
		}
	}
	return true
}

// maxSites limits the rows of a table of allocation sites.
const maxSites = 1 << 20

// siteAnnotation keeps a table of allocation sites; see trace.NoteAllocationSites.
func (e *Enricher) siteAnnotation(name, value string) {
	switch name {
	case trace.NoteAllocationSites:
		e.scope.sites = &trace.AllocationSites{Session: e.session.Index}
	case trace.NoteAllocationSite:
		if table := e.scope.sites; table != nil && len(table.Rows) < maxSites {
			if row, stack, ok := allocationSite(value); ok {
				row.Stack = e.stackIn(stack)
				table.Rows = append(table.Rows, row)
			}
		}
	case trace.NoteAllocationStack:
		if table := e.scope.sites; table != nil && len(table.Rows) > 0 {
			table.Rows[len(table.Rows)-1].Stack = e.stackIn(value)
		}
	}
}

// allocationSite parses a row of SITES or ALLOC SITES. The stack is "" if the row does not have it.
func allocationSite(text string) (row trace.AllocationSite, stack string, ok bool) {
	if row, stack, ok = binarySite(text); ok {
		return row, stack, ok
	}
	// rank, share, sum of shares, live bytes and objects, allocated bytes and objects, number of the trace, class
	const class = 8
	fields := strings.Fields(text)
	if len(fields) <= class || !parseNumbers(fields,
		map[int]*uint64{3: &row.LiveBytes, 4: &row.Live, 5: &row.AllocatedBytes, 6: &row.Allocated}) {
		return row, "", false
	}
	row.Class = javaname.InternalClass(strings.Join(fields[class:], " "))
	return row, "", true
}

// binarySite parses a row of a binary log: 1. app/Cache: live: 5 objects, 104 bytes; allocated: 64 objects, 2048 bytes;
// trace 300001: 12:40.
func binarySite(text string) (row trace.AllocationSite, stack string, ok bool) {
	_, text, found := strings.Cut(text, ". ")
	at := strings.LastIndex(text, ": live: ")
	if !found || at < 0 {
		return row, "", false
	}
	row.Class = text[:at]
	fields := strings.Fields(text[at+len(": live: "):])
	const size = 11 // 5 objects, 104 bytes; allocated: 64 objects, 2048 bytes; trace 300001:
	if len(fields) < size || !parseNumbers(fields,
		map[int]*uint64{0: &row.Live, 2: &row.LiveBytes, 5: &row.Allocated, 7: &row.AllocatedBytes}) {
		return row, "", false
	}
	return row, strings.Join(fields[size:], " "), true
}

// putSites puts the table of the recording that ends.
func (e *Enricher) putSites() {
	if table := e.scope.sites; table != nil && len(table.Rows) > 0 {
		e.put(table)
	}
	e.scope.sites = nil
}
