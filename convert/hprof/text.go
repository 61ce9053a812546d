package hprof

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// maxLine is how many bytes of a line are read.
const maxLine = 64 << 10

// maxStack is how many bytes the stack of one trace has, as text of a trace.
const maxStack = 1 << 20

// prelude is the line that ends the explanation at the beginning of a log. It explains records by their names, so that
// no record may be looked for in it.
const prelude = "--------"

// textReader reads the text form.
type textReader struct {
	*input
	*findings
	transcript *builder.Builder
	count      func(trace.Kind, uint64) error // nil if all elements are wanted
	err        error                          // of whoever takes the elements

	line      int    // the number of the line at hand, from 1
	text      string // it, without its end
	began     int64  // where it is in the log
	unended   bool   // it has no line end: it is the last, and may be cut off
	explained bool   // the prelude is over
	at        trace.Time
	truncated bool
	whole     bool // the last record is a table that has its end

	section *section // the table that is being read, or nil
	begun   int      // the line at which it begins
	trace   uint64   // the number of the trace whose frames come; 0 if none
	stack   []byte   // its frames so far
	stacks  map[uint64][]byte
	classes map[string]uint64 // the ids of classes by their names
	methods map[string]uint64 // and of methods by the text of their frames up to the line
	parking map[uint64]bool   // the methods by which threads park
	threads threads
	room    room

	from    uint64 // the object of the heap dump whose references come
	heap    [trace.KindCount]uint64
	monitor monitorDump
}

// section is a part of the log from a line … BEGIN to a line … END.
type section struct {
	name string // as the lines have it
	note string // the name of the annotations that keep its rows; "" if rows are read otherwise
	row  func(t *textReader, line string) bool
	done func(t *textReader)
}

var sections []section

func init() { // not a literal, for the functions refer to it
	sections = []section{
		{"CPU SAMPLES", "hprof-cpu-sample", (*textReader).ranked, nil},
		{"CPU TIME (ms)", "hprof-cpu-time", (*textReader).ranked, nil},
		{"MONITOR TIME", "hprof-monitor-time", (*textReader).ranked, nil},
		{"SITES", "hprof-alloc-site", (*textReader).ranked, nil},
		{"HEAP DUMP", "", (*textReader).heapLine, (*textReader).heapEnd},
		{"MONITOR DUMP", "", (*textReader).monitorLine, (*textReader).monitorEnd},
	}
}

// readText reads a log of the text form.
func readText(log *input, found *findings, options builder.Options, put func(*trace.Event) error) (trace.Ending,
	error) {
	t := &textReader{
		input: log, findings: found, transcript: builder.New(options.Session, nil, put), count: options.Count,
		stacks: map[uint64][]byte{}, classes: map[string]uint64{}, methods: map[string]uint64{},
		parking: map[uint64]bool{}, threads: newThreads(), room: room{left: maxKept},
	}
	t.without("times of single events, nor a time zone",
		"threads have the times at which the log, or the last table before them, was written, taken for UTC")
	for t.err == nil {
		if t.line > 0 && t.anotherLog() {
			t.add(ruleAnotherLog, trace.Error, t.endPlace(), anotherLog)
			break
		}
		line, ok := t.nextLine()
		if !ok {
			break
		}
		t.read(line)
	}
	t.endTrace()
	t.tell()
	if t.section != nil && t.err == nil && t.failure() == nil {
		t.cut("the table " + t.section.name + ", which begins in line " + strconv.Itoa(t.begun))
		if t.section.done != nil {
			t.section.done(t)
		}
	}
	t.finish()
	found.finish()
	ending := trace.Ending{Truncated: t.truncated, Place: t.endPlace()}
	if t.err != nil {
		return ending, t.err
	}
	return ending, t.failure()
}

// finish says that the log is whole, or that it is not: it ends with a table.
func (t *textReader) finish() {
	switch {
	case t.err != nil || t.failure() != nil || t.truncated:
	case t.line == 1:
		t.cut("its first line, or right behind it")
	case t.whole:
		t.put(t.element(trace.TraceEnd).At(t.at))
	}
}

// place is where the line at hand begins, but for blanks.
func (t *textReader) place() trace.Place { return t.placeOf(strings.TrimLeft(t.text, " \t")) }

// placeOf is where the rest of the line at hand begins.
func (t *textReader) placeOf(rest string) trace.Place {
	before := t.text[:len(t.text)-len(rest)]
	return trace.Place{Offset: t.began + int64(len(before)), Line: t.line,
		Column: utf8.RuneCountInString(decoded(before)) + 1}
}

