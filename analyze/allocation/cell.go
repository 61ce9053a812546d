package allocation

import (
	"encoding/binary"

	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/internal/numbering"
	"github.com/trcx/trcx/trace"
)

const (
	// maxCells limits the separate sums. Beyond it, new threads and call stacks share one sum.
	maxCells = 1 << 20
	// maxStackFrames limits the frames of all different call stacks. Beyond it, allocations at new stacks have none.
	maxStackFrames = 1 << 23
	// maxCached limits the call stacks that are found by their address.
	maxCached = 1 << 16
)

// key identifies a cell by the numbers of class, call stack and thread; 0 is unknown.
type key struct {
	class, stack, thread uint32
	interval             uint64
}

// cell sums up the objects of one class that one thread allocated at one call stack.
type cell struct {
	key
	allocated, freed, live Estimate
	largest                uint64
	ages                   ages
	series                 series
}

// ages sum up how many collections objects survived.
type ages struct {
	count, sum float64
	oldest     uint32
}

func (a *ages) add(count float64, age uint32) {
	a.count += count
	a.sum += count * float64(age)
	a.oldest = max(a.oldest, age)
}

func (a *ages) merge(b *ages) {
	a.count += b.count
	a.sum += b.sum
	a.oldest = max(a.oldest, b.oldest)
}

// cells are the sums, and the numbers of what identifies them.
type cells struct {
	all    []cell
	places map[key]uint32 // index in all

	classes numbering.Numbering[string]
	threads []string                   // titles
	known   map[trace.ThreadKey]uint32 // numbers of threads, except those that are too many
	stacks  stacks
	folded  bool // maxCells is exceeded
}

// cell returns the index of the cell of the key.
func (c *cells) cell(k key) uint32 {
	at, known := c.places[k]
	if !known && len(c.all) >= maxCells {
		c.folded = true
		k.thread, k.stack = 0, 0
		at, known = c.places[k]
	}
	if !known {
		at = uint32(len(c.all))
		c.places[k] = at
		c.all = append(c.all, cell{key: k})
	}
	return at
}

// nameThread keeps the title of a thread.
func (c *cells) nameThread(key trace.ThreadKey, title string) {
	number, known := c.known[key]
	if !known {
		if len(c.threads) >= maxCells {
			c.folded = true
			return
		}
		number = uint32(len(c.threads))
		c.known[key] = number
		c.threads = append(c.threads, "")
	}
	c.threads[number] = title
}

// Titles of rows whose thread, class or place is unknown.
const (
	unknownThread = "(unknown thread)"
	unknownClass  = "(unknown)"
	unknownPlace  = "(unknown place)"
)

// stacks number different call stacks from 1 on.
type stacks struct {
	all    []*trace.Stack
	places map[string]uint32
	cached *lru.Cache[*trace.Stack, uint32]
	texts  numbering.Numbering[string]
	frames int
	folded bool // maxStackFrames is exceeded
	buffer []byte
}

// number returns the number of a call stack, 0 if it is unknown or one of too many.
func (s *stacks) number(stack *trace.Stack) uint32 {
	if stack == nil {
		return 0
	}
	number, known := s.cached.Get(stack)
	if !known {
		number = s.find(stack)
		s.cached.Put(stack, number, 1)
	}
	return number
}

// find returns the number of a call stack with the same frames.
func (s *stacks) find(stack *trace.Stack) uint32 {
	s.buffer = s.buffer[:0]
	for _, frame := range stack.Frames {
		for _, text := range []string{frame.Method.Class, frame.Method.Name, frame.Method.File} {
			s.buffer = binary.LittleEndian.AppendUint32(s.buffer, s.texts.Of(text))
		}
		s.buffer = binary.LittleEndian.AppendUint32(s.buffer, uint32(frame.Line))
	}
	number, known := s.places[string(s.buffer)]
	switch {
	case known:
		return number
	case s.frames >= maxStackFrames:
		s.folded = true
		return 0
	}
	s.frames += len(stack.Frames)
	s.all = append(s.all, stack)
	number = uint32(len(s.all))
	s.places[string(s.buffer)] = number
	return number
}

// stack returns the call stack of the number, nil for 0.
func (s *stacks) stack(number uint32) *trace.Stack {
	if number == 0 {
		return nil
	}
	return s.all[number-1]
}
