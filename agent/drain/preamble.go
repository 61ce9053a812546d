package drain

import (
	"crypto/rand"
	"fmt"
	"strconv"

	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

// Preamble describes the recording, before the first event of the trace.
type Preamble struct {
	// Node, Process, Agent and Trace are ids; an empty one becomes a random id.
	Node, Process, Agent, Trace string
	// Hostname and Address are the machine's; several addresses are separated by commas.
	Hostname, Address string
	// Timezone is in minutes west of UTC.
	Timezone int
	// Parameters is the agent's option string.
	Parameters string
	// Interval is the mean number of bytes between two recorded allocations; 0 if all are recorded, or none.
	Interval int
	Filters  []Filter
	Options  []Option
}

// Filter selects traced methods; the fields are the attributes of TPTP's filter element.
type Filter struct{ Pattern, Mode, GenericPattern, MethodPattern, MethodMode, MethodGenericPattern string }

// Option is an option of the agent.
type Option struct{ Key, Value string }

const (
	agentVersion = "2.000"
	agentName    = "org.eclipse.tptp.jvmti"
	agentType    = "Profiler"
)

// value is an attribute with its value.
type value struct {
	attribute trace.Attr
	text      string
}

// appendElement appends an element by way of an Event, which is slow but needs no form.
func appendElement(text []byte, kind trace.Kind, values ...value) []byte {
	var e trace.EventBuilder
	e.Reset(kind)
	for _, v := range values {
		e.SetText(v.attribute, v.text)
	}
	return trcxml.Append(text, &e.Event)
}

// appendTo appends the beginning of the document, in the order of TPTP's agents.
func (p *Preamble) appendTo(text []byte, pid int, time trace.Time) []byte {
	for _, id := range []*string{&p.Node, &p.Process, &p.Agent, &p.Trace} {
		if *id == "" {
			*id = randomID()
		}
	}
	process := "-1"
	if pid > 0 {
		process = strconv.Itoa(pid)
	}
	at := value{trace.AttrTime, time.String()}
	text = trcxml.AppendBeginning(text)
	text = appendElement(text, trace.Node, value{trace.AttrNodeID, p.Node}, value{trace.AttrHostname, p.Hostname},
		value{trace.AttrIPAddress, p.Address}, value{trace.AttrTimezone, strconv.Itoa(p.Timezone)}, at)
	text = appendElement(text, trace.ProcessCreate, value{trace.AttrProcessID, p.Process},
		value{trace.AttrPID, process}, value{trace.AttrNodeIDRef, p.Node}, at)
	text = appendElement(text, trace.AgentCreate, value{trace.AttrAgentID, p.Agent},
		value{trace.AttrVersion, agentVersion},
		value{trace.AttrProcessIDRef, p.Process}, value{trace.AttrAgentName, agentName},
		value{trace.AttrAgentType, agentType}, value{trace.AttrAgentParameters, p.Parameters}, at)
	text = appendElement(text, trace.TraceStart, value{trace.AttrTraceID, p.Trace},
		value{trace.AttrAgentIDRef, p.Agent}, at)
	for _, f := range p.Filters {
		text = appendElement(text, trace.Filter, value{trace.AttrPattern, f.Pattern}, value{trace.AttrMode, f.Mode},
			value{trace.AttrGenericPattern, f.GenericPattern}, value{trace.AttrMethodPattern, f.MethodPattern},
			value{trace.AttrMethodMode, f.MethodMode}, value{trace.AttrMethodGenericPattern, f.MethodGenericPattern})
	}
	for _, option := range p.Options {
		text = appendOption(text, option)
	}
	return text
}

func appendOption(text []byte, option Option) []byte {
	return appendElement(text, trace.Option, value{trace.AttrKey, option.Key}, value{trace.AttrValue, option.Value})
}

// ending returns the end of the document.
func (p *Preamble) ending(time trace.Time) []byte {
	at := value{trace.AttrTime, time.String()}
	text := appendElement(nil, trace.TraceEnd, at)
	text = appendElement(text, trace.AgentDestroy, value{trace.AttrAgentIDRef, p.Agent}, at)
	return append(text, trcxml.Ending...)
}

// randomID returns a random UUID.
func randomID() string {
	var id [16]byte
	rand.Read(id[:]) // never fails
	id[6], id[8] = id[6]&0x0F|0x40, id[8]&0x3F|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
