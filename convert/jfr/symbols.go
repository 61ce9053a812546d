package jfr

import (
	"encoding/binary"
	"iter"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// symbols are the names, methods and stack traces of the whole recording. Ids begin with 1; 0 means none.
type symbols struct {
	names   []string
	methods []method
	stacks  []stackTrace

	nameIDs   map[string]uint32
	methodIDs map[method]uint32
	stackIDs  map[string]uint32

	size, limit  int // in bytes, approximately
	limitReached bool
}

// method identifies a method.
type method struct {
	class           uint32
	name, signature string
}

// stackTrace is a stack trace, the innermost frame first.
type stackTrace struct {
	frames string // for each frame the method's id and the line, as varints
	inJoin bool   // inside Thread.join
	top    uint32 // method of the innermost frame
	text   []byte // as in a trace; nil until it is needed
	note   []byte // an annotation with the text
}

func newSymbols(limit int) *symbols {
	return &symbols{nameIDs: map[string]uint32{}, methodIDs: map[method]uint32{}, stackIDs: map[string]uint32{},
		names: make([]string, 1), methods: make([]method, 1), stacks: make([]stackTrace, 1), limit: limit}
}

// reserve charges an entry of the given size in bytes. It reports false if that exceeds the limit.
func (s *symbols) reserve(bytes int) bool {
	const overhead = 96 // of an entry of a map and a slice
	if s.size+bytes+overhead > s.limit {
		s.limitReached = true
		return false
	}
	s.size += bytes + overhead
	return true
}

// internName returns the id of the name of a class or a thread group, or of another string that occurs often.
func (s *symbols) internName(name string) uint32 {
	id, ok := s.nameIDs[name]
	if !ok && name != "" && s.reserve(2*len(name)) {
		id = uint32(len(s.names))
		s.names = append(s.names, name)
		s.nameIDs[name] = id
	}
	return id
}

func (s *symbols) internMethod(m method) uint32 {
	id, ok := s.methodIDs[m]
	if !ok && m.class != 0 && s.reserve(2*(len(m.name)+len(m.signature))) {
		id = uint32(len(s.methods))
		s.methods = append(s.methods, m)
		s.methodIDs[m] = id
	}
	return id
}

// internStack returns the id of a stack trace, given its frames as in stackTrace.
func (s *symbols) internStack(frames []byte) uint32 {
	if len(frames) == 0 {
		return 0
	}
	id, ok := s.stackIDs[string(frames)]
	if !ok && s.reserve(4*len(frames)) {
		id = uint32(len(s.stacks))
		one := stackTrace{frames: string(frames)}
		s.inspect(&one)
		s.stacks = append(s.stacks, one)
		s.stackIDs[one.frames] = id
	}
	return id
}

// inspect sets top and inJoin.
func (s *symbols) inspect(stack *stackTrace) {
	const deepest = 5 // frames from Object.wait and its callees to Thread.join
	depth := 0
	for id := range decodeFrames(stack.frames) {
		if depth == 0 {
			stack.top = id
		}
		if m := s.methods[id]; m.name == "join" && s.names[m.class] == threadClass {
			stack.inJoin = true
		}
		if depth++; depth == deepest {
			break
		}
	}
}

const threadClass = "java/lang/Thread"

// decodeFrames yields the method ids and lines of a stack trace.
func decodeFrames(frames string) iter.Seq2[uint32, int32] {
	return func(yield func(uint32, int32) bool) {
		rest := []byte(frames)
		for len(rest) > 0 {
			id, n := binary.Uvarint(rest)
			line, m := binary.Varint(rest[n:])
			if rest = rest[n+m:]; !yield(uint32(id), int32(line)) {
				return
			}
		}
	}
}

// appendFrame appends a frame to the frames of a stack trace, unless its method is unknown.
func appendFrame(frames []byte, method uint32, line int32) []byte {
	if method == 0 {
		return frames
	}
	return binary.AppendVarint(binary.AppendUvarint(frames, uint64(method)), int64(line))
}

// stackText returns a stack trace as written in a trace. The first call defines its methods.
func (s *symbols) stackText(id uint32, b *builder.Builder) []byte {
	stack := &s.stacks[id]
	if stack.text == nil {
		for method, line := range decodeFrames(stack.frames) {
			m := s.methods[method]
			stack.text = builder.AppendFrame(stack.text, b.Method(builder.Method{
				Class: builder.Class{Name: s.names[m.class]}, Name: m.name, Signature: m.signature}), line)
		}
	}
	return stack.text
}

// stackNote returns the stack trace of stackText as an annotation.
func (s *symbols) stackNote(id uint32) []byte {
	stack := &s.stacks[id]
	if stack.note == nil && len(stack.text) > 0 {
		stack.note = builder.AppendAnnotation(nil, trace.NoteStack, stack.text)
	}
	return stack.note
}
