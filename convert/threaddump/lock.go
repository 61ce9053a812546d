package threaddump

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// relations maps the words of a dump to a thread's relation to an object.
var relations = []struct {
	words    string
	relation relation
}{
	{"locked ", nothing},
	{"waiting to lock ", toLock},
	{"blocked on ", toLock},
	{"waiting on ", toBeNotified},
	{"waiting to re-lock in wait() ", toLockAgain},
	{"waiting to re-lock in wait ", toLockAgain},
	{"parking to wait for ", toBeUnparked},
}

var (
	noObject   = []byte("no object reference available>")
	eliminated = [][]byte{[]byte("- eliminated "), []byte("- lock is eliminated"), []byte("- None"), []byte("- None>")}
)

// lockLine reads a line with an object that the current thread owns or wants, or a call of jstack -F.
func (t *textReader) lockLine(content []byte, read line) {
	t.foreign = false
	if t.section == inSynchronizers {
		t.synchronizer(content, read)
		return
	}
	for _, r := range relations {
		rest, ok := bytes.CutPrefix(trim(content[1:]), []byte(r.words))
		if !ok {
			continue
		}
		rest = trim(rest)
		rest, isBracketed := bytes.CutPrefix(rest, []byte{'<'})
		var o object
		if isBracketed {
			o, ok = t.parseObject(rest)
		} else if o, ok = t.parseIdentity(firstWord(rest)); !ok {
			break // a line of the program
		}
		switch {
		case bytes.HasPrefix(rest, noObject):
			t.want(r.relation, object{})
		case !ok:
			t.badLine(read, "invalid object: want <0x…> (a class), or <class@hash>", content)
		case r.relation == nothing, r.relation == toLock && t.inNative():
			t.thread.owned = appendOwned(t.thread.owned, o)
		default:
			t.want(r.relation, o)
			if _, number, ok := bytes.Cut(rest, []byte(", owner #")); ok {
				t.thread.ownerID = string(number[:countDigits(number)])
			}
			t.ownedBy(rest)
		}
		return
	}
	if rest, ok := bytes.CutPrefix(content, initOf); ok {
		t.thread.initializes = string(rest)
		return
	}
	if beginsWith(content, eliminated) {
		return
	}
	if f, ok := parseOldFrame(trim(content[1:])); ok {
		t.thread.isJava = true
		t.call(t.thread, &f)
		return
	}
	if bytes.Contains(content, []byte("0x")) { // else it is a line of the program
		t.badLine(read, "invalid object: want <0x…> (a class), or <class@hash>", content)
	}
}

// inNative reports whether the current thread executes a native method and is not blocked. Up to Java 5, the monitor of
// a native synchronized method that it executes is printed as if the thread was waiting to lock it.
func (t *textReader) inNative() bool {
	return t.dump.form == printed && t.thread.native && t.thread.depth == 1 && t.thread.javaState == javaUnknown
}

// want notes what the thread waits for. The innermost frame says it; a line below it, such as one that says that the
// thread has to lock again what it waits on, only repeats it.
func (t *textReader) want(r relation, o object) {
	if t.thread.want == nothing {
		t.thread.want, t.thread.wanted = r, o
	}
}

// firstWord returns the text up to the first space.
func firstWord(text []byte) []byte {
	word, _, _ := bytes.Cut(text, []byte{' '})
	return word
}

// maxOwned limits the owned objects that are kept of a thread.
const maxOwned = 1024

// appendOwned appends an object, up to maxOwned.
func appendOwned(owned []object, o object) []object {
	if len(owned) < maxOwned {
		owned = append(owned, o)
	}
	return owned
}

// synchronizer reads a line of the ownable synchronizers: - <0x…> (a class).
func (t *textReader) synchronizer(content []byte, read line) {
	rest, isBracketed := bytes.CutPrefix(bytes.TrimPrefix(trim(content[1:]), []byte("locked ")), []byte{'<'})
	o, ok := t.parseIdentity(firstWord(rest))
	if isBracketed {
		o, ok = t.parseObject(rest)
	}
	if !ok && !isBracketed && !bytes.Contains(content, []byte("0x")) {
		return // "- None", or a line of the program
	}
	if !ok {
		t.badLine(read, "invalid ownable synchronizer: want - <0x…> (a class), or - None", content)
		return
	}
	owner := t.thread
	if t.carrier != nil {
		owner = t.carrier // they are listed for platform threads only
	}
	owner.synced = appendOwned(owner.synced, o)
}

// parseObject reads the text after "<": 0x…> (a class), or class@hash>. Up to JDK 1.4, HotSpot writes addresses without
// 0x, and an object's hash in place of its address.
func (r *reader) parseObject(text []byte) (o object, ok bool) {
	end := bytes.IndexByte(text, '>')
	if end <= 0 {
		return o, false
	}
	name, rest := text[:end], text[end+1:]
	if hex := bytes.TrimPrefix(name, []byte("0x")); len(hex) <= 16 && isHex(hex) {
		_, class, there := bytes.Cut(rest, []byte("(a "))
		class, _, closed := bytes.Cut(class, []byte{')'})
		if !there || !closed {
			return o, false
		}
		if declared, represented, ok := bytes.Cut(class, []byte(" for ")); ok { // a java.lang.Class for app.Main
			class = []byte(javaname.ClassObject(string(declared), string(represented)))
		}
		return object{name: r.intern(name), class: r.intern(class)}, true
	}
	return r.parseIdentity(name)
}

