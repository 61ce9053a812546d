package deadlock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// text is a string from a trace in JSON. A lone surrogate, which Java strings can hold, is written as \udXXX, and a byte that is no UTF-8 as \udcXX,
// as in the model.
type text string

// MarshalJSON writes the string.
func (t text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		err := encoder.Encode(string(t))
		return out.Bytes(), err
	}
	out := []byte{'"'}
	for rest := string(t); rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case r == utf8.RuneError && size == 1 && len(rest) >= 3 && rest[0] == 0xED && rest[1] >= 0xA0 && rest[1] <= 0xBF && rest[2]&0xC0 == 0x80:
			size = 3
			out = fmt.Appendf(out, `\u%04x`, 0xD000|int(rest[1]&0x3F)<<6|int(rest[2]&0x3F))
		case r == utf8.RuneError && size == 1:
			out = fmt.Appendf(out, `\udc%02x`, rest[0])
		case r < ' ' || r == '"' || r == '\\':
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, rest[:size]...)
		}
		rest = rest[size:]
	}
	return append(out, '"'), nil
}

// The JSON of a report: all times are nanoseconds since the start. What is not known is absent.
type (
	jsonReport struct {
		StartTime  string          `json:"startTime,omitempty"`
		Deadlocks  []jsonDeadlock  `json:"deadlocks"`
		Inversions []jsonInversion `json:"inversions"`
		Left       map[string]any  `json:"left,omitempty"`
	}
	jsonDeadlock struct {
		Time    int64        `json:"time"`
		Session int          `json:"session"`
		Threads []jsonMember `json:"threads"`
		Stuck   []jsonStuck  `json:"stuck"`
		More    int          `json:"moreStuck,omitempty"`
	}
	jsonMember struct {
		jsonThread
		Holds  jsonMonitor `json:"holds"`
		Wants  jsonMonitor `json:"wants"`
		HeldBy jsonThread  `json:"heldBy"`
		jsonBlock
	}
	jsonStuck struct {
		jsonThread
		Joins  bool         `json:"joins,omitempty"`
		Wants  *jsonMonitor `json:"wants,omitempty"`
		Behind jsonThread   `json:"behind"`
		jsonBlock
	}
	jsonInversion struct {
		Evidence string      `json:"evidence"`
		Harmless bool        `json:"harmless"`
		Session  int         `json:"session"`
		Orders   []jsonOrder `json:"orders"`
		Gates    []jsonGate  `json:"gates,omitempty"`
	}
	jsonOrder struct {
		jsonThread
		Evidence string      `json:"evidence"`
		Held     jsonMonitor `json:"held"`
		Wanted   jsonMonitor `json:"wanted"`
		By       *jsonThread `json:"seenBy,omitempty"`
		NamedAt  *int64      `json:"seenAt,omitempty"`
		Times    int         `json:"times"`
		jsonBlock
	}
	jsonGate struct {
		Evidence string `json:"evidence"`
		jsonMonitor
	}
	jsonThread struct {
		ID   text            `json:"threadId"`
		Key  trace.ThreadKey `json:"threadKey"`
		Name text            `json:"name,omitempty"`
	}
	jsonMonitor struct {
		ID    text `json:"objectId"`
		Class text `json:"class,omitempty"`
	}
	jsonBlock struct {
		Since   int64       `json:"since"`
		Blocked int64       `json:"blocked"`
		Caller  *jsonFrame  `json:"caller,omitempty"`
		Stack   []jsonFrame `json:"stack,omitempty"`
		Taken   *jsonFrame  `json:"taken,omitempty"`
	}
	jsonFrame struct {
		Class  text   `json:"class"`
		Method text   `json:"method"`
		File   text   `json:"file,omitempty"`
		Line   *int32 `json:"line,omitempty"`
	}
)

