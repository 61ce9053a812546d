package critical

import (
	"iter"
	"slices"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/internal/jsonform"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The JSON of a path. Lengths and times are in nanoseconds, times since the trace's start. Unknown values are absent.
type (
	jsonThread struct {
		ID   jsontext.String `json:"threadId"`
		Key  trace.ThreadKey `json:"threadKey"`
		Name jsontext.String `json:"threadName,omitempty"`
	}
	jsonObject struct {
		ID    jsontext.String `json:"objectId,omitempty"`
		Class jsontext.String `json:"class,omitempty"`
		// Represents is the class that a java.lang.Class object represents.
		Represents jsontext.String `json:"represents,omitempty"`
		Session    int             `json:"session,omitempty"`
	}
	jsonPiece struct {
		*jsonThread
		Kind  string `json:"kind"`
		State string `json:"state"`
		Name  string `json:"name,omitempty"` // of the state, for people
		From  int64  `json:"from"`
		To    int64  `json:"to"`
		jsonObject
		Owner       *jsonThread     `json:"owner,omitempty"`
		Caller      *jsonform.Frame `json:"caller,omitempty"`
		OwnerCaller *jsonform.Frame `json:"ownerCaller,omitempty"`
		Cause       trace.EventID   `json:"cause,omitempty"`
		Next        *jsonThread     `json:"next,omitempty"`
		*jsonCPU
	}
	jsonAmount struct {
		Time   int64 `json:"time"`
		Pieces int   `json:"pieces"`
	}
	jsonShares struct {
		Threads []jsonThreadShare `json:"threads"`
		States  []jsonStateShare  `json:"states"`
		Waits   []jsonWait        `json:"waits"`
		Callers []jsonCallerShare `json:"callers"`
	}
	jsonThreadShare struct {
		jsonThread
		jsonAmount
	}
	jsonStateShare struct {
		Kind  string `json:"kind"`
		State string `json:"state,omitempty"`
		Name  string `json:"name,omitempty"`
		jsonAmount
		*jsonCPU
	}
	// jsonCPU divides the time of threads that ran, if it is known: OffCPU is the rest.
	jsonCPU struct {
		OnCPU  int64 `json:"onCPU"`
		OffCPU int64 `json:"offCPU"`
	}
	jsonCallerShare struct {
		Caller *jsonform.Frame `json:"caller,omitempty"`
		jsonAmount
	}
	jsonWait struct {
		State string `json:"state"`
		Name  string `json:"name,omitempty"`
		jsonObject
		Time    int64      `json:"time"`
		Count   int        `json:"count"`
		Longest jsonWaiter `json:"longest"`
	}
	jsonWaiter struct {
		jsonThread
		Time        int64           `json:"time"`
		Owner       *jsonThread     `json:"owner,omitempty"`
		Caller      *jsonform.Frame `json:"caller,omitempty"`
		OwnerCaller *jsonform.Frame `json:"ownerCaller,omitempty"`
	}
	jsonWindow struct {
		Since int64 `json:"since"`
		Until int64 `json:"until,omitempty"`
	}
	jsonWhatIf struct {
		Monitors []jsonObject `json:"monitors"`
		Waits    int          `json:"waits"`
		Length   int64        `json:"length"`
		Saved    int64        `json:"saved"`
		Thread   *jsonThread  `json:"thread,omitempty"`
		Estimate bool         `json:"estimate"`
	}
)

// json returns the JSON of the path; whatIf may be nil.
func (p *Path) json(whatIf *WhatIf) answer.Object {
	object := answer.Object{{Name: "length", Value: p.Length()}}
	if chosen := p.recorder.window.chosen; !chosen.IsEverything() {
		object = append(object, answer.Field{Name: "window", Value: jsonWindow{int64(chosen.Since), int64(chosen.Until)}})
	}
	object = append(object, p.piecesJSON(p.Pieces(), false)...)
	object = append(object, answer.Field{Name: "shares", Value: p.Shares().typed().json(false), Line: true})
	if whatIf != nil {
		object = append(object, answer.Field{Name: "whatIf", Value: whatIf.json(), Line: true})
	}
	return object
}

// Extract returns the JSON of the page: only the longest pieces and the largest shares, up to the limit of each, with
// the verdict, the number of the others, and the names of states for people.
func (p *Path) Extract(limit int) answer.Object {
	shares, longest := p.Shares(), p.longest(limit)
	omitted := jsonAmount{p.Length(), p.Size() - len(longest)}
	for _, step := range longest {
		omitted.Time -= p.lengthOf(step)
	}
	return slices.Concat(answer.Object{{Name: "length", Value: p.Length()},
		{Name: "verdict", Value: jsontext.String(p.verdict(shares))}}, p.piecesJSON(p.piecesOf(slices.Values(longest)), true),
		answer.Object{{Name: "omitted", Value: omitted, Line: true},
			{Name: "shares", Value: shares.first(limit).json(true), Line: true}})
}

// LeftOut returns the JSON of Extract for a path that is left out, with the reason as the verdict.
func LeftOut(why string) answer.Object {
	return answer.Object{{Name: "length", Value: 0}, {Name: "verdict", Value: jsontext.String(why)},
		{Name: "pieces", Value: []jsonPiece{}}, {Name: "omitted", Value: jsonAmount{}, Line: true},
		{Name: "shares", Value: (&Shares{}).json(true), Line: true}}
}

// piecesJSON returns the fields of the thread and of the pieces, which can be too many for memory.
func (p *Path) piecesJSON(pieces iter.Seq[*Piece], named bool) (fields answer.Object) {
	if p.Thread.Key != 0 {
		fields = answer.Object{{Name: "thread", Value: threadJSON(&p.Thread)}}
	}
	return append(fields, answer.Field{Name: "pieces", Line: true, Value: answer.List(func(yield func(any) bool) {
		for piece := range pieces {
			written := p.pieceJSON(piece)
			written.Name = nameOf(piece.Name, named)
			if !yield(written) {
				return
			}
		}
	})})
}

// first returns the first shares of each list, up to the limit.
func (s *Shares) first(limit int) *Shares {
	return &Shares{
		s.Threads[:min(len(s.Threads), limit)], s.States[:min(len(s.States), limit)],
		s.Callers[:min(len(s.Callers), limit)], s.Waits[:min(len(s.Waits), limit)], nil,
		s.onCPU, s.offCPU,
	}
}

// TypeName returns the state in JSON: TPTP's name of the event without TRCThread and Event.
func TypeName(state trace.ModelType) string { return stateNames[state] }

var stateNames = func() (names [trace.ModelTypeCount]string) {
	for state := range names {
		name := trace.ModelType(state).String()
		names[state] = name[len("TRCThread") : len(name)-len("Event")]
	}
	return names
}()

func (p *Path) pieceJSON(piece *Piece) *jsonPiece {
	start := p.recorder.start
	result := &jsonPiece{
		jsonThread: known(&piece.Thread), Kind: piece.Kind.String(), State: TypeName(piece.State),
		From: int64(piece.From - start), To: int64(piece.To - start),
		jsonObject: objectJSON(piece.Object), Caller: frameJSON(piece.Caller),
		OwnerCaller: frameJSON(piece.OwnerCaller), Cause: piece.Cause,
	}
	result.Owner, result.Next = known(&piece.Owner), known(&piece.Next)
	if piece.OnCPU >= 0 {
		result.jsonCPU = &jsonCPU{piece.OnCPU, piece.Length() - piece.OnCPU}
	}
	return result
}

func threadJSON(t *Thread) jsonThread {
	return jsonThread{jsontext.String(t.ID.String()), t.Key, jsontext.String(t.Name)}
}

// known returns the JSON of the thread, or nil for the zero Thread.
func known(t *Thread) *jsonThread {
	if t.Key == 0 {
		return nil
	}
	result := threadJSON(t)
	return &result
}

func objectJSON(o Object) jsonObject {
	declared, represented := javaname.SplitClassObject(o.Class)
	return jsonObject{jsontext.String(o.ID.String()), jsontext.String(declared), jsontext.String(represented),
		o.Session}
}

func frameJSON(f trace.Frame) *jsonform.Frame {
	if f.Method == nil || f.Method.Same(&trace.ModelMethod{}) {
		return nil
	}
	return jsonform.FrameOf(f)
}

// json returns the shares, named with the names of states for people.
func (s *Shares) json(named bool) jsonShares {
	result := jsonShares{[]jsonThreadShare{}, []jsonStateShare{}, []jsonWait{}, []jsonCallerShare{}}
	for i := range s.Threads {
		share := &s.Threads[i]
		amount := jsonAmount{share.Time, share.Pieces}
		result.Threads = append(result.Threads, jsonThreadShare{threadJSON(&share.Of), amount})
	}
	for _, share := range s.States {
		state := jsonStateShare{Kind: share.Of.Kind.String(), jsonAmount: jsonAmount{share.Time, share.Pieces}}
		if share.Of.Kind == Segment {
			state.State = TypeName(share.Of.Type)
			if named {
				state.Name = share.Of.String()
			} else if s.onCPU+s.offCPU > 0 && share.Of.Type == trace.Running {
				state.jsonCPU = &jsonCPU{s.onCPU, s.offCPU}
			}
		}
		result.States = append(result.States, state)
	}
	for i := range s.Waits {
		wait := &s.Waits[i]
		longest := jsonWaiter{
			threadJSON(&wait.Longest.Thread), wait.Most, known(&wait.Longest.Owner), frameJSON(wait.Longest.Caller),
			frameJSON(wait.Longest.OwnerCaller),
		}
		result.Waits = append(result.Waits, jsonWait{TypeName(wait.State), nameOf(wait.Name, named),
			objectJSON(wait.Object), wait.Time, wait.Count, longest})
	}
	for _, share := range s.Callers {
		result.Callers = append(result.Callers, jsonCallerShare{frameJSON(share.Of),
			jsonAmount{share.Time, share.Pieces}})
	}
	return result
}

// nameOf returns the state's name for people if it is named, else "".
func nameOf(state trace.State, named bool) string {
	if named {
		return state.String()
	}
	return ""
}

func (x *WhatIf) json() jsonWhatIf {
	result := jsonWhatIf{Waits: x.Waits, Length: x.Path.Length(), Saved: x.Saved, Thread: known(&x.Path.Thread),
		Estimate: true}
	for _, monitor := range x.Monitors {
		result.Monitors = append(result.Monitors, objectJSON(monitor))
	}
	return result
}
