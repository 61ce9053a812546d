package threaddump

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// textReader reads dumps in text, of all text forms, with other text before, between and after them.
type textReader struct {
	*reader
	input
	dump    *dump
	thread  *thread
	carrier *thread // the platform thread whose mounted virtual thread is thread
	section section
	foreign bool // the next frames belong to something else, such as an exception
	mixed   bool // mixed dumps are reported for the thread
	openName
	deadlockThread
	core  *core      // of a javacore
	stamp trace.Time // of the last line of a log; 0 if unknown
}

// input is the lines of the input: the current one and the previous ones.
type input struct {
	lines     *builder.Lines
	prefix    prefix
	previous  []byte    // the previous line, as it is in the input
	lastLines [2][]byte // the previous lines without the prefix; the newer one first
}

// deadlockThread is the current thread of a deadlock section.
type deadlockThread struct {
	waiter    string
	wanted    object
	openOwner []byte // the beginning of an owner's name that has line ends
}

// openName is the first part of a thread's line whose name has line ends.
type openName struct {
	name  []byte
	named trace.Place
	lead  int  // the number of its lines
	amid  bool // it is inside a thread or a deadlock, and may be a line of the program
}

// section is the part of a dump that is being read.
type section uint8

const (
	inThreads section = iota
	inSynchronizers
	inDeadlock
	inDeadlockStacks
)

// maxNameLines limits the lines of a thread's name.
const maxNameLines = 16

// readText reads dumps in text from a place of the input on. It returns where JSON begins, or that the input is over.
func (r *reader) readText(ctx context.Context, in *bufio.Reader, from trace.Place) (next trace.Place, over bool,
	_ error) {
	t := &textReader{reader: r, input: input{lines: builder.LinesFrom(in, from)}}
	for {
		if t.lines.Number%1024 == 0 && ctx.Err() != nil {
			return next, true, ctx.Err()
		}
		if atJSON(in) {
			t.close(false)
			return t.nextLine(), false, r.err
		}
		more, err := t.lines.Next()
		if !more {
			r.ending.Place = t.nextLine()
			t.close(true)
			return next, true, firstOf(err, r.err)
		}
		read := line{t.lines.Place(0), bytes.TrimRight(t.lines.Line, "\r"), !t.lines.Terminated}
		if t.lines.TooLong && t.dump == nil {
			continue // a long line of a log
		}
		if t.lines.TooLong {
			r.report(ruleLong, trace.Error, read.place,
				fmt.Sprintf("the line has more than %d bytes; it is skipped", maxLine), read.text)
			continue
		}
		t.logged(read)
		if r.err != nil {
			return next, true, r.err
		}
	}
}

// logged reads a line. If it is JSON, as Docker and loggers write it, the lines in it are read. The prefix of
// Kubernetes is dropped.
func (t *textReader) logged(read line) {
	read.text = withoutStamp(read.text)
	text := read.text
	if len(text) > 0 && text[0] == '{' && text[len(text)-1] == '}' {
		var entry struct{ Log, Message, Msg string }
		if json.Unmarshal(text, &entry) == nil {
			for line := range strings.Lines(cmp.Or(entry.Log, entry.Message, entry.Msg)) {
				read.text = bytes.TrimRight([]byte(line), "\r\n")
				t.line(read)
				t.previous = append(t.previous[:0], read.text...)
			}
			return
		}
	}
	t.line(read)
	t.previous = append(t.previous[:0], text...)
}

// withoutStamp returns a line without the prefix of Kubernetes: 2024-05-06T07:08:09.123456789Z, in its files with
// stdout F after it.
func withoutStamp(text []byte) []byte {
	stamp, rest, ok := bytes.Cut(text, []byte{' '})
	if !ok || len(stamp) < len("2024-05-06T07:08:09Z") || stamp[len(stamp)-1] != 'Z' || stamp[10] != 'T' ||
		countDigits(stamp) != 4 {
		return text
	}
	for _, stream := range []string{"stdout F", "stderr F"} {
		if inner, ok := bytes.CutPrefix(rest, []byte(stream)); ok {
			return bytes.TrimPrefix(inner, []byte{' '})
		}
	}
	return rest
}

