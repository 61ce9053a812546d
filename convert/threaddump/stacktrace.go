package threaddump

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The limits of symbols, for all dumps of an input, and of a call stack.
const (
	maxProgram = 64 << 20 // bytes of names
	maxDepth   = 2048     // frames of a call stack; the outermost are left out
)

// symbols has the classes and methods of call stacks.
type symbols struct {
	classes map[string]*class
	methods []method
	size    int
	full    bool // something exceeded the limit and is left out
}

type class struct {
	name    string // as within the JVM: app/Main
	source  string
	defined bool // the trace has it, with the source known at that time
	methods map[string]uint32
}

type method struct {
	class *class
	name  string
	id    uint64 // in the trace; 0 as long as it has none
}

// frame is a call as a dump prints it.
type frame struct {
	class, method []byte // the class as Java writes it
	source        []byte // nil if unknown
	line          int32
}

// noSources are the words that replace the name of a source file.
var noSources = map[string]bool{"Native Method": true, "Unknown Source": true, "Interpreted frame": true,
	"Compiled frame": true, "": true}

// compiledCode is at the end of a frame of the Classic VM.
var compiledCode = []byte("(Compiled Code))")

// parseFrame reads a frame: [module/]class.method([module/]file:line).
func parseFrame(text []byte) (f frame, ok bool) {
	if bytes.HasSuffix(text, compiledCode) {
		return parseOtherFrame(text)
	}
	return parseHotSpotFrame(text)
}

func parseHotSpotFrame(text []byte) (f frame, ok bool) {
	open := bytes.LastIndexByte(text, '(')
	if open <= 0 || text[len(text)-1] != ')' {
		return f, false
	}
	f, ok = parseMethod(text[:open])
	if !ok {
		return f, false
	}
	where := text[open+1 : len(text)-1]
	if slash := bytes.LastIndexByte(where, '/'); slash >= 0 {
		where = where[slash+1:]
	}
	f.line = trace.NoLine
	if colon := bytes.LastIndexByte(where, ':'); colon > 0 {
		number, ok := parseLine(where[colon+1:])
		if ok {
			f.line = number
		}
		if ok || bytes.HasSuffix(text, unknownLine) {
			where = where[:colon]
		}
	}
	if !noSources[string(where)] {
		f.source = where
	}
	return f, true
}

// parseOldFrame reads a frame of jstack -F: class.method(types) @bci=7, line=12 (Compiled frame).
func parseOldFrame(text []byte) (f frame, ok bool) {
	call, rest, there := bytes.Cut(text, []byte(" @bci="))
	open := bytes.IndexByte(call, '(')
	if !there || open <= 0 {
		return f, false
	}
	if f, ok = parseMethod(call[:open]); !ok {
		return f, false
	}
	f.line = trace.NoLine
	if _, after, there := bytes.Cut(rest, []byte("line=")); there {
		if number, ok := parseLine(after[:countDigits(after)]); ok {
			f.line = number
		}
	}
	return f, true
}

// parseMethod reads a class and a method, maybe after a class loader and a module. A part that begins with a digit
// belongs to the name of a hidden class.
func parseMethod(text []byte) (f frame, ok bool) {
	for slash := len(text); ; {
		if slash = bytes.LastIndexByte(text[:slash], '/'); slash < 0 {
			break
		}
		if slash+1 < len(text) && !isDigit(text[slash+1]) {
			text = text[slash+1:]
			break
		}
	}
	dot := bytes.LastIndexByte(text, '.')
	if dot <= 0 || dot == len(text)-1 || bytes.IndexByte(text, ' ') >= 0 {
		return f, false
	}
	f.class, f.method = text[:dot], text[dot+1:]
	return f, true
}

// parseLine reads the number of a line.
func parseLine(text []byte) (number int32, ok bool) {
	if n := countDigits(text); n == 0 || n != len(text) || n > 9 {
		return 0, false
	}
	for _, c := range text {
		number = number*10 + int32(c-'0')
	}
	return number, true
}

// add appends the frame to a stack, in a form that can be compared.
func (p *symbols) add(stack []byte, f *frame) []byte {
	number, ok := p.method(f)
	if !ok {
		p.full = true
		return stack
	}
	stack = binary.AppendUvarint(stack, uint64(number))
	return binary.AppendUvarint(stack, uint64(f.line+1))
}

// method returns the number of the frame's method. It reports false beyond maxProgram.
func (p *symbols) method(f *frame) (number uint32, ok bool) {
	c := p.classes[string(f.class)]
	if c == nil {
		if !p.reserve(2 * len(f.class)) {
			return 0, false
		}
		c = &class{name: innerName(string(f.class)), methods: map[string]uint32{}}
		p.classes[string(f.class)] = c
	}
	if c.source == "" && !c.defined && p.reserve(len(f.source)) {
		c.source = string(f.source)
	}
	number, ok = c.methods[string(f.method)]
	if !ok {
		if !p.reserve(len(f.method)) {
			return 0, false
		}
		number = uint32(len(p.methods))
		name := string(f.method)
		p.methods = append(p.methods, method{class: c, name: name})
		c.methods[name] = number
	}
	return number, true
}

// innerName returns a class's name as it is within the JVM.
func innerName(class string) string {
	if name, hidden := javaname.HiddenClass(class); hidden {
		return name
	}
	return strings.ReplaceAll(class, ".", "/")
}

const entrySize = 128 // approximate bytes of a class or a method without its names

func (p *symbols) reserve(size int) bool {
	if p.size+size+entrySize > maxProgram {
		return false
	}
	p.size += size + entrySize
	return true
}

// appendStack defines the new methods of a stack in the trace, and appends the stack's text.
func (p *symbols) appendStack(out *builder.Builder, text []byte, stack string) []byte {
	for rest := []byte(stack); len(rest) > 0; {
		number, n := binary.Uvarint(rest)
		line, m := binary.Uvarint(rest[n:])
		rest = rest[n+m:]
		called := &p.methods[number]
		if called.id == 0 {
			called.class.defined = true
			called.id = out.Method(builder.Method{Class: builder.Class{Name: called.class.name,
				Source: called.class.source}, Name: called.name})
		}
		text = builder.AppendFrame(text, called.id, int32(line)-1)
	}
	return text
}
