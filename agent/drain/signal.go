package drain

import (
	"math"
	"slices"
	"time"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/threadstate"
)

// signal is a call of Condition.signal or signalAll. Its element has the waiters that it removes from the condition, so
// it is written when these are known: at the next record of the thread, before the end of such a wait, or when no
// waiter has been added for maxSignal.
type signal struct {
	open      bool // it is not written
	late      bool // it was open for maxSignal without a waiter; its element has the time of the waiter, if one follows
	all       bool
	condition int64
	begun     int64 // times, in nanoseconds since the Unix epoch
	latest    int64 // of the call, or of the last waiter
	waiters   []int64
	stack     []byte
}

// mark is the signal that has removed a thread from a condition. It ends with the thread's wait on the condition, which
// is open or begins with the thread's next record. If the next record is another one, the thread had not parked.
type mark struct{ condition, signaller int64 }

const (
	// maxSignal is how long a signal waits for more waiters.
	maxSignal = int64(time.Millisecond)
	// maxWaiters is the limit of waiters in an element. Further waiters get elements of their own.
	maxWaiters = 1 << 10
)

// signalBegins handles Signal.
func (d *Drainer) signalBegins(t *thread, r *ring.Record, now int64) {
	if t.signal == nil {
		t.signal = new(signal)
	}
	s := t.signal
	*s = signal{all: r.Flags&ring.All != 0, condition: r.Object, waiters: s.waiters,
		stack: append(s.stack[:0], d.stack(r)...)}
	d.openSignal(t, now)
}

func (d *Drainer) openSignal(t *thread, now int64) {
	s := t.signal
	s.open, s.late, s.begun, s.latest, s.waiters = true, false, now, now, s.waiters[:0]
	d.signallers = append(d.signallers, t)
}

// signalled handles Signalled: the thread's latest signal has removed a waiter.
func (d *Drainer) signalled(t *thread, r *ring.Record, now int64) {
	s, waiter := t.signal, d.live(r.Argument)
	if s == nil || waiter == nil || waiter == t || !s.open && !s.late && !s.all {
		d.summary.Strays++
		return
	}
	if !s.open {
		d.openSignal(t, now)
	}
	if waiter.parks == nil {
		waiter.parks = new(parks)
	}
	waiter.parks.marked = mark{s.condition, t.id}
	s.latest, s.waiters = now, append(s.waiters, waiter.id)
	if !s.all || len(s.waiters) == maxWaiters {
		d.closeSignal(t)
	}
}

// closeSignal writes the thread's signal, if that is open.
func (d *Drainer) closeSignal(t *thread) {
	if t == nil || t.signal == nil {
		return
	}
	s := t.signal
	s.late = false
	if !s.open {
		return
	}
	s.open = false
	d.signallers = slices.DeleteFunc(d.signallers, func(other *thread) bool { return other == t })
	d.advance(t, threadstate.Act, s.condition, s.begun)
	inner := appendIDs(append(d.scratch.annotation[:0], parkWait...), "wakes", s.waiters...)
	inner = append(inner, s.stack...)
	d.scratch.annotation = inner
	d.write(callNotify, inner, trcxml.Number(t.id), trcxml.Number(s.begun), trcxml.Number(s.condition), flag(s.all))
}

// closeSignals writes the signals that have waited long enough for more waiters at the time, in nanoseconds since the
// Unix epoch. A signal without a waiter is late: its thread may have lost the processor before it removed a waiter.
func (d *Drainer) closeSignals(until int64) {
	for i := len(d.signallers) - 1; i >= 0; i-- {
		t := d.signallers[i]
		switch {
		case t.signal.latest > until:
		case !t.signal.all && len(t.signal.waiters) == 0 && until < math.MaxInt64:
			t.signal.open, t.signal.late = false, true
			d.signallers = slices.Delete(d.signallers, i, i+1)
		default:
			d.closeSignal(t)
		}
	}
}
