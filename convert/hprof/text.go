package hprof

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/modified"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// maxLine limits the bytes of a line.
const maxLine = 64 << 10

// maxStack limits the text of a stack trace in bytes.
const maxStack = 1 << 20

// prelude is the line that ends the explanation at the begin of a log. The explanation contains names of records, so no
// record may be read before it.
const prelude = "--------"

// textReader reads the text form.
type textReader struct {
	reader
	at          trace.Time // of the log, or of the last table
	preludeOver bool
	complete    bool // the last record is a table with its end
	textLine
	textProgram

	section   *section // the current table, or nil
	beginLine int      // its first line

	from    uint64                  // the object of the heap dump whose references follow
	heap    [trace.KindCount]uint64 // numbers of elements
	monitor monitorDump
}

// textLine is the current line.
type textLine struct {
	line         int // its number, from 1
	text         string
	lineOffset   int64
	unterminated bool // it is the last line, and may be truncated
}

// textProgram has the definitions of classes, methods and stack traces.
type textProgram struct {
	trace   uint64 // number of the stack trace whose frames follow, or 0
	stack   []byte // its frames so far
	stacks  map[uint64][]byte
	classes map[string]uint64 // ids of classes by name
	methods map[string]uint64 // ids of methods by the text of their frames before the line number
	parking map[uint64]bool   // methods that park threads
}

// section is a table: the lines between NAME BEGIN and NAME END.
type section struct {
	name string // as the lines have it
	note string // name of the annotations for its rows; "" if rows are parsed
	head string // name of the annotation for its head
	row  func(t *textReader, line string) bool
	done func(t *textReader)
}

var sections []section

func init() { // not a literal, because the functions refer to it
	nothing := func(*textReader) {}
	sections = []section{
		{"CPU SAMPLES", trace.NoteCPUSample, trace.NoteCPUSamples, (*textReader).rankedRow, nothing},
		{"CPU TIME (ms)", trace.NoteCPUTimeRow, trace.NoteCPUTimes, (*textReader).rankedRow, nothing},
		{"MONITOR TIME", trace.NoteMonitorTime, trace.NoteMonitorTimes, rowWithStack(4, trace.NoteMonitorStack), nothing},
		{"SITES", trace.NoteAllocationSite, trace.NoteAllocationSites, rowWithStack(7, trace.NoteAllocationStack), nothing},
		{"HEAP DUMP", "", "", (*textReader).heapLine, (*textReader).reportCounts},
		{"MONITOR DUMP", "", "", (*textReader).monitorLine, (*textReader).monitorEnd},
	}
}

// readText reads a log of the text form.
func readText(r reader) (trace.Ending, error) {
	t := &textReader{reader: r, textProgram: textProgram{stacks: map[uint64][]byte{}, classes: map[string]uint64{},
		methods: map[string]uint64{}, parking: map[uint64]bool{}}}
	t.unsupported("times of single events, nor a time zone",
		"events have the time of the log or of the previous table, read as UTC")
	for t.err == nil {
		if t.line > 0 && t.anotherLog() {
			t.add(ruleAnotherLog, trace.Error, t.endPlace(), anotherLogMessage)
			break
		}
		line, ok := t.nextLine()
		if !ok {
			break
		}
		t.readLine(line)
	}
	t.endTrace()
	t.reportCounts()
	if t.section != nil && !t.failed() {
		t.truncatedInside("the table " + t.section.name + " of line " + strconv.Itoa(t.beginLine))
		t.section.done(t)
	}
	t.finish()
	return t.ending(t.endPlace())
}

// finish emits the end of a complete log, which ends with a table, or reports a truncated one.
func (t *textReader) finish() {
	switch {
	case t.failed() || t.truncated:
	case t.line == 1:
		t.truncatedInside("its first line, or directly after it")
	case t.complete:
		t.put(t.element(trace.TraceEnd).At(t.at))
	}
}

// place returns the place of the current line's first character that is not a blank.
func (t *textReader) place() trace.Place { return t.placeOf(strings.TrimLeft(t.text, " \t")) }

