package bci

// maxHooks is the limit of hooks that candidate tests. With more, every class is a candidate.
const maxHooks = 64

// names are the strings of a hook that the constant pool of a class with it must have.
type names [3]string

func (h *Hook) names() names {
	return names{h.Method.Class, h.Method.Name, h.Method.Descriptor}
}

// search looks for the names of hooks.
type search struct {
	hooks  int
	wanted [maxHooks]names
	found  [maxHooks]uint8 // one bit for each name
	marks  uint64          // union of the marks of all wanted names
}

// candidate reports whether hooks may match a class, by its constant pool alone: it has all the names of a hook, and
// not the Recorder's. It allocates nothing and takes microseconds. Data that is not a class file is no candidate.
func candidate(data []byte, hooks []Hook) bool {
	c := cursor{data: data}
	count, err := start(&c)
	if err != nil || len(hooks) > maxHooks {
		return err == nil
	}
	s := search{hooks: len(hooks), marks: mark(recorderClass)}
	for i := range hooks {
		s.want(i, hooks[i].names())
	}
	for i := 1; i < count; {
		at := c.at
		n, err := constant(&c)
		if err != nil {
			return false
		}
		i += n
		if data[at] == tagUtf8 && !s.match(data[at+3:c.at]) {
			return false
		}
	}
	return s.anyComplete()
}

// want adds the names of a hook. Empty ones count as found.
func (s *search) want(hook int, wanted names) {
	s.wanted[hook], s.found[hook] = wanted, wanted.equal(nil)
	for _, name := range wanted {
		s.marks |= mark(name)
	}
}

// match compares a CONSTANT_Utf8 with the names, and reports whether the search continues: the Recorder's name ends it.
func (s *search) match(text []byte) bool {
	if s.marks&mark(text) == 0 {
		return true
	}
	for i := range s.hooks {
		s.found[i] |= s.wanted[i].equal(text)
	}
	return string(text) != recorderClass
}

// anyComplete reports whether all names of a hook were found.
func (s *search) anyComplete() bool {
	for i := range s.hooks {
		if s.found[i] == 1<<len(names{})-1 {
			return true
		}
	}
	return false
}

// mark is a hash of a text: one of 64 bits, which excludes most texts without a comparison.
func mark[text string | []byte](t text) uint64 {
	if len(t) == 0 {
		return 1
	}
	return 1 << ((len(t) + 5*int(t[0]) + 11*int(t[len(t)-1])) % 64)
}

// equal returns a bit for each name that is equal to the text.
func (n *names) equal(text []byte) uint8 {
	var bits uint8
	for i, name := range n {
		if name == string(text) {
			bits |= 1 << i
		}
	}
	return bits
}

// recorderClass is the name of the class with the methods that hooks call.
const recorderClass = "java/lang/TrcxRecorder"

const (
	recorderVersion = 52     // Java 8, which every JVM that the agent supports accepts
	recorderAccess  = 0x1031 // public, final, super, synthetic
	reportAccess    = 0x0109 // public, static, native
	methodAccess    = 0x0009 // public, static
	runAccess       = 0x0101 // public, native
)

// A method that calls a native one, without arguments. The JVM lets a class of the boot loader replace native methods
// of the JDK without a warning, if one of its own methods calls the native method that replaces them.
var (
	replace     = Report{"replace", Nothing}
	replacement = Report{"replaceNatives", Nothing}
)

// Recorder returns the class file of the class with the methods that hooks call: final, without fields or constructors,
// with a static native method for each Report, and replace, which calls the native replaceNatives. It is a Runnable
// with a native run. The native methods are linked by their JNI names, such as Java_java_lang_TrcxRecorder_started. The
// agent defines the class in the boot loader, where every class can resolve it.
func Recorder() []byte { return recorder(nil) }

// recorder returns the class file, with methods of this body, or native ones if it is nil.
func recorder(body []byte) []byte {
	pool := growth{next: 1}
	this := pool.add2(tagClass, pool.text(recorderClass))
	super := pool.add2(tagClass, pool.text("java/lang/Object"))
	code := pool.text(codeName)
	var methods []byte
	put := func(access int, r Report, body []byte) {
		name, descriptor := pool.text(r.Name), pool.text(arguments[r.With].descriptor)
		methods = append2(append2(append2(methods, access), name), descriptor)
		if body == nil {
			methods = append2(methods, 0)
			return
		}
		methods = append4(append2(append2(methods, 1), code), 12+len(body))
		methods = append4(append2(append2(methods, 0), arguments[r.With].words), len(body))
		methods = append4(append(methods, body...), 0) // no handlers, no attributes
	}
	access := reportAccess
	if body != nil {
		access = methodAccess
	}
	for _, r := range append(reports[:len(reports):len(reports)], replacement) {
		put(access, r, body)
	}
	call := pool.add4(tagMethodref, this, pool.add4(tagNameAndType, pool.text(replacement.Name), pool.text("()V")))
	put(methodAccess, replace, append(append2([]byte{opInvokestatic}, call), opReturn))
	put(runAccess, Report{Name: "run"}, nil)
	runnable := pool.add2(tagClass, pool.text("java/lang/Runnable"))
	out := append4([]byte(magic), recorderVersion)
	out = append(append2(out, pool.next), pool.constants...)
	out = append2(append2(append2(out, recorderAccess), this), super)
	out = append2(append2(append2(out, 1), runnable), 0) // no fields
	out = append(append2(out, len(reports)+3), methods...)
	return append2(out, 0)
}
