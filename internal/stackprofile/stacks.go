package stackprofile

import (
	"encoding/binary"
	"regexp"
	"strings"

	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
)

// Function is a method as samples name it.
type Function struct {
	Class, Name string // as the trace spells them; both "" where it has not defined the method
	File        string // "" if unknown
}

// hidden is what HotSpot puts behind the names of classes that it makes as it runs, such as those of lambdas. It is
// another number in each run.
var hidden = regexp.MustCompile(`[./]0x[0-9a-f]+$`)

// Title is the function as people know it: the class with its packages, a point, and the method. between stands between
// the packages.
func (f Function) Title(between string) string {
	name := trace.JavaMethodName(f.Name)
	switch {
	case f.Class == "" && name == "":
		return "[unknown method]"
	case f.Class == "":
		return name
	}
	return strings.ReplaceAll(hidden.ReplaceAllString(f.Class, ""), "/", between) + "." + name
}

// Place is a line of a function, or a function of which the line is not known.
type Place struct {
	Function uint32 // a number that Function takes
	Line     int32  // or trace.NoLine
}

// What stands in the place of a call stack that there is not.
var (
	noStack       = Function{Name: "[no call stack]"}
	unknownHolder = Function{Name: "[unknown holder]"} // the trace does not say who it was
	noHolder      = Function{Name: "[no holder]"}      // who waits or sleeps is held up by nobody in particular
	otherStacks   = Function{Name: "[others]"}         // too many
)

// stacks numbers call stacks 1, 2, 3 … by what they say, however often they come as another trace.Stack.
type stacks struct {
	functions table[Function]
	places    table[Place]
	cache     *lru.Cache[*trace.Stack, uint32]
	numbers   table[string] // of stacks, by the numbers of their places, innermost first
	bytes     int           // that all this takes, about
	others    uint32        // the stack that all new ones count as, or 0
	text      []byte
}

// What an entry takes besides what it names.
const (
	functionSize = 128
	placeSize    = 64
	stackSize    = 96
)

// maxCachedFrames is the limit for the frames of the call stacks in the cache.
const maxCachedFrames = 1 << 18

// of is the number of the call stack, or of the one call that is known instead.
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

// call is the number of a stack with one call, which may be unknown.
func (s *stacks) call(frame trace.Frame) uint32 {
	if frame.Method == nil {
		return s.instead(noStack)
	}
	return s.stack([]trace.Frame{frame})
}

// instead is the number of a stack with what stands for one.
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

// place is the number of the frame's place, or 0 if there is no room for it.
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

// depth is how many frames the stack has.
func (s *stacks) depth(number uint32) int { return len(s.numbers.value(number)) / 4 }

// close makes all that is new from here on count as otherStacks.
func (s *stacks) close() { s.others = s.instead(otherStacks) }
