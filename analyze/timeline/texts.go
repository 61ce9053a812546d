package timeline

import (
	"encoding/binary"
	"slices"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
)

// maxText limits the approximate size of the tables, in bytes. Entries beyond it are unknown.
const maxText = 96 << 20

// numbers numbers texts, frames and stacks from 1 on. Records name them by these; 0 is unknown.
type numbers struct {
	Texts   []string // classes, and ids that are not numbers
	Frames  []Frame
	Stacks  []stackNumbers
	byText  map[string]uint32
	byFrame map[Frame]uint32
	byStack map[string]uint32 // by the numbers of its frames
	stacks  *lru.Cache[*trace.Stack, uint32]
	outers  map[*trace.Outer]outerCalls
	key     []byte
	size    int
	lacking bool // something did not fit
}

// stackNumbers is a call stack, by the numbers of its frames.
type stackNumbers struct {
	Frames  []uint32
	Omitted int
}

// outerCalls are the calls below a place: for people, and the number of their stack.
type outerCalls struct {
	text  string
	stack uint32
}

func newNumbers() numbers {
	return numbers{byText: map[string]uint32{}, byFrame: map[Frame]uint32{}, byStack: map[string]uint32{},
		stacks: lru.NewCache[*trace.Stack, uint32](maxCachedFrames), outers: map[*trace.Outer]outerCalls{}}
}

// numbered returns the text, frame or stack of a number; an empty one for 0 and unknown numbers.
func numbered[T any](all []T, number uint32) (entry T) {
	if number > 0 && int(number) <= len(all) {
		entry = all[number-1]
	}
	return entry
}

// entrySize is the size of a table's entry without its text, in bytes.
const entrySize = 64

// fits reports whether the tables have space for the size.
func (n *numbers) fits(size int) bool {
	if n.size+size+entrySize > maxText {
		n.lacking = true
		return false
	}
	n.size += size + entrySize
	return true
}

// text returns the number of a text; 0 for "".
func (n *numbers) text(text string) uint32 {
	if text == "" {
		return 0
	}
	number, known := n.byText[text]
	if !known && n.fits(2*len(text)) {
		n.Texts = append(n.Texts, text)
		number = uint32(len(n.Texts))
		n.byText[text] = number
	}
	return number
}

// maxCachedFrames limits the frames of the call stacks that are found quickly.
const maxCachedFrames = 1 << 18

// frame returns the number of a frame; 0 if it is unknown.
func (n *numbers) frame(f trace.Frame) uint32 {
	if f.Method == nil {
		return 0
	}
	place := Frame{Class: f.Method.Class, Method: f.Method.Name, File: f.Method.File, Line: f.Line}
	if f.Inner != nil {
		place.Inner = f.Inner.Title()
	}
	if f.Outer != nil {
		calls := n.outerOf(f.Outer)
		place.Outer, place.outer = calls.text, calls.stack
	}
	number, known := n.byFrame[place]
	if !known && n.fits(len(place.Class)+len(place.Method)+len(place.File)+len(place.Inner)) {
		n.Frames = append(n.Frames, place)
		number = uint32(len(n.Frames))
		n.byFrame[place] = number
	}
	return number
}

// outerOf returns the calls below a place; none if the tables have no space for them.
func (n *numbers) outerOf(o *trace.Outer) outerCalls {
	calls, known := n.outers[o]
	if known {
		return calls
	}
	if text := wording.Outer(o); n.fits(len(text)) {
		if stack := n.calls(o.Frames, 0); stack != 0 {
			calls = outerCalls{text, stack}
		}
	}
	n.outers[o] = calls
	return calls
}

// stack returns the number of a call stack; 0 for nil.
func (n *numbers) stack(s *trace.Stack) uint32 {
	if s == nil {
		return 0
	}
	if number, ok := n.stacks.Get(s); ok {
		return number
	}
	number := n.calls(s.Frames, s.Omitted)
	n.stacks.Put(s, number, len(s.Frames))
	return number
}

// calls returns the number of the stack of these calls; 0 if the tables have no space for it.
func (n *numbers) calls(calls []trace.Frame, omitted int) uint32 {
	frames := make([]uint32, len(calls))
	key := binary.AppendUvarint(n.key[:0], uint64(omitted))
	for i, f := range calls {
		f.Outer = nil
		frames[i] = n.frame(f)
		key = binary.AppendUvarint(key, uint64(frames[i]))
	}
	n.key = key
	number, known := n.byStack[string(key)]
	if !known && n.fits(4*len(frames)+len(key)) {
		n.Stacks = append(n.Stacks, stackNumbers{slices.Clip(frames), omitted})
		number = uint32(len(n.Stacks))
		n.byStack[string(key)] = number
	}
	return number
}

// objectCode is an object's id in a record; 0 for none. The last bit is set for a number, not for a text in the tables.
type objectCode uint64

const mostNumber = 1<<62 - 1

func (n *numbers) object(id trace.ObjectID) objectCode {
	if !id.Known() {
		return 0
	}
	if number, ok := id.Number(); ok && number <= mostNumber {
		return objectCode(number<<1 | 1)
	}
	return objectCode(n.text(id.String())) << 1
}