// placeOf returns the place of the rest of the current line.
func (t *textReader) placeOf(rest string) trace.Place {
	before := t.text[:len(t.text)-len(rest)]
	return trace.Place{Offset: t.lineOffset + int64(len(before)), Line: t.line,
		Column: utf8.RuneCountInString(decode(before)) + 1}
}

// decode decodes text of the log. The agent writes the JVM's modified UTF-8.
func decode(text string) string { return modified.Decode([]byte(text)) }

// endPlace returns the end of the log.
func (t *textReader) endPlace() trace.Place {
	if t.unterminated {
		return t.placeOf("")
	}
	return trace.Place{Offset: t.offset(), Line: t.line + 1, Column: 1}
}

// report adds a finding of ruleLine for the current line.
func (t *textReader) report(format string, arguments ...any) {
	t.reportAt(t.place(), ruleLine, format, arguments...)
}

// reportAt adds a finding in the current line. An unterminated last line counts as truncated.
func (t *textReader) reportAt(place trace.Place, rule string, format string, arguments ...any) {
	if t.unterminated {
		t.truncatedInside("a line")
		return
	}
	t.add(rule, trace.Error, place, format, arguments...)
}

// truncatedInside reports that the log ends inside an item.
func (t *textReader) truncatedInside(what string) {
	if !t.truncated {
		t.truncated = true
		t.add(ruleTruncated, trace.Error, t.endPlace(), "the log ends inside %s; everything before is used", what)
	}
}

// element begins an element.
func (t *textReader) element(kind trace.Kind) builder.Element {
	return t.builder.Element(kind, t.lineOffset)
}

// annotate emits an annotation for people.
func (t *textReader) annotate(name, value string) {
	t.put(t.element(trace.Annotation).Text(trace.AttrName, name).Text(trace.AttrValue, decode(value)))
}

// nextLine returns the next line without its end. It reports false at the end of the log.
func (t *textReader) nextLine() (string, bool) {
	t.lineOffset = t.offset()
	if !t.have(1) {
		return "", false
	}
	t.line++
	end := bytes.IndexByte(t.window(), '\n')
	if end < 0 && !t.have(maxLine+1) {
		end = bytes.IndexByte(t.window(), '\n')
	} else if end < 0 {
		end = bytes.IndexByte(t.window()[:maxLine+1], '\n')
	}
	text := t.window()
	switch {
	case end >= 0:
		t.pos += end + 1
		text = text[:end]
	case len(text) <= maxLine:
		t.unterminated = true
		t.pos = t.end
	default:
		t.text = string(text[:maxLine])
		t.add(ruleLine, trace.Error, t.placeOf(""), "the line has more than %d bytes; the rest is skipped",
			maxLine)
		t.skipLine()
		return t.text, true
	}
	t.text = strings.TrimSuffix(string(text), "\r")
	return t.text, true
}

// skipLine skips the rest of the line.
func (t *textReader) skipLine() {
	for t.have(1) {
		if end := bytes.IndexByte(t.window(), '\n'); end >= 0 {
			t.pos += end + 1
			return
		}
		t.pos = t.end
	}
}

// readLine reads a line.
func (t *textReader) readLine(line string) {
	switch {
	case t.line == 1:
		t.header(line)
		return
	case line == prelude && !t.preludeOver:
		t.preludeOver = true
		return
	case strings.TrimSpace(line) == "":
		return
	case t.section != nil && strings.HasPrefix(line, t.section.name+" END"):
		t.section.done(t)
		t.section, t.complete = nil, true
		return
	case t.beginSection(line):
		return
	case t.section != nil && t.unterminated: // it is cut off, and the number at its end may be incomplete
		return
	case t.section != nil:
		if !t.section.row(t, line) {
			t.report("invalid line in the table %s", t.section.name)
		}
		return
	case t.trace != 0 && line[0] == '\t':
		t.frame(line[1:])
		return
	}
	t.endTrace()
	t.complete = false
	if t.record(line) {
		t.preludeOver = true
		return
	}
	if t.preludeOver {
		t.report("unknown record: want THREAD START, THREAD END, TRACE or the begin of a table")
	}
}