// decoded is what stands in the log as characters. The agent writes names, as all that it says, in the modified UTF-8
// of the JVM.
func decoded(text string) string { return trace.DecodeModified([]byte(text)) }

// endPlace is where the log ends.
func (t *textReader) endPlace() trace.Place {
	if t.unended {
		return t.placeOf("")
	}
	return trace.Place{Offset: t.offset(), Line: t.line + 1, Column: 1}
}

// wrong reports what is wrong with the line at hand.
func (t *textReader) wrong(rule string, format string, arguments ...any) {
	t.wrongAt(t.place(), rule, format, arguments...)
}

// wrongAt reports what is wrong at a place of the line at hand. If that is the last one and has no end, it is cut off.
func (t *textReader) wrongAt(place trace.Place, rule string, format string, arguments ...any) {
	if t.unended {
		t.cut("a line")
		return
	}
	t.add(rule, trace.Error, place, format, arguments...)
}

// cut says that the log ends inside of something.
func (t *textReader) cut(what string) {
	if !t.truncated {
		t.truncated = true
		t.add(ruleTruncated, trace.Error, t.endPlace(), "the log ends inside %s; what comes before is used", what)
	}
}

// put gives the element on.
func (t *textReader) put(e builder.Element) {
	if t.err == nil {
		t.err = e.Put()
	}
}

// element begins an element.
func (t *textReader) element(kind trace.Kind) builder.Element {
	return t.transcript.Element(kind, t.began)
}

// note keeps something for people.
func (t *textReader) note(name, value string) {
	t.put(t.element(trace.Annotation).Text(trace.AttrName, name).Text(trace.AttrValue, decoded(value)))
}

// nextLine is the next line without its end; false says that there is none.
func (t *textReader) nextLine() (string, bool) {
	t.began = t.offset()
	if !t.have(1) {
		return "", false
	}
	t.line++
	end := bytes.IndexByte(t.next(), '\n')
	if end < 0 && !t.have(maxLine+1) {
		end = bytes.IndexByte(t.next(), '\n')
	} else if end < 0 {
		end = bytes.IndexByte(t.next()[:maxLine+1], '\n')
	}
	text := t.next()
	switch {
	case end >= 0:
		t.pos += end + 1
		text = text[:end]
	case len(text) <= maxLine:
		t.unended = true
		t.pos = t.end
	default:
		t.text = string(text[:maxLine])
		t.add(ruleLine, trace.Error, t.placeOf(""), "the line has more than %d bytes; the rest of it is left out",
			maxLine)
		t.passLine()
		return t.text, true
	}
	t.text = strings.TrimSuffix(string(text), "\r")
	return t.text, true
}

// passLine passes the rest of the line.
func (t *textReader) passLine() {
	for t.have(1) {
		if end := bytes.IndexByte(t.next(), '\n'); end >= 0 {
			t.pos += end + 1
			return
		}
		t.pos = t.end
	}
}

// read reads a line.
func (t *textReader) read(line string) {
	switch {
	case t.line == 1:
		t.header(line)
		return
	case line == prelude && !t.explained:
		t.explained = true
		return
	case strings.TrimSpace(line) == "":
		return
	case t.section != nil && strings.HasPrefix(line, t.section.name+" END"):
		if t.section.done != nil {
			t.section.done(t)
		}
		t.section, t.whole = nil, true
		return
	case t.begins(line):
		return
	case t.section != nil && t.unended: // it is cut off, and the number at its end may have been longer
		return
	case t.section != nil:
		if !t.section.row(t, line) {
			t.wrong(ruleLine, "this is no line of the table %s", t.section.name)
		}
		return
	case t.trace != 0 && line[0] == '\t':
		t.frame(line[1:])
		return
	}
	t.endTrace()
	t.whole = false
	if t.record(line) {
		t.explained = true
		return
	}
	if t.explained {
		t.wrong(ruleLine,
			"no record begins like this; THREAD START, THREAD END, TRACE and the beginning of tables are known")
	}
}

// header reads the first line.
func (t *textReader) header(line string) {
	_, created, found := strings.Cut(line, ", created ") // else created is "", at the end of the line
	if !found || !t.date(created) {
		t.wrongAt(t.placeOf(created), ruleHeader,
			`the first line does not say when the log was created; it should end in ", created" and a date such as Mon Jan  2 15:04:05 2006`)
	}
}

// date sets the time to the one of the text, if that is one and later; false says that it is none.
func (t *textReader) date(text string) bool {
	at, err := time.Parse(time.ANSIC, strings.Join(strings.Fields(text), " "))
	if err != nil || at.Year() < 1970 || at.Year() > 2200 {
		return false
	}
	t.at = max(t.at, trace.Time(at.UnixNano()))
	return true
}

