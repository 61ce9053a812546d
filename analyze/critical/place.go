package critical

import "github.com/trcx/trcx/trace"

// place is a frame by what it says, for a trace may describe a method more than once. The zero place is unknown.
type place struct {
	class, method, file string
	line                int32
}

func placeOf(f trace.Frame) place {
	if f.Method == nil {
		return place{}
	}
	return place{f.Method.Class, f.Method.Name, f.Method.File, f.Line}
}

// places numbers the places in the program at which threads were, from 1 on; 0 is the unknown one. A method that is
// described again takes no more memory.
type places struct {
	frames  list[trace.Frame] // by their numbers
	numbers map[place]uint32
	recent  map[trace.Frame]uint32 // which has the numbers of some frames more quickly
}

// mostRecent is how many frames are found quickly.
const mostRecent = 1 << 12

func newPlaces() places {
	p := places{numbers: map[place]uint32{}, recent: map[trace.Frame]uint32{}}
	p.frames.add(trace.Frame{})
	return p
}

// at is a frame at the place of the number.
func (p *places) at(number uint32) trace.Frame { return *p.frames.at(int(number)) }

// number is that of the frame's place.
func (p *places) number(f trace.Frame) uint32 {
	if f.Method == nil {
		return 0
	}
	if number, ok := p.recent[f]; ok {
		return number
	}
	at := placeOf(f)
	number, known := p.numbers[at]
	if !known {
		number = uint32(p.frames.size)
		p.frames.add(f)
		p.numbers[at] = number
	}
	if len(p.recent) >= mostRecent {
		clear(p.recent)
	}
	p.recent[f] = number
	return number
}
