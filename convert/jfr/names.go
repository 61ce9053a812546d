package jfr

import (
	"encoding/binary"

	"github.com/trcx/trcx/convert/builder"
)

// names are the classes, methods and call stacks of the whole recording. Each has a number from 1 on; 0 is none.
type names struct {
	classes map[string]uint32
	methods map[method]uint32
	stacks  map[string]uint32
	class   []string
	method  []method
	stack   []stack
	size    int // bytes, about
	most    int
	full    bool // some have not been taken
}

// method is a method by what names it.
type method struct {
	class           uint32
	name, signature string
}

// stack is a call stack: the innermost frame first, each its method's number and its line, as varints.
type stack struct {
	frames string
	joins  bool   // it is inside of Thread.join
	top    uint32 // the method of the innermost frame
	text   []byte // as a trace has it; nil as long as nobody has asked
}

func newNames(most int) *names {
	return &names{classes: map[string]uint32{}, methods: map[method]uint32{}, stacks: map[string]uint32{},
		class: make([]string, 1), method: make([]method, 1), stack: make([]stack, 1), most: most}
}

// room says whether there is room for what takes so many bytes.
func (n *names) room(bytes int) bool {
	const around = 96 // of each entry of a map and a slice
	if n.size+bytes+around > n.most {
		n.full = true
		return false
	}
	n.size += bytes + around
	return true
}

// classNumber is the number of the name of a class, or of a thread group, or of another of the few words that come
// again and again.
func (n *names) classNumber(name string) uint32 {
	number, known := n.classes[name]
	if !known && name != "" && n.room(2*len(name)) {
		number = uint32(len(n.class))
		n.class = append(n.class, name)
		n.classes[name] = number
	}
	return number
}

func (n *names) methodNumber(m method) uint32 {
	number, known := n.methods[m]
	if !known && m.class != 0 && n.room(2*(len(m.name)+len(m.signature))) {
		number = uint32(len(n.method))
		n.method = append(n.method, m)
		n.methods[m] = number
	}
	return number
}

// stackNumber is the number of the stack of the frames, which are as stack has them.
func (n *names) stackNumber(frames []byte) uint32 {
	if len(frames) == 0 {
		return 0
	}
	number, known := n.stacks[string(frames)]
	if !known && n.room(4*len(frames)) {
		number = uint32(len(n.stack))
		s := stack{frames: string(frames)}
		n.look(&s)
		n.stack = append(n.stack, s)
		n.stacks[s.frames] = number
	}
	return number
}

// look finds out what the stack tells by itself.
func (n *names) look(s *stack) {
	const deepest = 5 // below Object.wait and what it calls
	depth := 0
	for number, line := range frames(s.frames) {
		_ = line
		if depth == 0 {
			s.top = number
		}
		if m := n.method[number]; m.name == "join" && n.class[m.class] == threadClass {
			s.joins = true
		}
		if depth++; depth == deepest {
			break
		}
	}
}

const threadClass = "java/lang/Thread"

// frames gives the methods of a stack with their lines.
func frames(text string) func(yield func(method uint32, line int32) bool) {
	return func(yield func(uint32, int32) bool) {
		rest := []byte(text)
		for len(rest) > 0 {
			number, n := binary.Uvarint(rest)
			line, m := binary.Varint(rest[n:])
			if rest = rest[n+m:]; !yield(uint32(number), int32(line)) {
				return
			}
		}
	}
}

// text is the stack as a trace has it. Its methods are defined by the transcript, before the first time.
func (n *names) text(number uint32, t *builder.Transcript) []byte {
	s := &n.stack[number]
	if s.text == nil {
		for number, line := range frames(s.frames) {
			s.text = builder.AppendFrame(s.text, t.Method(n.named(number)), line)
		}
	}
	return s.text
}

// named is the method as a trace defines it.
func (n *names) named(number uint32) builder.Method {
	m := n.method[number]
	return builder.Method{Class: builder.Class{Name: n.class[m.class]}, Name: m.name, Signature: m.signature}
}
