package validate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// script makes a trace of events in short form, one a second: "start 1", "enter 1 50 owner=2", "mwait 1 50 0" (the
// number is the timeout), …
func script(t *testing.T, lines string) []byte {
	t.Helper()
	var b strings.Builder
	b.WriteString("<TRACE>\n")
	for i, line := range strings.Split(lines, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 {
			b.WriteByte('\n')
			continue
		}
		if strings.HasPrefix(words[0], "<") {
			b.WriteString(line + "\n")
			continue
		}
		format, ok := shorthand[words[0]]
		if !ok {
			t.Fatalf("%q is no event", line)
		}
		e := fmt.Sprintf(`time="%d.5"`, 1_700_000_000+i)
		for n, word := range words[1:] {
			name, value, named := strings.Cut(word, "=")
			if !named {
				name, value = format[n+1], word
			}
			e += fmt.Sprintf(` %s="%s"`, name, value)
		}
		fmt.Fprintf(&b, "<%s %s/>\n", format[0], e)
	}
	b.WriteString("</TRACE>\n")
	return []byte(b.String())
}

// shorthand maps each short name to the element and the attributes that the words after it set.
var shorthand = map[string][]string{
	"start": {"threadStart", "threadId", "objIdRef"}, "end": {"threadEnd", "threadIdRef"},
	"enter": {"monContendedEnter", "threadIdRef", "objIdRef", "threadOwner"}, "entered": {"monContendedEntered",
		"threadIdRef", "objIdRef"},
	"mwait": {"monWait", "threadIdRef", "objIdRef", "timeout"}, "waited": {"monWaited", "threadIdRef", "objIdRef",
		"isTimedOut"},
	"notify": {"callNotify", "threadId", "objIdRef"}, "interrupted": {"threadInterrupted", "threadId"},
	"call": {"callStart", "threadId", "objIdRef"},
	"in":   {"methodEntry", "threadIdRef", "methodIdRef", "ticket"}, "out": {"methodExit", "threadIdRef", "methodIdRef",
		"ticket"},
	"class": {"classDef", "classId", "threadIdRef", "objIdRef"}, "unload": {"classUnload", "classIdRef"},
	"method": {"methodDef", "methodId", "classIdRef"},
	"alloc":  {"objAlloc", "objId", "size", "threadIdRef"}, "def": {"objDef", "objId"}, "free": {"objFree", "objIdRef"},
	"move":  {"objMove", "objIdRef", "newObjId"},
	"throw": {"throw", "threadIdRef"}, "count": {"methodCount", "threadIdRef"},
	"init": {"runtimeInitDone", "threadIdRef"}, "gc": {"gcStart"},
}

// stack is an event with these annotations for call stacks; the first well-formed one counts.
func stack(values ...string) string {
	annotations := "<annotation name='other' value=''/>"
	for _, value := range values {
		annotations += fmt.Sprintf("<annotation name='stack' value='%s'/>", value)
	}
	return "<callNotify threadId='1' time='1700000009' objIdRef='0'>" + annotations + "</callNotify>"
}

