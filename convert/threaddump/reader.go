package threaddump

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
	"github.com/trcx/trcx/trace/polling"
)

// Read reads the dumps of an input and passes their elements to put. An element is valid until put returns. Errors of
// the input are reported, and reading resumes at the next line or thread. The error is one of in, of ctx or of put.
func Read(ctx context.Context, in io.Reader, options builder.Options, put func(*trace.Event) error) (trace.Ending,
	error) {
	r := &reader{options: options, symbols: symbols{classes: map[string]*class{}}, stacks: map[string]*string{},
		names: map[string]string{}}
	r.series = newSeries(r, builder.New(options.Session, r, put))
	source, isJSON, err := decoded(in)
	at := trace.Place{Line: 1, Column: 1}
	for over := false; err == nil && !over; isJSON = !isJSON {
		if isJSON {
			at, over, err = r.readJSON(ctx, source, at)
		} else {
			at, over, err = r.readText(ctx, source, at)
		}
	}
	if err == nil {
		err = r.series.finish()
	}
	return r.ending, err
}

// reader has the state shared by the readers of all forms.
type reader struct {
	options       builder.Options
	ending        trace.Ending
	symbols       symbols
	series        *series
	frames        []byte             // of the current thread
	stacks        map[string]*string // of the current dump, each once
	names         map[string]string  // of objects and classes of the current dump, each once
	err           error              // of put
	at            trace.Place        // of the element that is passed to put
	depthReported bool               // a stack was cut off, and this is reported
	formsReported bool               // there are dumps of several forms, and this is reported
}

// Locate returns the place of the dump or thread of an element.
func (r *reader) Locate(*trace.Event) (trace.Place, []byte) { return r.at, nil }

func (r *reader) report(rule string, severity trace.Severity, place trace.Place, message string, quote []byte) {
	if r.options.Report != nil {
		r.options.Report(trace.Finding{Rule: rule, Severity: severity, Place: place, Message: message,
			Quote: trace.Quote{Text: sanitize.Clip(quote, maxQuoted)}})
	}
}

// call adds a call to the stack of a thread.
func (r *reader) call(t *thread, f *frame) {
	if t.depth < len(t.innermost) {
		t.innermost[t.depth] = waitCallOf(f)
	}
	t.depth++
	t.poll(f)
	t.barrier.atCall(f)
	if t.depth == 1 && t.isBlocked(string(f.class)) {
		t.javaState = javaBlocked
	}
	if string(f.method) == "<clinit>" && len(t.initializing) < maxOwned {
		t.initializing = append(t.initializing, r.intern(f.class))
	}
	if t.depth > maxDepth {
		t.cut = true
		if !r.depthReported {
			r.depthReported = true
			r.report(ruleTooLarge, trace.Warning, t.place,
				fmt.Sprintf("call stacks of more than %d calls are cut; the innermost ones are used", maxDepth), nil)
		}
		return
	}
	r.frames = r.symbols.add(r.frames, f)
	if string(f.method) == "run" && string(f.class) == "java.lang.VirtualThread" {
		t.mounted = len(r.frames)
	}
}

// poll notes what a virtual thread waits for that is parked in the JDK's poller.
func (t *thread) poll(f *frame) {
	if t.innermost[0] == byParking && t.depth <= polling.MaxDepth && t.io == trace.NoIO {
		t.io = t.polls.Outward(polling.Of(javaname.InternalClass(string(f.class)), string(f.method)))
	}
}

// maxNames limits the names that are interned.
const maxNames = 1 << 16

// intern returns a name as a string, which equal names share.
func (r *reader) intern(name []byte) string {
	if known, ok := r.names[string(name)]; ok {
		return known
	}
	text := string(name)
	if len(r.names) < maxNames {
		r.names[text] = text
	}
	return text
}

// add adds a complete thread to a dump.
func (r *reader) add(d *dump, t *thread) {
	d.hasThread = true
	stack, known := r.stacks[string(r.frames)]
	if !known {
		text := string(r.frames)
		stack = &text
		r.stacks[text] = stack
		d.size += len(text)
	}
	r.frames = r.frames[:0]
	t.stack, t.stackWaitCall = stack, t.findWaitCall()
	if d.form == printed && t.carrier != "" && t.stackWaitCall != noWaitCall {
		t.javaState = javaUnknown // its printed state is the carrier's; its calls tell its own
	}
	if d.size > maxDump {
		return
	}
	alone := r.series.independent(d, t)
	if d.size += t.size(alone); d.size > maxDump {
		r.report(ruleTooLarge, trace.Error, t.place,
			fmt.Sprintf("the dump has more threads than fit into %d MiB; this one and those after it are left out",
				maxDump>>20), nil)
		d.complete = false
		return
	}
	if !alone {
		d.threads = append(d.threads, t)
	} else if r.err == nil {
		r.series.putNow(d, t)
		r.err = r.series.out.Err()
	}
}