// begins begins a section, if the line does.
func (t *textReader) begins(line string) bool {
	for i := range sections {
		s := &sections[i]
		rest, found := strings.CutPrefix(line, s.name+" BEGIN")
		if !found || rest != "" && rest[0] != ' ' {
			continue
		}
		t.endTrace()
		if t.section != nil {
			t.wrong(ruleLine, "the table %s, which begins in line %d, has no end before this one begins",
				t.section.name, t.begun)
			if t.section.done != nil {
				t.section.done(t)
			}
		}
		t.section, t.begun, t.explained, t.whole = s, t.line, true, false
		total, date, found := strings.Cut(rest, ") ")
		if found {
			total += ")"
			t.date(date)
		}
		if s.note != "" {
			t.note(s.note+"s", strings.TrimSpace(total))
		} else if s.name == "HEAP DUMP" {
			t.put(t.element(trace.HeapDumpDef).At(t.at))
		}
		return true
	}
	return false
}

// ranked reads a row of a table whose rows begin with their rank.
func (t *textReader) ranked(line string) bool {
	row := strings.TrimSpace(line)
	switch first, _, _ := strings.Cut(row, " "); {
	case first == "rank" || first == "percent": // what the columns are
		return true
	case !isNumber(first):
		return false
	}
	t.note(t.section.note, row)
	return true
}

func isNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

// record reads a record outside of sections.
func (t *textReader) record(line string) bool {
	if rest, found := strings.CutPrefix(line, "THREAD START ("); found {
		return t.threadStart(rest)
	}
	if rest, found := strings.CutPrefix(line, "THREAD END ("); found {
		return t.threadEnd(rest)
	}
	if rest, found := strings.CutPrefix(line, "TRACE "); found {
		return t.beginTrace(rest)
	}
	for _, single := range []string{"SLEEP: ", "WAIT: ", "WAITED: ", "EXIT: "} {
		if strings.HasPrefix(line, single) {
			t.note("hprof-monitor", line)
			return true
		}
	}
	return false
}

// threadStart reads what comes behind "THREAD START (". A name may have line ends in it.
func (t *textReader) threadStart(rest string) bool {
	begin := t.placeOf(rest)
	whole := rest
	for more := 0; !strings.HasSuffix(whole, `")`) && more < 8 && len(whole) < maxLine; more++ {
		line, ok := t.nextLine()
		if !ok {
			break
		}
		whole += "\n" + line
	}
	object, rest, ok1 := field(whole, "obj=", ", id = ")
	id, rest, ok2 := field(rest, "", `, name="`)
	at := strings.LastIndex(rest, `", group="`)
	number, err := strconv.ParseUint(id, 10, 64)
	objectID, err2 := strconv.ParseUint(object, 16, 64)
	if !ok1 || !ok2 || at < 0 || !strings.HasSuffix(rest, `")`) || at+10 > len(rest)-2 || err != nil || err2 != nil {
		t.wrongAt(begin, ruleLine,
			`the start of a thread should read THREAD START (obj=…, id = …, name="…", group="…"); it is left out`)
		return true
	}
	if t.threads.lives[number] {
		t.wrongAt(begin, ruleThread, "the thread %d starts a second time without having ended", number)
		return true
	}
	if e, ok := t.start(number, objectID); ok {
		e.Text(trace.AttrThreadName, decoded(rest[:at]))
		if group := rest[at+10 : len(rest)-2]; group != "" {
			e.Text(trace.AttrGroupName, decoded(group))
		}
		t.put(e)
	}
	return true
}

// start begins the threadStart of a thread; not ok if there is no room for one more.
func (t *textReader) start(number, object uint64) (e builder.Element, ok bool) {
	if !t.threads.seen(number) && !t.keeps("threads", threadCost) {
		return e, false
	}
	t.threads.lives[number] = true
	e = t.element(trace.ThreadStart).Number(trace.AttrThreadID, number).At(t.at)
	if object != 0 {
		e.Number(trace.AttrObjIDRef, object)
	}
	return e, true
}

// wasThere starts a thread that was there before the log, unless it is known.
func (t *textReader) wasThere(number, object uint64) {
	if t.threads.seen(number) {
		return
	}
	if e, ok := t.start(number, object); ok {
		t.put(e.Inferred())
	}
}

// field is what stands in the text between before, with which it begins, and behind; and what comes then.
func field(text, before, behind string) (value, rest string, found bool) {
	if text, found = strings.CutPrefix(text, before); !found {
		return "", text, false
	}
	return strings.Cut(text, behind)
}

// keeps takes room for something of a kind, and says whether there is any.
func (t *textReader) keeps(what string, bytes int) bool {
	return t.room.keep(what, bytes, t.findings, t.place())
}