// TestCorners checks the rules against short traces that a JVM can write, and others. A line ends with what is
// expected; (w) is a warning where errors are usual.
func TestCorners(t *testing.T) {
	for name, lines := range map[string]string{
		"a collection inside of another": "<gcStart time='1'/>\n<gcStart time='1'/>\n<gcFinish time='1'/>\n<gcFinish " +
			"time='1'/>\n<gcFinish time='1'/> # gc-unpaired",
		"a collection that runs at the end of a part": "<gcStart time='1'/>",
		"arrays and classes differ in size": "<classDef name='[B' classId='7'/>\n<classDef name='java/lang/Class' " +
			"classId='8'/>\n<objAlloc objId='1' classIdRef='7' size='24'/>\n<objAlloc objId='2' classIdRef='7' " +
			"size='32'/>\n<objAlloc objId='3' classIdRef='8' size='96'/>\n<objAlloc objId='4' classIdRef='8' size='104'/>",
		"sizes are multiples of the trace's alignment": "<objAlloc objId='1' size='24'/>\n<option key='trcx.alignment' " +
			"value='16'/>\n<objAlloc objId='2' size='24'/> # object-size\n<objAlloc objId='3' size='32'/>",
		"an alignment that no JVM has": "<option key='trcx.alignment' value='12'/>\n<option key='trcx.alignment' " +
			"value='512'/>\n<option key='trcx.alignment' value='0'/>\n<objAlloc objId='1' size='24'/>",
		"a class is unloaded, and its id used again": "<classDef name='A' classId='7'/>\n<objAlloc objId='1' " +
			"classIdRef='7' size='24'/>\n unload 7\n<classDef name='B' classId='7'/>\n<objAlloc objId='2' classIdRef='7' " +
			"size='32'/>\n<objAlloc objId='3' classIdRef='7' size='24'/> # object-size",
		"samples do not have all objects": "start 1\n<objAlloc objId='1' size='24'><annotation name='interval' " +
			"value='1024'/></objAlloc>\n notify 1 9\n free 1\n free 9 # object-undefined",
		"a dump has classes and objects in any order": "<classDef name='A' classId='7' objIdRef='9'/>\n<heapDumpDef " +
			"time='1'/>\n<objReference objIdRef='1' targetObjIdRef='9'/>\n<gcRoot objIdRef='1'/>\n<objAlloc objId='1' " +
			"size='16'/>\n<objReference objIdRef='1' targetObjIdRef='0'/>",
		"a dump ends with the next one": "<heapDumpDef time='1'/> # dump-undefined\n<gcRoot objIdRef='1'/>\n<heapDumpDef " +
			"time='2'/>\n<objAlloc objId='1' size='16'/>",
		"a sleep is a wait":                  "start 1\n mwait 1 -1 5\n waited 1 -1 1\n notify 1 9",
		"a sleep of no time is not for ever": "start 1\n mwait 1 -1 0\n waited 1 -1 1",
		"a wait for ever cannot time out":    "start 1\n mwait 1 9 0\n waited 1 9 1 # timed-out-untimed",
		"… also as true":                     "start 1\n mwait 1 9 00\n waited 1 9 true # timed-out-untimed",
		"a wait times out too early":         "start 1\n mwait 1 9 5000\n waited 1 9 1 # timed-out-early",
		"a sleep likewise":                   "start 1\n mwait 1 -1 5000\n waited 1 -1 1 # timed-out-early",
		"times are inexact":                  "start 1\n mwait 1 9 1003\n waited 1 9 1",
		"its exact timeout counts": "start 1\n<monWait threadIdRef='1' time='1700000050' objIdRef='9' timeout='5'>" +
			"<annotation name='timeoutNanos' value='2000000'/></monWait>\n<monWaited threadIdRef='1' " +
			"time='1700000050.0015' objIdRef='9' isTimedOut='1'/>",
		"a wait of unknown length can":  "start 1\n mwait 1 9\n waited 1 9 1",
		"a wait with a bad timeout can": "start 1\n mwait 1 9 x # bad-number\n waited 1 9 1",
		"a sleep ends as a sleep":       "start 1\n mwait 1 -1 5\n waited 1 9 0 # waited-mismatch\n notify 1 9",
		"an unknown object fits":        "start 1\n mwait 1 0 5\n waited 1 9 0\n enter 1 9\n entered 1 0",
		"the wait goes on after a mismatch": "start 1\n mwait 1 9\n waited 1 8 # waited-mismatch\n waited 1 9\n " +
			"notify 1 9\n waited 1 9 # waited-without-wait",
		"let in after a wait without enter":    "start 1\n mwait 1 9\n waited 1 9\n entered 1 9\n notify 1 9",
		"… with a class definition in between": "start 1\n mwait 1 9\n waited 1 9\n class 7 1\n entered 1 9",
		"… but not after something else": "start 1\n mwait 1 9\n waited 1 9\n notify 1 9\n entered 1 9 # " +
			"entered-without-enter",
		"… nor twice": "start 1\n mwait 1 9\n waited 1 9\n entered 1 9\n entered 1 9 # " +
			"entered-without-enter",
		"… nor to another monitor":        "start 1\n mwait 1 9\n waited 1 9\n entered 1 8 # entered-without-enter",
		"… nor after a sleep":             "start 1\n mwait 1 -1\n waited 1 -1\n entered 1 9 # entered-without-enter",
		"a timed-out waiter queues again": "start 1\n mwait 1 9 5\n waited 1 9 1\n enter 1 9\n entered 1 9",

		"interrupted without monWaited": "start 1\n mwait 1 -1 5\n interrupted 1\n notify 1 9\n mwait 1 9",
		"interrupted before monWaited": "start 1\n mwait 1 9\n interrupted 1\n waited 1 9\n waited 1 9 " +
			"# waited-without-wait",
		"interrupted after monWaited": "start 1\n mwait 1 9\n waited 1 9\n interrupted 1\n notify 1 9",
		"interrupted, then it waits again": "start 1\n mwait 1 -1\n interrupted 1\n mwait 1 9\n mwait 1 9 " +
			"# wait-twice",
		"interrupted while blocked":                "start 1\n enter 1 9\n interrupted 1\n entered 1 9\n notify 1 9",
		"interrupted while blocked, and never let": "start 1\n enter 1 9\n interrupted 1\n notify 1 9",
		"a blocked thread may end":                 "start 1\n enter 1 9\n end 1",
		"a waiting thread may end":                 "start 1\n mwait 1 9\n end 1\n start 1\n notify 1 9",

		"first monitor events may end what was before": "start 1\n start 2\n entered 1 9 # entered-without-enter " +
			"(w)\n waited 2 9 # waited-without-wait (w)\n entered 1 9 # entered-without-enter\n waited 2 9 # " +
			"waited-without-wait",
		"a call is no monitor event": "start 1\n notify 1 9\n entered 1 9 # entered-without-enter (w)",

		"blocked twice": "start 1\n enter 1 9\n enter 1 8 # enter-twice\n entered 1 8",
		"… let in to the first": "start 1\n enter 1 9\n enter 1 8 # enter-twice\n entered 1 9\n entered 1 8 # " +
			"entered-without-enter",
		"… thrice": "start 1\n enter 1 9\n enter 1 8 # enter-twice\n enter 1 7\n enter 1 6 # " +
			"enter-twice",
		"waits while blocked":      "start 1\n enter 1 9\n mwait 1 9 # blocked-thread-acts\n waited 1 9",
		"blocked while it waits":   "start 1\n mwait 1 9\n enter 1 9 # blocked-thread-acts\n entered 1 9",
		"… and comes back":         "start 1\n mwait 1 9\n enter 1 8 # blocked-thread-acts\n waited 1 9\n notify 1 9",
		"let in while it waits":    "start 1\n mwait 1 9\n entered 1 9 # entered-without-enter\n waited 1 9",
		"comes back while blocked": "start 1\n enter 1 9\n waited 1 9 # waited-without-wait\n entered 1 9",

		"each kind of act": "start 1\n mwait 1 9\n in 1 200 1 # blocked-thread-acts " +
			"method-undefined\n waited 1 9\n mwait 1 9\n throw 1 # blocked-thread-acts\n waited 1 9\n mwait 1 9\n " +
			"call 1 8 # blocked-thread-acts",
		"an allocation is an act if it has a size": "start 1\n mwait 1 9\n alloc 50 threadIdRef=1\n alloc 51 8 1 # " +
			"blocked-thread-acts\n alloc 52 8 1",
		"what is no act": "start 1\n mwait 1 9\n class 7 1\n count 1\n init 1\n gc\n waited 1 9",
		"one missing end is one finding": "start 1\n mwait 1 9\n notify 1 9 # blocked-thread-acts\n notify 1 9\n " +
			"mwait 1 9\n notify 1 9 # blocked-thread-acts",

		"a thread that was only seen": "notify 1 9 # thread-undefined\n start 1\n start 1 # thread-redefined",
		"once for an id": "notify 1 9 # thread-undefined\n notify 1 9\n class 7 1\n end 1\n " +
			"end 1 # thread-dead",
		"named only":                 "class 7 1 # thread-undefined\n notify 1 9\n start 1",
		"an end without a beginning": "end 1 # thread-undefined\n notify 1 9 # thread-dead",
		"an id is used again":        "start 1\n end 1\n start 1\n notify 1 9\n end 1",
		"a dead thread is named":     "start 1\n end 1\n class 7 1\n count 1",
		"a dead thread acts, and lives": "start 1\n end 1\n notify 1 9 # thread-dead\n notify 1 9\n start " +
			"1\n notify 1 9",
		"a dead thread allocates":      "start 1\n end 1\n alloc 50 8 1 # thread-dead",
		"a thread 0 if it was started": "start 0\n notify 0 9\n end 0\n start 0",
		"no thread 0":                  "notify 0 9\n notify -1 9\n class 7 0",
		"started anew while it waits": "start 1\n mwait 1 9\n start 1 # thread-redefined\n waited 1 9\n " +
			"notify 1 9",
		"007 is not 7": "start 7\n notify 007 9 # thread-undefined",
		"long ids and texts": "start 123456789012345678901\n start worker-thread-number-seven\n " +
			"start ж\n notify 123456789012345678901 9\n notify worker-thread-number-seven 9\n notify ж 9\n notify " +
			"worker-thread-number-eight 9 # thread-undefined",
		"the owner": "start 1\n start 2\n enter 2 9 1\n entered 2 9\n enter 1 9 1 # " +
			"owner-self\n entered 1 9\n enter 1 9 3 # owner-undefined\n entered 1 9\n enter 1 9 3",
		"no owner is known": "start 1\n enter 1 9 0\n entered 1 9\n enter 1 9 -1\n entered 1 9\n " +
			"enter 1 9 threadOwner=",
		"a dead owner":                "start 1\n start 2\n end 2\n enter 1 9 2",
		"an owner that was only seen": "start 1\n notify 2 9 # thread-undefined\n enter 1 9 2",
		"an owner that is started later": "start 1\n enter 1 9 2 # owner-undefined\n start 2\n entered 1 9\n " +
			"enter 1 9 2",
		"itself, though it was never started": "enter 1 9 1 # thread-undefined owner-self",

		"a class, its methods and their end": "class 7\n method 70 7\n start 1\n in 1 70 1 classIdRef=7\n unload " +
			"7\n out 1 70 1 classIdRef=7 # method-undefined class-undefined\n in 1 70 2 classIdRef=7\n class 7\n " +
			"in 1 70 3 classIdRef=7\n method 70 7\n in 1 70 4 classIdRef=7",
		"another class keeps its methods": "class 7\n class 8\n method 70 7\n method 80 8\n unload 7\n start 1\n " +
			"in 1 80 1\n in 1 70 2 # method-undefined",
		"unloaded twice":       "class 7\n unload 7\n unload 7 # class-undefined",
		"no class is no class": "alloc 50 classIdRef=0\n alloc 51 classIdRef=-1\n alloc 52 classIdRef=",
		"a method of no class": "method 70 7 # class-undefined\n start 1\n in 1 70 1",

		"a call stack": "class 7\n method 70 7\n method x 7\n start 1\n" + stack("70:3 x 70"),
		"… of methods that are unknown": "method 70\n start 1\n" + stack("70 71:5 72") +
			" # method-undefined method-undefined\n" + stack("71 72:1 70"),
		"… of no methods": "start 1\n" + stack("0 -1:7"),
		"… after their class": "class 7\n method 70 7\n start 1\n" + stack("70:3") + "\n unload 7\n" + stack("70:3") +
			" # method-undefined",
		"what is no call stack": "method 70\n start 1\n" + stack("") + " # bad-stack\n" + stack("70  70") +
			" # bad-stack\n" + stack("70:-1") + " # bad-stack\n" + stack("70: 70") + " # bad-stack",
		"the next one counts": "method 70\n start 1\n" + stack(":", "70:x", "70", "71", ":") + " # bad-stack bad-stack",

		"objects do not count without sizes": "start 1 50\n notify 1 51\n alloc 52\n notify 1 53\n free 54",
		"objects count with sizes": "alloc 50\n start 1 49\n alloc 51 8\n notify 1 50\n notify 1 51\n " +
			"notify 1 52 # object-undefined\n notify 1 52",
		"freed": "alloc 50 8\n start 1\n notify 1 50\n free 50\n notify 1 50 # " +
			"object-undefined\n alloc 50 8\n notify 1 50\n free 50\n free 50 # object-undefined",
		"moved": "alloc 50 8\n start 1\n move 50 60\n notify 1 60\n notify 1 50 # " +
			"object-undefined\n move 60 60\n notify 1 60",
		"there before":            "alloc 50 8\n def 60\n start 1 60\n def objIdRef=61\n notify 1 61",
		"the object of a class":   "alloc 50 8\n class 7 0 70\n start 1\n enter 1 70",
		"a sleep needs no object": "alloc 50 8\n start 1 0\n mwait 1 -1\n waited 1 -1",
		"moved while threads are at the object": "start 1\n start 2\n start 3\n enter 1 50\n mwait 2 50\n mwait 3 " +
			"60\n move 50 51\n move 51 52\n entered 1 52\n move 52 60\n waited 2 60\n waited 3 60\n enter 1 60\n " +
			"move 60 61\n entered 1 60 # entered-mismatch",
		"moved after a wait":      "start 1\n mwait 1 50\n waited 1 50\n move 50 51\n entered 1 51",
		"moved before any thread": "move 50 51\n start 1\n enter 1 51\n move 51 50\n entered 1 50",

		"calls": "start 1\n method 70\n method 71\n in 1 70 1\n in 1 71 2\n out 1 71 2\n " +
			"out 1 70 1\n out 1 70 1 # stack-unbalanced",
		"an exception ends several": "start 1\n method 70\n in 1 70 1\n in 1 70 2\n in 1 70 3\n out 1 70 1\n " +
			"out 1 70 3 # stack-unbalanced",
		"a wrong method": "start 1\n method 70\n method 71\n in 1 70 1\n in 1 71 2\n out 1 71 1 # " +
			"stack-unbalanced\n out 1 71 2\n out 1 70 1",
		"another thread's call": "start 1\n start 2\n method 70\n in 1 70 1\n out 2 70 1 # " +
			"stack-unbalanced\n out 1 70 1",
		"without tickets": "start 1\n method 70\n method 71\n in 1 70\n in 1 71\n in 1 70\n out 1 " +
			"71\n out 1 71 # stack-unbalanced\n out 1 70",
		"some without tickets": "start 1\n method 70\n in 1 70\n in 1 70 2\n out 1 70 2\n out 1 70 1\n " +
			"in 1 70 5\n out 1 70",
		"all tickets 0": "start 1\n method 70\n method 71\n in 1 70 0\n in 1 71 0\n in 1 71 0\n " +
			"out 1 70 0\n out 1 71 0 # stack-unbalanced",
		"tickets that do not ascend": "start 1\n method 70\n in 1 70 9\n in 1 70 5\n in 1 70 7\n out 1 70 5\n " +
			"out 1 70 9\n in 1 70 1\n out 1 70 1",
		"tickets of different lengths": "start 1\n method 70\n in 1 70 9\n in 1 70 10\n in 1 70 100\n in 1 70 " +
			"123456789\n in 1 70 1234567890\n out 1 70 10\n out 1 70 9",
		"a bad ticket is no ticket": "start 1\n method 70\n in 1 70 x # bad-number\n out 1 70 7\n in 1 70 " +
			"8\n out 1 70 -8 # bad-number",
		"calls end with their thread": "start 1\n method 70\n in 1 70 1\n end 1\n start 1\n out 1 70 1 # " +
			"stack-unbalanced",
		"open calls at the end are fine": "start 1\n method 70\n in 1 70 1\n in 1 70 2",
		"a thread that was only seen has": "method 70\n out 1 70 1 # thread-undefined stack-unbalanced\n in 1 70 " +
			"2\n start 1\n out 1 70 2",

		"numbers": "start 1\n mwait 1 9 0\n waited 1 9 timeout=123456789012345678901234567890\n mwait " +
			"1 9 -1 # bad-number\n waited 1 9 timeout= # bad-number",
		"line numbers": "<methodDef name='a' methodId='1' startLineNumber='-1' " +
			"endLineNumber='-1'/>\n<methodDef name='a' methodId='2' startLineNumber='-2' endLineNumber='+3'/> # " +
			"bad-number bad-number",
		"any text may collate": "<threadStart threadId='1' time='1700000000' collationValue='x' objIdRef='0'/>",

		"time goes back a little": "<threadStart threadId='1' time='1700000000.005' objIdRef='0'/>\n<callNotify " +
			"threadId='1' time='1700000000.003' objIdRef='0'/>\n<callNotify threadId='1' time='1700000000.001' " +
			"objIdRef='0'/>",
		"time goes back": "<threadStart threadId='1' time='1700000000.005' objIdRef='0'/>\n<callNotify " +
			"threadId='1' time='1700000000.002999999' objIdRef='0'/> # time-backwards\n<callNotify threadId='1' " +
			"time='1700000000.001' objIdRef='0'/>",
		"the time of a class":    "start 1\n<classDef threadIdRef='1' classId='7' time='1600000000'/>\n notify 1 9",
		"the time of another":    "start 1\n<threadStart threadId='2' time='1600000000' objIdRef='0'/>\n notify 1 9",
		"the time of one before": "start 1\n end 1\n<threadStart threadId='1' time='1600000000' objIdRef='0'/>",
		"an unreadable time": "start 1\n<callNotify threadId='1' time='then' objIdRef='0'/> # bad-time\n " +
			"notify 1 9",
		"a bad time hides nothing": "start 1\n<monWait threadIdRef='1' time='then' objIdRef='9'/> # bad-time\n " +
			"waited 1 9",
		"no thread": "start 1\n<monWaited time='1700000009' objIdRef='9'/> # attribute-missing\n<threadEnd " +
			"time='1700000009'/> # attribute-missing\n<threadStart time='1700000009'/> # attribute-missing",
	} {
		t.Run(name, func(t *testing.T) {
			var events, want []string
			for i, line := range strings.Split(lines, "\n") {
				event, expected, _ := strings.Cut(line, " # ")
				events = append(events, event)
				mild := strings.HasSuffix(expected, "(w)")
				for rule := range strings.FieldsSeq(strings.TrimSuffix(expected, "(w)")) {
					severity := validate.Lookup(rule).Severity
					if mild {
						severity = trace.Warning
					}
					want = append(want, fmt.Sprintf("%d: %s: %s", i+2, severity, rule))
				}
			}
			var got []string
			for _, f := range judged(t, script(t, strings.Join(events, "\n"))).Findings {
				if f.Rule != "preamble-missing" && f.Rule != "trace-unfinished" {
					got = append(got, fmt.Sprintf("%d: %s: %s", f.Place.Line, f.Severity, f.Rule))
				}
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}
