package stackprofile

import (
	"encoding/binary"
	"regexp"
	"strings"
	"sync"

	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Function is a method.
type Function struct {
	Class, Name string // as in the trace; both "" if the method is undefined
	File        string // "" if unknown
}

// hidden matches the suffix of names of classes that HotSpot defines at run time, for example for lambdas. It differs
// between runs.
var hidden = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[./]0x[0-9a-f]+$`) })

// Title returns the class with its packages, a point, and the method. The separator is put between the packages.
func (f Function) Title(separator string) string {
	name := javaname.Method(f.Name)
	switch {
	case f.Class == "" && name == "":
		return "[unknown method]"
	case f.Class == "":
		return name
	}
	return strings.ReplaceAll(hidden().ReplaceAllString(f.Class, ""), "/", separator) + "." + name
}

// Place is a line of a function.
type Place struct {
	Function uint32 // a number for Profile.Function
	Line     int32  // or trace.NoLine
}

// Functions that replace a missing call stack.
var (
	noStack     = Function{Name: "[no call stack]"}
	otherStacks = Function{Name: "[others]"} // stacks beyond the limit
)

// stacks numbers call stacks 1, 2, 3 … by their frames, also if they come as different trace.Stacks.
type stacks struct {
	functions table[Function]
	places    table[Place]
	cache     *lru.Cache[*trace.Stack, uint32]
	numbers   table[string] // of stacks, by the numbers of their places, innermost first
	bytes     int           // of all fields, approximately
	others    uint32        // the stack as which all new ones count, or 0
	text      []byte
}

// The approximate size of an entry without its names, in bytes.
const (
	functionSize = 128
	placeSize    = 64
	stackSize    = 96
)

// maxCachedFrames limits the frames of the call stacks in the cache.
const maxCachedFrames = 1 << 18

// of returns the number of the call stack, or of the single call that is known instead.
func (s *stacks) of(stack *trace.Stack, caller trace.Frame) uint32 {
	if stack == nil {
		return s.call(caller)
	}
	number, ok := s.cache.Get(stack)
	if !ok {
		number = s.stack(stack.Frames)
		s.cache.Put(stack, number, len(stack.Frames))
	}
	return number
}

// call returns the number of a stack with one call, which may be unknown.
func (s *stacks) call(frame trace.Frame) uint32 {
	if frame.Method == nil {
		return s.instead(noStack)
	}
	return s.stack([]trace.Frame{frame})
}

// instead returns the number of the stack that has only the function.
func (s *stacks) instead(f Function) uint32 {
	return s.call(trace.Frame{Method: &trace.ModelMethod{Name: f.Name}, Line: trace.NoLine})
}

func (s *stacks) stack(frames []trace.Frame) uint32 {
	s.text = s.text[:0]
	for _, frame := range frames {
		place := s.place(frame)
		if place == 0 {
			return s.others
		}
		s.text = binary.LittleEndian.AppendUint32(s.text, place)
	}
	if s.others != 0 {
		if number := s.numbers.find(string(s.text)); number != 0 {
			return number
		}
		return s.others
	}
	number, fresh := s.numbers.number(string(s.text))
	if fresh {
		s.bytes += stackSize + len(s.text)
	}
	return number
}

// place returns the number of the frame's place; 0 if it is new and exceeds the limit.
func (s *stacks) place(frame trace.Frame) uint32 {
	f := Function{Class: frame.Method.Class, Name: frame.Method.Name, File: frame.Method.File}
	if s.others != 0 {
		return s.places.find(Place{s.functions.find(f), frame.Line})
	}
	function, fresh := s.functions.number(f)
	if fresh {
		s.bytes += functionSize + len(f.Class) + len(f.Name) + len(f.File)
	}
	place, fresh := s.places.number(Place{function, frame.Line})
	if fresh {
		s.bytes += placeSize
	}
	return place
}

// depth returns the number of the stack's frames.
func (s *stacks) depth(number uint32) int { return len(s.numbers.value(number)) / 4 }

// close makes all further new stacks count as otherStacks.
func (s *stacks) close() { s.others = s.instead(otherStacks) }
