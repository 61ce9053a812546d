package jfr

import (
	"io"
	"math"
	"slices"

	"github.com/trcx/trcx/trace"
)

// jvmIdentity identifies a JVM.
type jvmIdentity struct{ pid, start uint64 }

// jvmInformationEvent is the type of the event that has the identity.
const jvmInformationEvent = "jdk.JVMInformation"

// jvmTable has the JVMs whose recordings the input contains, one after the other.
type jvmTable struct {
	jvms         []jvmIdentity
	current      uint32 // index of the chunk's JVM
	lastStart    int64  // of the previous chunk, in ns
	limitReached bool
}

// assignJVM sets the JVM that wrote the chunk.
func (r *reader) assignJVM(spans []span) {
	j := &r.jvms
	start := r.chunk.startNanos
	defer func() {
		j.lastStart, r.constants.jvm = start, j.current
	}()
	found := r.findJVM(spans)
	if found == (jvmIdentity{}) {
		if start < j.lastStart { // a JVM writes its chunks in time order
			r.finding(ruleOrder, trace.Warning, r.chunk.offset,
				"this chunk is older than the previous one and does not name its JVM; it is read as one of another "+
					"JVM. If it is the same one, put the chunks in time order")
			j.current = uint32(r.addJVM(jvmIdentity{math.MaxUint64, uint64(r.chunk.offset)}) + 1)
		}
		return
	}
	i := slices.Index(j.jvms, found)
	if i < 0 {
		if i = r.addJVM(found); j.lastStart != 0 && i == 0 && start >= j.lastStart {
			i = int(j.current) // previous chunks did not name theirs
		}
	}
	j.current = uint32(i)
}

// maxJVMs limits the JVMs of an input.
const maxJVMs = 1 << 10

// addJVM adds a JVM and returns its index. Beyond the limit it returns the index of the last one.
func (r *reader) addJVM(identity jvmIdentity) int {
	j := &r.jvms
	if len(j.jvms) < maxJVMs {
		j.jvms = append(j.jvms, identity)
	} else if !j.limitReached {
		j.limitReached = true
		r.finding(ruleTooLarge, trace.Error, r.chunk.offset,
			"limit of %d JVMs reached; threads of further JVMs are read as threads of the last one", maxJVMs)
	}
	return len(j.jvms) - 1
}

// findJVM returns the identity in the first event that has it, or the zero value.
func (r *reader) findJVM(spans []span) (found jvmIdentity) {
	class := r.types.named(jvmInformationEvent)
	if class == nil || r.counters[class.id] == nil || r.counters[class.id].decoder == nil {
		return found
	}
	d := r.counters[class.id].decoder
	//nolint:errcheck // the function returns none
	r.eachEvent(spans, func(_ int64, bytes []byte, size, kind uint64) error {
		if kind != class.id || uint64(len(bytes)) < size {
			return nil
		}
		c := cursor{data: bytes, fixed: !r.chunk.compressed}
		c.at = r.headLength(bytes)
		if d.steps.decode(&c, &r.values); c.short || !d.has[slotID] || !d.has[slotLow] {
			return nil
		}
		found = jvmIdentity{r.values.numbers[slotID], r.values.numbers[slotLow]}
		return io.EOF
	})
	return found
}
