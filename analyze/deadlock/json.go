package deadlock

import (
	"github.com/trcx/trcx/analyze/internal/jsonform"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The JSON of a report. Times are nanoseconds since the start. Unknown values are absent.
type (
	jsonReport struct {
		StartTime  string          `json:"startTime,omitempty"`
		Deadlocks  []jsonDeadlock  `json:"deadlocks"`
		Inversions []jsonInversion `json:"inversions"`
		CutOff     bool            `json:"cutOff,omitempty"`     // the trace has no end
		Scattered  bool            `json:"scattered,omitempty"`  // the dump's threads are not of one moment
		OwnedLocks bool            `json:"ownedLocks,omitempty"` // the trace has owned locks of java.util.concurrent
		Left       map[string]any  `json:"left,omitempty"`
	}
	jsonDeadlock struct {
		Time    int64        `json:"time"`
		Session int          `json:"session"`
		Threads []jsonMember `json:"threads"`
		Stuck   []jsonStuck  `json:"stuck"`
		More    int          `json:"moreStuck,omitempty"`
		// Possible reports that the threads may have gone on; the text says why.
		Possible bool `json:"possible,omitempty"`
	}
	jsonMember struct {
		jsonThread
		Holds  jsonMonitor `json:"holds"`
		Wants  jsonMonitor `json:"wants"`
		HeldBy jsonThread  `json:"heldBy"`
		Init   bool        `json:"init,omitempty"` // it waits until the class that it wants is initialised
		jsonBlock
	}
	jsonStuck struct {
		jsonThread
		Joins   bool         `json:"joins,omitempty"`
		Init    bool         `json:"init,omitempty"` // as a member's
		Wants   *jsonMonitor `json:"wants,omitempty"`
		Blocker jsonThread   `json:"behind"`
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
		ID   jsontext.String `json:"threadId"`
		Key  trace.ThreadKey `json:"threadKey"`
		Name jsontext.String `json:"name,omitempty"`
	}
	jsonMonitor struct {
		ID    jsontext.String `json:"objectId"`
		Class jsontext.String `json:"class,omitempty"`
		// Represents is, of a java.lang.Class object, the class that is being initialised.
		Represents jsontext.String `json:"represents,omitempty"`
	}
	jsonBlock struct {
		Since   int64            `json:"since"`
		Blocked int64            `json:"blocked"`
		Caller  *jsonform.Frame  `json:"caller,omitempty"`
		Stack   []jsonform.Frame `json:"stack,omitempty"`
		Taken   *jsonform.Frame  `json:"taken,omitempty"`
	}
)

// json returns the value of the JSON, with all inversions.
func (r *Report) json() jsonReport {
	report := jsonReport{Deadlocks: []jsonDeadlock{}, Inversions: []jsonInversion{}, CutOff: r.isCutOff(),
		Scattered: r.Scattered, OwnedLocks: r.OwnedLocks}
	if r.Start != 0 {
		report.StartTime = r.Start.String()
	}
	for i := range r.Deadlocks {
		report.Deadlocks = append(report.Deadlocks, r.jsonDeadlock(&r.Deadlocks[i]))
	}
	for i := range r.Inversions {
		report.Inversions = append(report.Inversions, r.jsonInversion(&r.Inversions[i]))
	}
	for evidence, left := range r.Omitted {
		if left.Orders > 0 || left.Search {
			if report.Left == nil {
				report.Left = map[string]any{}
			}
			report.Left[Evidence(evidence).String()] = left
		}
	}
	return report
}

func (r *Report) jsonDeadlock(d *Deadlock) jsonDeadlock {
	result := jsonDeadlock{Time: int64(d.Loop.Time - r.Start), Session: d.Members[0].Thread.Session,
		Stuck: []jsonStuck{}, More: d.More, Possible: r.IsPossible(d)}
	for i := range d.Members {
		b, next, before := d.around(i)
		result.Threads = append(result.Threads, jsonMember{
			threadJSON(&b.Thread), before.wantedJSON(), b.wantedJSON(), threadJSON(&next.Thread), b.Init,
			r.jsonBlock(b),
		})
	}
	for i := range d.Stuck {
		s := &d.Stuck[i]
		stuck := jsonStuck{jsonThread: threadJSON(&s.Thread), Joins: s.Joins, Init: s.Init,
			Blocker:   threadJSON(&s.Blocker),
			jsonBlock: r.jsonBlock(&s.Block)}
		if !s.Joins {
			wants := s.wantedJSON()
			stuck.Wants = &wants
		}
		result.Stuck = append(result.Stuck, stuck)
	}
	return result
}

func (r *Report) jsonInversion(i *Inversion) jsonInversion {
	result := jsonInversion{Evidence: i.Evidence.String(), Harmless: i.Harmless(),
		Session: i.Orders[0].Example.Thread.Session}
	for j := range i.Orders {
		o := &i.Orders[j]
		order := jsonOrder{
			jsonThread: threadJSON(&o.Example.Thread), Evidence: o.Evidence.String(), Held: monitorJSON(&o.Held),
			Wanted: monitorJSON(&o.Example.Monitor),
			Times:  o.Times, jsonBlock: r.jsonBlock(&o.Example),
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

func threadJSON(t *Thread) jsonThread {
	return jsonThread{jsontext.String(t.ID.String()), t.Key, jsontext.String(t.Name)}
}

func monitorJSON(m *Monitor) jsonMonitor {
	return jsonMonitor{ID: jsontext.String(m.ID.String()), Class: jsontext.String(javaname.DeclaredClass(m.Class))}
}

// wantedJSON returns what the thread wants.
func (b *Block) wantedJSON() jsonMonitor {
	m := monitorJSON(&b.Monitor)
	if b.Init {
		_, represented := javaname.SplitClassObject(b.Monitor.Class)
		m.Represents = jsontext.String(represented)
	}
	return m
}

func (r *Report) jsonBlock(b *Block) jsonBlock {
	result := jsonBlock{Since: int64(b.Since - r.Start), Blocked: b.Length(), Caller: jsonform.FrameOf(b.Caller),
		Taken: jsonform.FrameOf(b.Taken)}
	if b.Stack != nil {
		for _, frame := range b.Stack.Frames {
			result.Stack = append(result.Stack, *jsonform.FrameOf(frame))
		}
	}
	return result
}
