package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

// The annotations of waits; see docs/record.md.
const (
	parkWait = `<annotation name="` + trace.NotePark + `" value="` + trace.ParkWait + `"/>`
	parkLock = `<annotation name="` + trace.NotePark + `" value="` + trace.ParkLock + `"/>`
	sampled  = `<annotation name="` + trace.NoteSampled + `" value="1"/>`
	someTime = `<annotation name="` + trace.NoteTimeoutNanos + `" value="` + trace.TimeoutUnknown + `"/>`
	joins    = `<annotation name="` + trace.NoteCall + `" value="` + trace.CallJoin + `"/>`
	again    = `<annotation name="` + trace.NoteAgain + `" value="1"/>`
)

// appendAnnotation appends an annotation whose value needs no escapes.
func appendAnnotation(text []byte, name, value string) []byte {
	return append(append(beginAnnotation(text, name), value...), annotationEnd...)
}

func beginAnnotation(text []byte, name string) []byte {
	return append(append(append(text, `<annotation name="`...), name...), `" value="`...)
}

// annotationEnd ends an annotation after its value.
const annotationEnd = `"/>`

// appendIDs appends an annotation with ids and blanks between them.
func appendIDs(text []byte, name string, ids ...int64) []byte {
	text = beginAnnotation(text, name)
	for i, id := range ids {
		if i > 0 {
			text = append(text, ' ')
		}
		text = digits.Append(text, uint64(id))
	}
	return append(text, annotationEnd...)
}

// appendTimeout appends the exact timeout of a park, if it has one: timeoutNanos, or until for a time of the wall
// clock. Of a park from before the recording, the agent only knows that it has one.
func appendTimeout(text []byte, r *ring.Record, p *park) []byte {
	switch {
	case p.absolute:
		text = beginAnnotation(text, trace.NoteUntil)
		return append(trace.Time(p.deadline).AppendTo(text), annotationEnd...)
	case p.existed && r.Argument == ring.UnknownTimeout:
		return append(text, someTime...)
	case p.deadline > 0:
		return appendIDs(text, trace.NoteTimeoutNanos, r.Argument)
	}
	return text
}

// appendIO appends the operation of a Wait for input or output; nothing for another one.
func appendIO(text []byte, r *ring.Record) []byte {
	if operation := trace.IO(r.Flags >> ring.OperationShift & 7); trace.NoIO < operation &&
		operation <= trace.IOSelect {
		return appendAnnotation(text, trace.NoteIO, operation.String())
	}
	return text
}
