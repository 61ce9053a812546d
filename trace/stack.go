package trace

import (
	"bytes"
	"iter"
	"math"
	"strings"

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
	// Site and Inner are places in Frames; see SiteOf.
	Site, Inner int
	// Idle reports that the thread waits for its next task: see IdleIn.
	Idle bool
	// Omitted counts the outermost frames that are left out, because with them the stack would be too large.
	Omitted int
}

// Frame is one call on a stack.
type Frame struct {
	// Method is never nil. Frames of one method share it, as long as the trace does not define the method anew.
	Method *ModelMethod
	// Line is the line of the source file, from 0 on, or NoLine.
	Line int32
	// Inner is, in the Caller of an event, the method of a library in which the thread was in this call; else nil.
	Inner *ModelMethod
}

// Caller returns the frame at Site. It has an Inner if the frame at Inner is another one.
func (s *Stack) Caller() Frame {
	caller := s.Frames[s.Site]
	if s.Inner != s.Site && s.Frames[s.Inner].Method.Title() != "" {
		caller.Inner = s.Frames[s.Inner].Method
	}
	return caller
}

// libraries are the first packages of the classes of the JDK and of the libraries of Kotlin and Scala.
var libraries = [...]string{"java", "javax", "jdk", "sun", "kotlin", "scala"}

// IsLibrary reports whether a class, with / or . in its name, is one of the JDK or of the libraries of Kotlin and
// Scala, and not the program's own.
func IsLibrary(class string) bool {
	for _, name := range libraries {
		if len(class) > len(name) && class[:len(name)] == name && (class[len(name)] == '/' || class[len(name)] == '.') {
			return true
		}
	}
	return false
}

// IsWayToWait reports whether a class, with / or . in its name, is one by which the JDK lets threads wait and wake each
// other. Nobody asks why these are called, but by whom.
func IsWayToWait(class string) bool {
	switch class {
	case "java/lang/Object", "java/lang/Thread", "java/lang/VirtualThread", "java/util/concurrent/TimeUnit",
		"java.lang.Object", "java.lang.Thread", "java.lang.VirtualThread", "java.util.concurrent.TimeUnit":
		return true
	}
	return isWayToPark(strings.ReplaceAll(class, ".", "/"))
}

// isWayToPark reports whether a class is one through which locks and queues of java.util.concurrent park threads, up to
// the call of the lock itself.
func isWayToPark(class string) bool {
	switch class {
	case "jdk/internal/misc/Unsafe", "sun/misc/Unsafe", "jdk/internal/misc/VirtualThreads", "java/lang/System$1",
		"java/lang/System$2", "java/util/concurrent/ForkJoinPool":
		return true
	}
	return strings.HasPrefix(class, "java/util/concurrent/locks/")
}

// SiteOf returns the indexes of two frames: the program's own call, which is the innermost one of a class that is
// neither a library's nor skipped, and the innermost call that is no way to wait. Where all frames are of libraries,
// both are the latter; where all are ways to wait, 0. The function skips reports whether a method is not the program's
// own; nil skips none.
func SiteOf(frames []Frame, skips func(*ModelMethod) bool) (site, inner int) {
	inner = -1
	for i := range frames {
		m := frames[i].Method
		if inner < 0 {
			if IsWayToWait(m.Class) {
				continue
			}
			inner = i
		}
		if !IsLibrary(m.Class) && (skips == nil || !skips(m)) {
			return i, inner
		}
	}
	return max(inner, 0), max(inner, 0)
}

// ModelMethod is a method as frames name it. What the trace does not say of it is "": all of it where the trace has not
// defined the method.
type ModelMethod struct {
	Class string // as a classDef names it: app/Main
	Name  string // as a methodDef names it: constructors are -init-, static initialisers -clinit-
	File  string // the class's source file
	// Number is 1, 2, 3 … in the order in which frames have named methods, so that what is known of one can be found
	// quickly; 0 where its class is still to be defined.
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

// Frames iterates over the frames of a text that IsStack: the id of each frame's method, and its line or NoLine.
func Frames(text []byte) iter.Seq2[[]byte, int32] {
	return func(yield func([]byte, int32) bool) {
		rest := text
		for more := true; more; {
			var frame []byte
			frame, rest, more = bytes.Cut(rest, frameEnd)
			method, number, lined := bytes.Cut(frame, lineBegin)
			line := int32(NoLine)
			if lined {
				value, _ := decimal(number)
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
	value, digits := decimal(number)
	return len(method) > 0 && digits > 0 && digits == len(number) && value <= math.MaxInt32
}
