package critical

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/trcx/trcx/analyze/internal/jsonform"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The JSON of a path. Lengths and times are in nanoseconds, times since the trace's start. What is unknown is absent.
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
		jsonThread
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

// WriteJSON writes the path as one JSON object, for programs; whatIf may be nil.
func (p *Path) WriteJSON(out io.Writer, whatIf *WhatIf) error {
	w := &jsonWriter{out: out}
	w.field("{", "length", p.Length())
	if chosen := p.recorder.window.chosen; !chosen.IsEverything() {
		w.field(",", "window", jsonWindow{int64(chosen.Since), int64(chosen.Until)})
	}
	w.pieces(p, p.Pieces())
	w.field(",\n", "shares", p.Shares().typed().json(false))
	if whatIf != nil {
		w.field(",\n", "whatIf", whatIf.json())
	}
	return w.end()
}

// WriteExtract writes the JSON object of WriteJSON with the longest pieces and the largest shares only, up to the limit
// of each; with the verdict, the sum of what is left out, and the names of states for people, by which it divides
// shares.
func (p *Path) WriteExtract(out io.Writer, limit int) error {
	w, shares, longest := &jsonWriter{out: out, named: true}, p.Shares(), p.longest(limit)
	w.field("{", "length", p.Length())
	w.field(",", "verdict", jsontext.String(p.verdict(shares)))
	w.pieces(p, p.piecesOf(longest))
	omitted := jsonAmount{p.Length(), p.Size() - len(longest)}
	for _, step := range longest {
		omitted.Time -= p.lengthOf(step)
	}
	w.field(",\n", "omitted", omitted)
	w.field(",\n", "shares", shares.first(limit).json(true))
	return w.end()
}

// WriteLeftOut writes the JSON object of WriteExtract for a path that is left out, with the reason as the verdict.
func WriteLeftOut(out io.Writer, why string) error {
	w := &jsonWriter{out: out}
	w.field("{", "length", 0)
	w.field(",", "verdict", jsontext.String(why))
	w.field(",", "pieces", []jsonPiece{})
	w.field(",\n", "omitted", jsonAmount{})
	w.field(",\n", "shares", (&Shares{}).json(true))
	return w.end()
}

// first returns the first shares of each list, up to the limit.
func (s *Shares) first(limit int) *Shares {
	return &Shares{
		s.Threads[:min(len(s.Threads), limit)], s.States[:min(len(s.States), limit)],
		s.Callers[:min(len(s.Callers), limit)], s.Waits[:min(len(s.Waits), limit)], nil,
	}
}

// jsonWriter writes piece by piece: a path can be too long for memory.
type jsonWriter struct {
	out   io.Writer
	named bool // pieces have the names of states for people
	buf   bytes.Buffer
	err   error
}

// flushAt is the size of the buffer at which it is flushed, in bytes.
const flushAt = 64 << 10

// field writes a field after the separator.
func (w *jsonWriter) field(separator, name string, value any) {
	fmt.Fprintf(&w.buf, "%s%q:", separator, name)
	w.value(value)
}

// pieces writes the fields of the path's thread, unless it is unknown, and of the pieces.
func (w *jsonWriter) pieces(p *Path, pieces iter.Seq[*Piece]) {
	if p.Thread.Key != 0 {
		w.field(",", "thread", threadJSON(&p.Thread))
	}
	w.buf.WriteString(",\n\"pieces\":[")
	separator := "\n"
	for piece := range pieces {
		w.buf.WriteString(separator)
		written := p.pieceJSON(piece)
		written.Name = nameOf(piece.Name, w.named)
		w.value(written)
		separator = ",\n"
	}
	w.buf.WriteString("]")
}

// end writes the end of the object, and returns the first error.
func (w *jsonWriter) end() error {
	w.buf.WriteString("}\n")
	w.flush()
	return w.err
}

func (w *jsonWriter) value(value any) {
	encoded, err := json.Marshal(value)
	if w.err == nil {
		w.err = err
	}
	w.buf.Write(encoded)
	if w.buf.Len() >= flushAt {
		w.flush()
	}
}

func (w *jsonWriter) flush() {
	if w.err == nil {
		_, w.err = w.out.Write(w.buf.Bytes())
	}
	w.buf.Reset()
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
		jsonThread: threadJSON(&piece.Thread), Kind: piece.Kind.String(), State: TypeName(piece.State),
		From: int64(piece.From - start), To: int64(piece.To - start),
		jsonObject: objectJSON(piece.Object), Caller: frameJSON(piece.Caller),
		OwnerCaller: frameJSON(piece.OwnerCaller), Cause: piece.Cause,
	}
	result.Owner, result.Next = known(&piece.Owner), known(&piece.Next)
	return result
}

func threadJSON(t *Thread) jsonThread {
	return jsonThread{jsontext.String(t.ID.String()), t.Key, jsontext.String(t.Name)}
}

// known returns the thread, or nil for none.
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
		result.Threads = append(result.Threads, jsonThreadShare{threadJSON(&share.Of),
			jsonAmount{share.Time, share.Pieces}})
	}
	for _, share := range s.States {
		state := jsonStateShare{Kind: share.Of.Kind.String(), jsonAmount: jsonAmount{share.Time, share.Pieces}}
		if share.Of.Kind == Segment {
			state.State = TypeName(share.Of.Type)
			state.Name = nameOf(share.Of.Name, named)
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
			objectJSON(wait.Object),
			wait.Time, wait.Count, longest})
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
