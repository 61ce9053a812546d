package jfr

import (
	"io"
	"math"
	"slices"

	"github.com/trcx/trcx/trace"
)

// jvm is what tells a JVM from others.
type jvm struct{ pid, start uint64 }

// jvmInformation is the type of the events that tell JVMs apart.
const jvmInformation = "jdk.JVMInformation"

// tellJVMs finds out which JVM wrote the chunk: an input may hold recordings of several, one after the other.
func (r *reader) tellJVMs(runs []gap) {
	begins := r.chunk.startNanos
	defer func() {
		r.lastStart, r.constants.scope = begins, r.scope
	}()
	class := r.types.named(jvmInformation)
	var found jvm
	if class != nil {
		if counted := r.kinds[class.id]; counted != nil && counted.reading != nil {
			found = r.findJVM(runs, class.id, counted.reading)
		}
	}
	if found == (jvm{}) {
		if begins < r.lastStart { // one JVM writes its chunks one after the other
			r.finding(RuleOrder, trace.Warning, r.chunk.place,
				"this chunk is older than the one before it, and does not say which JVM it is of: it is taken for "+
					"one of another JVM; if it is of the same one, give the chunks in the order of their times")
			r.scope = uint32(r.addJVM(jvm{math.MaxUint64, uint64(r.chunk.place)}) + 1)
		}
		return
	}
	i := slices.Index(r.jvms, found)
	if i < 0 {
		if i = r.addJVM(found); r.lastStart != 0 && i == 0 && begins >= r.lastStart {
			i = int(r.scope) // the chunks before did not say
		}
	}
	r.scope = uint32(i)
}

// maxJVMs is how many JVMs of an input are told apart.
const maxJVMs = 1 << 10

// addJVM adds one, and returns its place. Once there are too many, what comes is taken for the last one's.
func (r *reader) addJVM(j jvm) int {
	if len(r.jvms) < maxJVMs {
		r.jvms = append(r.jvms, j)
	} else if !r.manyJVMs {
		r.manyJVMs = true
		r.finding(RuleTooLarge, trace.Error, r.chunk.place,
			"this is a recording of more than %d JVMs, one behind the other; the threads of others from here on "+
				"are taken for those of the last one", maxJVMs)
	}
	return len(r.jvms) - 1
}

// findJVM finds the first event that says which JVM it is.
func (r *reader) findJVM(runs []gap, id uint64, k *reading) (found jvm) {
	r.each(runs, func(_ int64, event []byte, size, kind uint64) error {
		if kind != id || uint64(len(event)) < size {
			return nil
		}
		c := cursor{data: event, fixed: !r.chunk.compressed}
		c.at = r.headLength(event)
		if k.program.run(&c, &r.values); c.short || !k.has[slotID] || !k.has[slotLow] {
			return nil
		}
		found = jvm{r.values.numbers[slotID], r.values.numbers[slotLow]}
		return io.EOF
	})
	return found
}
