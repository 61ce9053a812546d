package bci

import (
	"errors"
	"math"
)

// callsClass is the class whose methods the instrumented methods call. It is compiled from java/lang/TrcxCalls.java.
const callsClass = "java/lang/TrcxCalls"

// CallKind is what is recorded of calls.
type CallKind uint8

// The kinds of recording.
const (
	NoCalls    CallKind = iota
	Coverage            // which methods were called
	Counts              // how often
	Aggregated          // in a tree of calls, with times
	Detailed            // each call by itself
)

// callsMethods are the methods of callsClass that are called at a method's entry, at its exit, and in its handlers; ""
// for none.
var callsMethods = map[CallKind]struct{ entry, exit, handler string }{
	Coverage:   {"cover", "", ""},
	Counts:     {"count", "", ""},
	Aggregated: {"enter", "exit", "caught"},
	Detailed:   {"entered", "left", "handled"},
}

// Selection selects the methods that Instrument changes.
type Selection struct {
	Kind CallKind
	// Matches reports whether a method is selected; nil selects all.
	Matches func(class, method string) bool
	// MinSize is the least size of a method's instructions in bytes.
	MinSize int
	// LeavesOut reports whether the selected method with a number stays as it is; nil leaves no method out.
	LeavesOut func(number int) bool
	// Synthetic selects bridges, and other methods that the compiler made, too.
	Synthetic bool
}

// Instrumented is the result of Instrument.
type Instrumented struct {
	// Class is the rewritten class file, nil if it has no selected method, or all were left alone.
	Class []byte
	// Name is the class's name with slashes. Source is the name of its source file; "" if it is unknown.
	Name, Source string
	// Methods are the instrumented methods and those that the Selection leaves out, numbered from Instrument's first.
	Methods   []Declared
	LeftAlone []LeftAlone
}

// notInstrumented are classes that run within the methods of callsClass, classes whose methods are special to the JVM,
// and classes that change the current thread and go on after its end.
var notInstrumented = map[string]bool{"java/lang/Object": true, "java/lang/Thread": true, "java/lang/System": true,
	"jdk/internal/misc/Unsafe": true, recorderClass: true, callsClass: true,
	"java/lang/VirtualThread": true, "jdk/internal/vm/Continuation": true}

// Instrument inserts calls of callsClass into the selected methods of a class: at the entry and, for Aggregated and
// Detailed, before each return, in a handler for everything that is thrown, and in the method's own handlers. The
// methods pass their numbers, which count from first.
func Instrument(data []byte, s *Selection, first int) (Instrumented, error) {
	cl, err := readClass(data)
	if err != nil || notInstrumented[cl.name] {
		return Instrumented{}, err
	}
	w := newRewriter(cl, nil, movers)
	result := Instrumented{Name: cl.name, Source: cl.source}
	var patches []patch
	for i := range cl.methods {
		m := &cl.methods[i]
		if !s.selects(cl, m) {
			continue
		}
		code, err := w.instrument(m, s.Kind, first+len(result.Methods))
		switch {
		case errors.Is(err, errFull):
			return Instrumented{Name: cl.name}, err
		case err != nil:
			result.LeftAlone = append(result.LeftAlone, m.leftAlone(err))
			continue
		}
		if number := first + len(result.Methods); s.LeavesOut == nil || !s.LeavesOut(number) {
			patches = append(patches, m.patch(code))
		}
		result.Methods = append(result.Methods, m.declared())
	}
	if len(patches) > 0 {
		result.Class = w.assemble(patches)
	}
	return result, nil
}

// selects reports whether the method is selected. Its size is the code_length of its Code attribute.
func (s *Selection) selects(cl *class, m *method) bool {
	if len(m.code) < 8 || !s.Synthetic && m.access&(accBridge|accSynthetic) != 0 {
		return false
	}
	return get4(m.code[4:]) >= s.MinSize && (s.Matches == nil || s.Matches(cl.name, m.name))
}

// instrument returns the new content of the method's Code attribute.
func (w *rewriter) instrument(m *method, kind CallKind, number int) ([]byte, error) {
	code, err := readCode(m.code)
	if err != nil {
		return nil, err
	}
	p := &insertedCode{words: 1}
	names := callsMethods[kind]
	if p.entry, err = w.call(names.entry, number); err != nil {
		return nil, err
	}
	if names.exit != "" {
		exit, err := w.call(names.exit, number)
		if err != nil {
			return nil, err
		}
		handler, err := w.call(names.handler, number)
		if err != nil {
			return nil, err
		}
		if err := w.exits(m, code, p, exit, handler); err != nil {
			return nil, err
		}
	}
	return code.rewrite(w.class.pool, p, w.movers)
}

// call returns the instructions of a call of callsClass's method with a method's number.
func (w *rewriter) call(name string, number int) ([]byte, error) {
	reference, err := w.growth.method(callsClass, name, "(I)V")
	if err != nil {
		return nil, err
	}
	var out []byte
	if number <= math.MaxInt16 {
		out = append2([]byte{opSipush}, number)
	} else {
		constant, err := w.growth.integer(number)
		if err != nil {
			return nil, err
		}
		out = append2([]byte{opLdcW}, constant)
	}
	return append2(append(out, opInvokestatic), reference), nil
}