// header reads the first line.
func (t *textReader) header(line string) {
	_, created, found := strings.Cut(line, ", created ") // if not found, created is "", at the end of the line
	if !found || !t.date(created) {
		t.reportAt(t.placeOf(created), ruleHeader,
			`the first line has no date: want ", created" and a date such as Mon Jan  2 15:04:05 2006 at its end`)
	}
}

// date sets the time, if it is later. It reports false if the text is not a date.
func (t *textReader) date(text string) bool {
	at, err := time.Parse(time.ANSIC, strings.Join(strings.Fields(text), " "))
	if err != nil || at.Year() < 1970 || at.Year() > 2200 {
		return false
	}
	t.at = max(t.at, trace.Time(at.UnixNano()))
	return true
}

// beginSection begins a table. It reports false for another line.
func (t *textReader) beginSection(line string) bool {
	for i := range sections {
		s := &sections[i]
		rest, found := strings.CutPrefix(line, s.name+" BEGIN")
		if !found || rest != "" && rest[0] != ' ' {
			continue
		}
		t.endTrace()
		if t.section != nil {
			t.report("the table %s of line %d has no end before this table begins",
				t.section.name, t.beginLine)
			t.section.done(t)
		}
		t.section, t.beginLine, t.preludeOver, t.complete = s, t.line, true, false
		total, date, found := strings.Cut(rest, ") ")
		if found {
			total += ")"
			t.date(date)
		}
		if s.note != "" {
			t.annotate(s.head, strings.TrimSpace(total))
		} else if s.name == "HEAP DUMP" {
			t.put(t.element(trace.HeapDumpDef).At(t.at))
		}
		return true
	}
	return false
}

// rankedRow reads a row that begins with a rank.
func (t *textReader) rankedRow(line string) bool {
	row := strings.TrimSpace(line)
	switch first, _, _ := strings.Cut(row, " "); {
	case first == "rank" || first == "percent": // the names of the columns
		return true
	case !isNumber(first):
		return false
	}
	t.annotate(t.section.note, row)
	return true
}

// rowWithStack returns a function that reads a row with the number of a stack trace in a column, counted from 0, and
// annotates that stack trace.
func rowWithStack(traceColumn int, note string) func(*textReader, string) bool {
	return func(t *textReader, line string) bool {
		if !t.rankedRow(line) {
			return false
		}
		if fields := strings.Fields(line); len(fields) > traceColumn {
			number, err := strconv.ParseUint(fields[traceColumn], 10, 64)
			if stack := t.stacks[number]; err == nil && len(stack) > 0 {
				t.annotate(note, string(stack))
			}
		}
		return true
	}
}

func isNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

// record reads a record outside of tables.
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
			t.annotate(trace.NoteMonitorRecord, line)
			return true
		}
	}
	return false
}

// threadStart reads a record after "THREAD START (". The name may contain line ends.
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
		t.reportAt(begin, ruleLine,
			`invalid start of a thread: want THREAD START (obj=…, id = …, name="…", group="…"); it is skipped`)
		return true
	}
	if t.threads.alive[number] {
		t.reportAt(begin, ruleThread, "thread %d starts a second time without an end", number)
		return true
	}
	if e, ok := t.start(number, objectID); ok {
		t.put(e.Text(trace.AttrThreadName, decode(rest[:at])).
			TextIfKnown(trace.AttrGroupName, decode(rest[at+10:len(rest)-2])))
	}
	return true
}

// start begins a threadStart. It reports false if the limit is reached.
func (t *textReader) start(number, object uint64) (e builder.Element, ok bool) {
	if !t.threads.seen(number) && !t.reserve("threads", threadCost) {
		return e, false
	}
	t.threads.alive[number] = true
	return t.element(trace.ThreadStart).Number(trace.AttrThreadID, number).At(t.at).
		NumberIfKnown(trace.AttrObjIDRef, object), true
}

// ensureStarted emits the start of a thread older than the log.
func (t *textReader) ensureStarted(number, object uint64) {
	if t.threads.seen(number) {
		return
	}
	if e, ok := t.start(number, object); ok {
		t.put(e.Inferred())
	}
}