// waitCalls are the methods in which threads wait.
var waitCalls = map[string]waitCall{
	"java.lang.Object.wait": byWaiting, "java.lang.Object.wait0": byWaiting,
	"java.lang.Thread.sleepImpl": bySleeping, // of OpenJ9
	"java.lang.Thread.sleep":     bySleeping, "java.lang.Thread.sleep0": bySleeping,
	"java.lang.Thread.sleepNanos": bySleeping, "java.lang.Thread.sleepNanos0": bySleeping,
	"java.lang.VirtualThread.sleepNanos": bySleeping,
	"sun.misc.Unsafe.park":               byParking, "jdk.internal.misc.Unsafe.park": byParking,
	"java.lang.VirtualThread.park": byParking, "java.lang.VirtualThread.parkNanos": byParking,
	"java.lang.VirtualThread.parkOnCarrierThread": byParking,
}

func waitCallOf(f *frame) waitCall {
	if len(f.class)+len(f.method) > 64 {
		return noWaitCall
	}
	var name [65]byte
	return waitCalls[string(append(append(append(name[:0], f.class...), '.'), f.method...))]
}

// findWaitCall returns how the thread waits, if its innermost calls show it: a virtual thread sleeps by parking.
func (t *thread) findWaitCall() waitCall {
	first := t.innermost[0]
	if first == byParking {
		for _, w := range t.innermost[1:] {
			if w == bySleeping {
				return w
			}
		}
	}
	return first
}

// endDump passes the current dump to the series.
func (t *textReader) endDump(atEnd bool) {
	if t.dump == nil {
		return
	}
	inThread := t.thread != nil
	amid := inThread && len(t.lastLines[0]) > 0 && (t.thread.isJava || t.thread.depth > 0)
	t.endThread()
	d := t.dump
	t.bindMonitors()
	t.addDeadlocked()
	t.addOwners()
	// a blank line follows each thread, and each JVM has a thread
	if d.form == plain && atEnd && (inThread || len(d.threads)+d.emitted == 0) {
		d.complete = false
	}
	t.dump = nil
	inDeadlocks := t.section >= inDeadlock && d.form != jrockit
	if d.form.ofOneMoment() && !inDeadlocks && !d.complete && !d.hasEnd() {
		d.complete = !d.headless && !amid
	} else if !d.complete || inDeadlocks {
		severity := trace.Warning
		if atEnd && (amid || inDeadlocks || d.form == plain) {
			severity = trace.Error
		}
		message := "the dump has no end (JNI global refs: …): the input is cut off; everything before is used"
		switch {
		case d.complete && inDeadlocks && atEnd:
			message = "the dump ends inside the JVM's list of deadlocks, without their number (Found 1 deadlock.): " +
				"the input is cut off; everything before is used"
		case d.complete && inDeadlocks:
			message = "the JVM's list of deadlocks has no end (Found 1 deadlock.) before the next dump begins: some " +
				"may be missing"
		case d.form == plain:
			message = "the dump ends inside a thread, without an empty line after it, or before the first thread: " +
				"the input is cut off; everything before is used"
		case !atEnd:
			message = "the dump has no end (JNI global refs: …) before the next one begins: threads may be missing"
		}
		t.ending.Truncated = t.ending.Truncated || atEnd && !d.complete // all threads come before the deadlocks
		place := t.nextLine()
		if !atEnd {
			place.Line--
		}
		t.report(ruleTruncated, severity, place, message, nil)
	}
	t.putDump(d)
}

// hasEnd reports whether the JVM prints a line at the end of a dump. HotSpot does from JDK 6 on; before that, the
// version of the JVM begins with 1.
func (d *dump) hasEnd() bool {
	_, version, _ := strings.Cut(d.vm, string(versionOfVM))
	digits := countDigits([]byte(version))
	return d.form == printed && !d.headless && digits > 0 && version[:digits] != "1"
}

// noThreads says what the lines of threads look like, by form.
var noThreads = map[form]string{
	forced:   "lines such as Thread 4711: (state = BLOCKED)",
	javacore: `lines such as 3XMTHREADINFO "name" J9VMThread:0x…, state:R, prio=5`,
	jrockit:  `lines such as "name" id=7 idx=0x1c tid=4711 prio=5 alive`,
	jmx:      `lines such as "name" Id=7 RUNNABLE`,
	printed:  `lines such as "name" #7 prio=5 tid=0x… nid=0x… runnable`,
	plain:    `lines such as #7 "name"`,
	asJSON:   `"threadContainers" with "threads" in them, each with a "tid"`,
}

// checkThreads reports a dump without threads, unless the dump was cut off. Each JVM has threads, so none is taken to
// have ended.
func (r *reader) checkThreads(d *dump) {
	if d.hasThread || !d.complete && !d.escaped {
		return
	}
	d.complete = false
	message := "the dump has no thread that can be read, but every JVM has one; want " +
		noThreads[d.form]
	if d.escaped {
		message = "the dump has no thread that can be read: it is the source of a web page, with &quot; for " +
			"quotation marks and &lt; for <; copy the text from the page itself"
	}
	r.report(ruleEmpty, trace.Error, d.place, message, nil)
}

// putDump passes a dump to the series, unless an element had an error.
func (r *reader) putDump(d *dump) {
	r.checkThreads(d)
	if r.err == nil {
		r.series.put(d)
		r.err = r.series.out.Err()
	}
	clear(r.stacks)
	clear(r.names)
}