// nextLine returns the place after the current line.
func (t *textReader) nextLine() trace.Place {
	return trace.Place{Offset: t.lines.End().Offset, Line: t.lines.Number + 1, Column: 1}
}

// close ends what is open, at the end of the input or before a dump of another form.
func (t *textReader) close(atEnd bool) {
	if t.name != nil {
		t.abandonName()
	}
	t.endDump(atEnd)
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

var (
	fullDump    = []byte("Full thread dump")
	versionOfVM = []byte(" VM (")
	stateLine   = []byte("java.lang.Thread.State:")
	carrying    = []byte("Carrying virtual thread #")
	mounted     = []byte("Mounted virtual thread #")
	lastLine    = []byte("JNI global ref")
	foundOne    = []byte("Found one Java-level deadlock")
	foundOldOne = []byte("FOUND A JAVA LEVEL DEADLOCK") // up to JDK 1.4
	foundAll    = []byte("Found ")
	stackPart   = []byte("Java stack information for the threads listed above")
	heldBy      = []byte("which is held by ")
	initOf      = []byte("- waiting on the Class initialization monitor for ")
	frameBegin  = []byte("at ")

	nativeMethod = []byte("(Native Method)")
)

// synchronizerLines are beginnings of the line before the ownable synchronizers of a thread.
var synchronizerLines = [][]byte{[]byte("Locked ownable synchronizers:"), []byte("Locked synchronizers:"),
	[]byte("Number of locked synchronizers")}

// line reads a line.
func (t *textReader) line(read line) {
	content := t.prefix.cut(read.text)
	if bytes.HasPrefix(content, javacoreTitle) {
		t.beginJavacore(read)
		return
	}
	if t.dump != nil && t.dump.form == javacore {
		if content = trim(content); len(content) > 0 {
			t.javacoreLine(content, read)
		}
		return
	}
	if begin := bytes.Index(content, fullDump); begin >= 0 && t.begins(content, begin) {
		t.beginPrinted(read, content, begin)
		return
	}
	if begin := bytes.Index(content, jrockitHead); begin >= 0 {
		t.beginJRockit(read, content, begin)
		return
	}
	if (t.dump == nil || t.dump.form == jmx) && bytes.Contains(content, []byte(`" Id=`)) {
		content = t.afterLogger(content)
	}
	content = trim(content)
	if t.dump == nil || t.dump.form == jmx {
		t.noteStamp(content)
	}
	defer t.keep(content, read)
	if t.name != nil && t.longName(content, read) {
		return
	}
	if t.forcedLine(content, read) {
		return
	}
	if t.beginsPlain(content) {
		t.beginPlain(read)
		return
	}
	if len(content) == 0 {
		t.blank()
		return
	}
	if t.dump != nil && t.dump.form == jrockit {
		t.jrockitLine(content, read)
		return
	}
	t.hotspotLine(content, read)
}

// hotspotLine reads a line of a HotSpot dump, without what programs and JVMs write before it.
func (t *textReader) hotspotLine(content []byte, read line) {
	switch content[0] {
	case '"':
		t.quoted(content, read)
		return
	case '#':
		if t.plainHeader(content, read) {
			return
		}
	}
	switch {
	case t.dump == nil:
	case t.thread == nil && escapedThread(content):
		t.dump.escaped = true
	case t.section >= inDeadlock:
		t.deadlockLine(content, read)
	case beginsDeadlock(content, read):
		t.endThread()
		t.section = inDeadlock
		t.dump.deadlocks++
	case isLast(content):
		t.endThread()
		t.dump.complete = true
	case t.thread != nil:
		t.threadLine(content, read)
	}
}

// isLast reports whether a line ends a dump, before the deadlocks: JNI global refs: 4, weak refs: 0, up to JDK 8 JNI
// global references: 4.
func isLast(content []byte) bool {
	rest, ok := bytes.CutPrefix(content, lastLine)
	rest, short := bytes.CutPrefix(rest, []byte("s: "))
	if !short {
		rest, ok = bytes.CutPrefix(rest, []byte("erences: "))
	}
	digits := countDigits(rest)
	return ok && digits > 0 && (digits == len(rest) || rest[digits] == ',')
}

// beginsDeadlock reports whether a line is the first one of a deadlock found by the JVM.
func beginsDeadlock(content []byte, read line) bool {
	rest, ok := bytes.CutPrefix(content, foundOne)
	if !ok {
		rest, ok = bytes.CutPrefix(content, foundOldOne)
	}
	return ok && (string(rest) == ":" || read.open && len(rest) == 0)
}

// keep remembers a line for the following ones.
func (t *textReader) keep(content []byte, read line) {
	t.lastLines[0], t.lastLines[1] = append(t.lastLines[1][:0], content[:min(len(content), 64)]...), t.lastLines[0]
	// a copied text may lack its last line end
	if read.open && t.thread != nil && len(content) > 0 && (t.dump.hasEnd() ||
		bytes.IndexByte([]byte(")]>}"), content[len(content)-1]) < 0) {
		t.ending.Truncated = true
	}
}

// begins reports whether "Full thread dump" is the head of a dump rather than words of a message: the name of a JVM
// follows, and a colon ends the line. Since updates of JDK 21, the line may end with the version of the JVM instead,
// before a line with the version of the JDK.
func (t *textReader) begins(content []byte, begin int) bool {
	rest := trim(content[begin+len(fullDump):])
	if len(rest) == 0 || rest[len(rest)-1] == ':' {
		return true
	}
	if rest[len(rest)-1] == ')' {
		return bytes.Contains(rest, versionOfVM)
	}
	version := bytes.LastIndexByte(rest, ' ') // a demo of the JDK writes VM 1.6.0_03-b05
	return begin == 0 && bytes.HasSuffix(rest[:max(version, 0)], []byte(" VM")) && isDigit(rest[version+1])
}

// beginPrinted begins a dump of the printed form.
func (t *textReader) beginPrinted(read line, content []byte, begin int) {
	if t.name != nil {
		t.abandonName()
	}
	t.endDump(false)
	t.prefix = append(t.prefix[:0], read.text[:len(read.text)-len(content)+begin]...)
	if len(trim(t.prefix)) == 0 {
		t.prefix = t.prefix[:0]
	}
	t.dump = &dump{form: printed, place: read.place}
	t.dump.vm = string(bytes.Trim(content[begin+len(fullDump):], " :"))
	t.dump.at, t.dump.dated = parseStamp(trim(t.prefix.cut(t.previous)))
	if process := t.lastLines[1]; len(process) > 1 && process[len(process)-1] == ':' &&
		countDigits(process) == len(process)-1 {
		t.dump.process = string(process[:len(process)-1]) // jcmd prints the process that it asks
	}
	t.section, t.thread, t.carrier, t.openOwner = inThreads, nil, nil, nil
	t.lastLines[0], t.lastLines[1] = t.lastLines[0][:0], t.lastLines[1][:0]
}

// parseStamp reads the time in front of a dump: 2026-11-22 05:00:34.
func parseStamp(text []byte) (at trace.Time, ok bool) {
	if len(text) != len(time.DateTime) {
		return 0, false
	}
	return timeOf(time.Parse(time.DateTime, string(text)))
}

// timeOf returns a time of a trace, which is from 1970 to 2262.
func timeOf(at time.Time, err error) (trace.Time, bool) {
	if err != nil || at.Year() < 1970 || at.Year() > 2261 {
		return 0, false
	}
	return trace.Time(at.UnixNano()), true
}

// blank reads an empty line, which may precede anything.
func (t *textReader) blank() {
	t.foreign = false
	if t.dump != nil && t.dump.form == plain {
		t.endThread()
	}
}

// quoted reads a line that begins with a thread's name.
func (t *textReader) quoted(content []byte, read line) {
	// threads of a plain dump begin with #7 "name", so this one belongs to another dump
	if t.dump != nil && t.dump.form == plain {
		if !bytes.Contains(content, []byte(" tid=0x")) || !bytes.Contains(content, []byte(" nid=")) {
			return
		}
		t.endDump(false)
	}
	if t.section >= inDeadlock && t.dump != nil && content[len(content)-1] == ':' {
		t.deadlockLine(content, read)
		return
	}
	if t.header(content, read.place) {
		return
	}
	if content[len(content)-1] != ':' { // else it is in a deadlock section
		t.name, t.named, t.lead = append([]byte(nil), content...), read.place, 1
		t.amid = t.isAmid()
	}
}

// isAmid reports whether the current line is inside a thread (no blank line precedes it), inside a deadlock, or after
// the end of a dump.
func (t *textReader) isAmid() bool {
	switch {
	case t.dump == nil:
		return false
	case t.section < inDeadlock:
		return t.dump.complete || t.thread != nil && len(t.lastLines[0]) > 0
	}
	return t.section == inDeadlockStacks || t.waiter != ""
}

// longName continues a thread's line whose name has line ends. It reports whether the line was part of it.
func (t *textReader) longName(content []byte, read line) bool {
	joined := append(append(t.name, '\n'), content...)
	t.lead++
	last := bytes.LastIndexByte(joined, '"')
	plainName := joined[0] == '#'
	switch {
	// the name begins with a line end and a quotation mark
	case !plainName && string(t.name) == `"` && !t.amid && bytes.HasPrefix(content, beginnings[0]) &&
		t.header(joined, t.named):
		t.name = nil
		return true
	case !plainName && beginsOther(content, plainName) && (t.amid || !followsThread(content)):
		t.name = nil // it is a line of the program
		return false
	case len(joined) > maxLine || t.lead > maxNameLines || beginsOther(content, plainName):
		t.abandonName()
		return false
	case t.section >= inDeadlock && joined[len(joined)-1] == ':':
		t.name = nil
		t.deadlockLine(joined, read)
		return true
	case !plainName && last > len(t.name) && t.header(joined, t.named), plainName && last > len(t.name) &&
		t.plainHeader(joined, line{place: t.named}):
		t.name = nil
		return true
	}
	t.name = joined
	return true
}

// beginnings are the beginnings of lines that are not part of a name.
var beginnings = [][]byte{
	{'"'}, {'-', ' '}, []byte("==="), stateLine, frameBegin, carrying, mounted, lastLine, stackPart,
	heldBy, foundAll, []byte("waiting to lock "), []byte("waiting for ownable "), synchronizerLines[0],
	synchronizerLines[1], synchronizerLines[2],
}

// plainBeginnings are the beginnings of lines of a plain dump, without the beginning of a thread.
var plainBeginnings = [][]byte{{'-', ' '}, frameBegin}

// beginsOther reports whether a line is not part of a name that has line ends.
func beginsOther(content []byte, inPlain bool) bool {
	others := beginnings
	if inPlain {
		if others = plainBeginnings; beginsPlainThread(content) {
			return true
		}
	}
	return beginsWith(content, others)
}

// beginsWith reports whether a text has one of the beginnings.
func beginsWith(text []byte, beginnings [][]byte) bool {
	return slices.ContainsFunc(beginnings, func(beginning []byte) bool { return bytes.HasPrefix(text, beginning) })
}

// afterThread are the beginnings of lines that follow the line of a thread, also in a deadlock.
var afterThread = [][]byte{stateLine, frameBegin, {'-', ' '}, carrying, mounted, []byte("waiting to lock "),
	[]byte("waiting for ownable ")}

// followsThread reports whether a line is one of those, so that the line before it should be a thread's.
func followsThread(content []byte) bool { return beginsWith(content, afterThread) }

// threadLines are the lines of threads that messages ask for.
var threadLines = map[form]string{
	printed: `"name" #7 prio=5 tid=0x… nid=0x… runnable`,
	plain:   `#7 "name", since JDK 25 with a state and a time after it: #7 "name" RUNNABLE 2026-11-22T05:00:51Z`,
}

// abandonName reports the incomplete line of a thread.
func (t *textReader) abandonName() {
	name := t.name
	t.name = nil
	if t.dump == nil || t.amid && name[0] == '"' {
		return // a message that begins with a quotation mark
	}
	t.endThread()
	t.report(ruleThread, trace.Error, t.named, "invalid line of a thread: want "+threadLines[t.dump.form]+
		"; its calls are left out", name)
}

// header reads the line of a thread: "name" #7 [4711] daemon prio=5 … tid=0x… nid=0x… waiting on condition [0x…]. It
// returns false for any other line.
func (t *textReader) header(content []byte, place trace.Place) bool {
	if t.jmxHeader(content, place) {
		return true
	}
	last := bytes.LastIndexByte(content, '"')
	if last < 1 {
		return false
	}
	rest := content[last+1:]
	if bytes.HasPrefix(rest, []byte(" (TID:0x")) {
		return t.classicHeader(content[1:last], rest, place)
	}
	number, isNumbered := bytes.CutPrefix(rest, []byte(" #"))
	if !bytes.Contains(rest, []byte(" tid=")) && !bytes.Contains(rest, []byte(" nid=")) &&
		!bytes.Contains(rest, []byte(" prio=")) && (!isNumbered || countDigits(number) == 0) {
		return false
	}
	if t.dump == nil {
		t.dump = &dump{form: printed, place: place, headless: true}
		t.report(ruleHead, trace.Warning, place,
			`threads without a line "Full thread dump …:" before them; the time of the dump is unknown`, nil)
	}
	if t.section >= inDeadlock {
		t.section = inThreads
	}
	t.beginThread(place)
	t.dump.hasStates, t.dump.hasLocks = true, true
	t.thread.name = string(content[1:last])
	t.thread.attributes(rest)
	t.identifyByName()
	return true
}

// identifyByName uses the current thread's name as its id if its address is null, as programs write it that do not know
// the address, such as IntelliJ IDEA.
func (t *textReader) identifyByName() {
	if t.thread.id != t.thread.handle || normalAddress(bytes.TrimPrefix([]byte(t.thread.handle), []byte("0x"))) != "" {
		return
	}
	if t.dump.ids == nil {
		t.dump.ids = map[string]bool{}
	}
	t.thread.handle, t.thread.isJava = "", true
	t.thread.id = t.thread.name
	for n := 2; t.dump.ids[t.thread.id]; n++ {
		t.thread.id = t.thread.name + "#" + strconv.Itoa(n)
	}
	t.dump.ids[t.thread.id] = true
}

// escapedThread reports whether a line is a thread in HTML source.
func escapedThread(content []byte) bool {
	if content[0] == '#' {
		content = bytes.TrimLeft(content[1+countDigits(content[1:]):], " ")
	}
	return bytes.HasPrefix(content, []byte("&quot;")) || bytes.HasPrefix(content, []byte("&#34;"))
}

// attributes reads the attributes of a thread's line, after the name.
func (t *thread) attributes(rest []byte) {
	for field := range bytes.FieldsSeq(rest) {
		key, value, assigned := bytes.Cut(field, []byte{'='})
		switch {
		case !assigned && field[0] == '#' && len(field) > 1 && countDigits(field[1:]) == len(field)-1:
			t.id, t.isJava = string(field[1:]), true
		case string(field) == "daemon":
			t.daemon = true
		case string(field) == "virtual":
			t.virtual = true
		case !assigned:
		case string(key) == "prio":
			t.prio = string(value)
		// with an @ it is the number of a process
		case string(key) == "tid" && bytes.IndexByte(value, '@') < 0:
			t.handle = string(value)
		case string(key) == "nid":
			t.nid = string(value)
		case string(key) == "elapsed":
			t.elapsed = parseElapsed(value)
		case string(key) == "cpu":
			t.cpu = parseCPU(value)
		}
	}
	if bytes.Contains(rest, []byte("waiting for monitor entry")) {
		t.waitCall, t.javaState = byWaiting, javaBlocked
	}
	if bytes.Contains(rest, []byte("in Object.wait()")) {
		t.waitCall = byWaiting
	}
	if t.id == "" {
		t.id = t.handle
	}
}

// parseElapsed reads decimal seconds, such as 12.34s.
func parseElapsed(value []byte) trace.Time {
	value, ok := bytes.CutSuffix(value, []byte{'s'})
	elapsed, reading := trace.ParseTime(value)
	if !ok || reading == trace.Unreadable {
		return unknownTime
	}
	return elapsed
}

// parseCPU reads decimal milliseconds, such as 12.34ms. It returns them in nanoseconds, 0 for any other text.
func parseCPU(value []byte) int64 {
	value, ok := bytes.CutSuffix(value, []byte("ms"))
	seconds, reading := trace.ParseTime(value)
	if !ok || reading != trace.Exact {
		return 0
	}
	return int64(seconds) / 1000
}

// unknownTime is a time that is unknown.
const unknownTime = -1

// beginThread begins a thread of the dump.
func (t *textReader) beginThread(place trace.Place) {
	t.endThread()
	t.thread = newThread(place)
	t.section, t.foreign, t.mixed = inThreads, false, false
	t.frames = t.frames[:0]
}

// endThread adds the current thread to the dump.
func (t *textReader) endThread() {
	if t.thread == nil {
		return
	}
	if t.thread.misplaced {
		t.frames = placedLines(t.frames)
	}
	t.dump.cpu.add(t.thread)
	if t.thread.id != "" && (t.thread.isJava || t.thread.depth > 0) { // else it is one of the VM's own
		t.add(t.dump, t.thread)
	}
	t.thread, t.carrier = nil, nil
}

// threadLine reads a line of a thread.
func (t *textReader) threadLine(content []byte, read line) {
	switch {
	case bytes.HasPrefix(content, frameBegin) && content[len(content)-1] == ')' && likeCall(content[len(frameBegin):]):
		t.frame(content[len(frameBegin):], read)
	case content[0] == '-':
		t.lockLine(content, read)
	case bytes.HasPrefix(content, stateLine):
		t.stateLine(trim(content[len(stateLine):]), read)
	case beginsWith(content, synchronizerLines):
		t.section, t.foreign = inSynchronizers, false
		t.dump.hasSynchronizers = true
	case string(content) == "...": // ThreadInfo.toString leaves out the outer calls
		t.thread.cut = true
	case bytes.HasPrefix(content, []byte("on ")) && t.thread.depth == 0 && t.thread.javaState != javaUnknown:
		t.waitsOn(content)
	case bytes.HasPrefix(content, []byte("owned by ")) && t.dump.form == jmx:
		t.ownedBy(content)
	case bytes.HasPrefix(content, carrying):
		number := content[len(carrying):]
		t.thread.isJava, t.thread.javaState = true, javaRunnable
		t.thread.carries = string(number[:countDigits(number)])
	case bytes.HasPrefix(content, mounted):
		t.mount(content[len(mounted):], read.place)
	case bytes.HasPrefix(content, frameBegin) && likeCall(content[len(frameBegin):]):
		t.badLine(read, "invalid call: want at class.method(file:line)", content)
	case t.dump.form == plain && content[len(content)-1] == ')' &&
		!bytes.Contains(content[:max(bytes.IndexByte(content, '('), 0)], []byte{' '}):
		t.frame(content, read)
	case t.dump.form == forced && bytes.HasPrefix(content, []byte("0x")):
		if f, ok := mixedFrame(content); ok {
			t.call(t.thread, &f)
		}
	case isException(content):
		t.foreign = true
	}
}

// likeCall reports whether words after "at" are a call or the rest of one, not output of a program.
func likeCall(words []byte) bool {
	name, _, _ := bytes.Cut(words, []byte{'('})
	return len(name) > 0 && !isDigit(name[0]) && bytes.IndexByte(name, ' ') < 0
}

// isException reports whether a line begins the calls that an exception prints.
func isException(content []byte) bool {
	if bytes.HasPrefix(content, []byte("Caused by: ")) || bytes.HasPrefix(content, []byte("Exception in thread ")) {
		return true
	}
	name, _, _ := bytes.Cut(content, []byte{':'})
	return bytes.IndexByte(name, ' ') < 0 && (bytes.HasSuffix(name, []byte("Exception")) ||
		bytes.HasSuffix(name, []byte("Error")) || bytes.HasSuffix(name, []byte("Throwable")))
}

// badLine reports an unreadable line of a thread, unless the input was cut off inside it.
func (t *textReader) badLine(read line, message string, content []byte) {
	if !read.open {
		t.report(ruleLine, trace.Error, read.place, message, content)
	}
}

// frame reads a call of the current thread.
func (t *textReader) frame(content []byte, read line) {
	if t.foreign {
		if !t.mixed {
			t.mixed = true
			t.report(ruleMixed, trace.Warning, read.place,
				fmt.Sprintf(
					"the calls of thread %s contain other calls, for example of an exception; the calls up to the "+
						"next blank line are left out", t.thread.label()), content)
		}
		t.thread.cut = true
		return
	}
	f, ok := parseFrame(content)
	if !ok {
		t.badLine(read, "invalid call: want at class.method(file:line)", content)
		return
	}
	t.thread.native = t.thread.native || t.thread.depth == 0 && bytes.HasSuffix(content, nativeMethod)
	t.call(t.thread, &f)
}

// label returns the name of a thread for messages.
func (t *thread) label() string {
	return fmt.Sprintf("%q (%s)", sanitize.Clip(t.name, maxQuoted), t.id)
}

// stateLine reads the state of the current thread: WAITING (parking).
func (t *textReader) stateLine(content []byte, read line) {
	name, detail, _ := bytes.Cut(content, []byte{' '})
	s, ok := javaStates[string(name)]
	switch {
	case !ok:
		t.badLine(read,
			"invalid thread state: want RUNNABLE, BLOCKED, WAITING, TIMED_WAITING, NEW or TERMINATED",
			content)
		return
	case t.thread.isJava && t.thread.javaState != javaUnknown && (t.thread.javaState != s || t.thread.depth > 0) &&
		t.thread.javaState != javaBlocked:
		t.report(ruleMixed, trace.Error, read.place,
			fmt.Sprintf(
				"thread %s has a second state: two dumps are mixed, line by line; lines from this state up to the "+
					"next thread are left out", t.thread.label()), content)
		t.endThread()
		return
	}
	t.thread.isJava, t.thread.javaState = true, s
	switch string(detail) {
	case "(sleeping)":
		t.thread.waitCall = bySleeping
	case "(parking)":
		t.thread.waitCall = byParking
	case "(on object monitor)", "(on object monitor[raw])":
		t.thread.waitCall = byWaiting
	default:
		t.waitsOn(detail)
	}
}

// mount begins the virtual thread that runs on the current thread.
func (t *textReader) mount(number []byte, place trace.Place) {
	carrier := t.thread
	n := countDigits(number)
	if n == 0 {
		return
	}
	if t.carrier != nil {
		carrier = t.carrier
	}
	elapsed := carrier.id
	t.endThread()
	t.beginThread(place)
	t.carrier = carrier
	t.thread.id, t.thread.carrier = string(number[:n]), elapsed
	t.thread.isJava, t.thread.virtual, t.thread.javaState = true, true, javaRunnable
}
