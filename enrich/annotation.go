package enrich

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

// maxMonitorShares limits the rows of a table of monitors' times. The largest come first.
const maxMonitorShares = 4096

// annotation puts CPU times, samples and states of objects. It keeps the tables in which profilers list monitors' times
// and allocation sites. Rows that cannot be read are left out.
func (e *Enricher) annotation(event *trace.Event) {
	name, value := event.Text(trace.AttrName), event.Text(trace.AttrValue)
	if e.allocations {
		e.siteAnnotation(name, value)
	}
	switch name {
	case trace.NoteCPU:
		e.cpuAnnotation(event.Value(trace.AttrValue))
	case trace.NoteSample:
		e.sampleAnnotation(event.Value(trace.AttrValue))
	case trace.NoteState:
		var state trace.ObjectState
		if state.Parse(event.Value(trace.AttrValue)) {
			state.Session = e.session.Index
			e.put(&state)
		}
	case trace.NoteMonitorTimes:
		e.scope.monitorTime = nil
		var ms int64
		if _, err := fmt.Sscanf(value, "(total = %d ms)", &ms); err == nil && ms > 0 && ms < 1<<40 {
			e.scope.monitorTime = &trace.MonitorTime{Session: e.session.Index, Total: ms * 1e6}
		}
	case trace.NoteMonitorTime:
		table := e.scope.monitorTime
		if row, ok := monitorShare(value); ok && table != nil && len(table.Rows) < maxMonitorShares {
			table.Rows = append(table.Rows, row)
		}
	case trace.NoteMonitorStack:
		if table := e.scope.monitorTime; table != nil && len(table.Rows) > 0 {
			if stack := e.stackIn(value); stack != nil {
				table.Rows[len(table.Rows)-1].Caller = stack.Caller()
			}
		}
	}
}

// stackIn returns the call stack that the text lists, or nil.
func (e *Enricher) stackIn(text string) *trace.Stack {
	return e.stackOf(&trace.Event{Extra: &trace.Extra{Stacks: [][]byte{[]byte(text)}}})
}

// monitorShare parses a row: rank, share, sum of shares, count, number of the stack trace, class and kind of monitor.
func monitorShare(text string) (row trace.MonitorShare, ok bool) {
	fields := strings.Fields(text)
	if len(fields) < 6 {
		return row, false
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(fields[1], "%"), 64)
	count, err2 := strconv.ParseUint(fields[3], 10, 64)
	if err != nil || err2 != nil || !(percent >= 0 && percent <= 100) {
		return row, false
	}
	class := strings.TrimSuffix(strings.Join(fields[5:], " "), " (Java)")
	return trace.MonitorShare{Share: percent / 100, Count: count, Class: class}, true
}

// putMonitorTime puts the table of the recording that ends.
func (e *Enricher) putMonitorTime() {
	if table := e.scope.monitorTime; table != nil && len(table.Rows) > 0 {
		e.put(table)
	}
	e.scope.monitorTime = nil
}

// cpuAnnotation puts the CPU time of an annotation. The text has a thread, a time, the thread's CPU time then and, if
// it is known, its age, with blanks between.
func (e *Enricher) cpuAnnotation(text []byte) {
	id, rest, _ := bytes.Cut(text, []byte(" "))
	moment, value, _ := bytes.Cut(rest, []byte(" "))
	at, reading := trace.ParseTime(moment)
	value, lived, _ := bytes.Cut(value, []byte(" "))
	age, _ := digits.Number(lived)
	if used, _ := digits.Number(value); len(id) > 0 && reading == trace.Exact && used > 0 {
		e.putCPU(trace.ThreadFrom(id), trace.CPUTime{Time: at, Used: used, Age: age})
	}
}

// putCPU puts the CPU time of a thread that is known and has not ended.
func (e *Enricher) putCPU(id trace.ThreadID, used trace.CPUTime) {
	if i := e.scope.incarnation(id); i != nil && !i.isDead() {
		used.Thread = i.ref()
		e.put(&used)
	}
}
