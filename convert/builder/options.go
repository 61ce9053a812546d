package builder

import (
	"io"
	"strings"

	"github.com/trcx/trcx/trace"
)

// Options are the options of all readers of logs.
type Options struct {
	// Session is the session index of the events.
	Session int
	// Report, if not nil, is called for each finding, in the order of the log.
	Report func(trace.Finding)
	// Samples, if not "", is the only event type of a flight recording that is read as samples.
	Samples string
	// OnUnsupported, if not nil, is called once for each kind of information that the log does not have.
	OnUnsupported func(trace.Lack)
	// Count, if not nil, is called with the numbers of objects, roots and references of a heap dump, which may be many
	// millions; then they are not emitted.
	Count func(kind trace.Kind, n uint64) error
	// Heap, if not nil, consumes the objects, references and roots of binary heap dumps; then they are not emitted.
	Heap Heap
	// Contents, if not nil, consumes the contents of arrays and containers of binary heap dumps.
	Contents Contents
	// Whole, if not nil, is called with true for a binary heap dump, and with false after a record that is not whole.
	Whole func(is bool)
	// Again, if not nil, opens the log again from its beginning, for definitions that come too late. whole is the Whole
	// of this text.
	Again func() (text io.ReadCloser, whole func(is bool), err error)
}

// Heap consumes the contents of heap dumps, which are too many for an event each. An error ends the reading.
type Heap interface {
	// Object consumes an object: its class, the classId of an earlier classDef or 0 if unknown; its size in bytes with
	// header and alignment, 0 if unknown; and isArray as in an objAlloc.
	Object(id, class, size uint64, isArray uint8) error
	// Reference consumes a reference of an object to another one, before or after the objects. A weak reference is the
	// referent of a java.lang.ref.Reference.
	Reference(from, to uint64, weak bool) error
	// Root consumes a root of an object. kind is in words, such as "JNI global". thread is the serial number of the
	// root's thread, 0 for no thread. call is the call that has the root, in words, "" for no call.
	Root(object uint64, kind string, thread uint64, call string) error
}

// Unsupported calls OnUnsupported if the log does not have the information; see trace.Lack.
func (o *Options) Unsupported(is bool, what, means string) {
	o.Lacks(is, trace.Lack{What: what, Means: means})
}

// Lacks calls OnUnsupported with the lack if the log has it.
func (o *Options) Lacks(is bool, lack trace.Lack) {
	if is && o.OnUnsupported != nil {
		o.OnUnsupported(lack)
	}
}

// Add calls Report, if it is not nil.
func (o *Options) Add(f trace.Finding) {
	if o.Report != nil {
		o.Report(f)
	}
}

// Contents consumes the contents of arrays and containers of binary heap dumps. An error ends the reading.
type Contents interface {
	// Array consumes the content of an array.
	Array(Array) error
	// Container consumes an instance of a Container, or of a subclass.
	Container(Held) error
}

// Array is the content of an array of a heap dump.
type Array struct {
	ID, Class uint64 // Class as in Heap.Object
	// Size is in bytes, with header and alignment, 0 if unknown.
	Size uint64
	// Length counts the elements, Filled the elements that are neither null nor 0.
	Length, Filled uint32
	// Hash is equal for arrays of equal class, length and content, and hardly ever for others.
	Hash uint64
	// Head is the beginning of the elements, at most MaxHead bytes. It is valid until the call returns.
	Head []byte
}

// MaxHead is the maximal length of Array.Head.
const MaxHead = 128

// Held is an instance of a Container: the value of its size field, and the id of its storage, 0 for null.
type Held struct {
	Class, Size uint64
	Container   *Container
	Elements    int32
	Storage     uint64
}

// Container describes a class whose instances keep elements in an array.
type Container struct {
	Class    string // internal name
	Elements string // the field with the number of elements; for String, the coder
	Storage  string // the field with the array
}

// StringContainer is java.lang.String. Its elements are not counted: the number is the string's coder.
const StringContainer = "java/lang/String"

// ContainerOf returns the container whose class has the internal name, or nil.
func ContainerOf(class string) *Container {
	for _, c := range containers {
		if c.Class == class {
			return &c
		}
	}
	return nil
}

// containers are the classes of the JDK whose fields are read.
var containers = []Container{
	{StringContainer, "coder", "value"},
	{"java/util/HashMap", "size", "table"},
	{"java/util/Hashtable", "count", "table"},
	{"java/util/ArrayList", "size", "elementData"},
	{"java/util/Vector", "elementCount", "elementData"},
	{"java/util/PriorityQueue", "size", "queue"},
	{"java/lang/AbstractStringBuilder", "count", "value"},
}

// Rules returns the rules that a rules.txt describes. Each has a line such as "# jfr-type: warning", then the summary, an
// empty line and the explanation. ", whole" after the severity sets ReaderRule.Whole. An example may follow after an
// empty line and the line "Example:".
func Rules(text string) (rules []trace.ReaderRule) {
	for described := range strings.SplitSeq(strings.TrimPrefix(text, "# "), "\n# ") {
		head, rest, _ := strings.Cut(described, "\n")
		rest, example, hasExample := strings.Cut(rest, "\n\nExample:\n")
		summary, explanation, _ := strings.Cut(rest, "\n\n")
		id, severity, _ := strings.Cut(head, ": ")
		severity, whole := strings.CutSuffix(severity, ", whole")
		rule := trace.ReaderRule{ID: id, Whole: whole, Summary: strings.ReplaceAll(summary, "\n", " "),
			Explanation: strings.TrimSpace(explanation)}
		if severity == trace.Warning.String() {
			rule.Severity = trace.Warning
		}
		if hasExample { // it keeps the end of its last line, and is no copy
			rule.Example = example[:len(strings.TrimRight(example, "\n"))+1]
		}
		rules = append(rules, rule)
	}
	return rules
}
