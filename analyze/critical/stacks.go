package critical

import (
	"encoding/binary"

	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
)

// stacks are the call stacks in which threads waited. Equal ones are kept once, as the numbers of their places.
type stacks struct {
	places    places
	frames    []uint32 // numbers of the places of all stacks, innermost first
	ends      []uint32 // by the numbers of stacks: the end in frames; 0 is the unknown stack
	numbers   map[string]uint32
	recent    *lru.Cache[*trace.Stack, uint32]
	bySegment list.List[uint32] // number of the stack; 0 if the thread did not wait
	text      []byte
	limit     int    // limits the frames
	shortened uint64 // number of waits with stacks beyond the limit
}

// maxCachedFrames limits the frames of the stacks in the cache.
const maxCachedFrames = 1 << 16

// maxStackFrames limits the frames of all stacks. For further stacks only the program's own call is kept.
const maxStackFrames = 1 << 21

// KeepStacks makes the Recorder, which must not have records yet, keep whole call stacks: four more bytes a state
// change, and the different stacks up to a limit.
func (r *Recorder) KeepStacks() {
	r.stacks = &stacks{places: newPlaces(), ends: []uint32{0}, numbers: map[string]uint32{},
		recent: lru.NewCache[*trace.Stack, uint32](maxCachedFrames), limit: maxStackFrames}
}

// ShortenedStacks returns the number of waits for which only the program's own call is kept, because there were too
// many different call stacks.
func (r *Recorder) ShortenedStacks() uint64 {
	if r.stacks == nil {
		return 0
	}
	return r.stacks.shortened
}

// Stack returns a number for the call stack in which a thread waits in the segment, or had waited before it ran; 0 if
// unknown. Frames returns its frames. Without KeepStacks, it is the number of the place.
func (r *Recorder) Stack(s trace.SegmentID) uint32 {
	if r.stacks == nil {
		return r.Place(s)
	}
	at := r.waiting(s)
	if at == 0 {
		return 0
	}
	return *r.stacks.bySegment.At(int(at) - 1)
}

// Frames returns the frames of the numbered call stack, innermost first; without KeepStacks, only the program's own
// call. It returns nil for the number 0.
func (r *Recorder) Frames(stack uint32) []trace.Frame {
	if stack == 0 {
		return nil
	}
	if r.stacks == nil {
		return []trace.Frame{r.Frame(stack)}
	}
	var frames []trace.Frame
	for _, place := range r.stacks.frames[r.stacks.ends[stack-1]:r.stacks.ends[stack]] {
		frames = append(frames, r.stacks.places.at(place))
	}
	return frames
}

// put keeps the stack of the event of the next segment.
func (k *stacks) put(e *trace.ModelEvent) {
	number := uint32(0)
	if !e.Type.IsBusy() {
		number = k.of(e)
	}
	k.bySegment.Add(number)
}

// of returns the number of the event's stack, or of a stack with only its caller.
func (k *stacks) of(e *trace.ModelEvent) uint32 {
	switch {
	case e.Stack == nil && e.Caller.Method == nil:
		return 0
	case e.Stack == nil:
		return k.number([]trace.Frame{e.Caller})
	}
	number, ok := k.recent.Get(e.Stack)
	if !ok && len(k.frames)+len(e.Stack.Frames) <= k.limit {
		number, ok = k.number(e.Stack.Frames), true
		k.recent.Put(e.Stack, number, len(e.Stack.Frames))
	}
	if !ok {
		k.shortened++
		return k.number([]trace.Frame{e.Caller})
	}
	return number
}

// number returns the number of the stack with the frames.
func (k *stacks) number(frames []trace.Frame) uint32 {
	k.text = k.text[:0]
	for _, frame := range frames {
		k.text = binary.LittleEndian.AppendUint32(k.text, k.places.number(frame))
	}
	number, ok := k.numbers[string(k.text)]
	if ok {
		return number
	}
	for text := k.text; len(text) > 0; text = text[4:] {
		k.frames = append(k.frames, binary.LittleEndian.Uint32(text))
	}
	number = uint32(len(k.ends))
	k.ends = append(k.ends, uint32(len(k.frames)))
	k.numbers[string(k.text)] = number
	return number
}