// field returns the text between before, with which it must begin, and after, and the rest.
func field(text, before, after string) (value, rest string, found bool) {
	if text, found = strings.CutPrefix(text, before); !found {
		return "", text, false
	}
	return strings.Cut(text, after)
}

// reserve charges memory for an item of a kind; see memoryLimit.
func (t *textReader) reserve(what string, bytes int) bool {
	return t.limit.reserve(what, bytes, t.findings, t.place())
}

func (t *textReader) threadEnd(rest string) bool {
	id, _, found := field(rest, "id = ", ")")
	number, err := strconv.ParseUint(id, 10, 64)
	if !found || err != nil {
		t.reportAt(t.placeOf(rest), ruleLine, "invalid end of a thread: want THREAD END (id = …); it is skipped")
		return true
	}
	if t.threads.hasEnded(number) {
		t.reportAt(t.placeOf(rest), ruleThread, "thread %d ends a second time without a start", number)
		return true
	}
	if t.ensureStarted(number, 0); t.threads.alive[number] {
		if t.threads.end(number) {
			t.limit.left += threadCost
		}
		delete(t.monitor.suspended, number)
		t.put(t.element(trace.ThreadEnd).Number(trace.AttrThreadIDRef, number).At(t.at))
	}
	return true
}

// beginTrace reads a line after "TRACE ". It reports false for the explanation in the prelude.
func (t *textReader) beginTrace(rest string) bool {
	id, _, found := strings.Cut(rest, ":")
	number, err := strconv.ParseUint(id, 10, 64)
	if !found || err != nil || number == 0 {
		return false
	}
	t.trace, t.stack = number, t.stack[:0]
	return true
}

// frame reads a frame such as java.lang.Object.wait(Object.java:Native method).
func (t *textReader) frame(text string) {
	if text == "<empty>" {
		return
	}
	open, colon := strings.LastIndexByte(text, '('), strings.LastIndexByte(text, ':')
	if open < 0 || colon < open || !strings.HasSuffix(text, ")") || strings.LastIndexByte(text[:open], '.') < 1 {
		t.report("invalid frame: want CLASS.METHOD(SOURCE:LINE); it is skipped")
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

// method returns the id of the method of a frame's text before the line number, or 0 if the limit is reached.
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
	class := t.class(javaname.InternalClass(text[:dot]), source)
	if class == 0 || !t.reserve("methods", methodCost+len(text)) {
		return 0
	}
	id := uint64(len(t.methods) + 1)
	t.methods[strings.Clone(text)] = id
	if text[:open] == "sun.misc.Unsafe.park" {
		t.parking[id] = true
	}
	e := t.element(trace.MethodDef).Number(trace.AttrMethodID, id).Number(trace.AttrClassIDRef, class)
	if name := text[dot+1 : open]; name != "<Unknown Method>" {
		e.Text(trace.AttrName, javaname.TraceMethod(decode(name)))
	}
	t.put(e)
	return id
}

// class returns the id of the class of a name, or 0 if the limit is reached. source is its source file, "" if unknown.
func (t *textReader) class(name, source string) uint64 {
	if id := t.classes[name]; id != 0 {
		return id
	}
	if !t.reserve("classes", methodCost+len(name)) {
		return 0
	}
	id := uint64(len(t.classes) + 1)
	t.classes[strings.Clone(name)] = id
	t.put(t.element(trace.ClassDef).Number(trace.AttrClassID, id).Text(trace.AttrName, decode(name)).
		TextIfKnown(trace.AttrSourceName, decode(source)))
	return id
}

// endTrace ends the current stack trace.
func (t *textReader) endTrace() {
	if t.trace == 0 {
		return
	}
	if t.reserve("stacks", traceCost+len(t.stack)) {
		t.stacks[t.trace] = slices.Clone(t.stack)
	}
	t.trace, t.stack = 0, t.stack[:0]
}

// reportCounts passes the numbers of elements to count and resets them.
func (t *textReader) reportCounts() {
	for kind, n := range t.heap {
		t.addCount(trace.Kind(kind), n)
	}
	t.heap = [trace.KindCount]uint64{}
}
