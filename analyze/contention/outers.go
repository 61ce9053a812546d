package contention

import (
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/trace"
)

// outers are the calls below places, by their numbers.
type outers []*trace.Outer

// numberOf returns the number of the calls; 0 for nil.
func (o *outers) numberOf(x *trace.Outer) uint32 {
	if x == nil {
		return 0
	}
	for int(x.Number) >= len(*o) {
		*o = append(*o, nil)
	}
	(*o)[x.Number] = x
	return x.Number
}

// text returns the numbered calls, for people.
func (o outers) text(number uint32) string {
	if number == 0 {
		return ""
	}
	return wording.Outer(o[number])
}
