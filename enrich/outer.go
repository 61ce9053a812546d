package enrich

import (
	"encoding/binary"

	"github.com/trcx/trcx/trace"
)

// outers are the calls below places in the program. Each is kept once, by its names, as a trace can redefine methods.
type outers struct {
	most  int // calls below a place
	known map[string]*trace.Outer
}

// maxOuters limits the outers that are kept. Further places have none; only artificial traces have as many.
const maxOuters = 1 << 16

// of returns the innermost of the program's own calls in the frames below site; if the site is a library's, the
// innermost calls of libraries. It returns nil if the frames have none.
func (o *outers) of(frames []trace.Frame, site int, skips func(*trace.ModelMethod) bool) *trace.Outer {
	if o.most == 0 {
		return nil
	}
	library := IsLibrary(frames[site].Method.Class) // so all frames are of libraries, or skipped
	var (
		below []trace.Frame
		names []byte
	)
	for _, frame := range frames[site+1:] {
		if len(below) == o.most {
			break
		}
		m := frame.Method
		if isLambda(m.Class) {
			continue
		}
		if m.Name != "" && library == IsLibrary(m.Class) && (skips == nil || !skips(m)) {
			below = append(below, frame)
			for _, name := range []string{m.Class, m.Name, m.File} {
				names = append(append(names, name...), 0)
			}
			names = binary.LittleEndian.AppendUint32(names, uint32(frame.Line))
		}
	}
	if below == nil {
		return nil
	}
	outer := o.known[string(names)]
	if outer == nil && len(o.known) < maxOuters {
		if o.known == nil {
			o.known = map[string]*trace.Outer{}
		}
		outer = &trace.Outer{Frames: below, Number: uint32(len(o.known) + 1)}
		o.known[string(names)] = outer
	}
	return outer
}