// WriteJSON prints the report as one JSON object, with all inversions.
func (r *Report) WriteJSON(out io.Writer) error {
	report := jsonReport{Deadlocks: []jsonDeadlock{}, Inversions: []jsonInversion{}}
	if r.Start != 0 {
		report.StartTime = r.Start.String()
	}
	for i := range r.Deadlocks {
		report.Deadlocks = append(report.Deadlocks, r.jsonDeadlock(&r.Deadlocks[i]))
	}
	for i := range r.Inversions {
		report.Inversions = append(report.Inversions, r.jsonInversion(&r.Inversions[i]))
	}
	for evidence, left := range r.Left {
		if left.Orders > 0 || left.Search {
			if report.Left == nil {
				report.Left = map[string]any{}
			}
			report.Left[Evidence(evidence).String()] = left
		}
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(report)
}

func (r *Report) jsonDeadlock(d *Deadlock) jsonDeadlock {
	result := jsonDeadlock{Time: int64(d.Time - r.Start), Session: d.Members[0].Thread.Session, Stuck: []jsonStuck{}, More: d.More}
	for i := range d.Members {
		b := &d.Members[i]
		next, before := &d.Members[(i+1)%len(d.Members)], &d.Members[(i+len(d.Members)-1)%len(d.Members)]
		result.Threads = append(result.Threads, jsonMember{
			threadJSON(&b.Thread), monitorJSON(&before.Monitor), monitorJSON(&b.Monitor), threadJSON(&next.Thread), r.jsonBlock(b),
		})
	}
	for i := range d.Stuck {
		s := &d.Stuck[i]
		stuck := jsonStuck{jsonThread: threadJSON(&s.Thread), Joins: s.Joins, Behind: threadJSON(&s.Behind), jsonBlock: r.jsonBlock(&s.Block)}
		if !s.Joins {
			wants := monitorJSON(&s.Monitor)
			stuck.Wants = &wants
		}
		result.Stuck = append(result.Stuck, stuck)
	}
	return result
}

func (r *Report) jsonInversion(i *Inversion) jsonInversion {
	result := jsonInversion{Evidence: i.Evidence.String(), Harmless: i.Harmless(), Session: i.Orders[0].Example.Thread.Session}
	for j := range i.Orders {
		o := &i.Orders[j]
		order := jsonOrder{
			jsonThread: threadJSON(&o.Example.Thread), Evidence: o.Evidence.String(), Held: monitorJSON(&o.Held), Wanted: monitorJSON(&o.Example.Monitor),
			Times: o.Times, jsonBlock: r.jsonBlock(&o.Example),
		}
		if o.Evidence == Seen {
			by, at := threadJSON(&o.By), int64(o.NamedAt-r.Start)
			order.By, order.NamedAt = &by, &at
		}
		result.Orders = append(result.Orders, order)
	}
	for _, gate := range i.Gates {
		result.Gates = append(result.Gates, jsonGate{gate.Evidence.String(), monitorJSON(&gate.Monitor)})
	}
	return result
}

func threadJSON(t *Thread) jsonThread { return jsonThread{text(t.ID.String()), t.Key, text(t.Name)} }

func monitorJSON(m *Monitor) jsonMonitor { return jsonMonitor{text(m.ID.String()), text(m.Class)} }

func (r *Report) jsonBlock(b *Block) jsonBlock {
	result := jsonBlock{Since: int64(b.Since - r.Start), Blocked: b.Length(), Caller: frameJSON(b.Caller), Taken: frameJSON(b.Taken)}
	if b.Stack != nil {
		for _, frame := range b.Stack.Frames {
			result.Stack = append(result.Stack, *frameJSON(frame))
		}
	}
	return result
}

func frameJSON(f trace.Frame) *jsonFrame {
	if f.Method == nil {
		return nil
	}
	frame := jsonFrame{Class: text(f.Method.Class), Method: text(f.Method.Name), File: text(f.Method.File)}
	if f.Line != trace.NoLine {
		frame.Line = &f.Line
	}
	return &frame
}