// parseIdentity reads an object as Java names it: class@hash.
func (r *reader) parseIdentity(text []byte) (o object, ok bool) {
	at := bytes.LastIndexByte(text, '@')
	if at <= 0 || !isHex(text[at+1:]) || len(text)-at > 17 {
		return o, false
	}
	return object{name: r.intern(text), class: r.intern(text[:at])}, true
}

func isHex(text []byte) bool {
	for _, c := range text {
		if !isDigit(c) && c|0x20-'a' > 5 {
			return false
		}
	}
	return len(text) > 0
}

// traceObject is an object in the trace.
type traceObject struct {
	id    string // in the trace
	class string
	owner string // the thread's id in the trace; "" if unknown
}

// objectTable has the objects of the current dump. The garbage collector moves objects, so an address identifies an
// object only within one dump.
type objectTable struct {
	byName map[string]*traceObject // by address, or class@hash
	inDump map[string]string       // the class of each object that the dump names
	byID   map[string]*traceObject // the objects in byName
}

// moves are the objects whose name differs from the previous dump.
type moves map[string]string // from the new name to the old one

// findMoved returns the objects that the garbage collector has moved. A thread with the same calls and state as in the
// previous dump wants the same object. The old name must be gone, the new one must be new, and no other thread may
// contradict.
func (s *series) findMoved(d *dump, names map[string]string) moves {
	found, taken, wrong := moves{}, map[string]string{}, map[string]bool{}
	for _, t := range d.threads {
		k := s.threads[t.id]
		if k == nil || !s.same(k, t) || k.previous.name == "" || k.previous.name == t.wanted.name ||
			!strings.HasPrefix(t.wanted.name, "0x") {
			continue
		}
		a := t.state
		_, stays := names[k.previous.name]
		_, wasThere := s.objects.inDump[t.wanted.name]
		if stays || wasThere || a.kind != k.state || *t.stack != *k.stack ||
			s.objects.inDump[k.previous.name] != t.wanted.class {
			continue
		}
		old, known := found[t.wanted.name]
		other, used := taken[k.previous.name]
		if known && old != k.previous.name || used && other != t.wanted.name {
			wrong[t.wanted.name], wrong[other] = true, true
		}
		found[t.wanted.name], taken[k.previous.name] = k.previous.name, t.wanted.name
	}
	for name := range wrong {
		delete(found, name)
	}
	return found
}

// identifyObjects finds the wanted objects of the dump in the trace, and defines the new ones.
func (s *series) identifyObjects(d *dump) {
	names := map[string]string{}
	for _, t := range d.threads {
		for _, o := range t.owned {
			names[o.name] = o.class
		}
		if t.wanted.known() {
			names[t.wanted.name] = t.wanted.class
		}
	}
	moved := s.findMoved(d, names)
	last := s.objects.byName
	if s.objects.inDump = names; d.emitted == 0 { // else the defined objects are of this dump
		s.objects.byName, s.objects.byID = map[string]*traceObject{}, map[string]*traceObject{}
	}
	for _, t := range d.threads {
		o := t.state.object
		if !o.known() || s.objects.byName[o.name] != nil {
			continue
		}
		name, ok := moved[o.name]
		if !ok {
			name = o.name
		}
		if before := last[name]; before != nil && before.class == o.class {
			s.objects.byName[o.name] = before
			s.objects.byID[before.id] = before
		}
	}
	for _, t := range d.threads {
		o := t.state.object
		if o.known() && s.objects.byName[o.name] == nil {
			s.define(o, t)
		}
	}
}

// objectID returns the id of an object in the trace, if only one object has its name.
func (p *process) objectID(o object) string {
	return o.name[strings.LastIndexByte(o.name, '@')+1:] + p.suffix
}

// define emits a new object. Its id is its address or hash, with a number if another object has that id.
func (s *series) define(o object, t *thread) {
	id := s.objectID(o)
	for n := 2; s.objects.byID[id] != nil; n++ {
		id = s.objectID(o) + "#" + strconv.Itoa(n)
	}
	known := &traceObject{id: id, class: o.class}
	s.objects.byName[o.name], s.objects.byID[id] = known, known
	if o.class == "" {
		return
	}
	s.at = t.place
	declared, represented := javaname.SplitClassObject(o.class)
	if represented != "" {
		s.out.Class(builder.Class{Name: innerName(represented), Object: id})
	}
	class := builder.Class{Name: innerName(declared)}
	if called := s.symbols.classes[declared]; called != nil { // the class as in call stacks
		called.defined, class.Source = true, called.source
	}
	number := s.out.Class(class)
	s.out.Element(trace.ObjAlloc, t.place.Offset).Text(trace.AttrObjID, id).Number(trace.AttrClassIDRef, number).Put()
}
