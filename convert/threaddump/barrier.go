package threaddump

import (
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// barrierPart is the part that a thread has at a CyclicBarrier.
type barrierPart uint8

const (
	noBarrier  barrierPart = iota
	atBarrier              // it waits for the others
	lastOfAll              // it came last, and runs the barrier's action
	beforeThat             // calls so far are of a program, so it would be the last one
)

// atCall notes the part of the thread at a barrier, by its calls outward: a program's code within the barrier's own
// method is its action.
func (p *barrierPart) atCall(f *frame) {
	switch {
	case *p == atBarrier || *p == lastOfAll:
	case *p == noBarrier && !enrich.IsLibrary(string(f.class)):
		*p = beforeThat
	case string(f.class) != "java.util.concurrent.CyclicBarrier" || string(f.method) != "dowait":
	case *p == beforeThat:
		*p = lastOfAll
	default:
		*p = atBarrier
	}
}

// putBarrier emits that the thread which runs a barrier's action owns the lock of the condition for which others wait
// at a barrier, if there is one such thread and one such condition.
func (s *series) putBarrier(d *dump) {
	var last []*thread
	waits := map[string]bool{}
	for _, t := range d.threads {
		switch t.barrier {
		case lastOfAll:
			last = append(last, t)
		case atBarrier:
			if t.state.object.known() {
				waits[wantedID(s.threads[t.id])] = true
			}
		}
	}
	if len(last) != 1 || len(waits) != 1 {
		return
	}
	for id := range waits {
		s.at = last[0].place
		s.out.State(s.at.Offset, &trace.ObjectState{Object: trace.ObjectFrom([]byte(id)), Time: s.last, Text: "owner=" + last[0].id})
	}
}
