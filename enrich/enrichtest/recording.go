package enrichtest

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Trace is a simulated trace.
type Trace struct {
	XML []byte

	// Faithful reports that the recording is complete, in order and correct: the rules then have to find the truth.
	Faithful bool
	// Wakes is what happened, as far as the simulator decides it.
	Wakes []Wake
	// Deadlocks holds the thread ids of each deadlock the trace ends in.
	Deadlocks [][]string
}

// Wake says that the event of one record let the thread of another run on. The records are named by their times,
// nanoseconds since the epoch, which are unique in a faithful recording. A DeadAndNotifyJoined event has the time of
// the Running it caused, so both times are equal for it.
type Wake struct {
	Type          string // of the model event
	Cause, Effect int64
}

// dice make the random choices of a simulation.
type dice struct{ rand *rand.Rand }

// chance is true once in n times.
func (d dice) chance(n int) bool { return d.rand.IntN(n) == 0 }

func (d dice) pick(values ...string) string { return values[d.rand.IntN(len(values))] }

// traceBegin is when simulated traces begin.
const traceBegin = 1_700_000_000 * nanosPerSecond

// record is one element of a simulated trace.
type record struct {
	name   string
	thread string // whose record it is, "" for an element of the preamble
	at     int64
	attrs  []xml.Attr // in written order, the time among them as timeMark
	inside []record
}

// timeMark is the placeholder of a record's time until it is written.
const timeMark = "@time"

func newRecord(name, thread string, at int64, namesAndValues ...string) record {
	r := record{name: name, thread: thread, at: at}
	for i := 0; i < len(namesAndValues); i += 2 {
		r.set(namesAndValues[i], namesAndValues[i+1])
	}
	return r
}

// ofThread returns the record of a thread's event. What starts, interrupts and notifies calls its thread threadId.
func ofThread(name, thread string, at int64, namesAndValues ...string) record {
	attribute := "threadIdRef"
	if name == "threadStart" || name == "threadInterrupted" || name[:4] == "call" {
		attribute = "threadId"
	}
	return newRecord(name, thread, at, append([]string{attribute, thread, "time", timeMark}, namesAndValues...)...)
}

// set sets an attribute.
func (r *record) set(name, value string) {
	for i := range r.attrs {
		if r.attrs[i].Name.Local == name {
			r.attrs[i].Value = value
			return
		}
	}
	r.attrs = append(r.attrs, xml.Attr{Name: xml.Name{Local: name}, Value: value})
}

// remove removes an attribute.
func (r *record) remove(name string) {
	r.attrs = slices.DeleteFunc(slices.Clone(r.attrs), func(attr xml.Attr) bool { return attr.Name.Local == name })
}

// preamble is what precedes the events of a trace.
func preamble() []record {
	return []record{
		newRecord("node", "", traceBegin, "nodeId", "n-1", "hostname", "localhost", "ipaddress", "127.0.0.1",
			"timezone", "0", "time", timeMark),
		newRecord("processCreate", "", traceBegin, "processId", "p-1", "pid", "4711", "nodeIdRef", "n-1", "time",
			timeMark),
		newRecord("agentCreate", "", traceBegin, "agentId", "a-1", "version", "2.000", "processIdRef", "p-1",
			"agentName", "org.eclipse.tptp.jvmti", "agentType", "Profiler", "agentParameters", "server=standalone",
			"time", timeMark),
		newRecord("traceStart", "", traceBegin, "traceId", "t-1", "agentIdRef", "a-1", "time", timeMark),
	}
}

// document writes records as a trcxml document, one element a line.
func document(records []record, closed bool) []byte {
	var out bytes.Buffer
	out.WriteString(xml.Header)
	out.WriteString("<TRACE>\n")
	for _, r := range records {
		r.write(&out)
		out.WriteByte('\n')
	}
	if closed {
		out.WriteString("</TRACE>\n")
	}
	return out.Bytes()
}

// write writes a record and its children.
func (r record) write(out *bytes.Buffer) {
	out.WriteByte('<')
	out.WriteString(r.name)
	for _, attr := range r.attrs {
		value := attr.Value
		if value == timeMark {
			value = formatSeconds(r.at)
		}
		fmt.Fprintf(out, " %s=\"", attr.Name.Local)
		xml.EscapeText(out, []byte(value)) // writing to a buffer never fails
		out.WriteByte('"')
	}
	if r.inside == nil {
		out.WriteString("/>")
		return
	}
	out.WriteByte('>')
	for _, inner := range r.inside {
		inner.write(out)
	}
	fmt.Fprintf(out, "</%s>", r.name)
}