func (t *textReader) threadEnd(rest string) bool {
	id, _, found := field(rest, "id = ", ")")
	number, err := strconv.ParseUint(id, 10, 64)
	if !found || err != nil {
		t.wrongAt(t.placeOf(rest), ruleLine, "the end of a thread should read THREAD END (id = …); it is left out")
		return true
	}
	if t.threads.hasEnded(number) {
		t.wrongAt(t.placeOf(rest), ruleThread, "the thread %d ends a second time without having started", number)
		return true
	}
	if t.wasThere(number, 0); t.threads.lives[number] {
		if t.threads.end(number) {
			t.room.left += threadCost
		}
		delete(t.monitor.held, number)
		t.put(t.element(trace.ThreadEnd).Number(trace.AttrThreadIDRef, number).At(t.at))
	}
	return true
}

// beginTrace reads what comes behind "TRACE ". In the prelude that is an explanation.
func (t *textReader) beginTrace(rest string) bool {
	id, _, found := strings.Cut(rest, ":")
	number, err := strconv.ParseUint(id, 10, 64)
	if !found || err != nil || number == 0 {
		return false
	}
	t.trace, t.stack = number, t.stack[:0]
	return true
}

// frame reads a line of a trace, such as java.lang.Object.wait(Object.java:Native method).
func (t *textReader) frame(text string) {
	if text == "<empty>" {
		return
	}
	open := strings.LastIndexByte(text, '(')
	if open < 0 || !strings.HasSuffix(text, ")") {
		t.wrong(ruleLine, "a frame should read CLASS.METHOD(SOURCE:LINE); it is left out")
		return
	}
	colon := strings.LastIndexByte(text, ':')
	if colon < open || strings.LastIndexByte(text[:open], '.') < 1 {
		t.wrong(ruleLine, "a frame should read CLASS.METHOD(SOURCE:LINE); it is left out")
		return
	}
	line := int32(trace.NoLine)
	if n, err := strconv.ParseInt(text[colon+1:len(text)-1], 10, 32); err == nil && n >= 0 {
		line = int32(n)
	}
	method := t.method(text[:colon])
	if method != 0 && len(t.stack) < maxStack {
		t.stack = builder.AppendFrame(t.stack, method, line)
	}
}

// method is the id of the method of a frame up to the line, such as java.lang.Object.wait(Object.java; 0 if there are
// too many.
func (t *textReader) method(text string) uint64 {
	if id := t.methods[text]; id != 0 {
		return id
	}
	open := strings.LastIndexByte(text, '(')
	dot := strings.LastIndexByte(text[:open], '.')
	source := text[open+1:]
	if source == "<Unknown Source>" {
		source = ""
	}
	class := t.class(internalName(text[:dot]), source)
	if class == 0 || !t.keeps("methods", methodCost+len(text)) {
		return 0
	}
	id := uint64(len(t.methods) + 1)
	t.methods[strings.Clone(text)] = id
	if text[:open] == "sun.misc.Unsafe.park" {
		t.parking[id] = true
	}
	e := t.element(trace.MethodDef).Number(trace.AttrMethodID, id).Number(trace.AttrClassIDRef, class)
	if name := text[dot+1 : open]; name != "<Unknown Method>" {
		e.Text(trace.AttrName, trace.MethodName(decoded(name)))
	}
	t.put(e)
	return id
}

// class is the id of the class of the name; 0 if there are too many. source is its source file, if that is known.
func (t *textReader) class(name, source string) uint64 {
	if id := t.classes[name]; id != 0 {
		return id
	}
	if !t.keeps("classes", methodCost+len(name)) {
		return 0
	}
	id := uint64(len(t.classes) + 1)
	t.classes[strings.Clone(name)] = id
	e := t.element(trace.ClassDef).Number(trace.AttrClassID, id).Text(trace.AttrName, decoded(name))
	if source != "" {
		e.Text(trace.AttrSourceName, decoded(source))
	}
	t.put(e)
	return id
}

// endTrace keeps the trace whose frames are over.
func (t *textReader) endTrace() {
	if t.trace == 0 {
		return
	}
	if t.keeps("stacks", traceCost+len(t.stack)) {
		t.stacks[t.trace] = slices.Clone(t.stack)
	}
	t.trace, t.stack = 0, t.stack[:0]
}

// tell gives the numbers of elements that are only counted.
func (t *textReader) tell() {
	for kind, n := range t.heap {
		if n > 0 && t.count != nil && t.err == nil {
			t.err = t.count(trace.Kind(kind), n)
		}
	}
	t.heap = [trace.KindCount]uint64{}
}
