package critical

import (
	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
)

// place is a frame by its names: a trace can define a method more than once. The zero place is unknown.
type place struct {
	class, method, file string
	line                int32
	in                  string // the title of the library's method, "" for none
	outer               *trace.Outer
}

func placeOf(f trace.Frame) place {
	if f.Method == nil {
		return place{}
	}
	at := place{class: f.Method.Class, method: f.Method.Name, file: f.Method.File, line: f.Line, outer: f.Outer}
	if f.Inner != nil {
		at.in = f.Inner.Title()
	}
	return at
}

// places numbers the places in the program from 1 on; 0 is the unknown place. A method that is defined again takes no
// more memory.
type places struct {
	frames  list.List[trace.Frame] // by their numbers
	numbers map[place]uint32
	recent  *lru.Cache[trace.Frame, uint32] // the numbers of up to maxRecent frames
}

const maxRecent = 1 << 12

func newPlaces() places {
	p := places{numbers: map[place]uint32{}, recent: lru.NewCache[trace.Frame, uint32](maxRecent)}
	p.frames.Add(trace.Frame{})
	return p
}

// at returns a frame at the numbered place.
func (p *places) at(number uint32) trace.Frame { return *p.frames.At(int(number)) }

// number returns the number of the frame's place.
func (p *places) number(f trace.Frame) uint32 {
	if f.Method == nil {
		return 0
	}
	number, known := p.recent.Get(f)
	if known {
		return number
	}
	of := placeOf(f)
	if number, known = p.numbers[of]; !known {
		number = uint32(p.frames.Len())
		p.frames.Add(f)
		p.numbers[of] = number
	}
	p.recent.Put(f, number, 1)
	return number
}

// named is number for methods that the trace names; other methods have no place.
func (p *places) named(f trace.Frame) uint32 {
	if f.Method == nil || f.Method.Name == "" {
		return 0
	}
	return p.number(f)
}
