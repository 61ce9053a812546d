package trace

import (
	"bytes"
	"iter"
	"math"
	"strings"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace/javaname"
)

// A trace says where in the program a thread was by an annotation named stack inside the thread's event. Its value
// lists the frames, innermost first, with one blank between them. Each is the id of a method and, where the line is
// known, a colon and the line.

// NoLine is the line of a frame whose line the trace does not have.
const NoLine = -1

// Stack is a call stack. Events that were at the same place may share one; it does not change, so that it can be kept.
type Stack struct {
	// Frames are the calls, innermost first. At least one of them is of a method that the trace has defined.
	Frames []Frame
	// Site is the index of the program's own call: the innermost frame that is neither a library's nor skipped. Inner
	// is the index of the innermost call that is not merely for waiting.
	Site, Inner int
	// Library reports that all frames are of libraries, or skipped.
	Library bool
	// Outer are the program's calls below the one at Site, as many as the reader of the trace wants; nil for none.
	Outer *Outer
	// Idle reports that the thread waits for its next task: it called only the JDK from the frame in which a pool or
	// timer waits for work.
	Idle bool
	// Omitted counts the outermost frames that were dropped because the stack was too large.
	Omitted int
}

// Frame is one call on a stack.
type Frame struct {
	// Method is never nil. Frames of one method share it until the trace redefines the method.
	Method *ModelMethod
	// Line is the line of the source file, from 0 on, or NoLine.
	Line int32
	// Inner is, in the Caller of an event, the library's method that this call was executing; else nil.
	Inner *ModelMethod
	// Outer has, in the Caller of an event, the calls of the program below this one; nil if unknown or not wanted.
	Outer *Outer
}

// Outer is the chain of calls that led the program to a place. The model of a trace has each chain once, so equal
// chains have equal pointers.
type Outer struct {
	Frames []Frame // innermost first, one at least
	Number uint32  // 1, 2, 3 … in the order in which stacks had them
}

// Caller returns the frame at Site, with the calls below it. It has an Inner if the frame at Inner is another one.
func (s *Stack) Caller() Frame {
	caller := s.Frames[s.Site]
	caller.Outer = s.Outer
	if s.Inner != s.Site && s.Frames[s.Inner].Method.Title() != "" {
		caller.Inner = s.Frames[s.Inner].Method
	}
	return caller
}

// Place returns the innermost frame of the program itself, or the innermost frame if all are of libraries.
func (s *Stack) Place() Frame {
	if s.Library {
		return s.Frames[0]
	}
	place := s.Frames[s.Site]
	place.Outer = s.Outer
	return place
}

// ModelMethod is a method as frames name it. What the trace does not have is "": everything if it has not defined the
// method.
type ModelMethod struct {
	Class string // as a classDef names it: app/Main
	Name  string // as a methodDef names it: constructors are -init-, static initialisers -clinit-
	File  string // the class's source file
	// Number is 1, 2, 3 … in the order in which frames first name methods, an index for tables; 0 until the class of
	// the method is defined.
	Number uint32
}

// Same reports whether both are descriptions of one method. A trace that defines a class anew describes its methods
// anew, with other Numbers.
func (m *ModelMethod) Same(other *ModelMethod) bool {
	return m == other || m.Class == other.Class && m.Name == other.Name && m.File == other.File
}

// Title is the method as Java writes it, app.Main.<init>, or "" if the trace has not defined it.
func (m *ModelMethod) Title() string {
	name := javaname.Method(m.Name)
	if m.Class == "" {
		return name
	}
	return strings.ReplaceAll(m.Class, "/", ".") + "." + name
}

// IsStack reports whether the text is a call stack as a trace writes it.
func IsStack(text []byte) bool {
	for more := true; more; {
		var frame []byte
		frame, text, more = bytes.Cut(text, frameEnd)
		if !isFrame(frame) {
			return false
		}
	}
	return true
}

// Frames iterates over the frames of a call stack's text: the id of each frame's method, and its line or NoLine.
func Frames(text []byte) iter.Seq2[[]byte, int32] {
	return func(yield func([]byte, int32) bool) {
		rest := text
		for more := true; more; {
			var frame []byte
			frame, rest, more = bytes.Cut(rest, frameEnd)
			method, number, lined := bytes.Cut(frame, lineBegin)
			line := int32(NoLine)
			if lined {
				value, _ := digits.Prefix(number)
				line = int32(value)
			}
			if !yield(method, line) {
				return
			}
		}
	}
}

var frameEnd, lineBegin = []byte{' '}, []byte{':'}

// isFrame reports whether the text is a method's id, with or without a line that Java can have.
func isFrame(text []byte) bool {
	method, number, lined := bytes.Cut(text, lineBegin)
	if !lined {
		return len(method) > 0
	}
	value, ok := digits.Number(number)
	return len(method) > 0 && ok && value <= math.MaxInt32
}
