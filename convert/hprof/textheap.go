package hprof

import (
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// heapLine reads a line of a heap dump: an object or a reference.
func (t *textReader) heapLine(line string) bool {
	if line[0] == '\t' {
		return t.referenceLine(line)
	}
	kind, rest, found := strings.Cut(line, " ")
	id, details, found2 := strings.Cut(rest, " (")
	object, err := strconv.ParseUint(id, 16, 64)
	if !found || !found2 || err != nil || !strings.HasSuffix(details, ")") {
		return false
	}
	details = strings.TrimSuffix(details, ")")
	t.from = object
	switch kind {
	case "ROOT":
		return t.rootLine(object, details)
	case "CLS":
		_, _, found := field(details, "name=", ", trace=")
		if found {
			t.object(object, "java/lang/Class", "", 0)
		}
		return found
	case "OBJ":
		size, class, found := sizeBefore(details, ", class=")
		if found {
			t.object(object, javaname.InternalClass(trimID(class)), size, 0)
		}
		return found
	case "ARR":
		size, element, found := sizeBefore(details, ", elem type=")
		if found {
			class, kind := arrayClass(trimID(element))
			t.object(object, class, size, kind)
		}
		return found
	}
	return false
}

// sizeBefore returns the size in an object's details, and the text after the mark.
func sizeBefore(details, mark string) (size, after string, found bool) {
	size, rest, found := field(details, "sz=", ",")
	if !found || !isNumber(size) {
		return "", "", false
	}
	_, after, found = strings.Cut(rest, mark)
	return size, after, found
}

// trimID removes the id after an @ from a class name.
func trimID(name string) string {
	if at := strings.LastIndexByte(name, '@'); at >= 0 {
		return name[:at]
	}
	return name
}

// arrayClass returns the class and the element kind of an array. Old versions of the log name the class of the elements
// instead.
func arrayClass(name string) (class string, kind byte) {
	if !strings.HasSuffix(name, "[]") {
		name += "[]"
	}
	class = javaname.InternalClass(name)
	for kind := range primitives {
		if primitives[kind].size > 0 && primitives[kind].array == class {
			return class, byte(kind)
		}
	}
	return class, kindObject
}

// object emits an object; size is "" if unknown.
func (t *textReader) object(id uint64, class, size string, kind byte) {
	t.heap[trace.ObjAlloc]++
	number := t.class(class, "")
	if t.count != nil {
		return
	}
	e := t.element(trace.ObjAlloc).Number(trace.AttrObjID, id).NumberIfKnown(trace.AttrClassIDRef, number)
	if size != "" {
		e.Raw(trace.AttrSize, []byte(size))
	}
	t.put(e.Number(trace.AttrIsArray, uint64(kind)))
}

// rootLine reads the details of a root: kind=<thread>, id=200001, trace=300000.
func (t *textReader) rootLine(object uint64, details string) bool {
	kind, rest, found := field(details, "kind=<", ">")
	if !found {
		return false
	}
	t.heap[trace.GCRoot]++
	by := ", thread="
	if kind == "thread" {
		by = ", id="
	}
	thread, _, _ := strings.Cut(strings.TrimPrefix(rest, by), ",")
	number, err := strconv.ParseUint(thread, 10, 64)
	ofThread := strings.HasPrefix(rest, by) && err == nil
	if ofThread && kind == "thread" {
		t.ensureStarted(number, object)
	}
	if t.count != nil {
		return true
	}
	e := t.element(trace.GCRoot).Number(trace.AttrObjIDRef, object).Text(trace.AttrType, kind)
	if ofThread {
		e.Number(trace.AttrThreadIDRef, number)
	}
	t.put(e)
	return true
}

// referenceLine reads a reference of the preceding object: the name of a field or [INDEX], and an id.
func (t *textReader) referenceLine(line string) bool {
	tab := strings.LastIndexByte(line, '\t')
	to, err := strconv.ParseUint(line[tab+1:], 16, 64)
	if tab == 0 || err != nil {
		return false
	}
	if to == 0 {
		return true
	}
	t.heap[trace.ObjReference]++
	if t.count == nil {
		t.put(t.element(trace.ObjReference).Number(trace.AttrObjIDRef, t.from).Number(trace.AttrTargetObjIDRef, to))
	}
	return true
}