// exits inserts the calls for the exit before each return and for handlers in each of the method's own, and plans the
// handlers for everything that is thrown.
func (w *rewriter) exits(m *method, code *code, p *insertedCode, exit, caught []byte) (err error) {
	t := &tail{uninitializedUntil: -1, code: append(exit[:len(exit):len(exit)], opAthrow)}
	if m.name == "<init>" {
		if t.uninitializedUntil, err = afterSuper(w.class.pool, code.text); err != nil {
			return err
		}
	}
	if err := t.insert(p, code, exit, caught); err != nil {
		return err
	}
	if get2(w.class.data[6:]) >= firstWithFrames {
		if t.throwable, err = w.growth.class("java/lang/Throwable"); err != nil {
			return err
		}
		if t.frames, err = w.growth.utf8(stackMapTable); err != nil {
			return err
		}
	}
	p.tail, p.words = t, 2
	return nil
}

// insert plans the calls within the method's own code, and what the handlers cover: everything except the returns with
// the calls before them, and the call of super(…) or this(…). A handler for that call cannot pass the verifier, for
// which this would be both uninitialized and initialized. A call without an exit for this reason ends where an
// exception is caught.
func (t *tail) insert(p *insertedCode, code *code, exit, caught []byte) error {
	handlers := map[int]bool{}
	for row := code.handlers; len(row) > 0; row = row[handlerSize:] {
		handlers[get2(row[4:])] = true
	}
	from := 0
	for at := 0; at < len(code.text); {
		size, err := instructionSize(code.text, at)
		if err != nil {
			return err
		}
		var insert []byte
		if handlers[at] {
			insert = append(insert, caught...)
		}
		opcode := code.text[at]
		returns := opIreturn <= opcode && opcode <= opReturn
		if returns {
			insert = append(insert, exit...)
		}
		if insert != nil {
			p.insertions = append(p.insertions, insertion{at, insert})
		}
		if returns || at+size == t.uninitializedUntil {
			t.add(from, at)
			from = at + size
		}
		at += size
	}
	t.add(from, len(code.text))
	return nil
}

const firstWithFrames = 50 // version of class files, Java 6

// tail is code after a method's own: handlers for everything that is thrown, which call exit and throw it again.
type tail struct {
	code   []byte // of a handler
	ranges [][2]int
	// uninitializedUntil is the old offset after the constructor's call of super(…) or this(…); -1 in other methods.
	// The code before it has a handler of its own, in which this is not initialized.
	uninitializedUntil int
	throwable, frames  int // constants, 0 in classes without stack map frames
}

// add adds a range of old offsets that a handler covers.
func (t *tail) add(from, to int) {
	if from < to {
		t.ranges = append(t.ranges, [2]int{from, to})
	}
}

// handlers returns the number of handlers: one, or in constructors two.
func (t *tail) handlers() int {
	if t.uninitializedUntil >= 0 {
		return 2
	}
	return 1
}

// size returns the size of the code.
func (t *tail) size() int {
	if t == nil {
		return 0
	}
	return len(t.code) * t.handlers()
}

// append appends the handlers to the method's instructions, and their rows to its exception table.
func (t *tail) append(l *layout, text, handlers []byte) ([]byte, []byte, error) {
	if t == nil {
		return text, handlers, nil
	}
	for _, r := range t.ranges {
		from, err := move(l.beginnings, r[0])
		to, errTo := move(l.beginnings, r[1])
		if err = errors.Join(err, errTo); err != nil {
			return nil, nil, err
		}
		handler := l.size()
		if t.uninitializedUntil >= 0 && r[0] >= t.uninitializedUntil {
			handler += len(t.code)
		}
		handlers = append2(append2(append2(append2(handlers, from), to), handler), 0)
	}
	if len(handlers)/handlerSize > math.MaxUint16 {
		return nil, nil, errors.New("it has too many handlers")
	}
	for range t.handlers() {
		text = append(text, t.code...)
	}
	return text, handlers, nil
}

// frame appends the frames of the handlers to a StackMapTable whose latest frame is at the offset: all locals are
// unknown, except an uninitialized this, and the operand stack has the Throwable.
func (t *tail) frame(out []byte, latest, size int) []byte {
	for i := range t.handlers() {
		at := size + i*len(t.code)
		out = append2(append(out, fullFrame), at-latest-1)
		if i == 0 && t.uninitializedUntil >= 0 {
			out = append(append2(out, 1), typeUninitializedThis)
		} else {
			out = append2(out, 0)
		}
		out = append2(append(append2(out, 1), typeObject), t.throwable)
		latest = at
	}
	return out
}

// afterSuper returns the offset after a constructor's only call of super(…) or this(…): there, for the first time, more
// constructors have been called than objects were created.
func afterSuper(pool pool, text []byte) (int, error) {
	created, after := 0, -1
	for at := 0; at < len(text); {
		size, err := instructionSize(text, at)
		if err != nil {
			return 0, err
		}
		switch text[at] {
		case opNew:
			created++
		case opInvokespecial:
			if pool.method(get2(text[at+1:])).Name != "<init>" {
				break
			}
			if created--; created < 0 {
				if after >= 0 {
					return 0, errors.New("it is a constructor that calls several others")
				}
				created, after = 0, at+size
			}
		}
		at += size
	}
	if after < 0 {
		return 0, errors.New("it is a constructor that calls no other")
	}
	return after, nil
}
