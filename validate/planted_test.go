package validate_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// element is a line of a trace.
type element string

func (e element) name() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(string(e), "<"), " ")
	return name
}

// around returns the text before the attribute's value, the value, and the text after it.
func (e element) around(attribute string) (before, value, after string, ok bool) {
	before, rest, ok := strings.Cut(string(e), " "+attribute+`="`)
	value, after, _ = strings.Cut(rest, `"`)
	return before, value, after, ok
}

func (e element) get(attribute string) string {
	_, value, _, _ := e.around(attribute)
	return value
}

func (e element) has(attribute string) bool {
	_, _, _, ok := e.around(attribute)
	return ok
}

func (e element) set(attribute, value string) element {
	if before, _, after, ok := e.around(attribute); ok {
		return element(before + " " + attribute + `="` + value + `"` + after)
	}
	return e
}

func (e element) without(attribute string) element {
	if before, _, after, ok := e.around(attribute); ok {
		return element(before + after)
	}
	return e
}

// thread is the id of the acting thread, or "".
func (e element) thread() string {
	if e.name() == "classDef" {
		return ""
	}
	return e.get("threadIdRef") + e.get("threadId")
}

// defect is a way to spoil a clean trace: at a place that fits, it returns the spoilt trace and the index of the line
// at which the defect shows, or -1 if the place does not fit.
type defect struct {
	rule  string
	plant func(lines []element, at int) ([]element, int)
}

// changed plants a change of the current line, if it is an element of one of these names and the change fits.
func changed(names string, change func(lines []element, at int) element) func([]element, int) ([]element, int) {
	return func(lines []element, at int) ([]element, int) {
		if !slices.Contains(strings.Fields(names), lines[at].name()) {
			return nil, -1
		}
		spoilt := change(lines, at)
		if spoilt == "" || spoilt == lines[at] {
			return nil, -1
		}
		lines = slices.Clone(lines)
		lines[at] = spoilt
		return lines, at
	}
}

// followed plants an element directly after the current line.
func followed(names string, follow func(lines []element, at int) element) func([]element, int) ([]element, int) {
	return func(lines []element, at int) ([]element, int) {
		if !slices.Contains(strings.Fields(names), lines[at].name()) {
			return nil, -1
		}
		more := follow(lines, at)
		if more == "" {
			return nil, -1
		}
		return slices.Insert(slices.Clone(lines), at+1, more), at + 1
	}
}

// removed removes the current line. The defect shows at the next line that has its id in one of the attributes, unless
// one of the elements in unless has the id first.
func removed(names, id string, uses []string, unless string) func([]element, int) ([]element, int) {
	return func(lines []element, at int) ([]element, int) {
		if !slices.Contains(strings.Fields(names), lines[at].name()) {
			return nil, -1
		}
		value := lines[at].get(id)
		if slices.ContainsFunc(lines[:at], func(e element) bool { return e.get(id) == value }) {
			return nil, -1 // a simulated JVM uses ids again
		}
		rest := slices.Delete(slices.Clone(lines), at, at+1)
		for i := at; i < len(rest); i++ {
			for _, use := range uses {
				if rest[i].get(use) != value || rest[i].name() == "classDef" {
					continue
				}
				if rest[i].name() == unless {
					return nil, -1
				}
				return rest, i
			}
			if unless != "" && rest[i].get(unless) == value {
				return nil, -1
			}
		}
		return nil, -1
	}
}

// notify is something that a thread does.
func notify(thread string, like element) element {
	return element(fmt.Sprintf(`<callNotify threadId="%s" time="%s" objIdRef="0" isNotifyAll="0"/>`, thread,
		like.get("time")))
}

// before is the line of the thread's previous event, or -1.
func before(lines []element, at int) int {
	for i := at - 1; i >= 0; i-- {
		if lines[i].thread() == lines[at].thread() {
			return i
		}
	}
	return -1
}

func earlier(seconds string, nanos int64) string {
	t, _ := trace.ParseTime([]byte(seconds))
	return (t - trace.Time(nanos)).String()
}

const blockedOrWaiting = "monContendedEnter monWait"

// withStacks are elements that can say where their thread was.
const withStacks = "threadStart monContendedEnter monContendedEntered monWait monWaited callStart callInterrupt " +
	"callNotify threadInterrupted"

// defects breaks each rule of meaning that a change of a real trace can break.
var defects = []defect{
	{"attribute-missing", changed("monWait monContendedEnter callNotify callStart", func(l []element, i int) element {
		return l[i].without("objIdRef")
	})},
	{"bad-time", changed("monWait monWaited methodEntry threadEnd", func(l []element, i int) element {
		return l[i].set("time", "noon")
	})},
	{"time-precision", changed("monWait monWaited methodEntry threadEnd", func(l []element, i int) element {
		return l[i].set("time", l[i].get("time")+"5")
	})},
	{"time-backwards", changed("monWait monWaited methodEntry methodExit callNotify monContendedEntered threadEnd",
		func(l []element, i int) element {
			if previous := before(l, i); previous >= 0 {
				return l[i].set("time", earlier(l[previous].get("time"), 2_000_001))
			}
			return ""
		})},
	{"thread-undefined", followed("callNotify", func(l []element, i int) element { return notify("987654", l[i]) })},
	{"thread-undefined", removed("threadStart", "threadId", []string{"threadIdRef", "threadId"}, "threadOwner")},
	{"thread-undefined", changed("objAlloc", func(l []element, i int) element {
		return l[i].set("threadIdRef", "987654")
	})},
	{"thread-redefined", followed("methodEntry monWait monContendedEnter callNotify", func(l []element, i int) element {
		return element(
			fmt.Sprintf(
				`<threadStart threadId="%s" time="%s" threadName="again" groupName="main" parentName="system" objIdRef="0"/>`, l[i].thread(), l[i].get("time")))
	})},
	{"thread-dead", followed("threadEnd", func(l []element, i int) element { return notify(l[i].thread(), l[i]) })},
	{"thread-dead", followed("threadEnd", func(l []element, i int) element { return l[i] })},
	{"class-undefined", changed("methodEntry methodExit methodDef", func(l []element, i int) element {
		return l[i].set("classIdRef", "987654")
	})},
	{"class-undefined", removed("classDef", "classId", []string{"classIdRef"}, "")},
	{"method-undefined", removed("methodDef", "methodId", []string{"methodIdRef"}, "")},
	{"method-undefined", changed(withStacks, func(l []element, i int) element {
		return l[i].set("value", "987654 987654:3 "+l[i].get("value"))
	})},
	{"bad-stack", changed(withStacks, func(l []element, i int) element {
		return l[i].set("value", l[i].get("value")+" ")
	})},
	{"bad-stack", changed(withStacks, func(l []element, i int) element {
		return l[i].set("value", "Main.java:17, "+l[i].get("value"))
	})},
	{"object-undefined", changed("monWait monContendedEnter callStart callNotify", func(l []element, i int) element {
		if l[i].name() == "callNotify" && slices.ContainsFunc(l, func(e element) bool {
			return e.name() == "objAlloc" &&
				e.has("size")
		}) {
			return l[i].set("objIdRef", "987654")
		}
		return ""
	})},
	{"object-undefined", followed("objAlloc", func(l []element, i int) element {
		if l[i].has("size") {
			return `<objFree objIdRef="987654"/>`
		}
		return ""
	})},
	{"again-late", followed("monContendedEntered", func(l []element, i int) element {
		return element(fmt.Sprintf(`<monContendedEnter threadIdRef="%s" time="%s" objIdRef="%s"><annotation name="park" `+
			`value="lock"/><annotation name="again" value="1"/></monContendedEnter>`, l[i].thread(), l[i].get("time"),
			l[i].get("objIdRef")))
	})},
	{"enter-twice", followed("monContendedEnter", func(l []element, i int) element {
		return l[i].set("objIdRef", "0")
	})},
	{"enter-twice", followed("monContendedEnter", func(l []element, i int) element { return l[i] })},
	{"entered-without-enter", followed("monContendedEntered", func(l []element, i int) element { return l[i] })},
	{"entered-without-enter", followed("monWait", func(l []element, i int) element {
		return element(fmt.Sprintf(`<monContendedEntered threadIdRef="%s" time="%s" objIdRef="0"/>`, l[i].thread(),
			l[i].get("time")))
	})},
	{"entered-mismatch", changed("monContendedEntered", otherObject("monContendedEnter"))},
	{"owner-self", changed("monContendedEnter", func(l []element, i int) element {
		return l[i].set("threadOwner", l[i].thread())
	})},
	{"owner-undefined", changed("monContendedEnter", func(l []element, i int) element {
		return l[i].set("threadOwner", "987654")
	})},
	{"bad-annotation", changed("callNotify", annotated("wakes", "987654"))},
	{"bad-annotation", changed("monContendedEnter", annotated("park", "perhaps"))},
	{"bad-annotation", changed("monContendedEntered", annotated("gaveUp", "boredom"))},
	{"wait-twice", followed("monWait", func(l []element, i int) element { return l[i] })},
	{"wait-twice", followed("monWait", func(l []element, i int) element { return l[i].set("objIdRef", "-1") })},
	{"waited-without-wait", followed("monWaited", func(l []element, i int) element { return l[i] })},
	{"waited-without-wait", followed("monContendedEnter", func(l []element, i int) element {
		return element(fmt.Sprintf(`<monWaited threadIdRef="%s" time="%s" objIdRef="0" timeout="1" isTimedOut="0"/>`,
			l[i].thread(), l[i].get("time")))
	})},
	{"waited-mismatch", changed("monWaited", otherObject("monWait"))},
	{"blocked-thread-acts", followed(blockedOrWaiting, func(l []element, i int) element {
		return notify(l[i].thread(), l[i])
	})},
	{"blocked-thread-acts", followed("monWait", func(l []element, i int) element {
		return element(fmt.Sprintf(`<monContendedEnter threadIdRef="%s" time="%s" objIdRef="0"/>`, l[i].thread(),
			l[i].get("time")))
	})},
	{"timed-out-untimed", changed("monWaited", func(l []element, i int) element {
		if previous := before(l, i); previous >= 0 && l[previous].get("timeout") == "0" &&
			l[previous].get("objIdRef") != "-1" && l[i].get("isTimedOut") == "0" {
			return l[i].set("isTimedOut", "1")
		}
		return ""
	})},
	{"timed-out-early", changed("monWaited", func(l []element, i int) element {
		if previous := before(l, i); previous >= 0 && len(l[previous].get("timeout")) > 1 &&
			l[i].get("isTimedOut") == "1" && l[previous].get("objIdRef") == l[i].get("objIdRef") {
			at, _ := strconv.ParseFloat(l[previous].get("time"), 64)
			return l[i].set("time", fmt.Sprintf("%.9f", at+0.0005))
		}
		return ""
	})},
	{"stack-unbalanced", changed("methodExit", func(l []element, i int) element {
		return l[i].set("ticket", "99999999")
	})},
	{"bad-number", changed("methodEntry methodExit", func(l []element, i int) element {
		return l[i].set("ticket", "No. 1")
	})},
	{"bad-number", changed("methodEntry", func(l []element, i int) element { return l[i].set("stackDepth", "") })},
	{"bad-number", changed("monWait monWaited", func(l []element, i int) element {
		return l[i].set("timeout", "1.5")
	})},
	{"bad-number", changed("methodDef", func(l []element, i int) element {
		return l[i].set("startLineNumber", "0x1F")
	})},
	{"bad-number", changed("objAlloc", func(l []element, i int) element { return l[i].set("size", "-8") })},
	{"bad-number", changed("gcFinish", func(l []element, i int) element { return l[i].set("usedObjSpace", "1,024") })},
	{"object-undefined", followed("objFree", func(l []element, i int) element { return l[i] })},
	{"object-size", changed("objAlloc", func(l []element, i int) element {
		if l[i].has("size") {
			return l[i].set("size", "4")
		}
		return ""
	})},
	{"object-size", changed("objAlloc", func(l []element, i int) element {
		if l[i].has("size") {
			return l[i].set("size", "1001")
		}
		return ""
	})},
	{"object-size", changed("objAlloc", func(l []element, i int) element {
		before := slices.ContainsFunc(l[:i], func(e element) bool {
			return e.name() == "objAlloc" && e.get("classIdRef") == l[i].get("classIdRef") && e.has("size")
		})
		if before && l[i].get("isArray") == "0" {
			return l[i].set("size", "100000")
		}
		return ""
	})},
	{"gc-unpaired", followed("gcFinish", func(l []element, i int) element { return l[i] })},
	{"gc-unpaired", followed("gcFinish", func(l []element, i int) element {
		return element(`<gcStart time="` + l[i].get("time") + `"/>`)
	})},
	{"gc-space", changed("gcFinish", func(l []element, i int) element { return l[i].set("totalObjSpace", "8") })},
	{"dump-undefined", dumped(`<gcRoot objIdRef="987654" type="JNI global"/>`)},
	{"dump-undefined", dumped(`<objReference objIdRef="987654" targetObjIdRef="987655"/>`,
		`<objAlloc objId="987654" size="16"/>`)},
	{"dump-undefined", dumped(`<objReference objIdRef="987654" targetObjIdRef="987655"/>`,
		`<objAlloc objId="987655" size="16"/>`)},
	{"preamble-missing", func(lines []element, at int) ([]element, int) {
		if !slices.Contains(strings.Fields("node processCreate agentCreate traceStart"), lines[at].name()) {
			return nil, -1
		}
		rest := slices.Delete(slices.Clone(lines), at, at+1)
		return rest, slices.IndexFunc(rest, func(e element) bool {
			return e.name() == "classDef" ||
				e.name() == "threadStart"
		})
	}},
}

// dumped plants a heap dump of these elements before the end of the trace.
func dumped(elements ...element) func([]element, int) ([]element, int) {
	return func(lines []element, at int) ([]element, int) {
		if lines[at].name() != "traceEnd" {
			return nil, -1
		}
		dump := append([]element{element(`<heapDumpDef time="` + lines[at].get("time") + `"/>`)}, elements...)
		return slices.Insert(slices.Clone(lines), at, dump...), at
	}
}

// annotated adds an annotation to an element that has none.
func annotated(name, value string) func(l []element, i int) element {
	return func(l []element, i int) element {
		tag, empty := strings.CutSuffix(strings.TrimSpace(string(l[i])), "/>")
		if !empty {
			return ""
		}
		return element(tag + `><annotation name="` + name + `" value="` + value + `"/></` + l[i].name() + ">")
	}
}

// otherObject changes the object of an event that ends the wait or block that the thread's previous event began.
func otherObject(begin string) func(l []element, i int) element {
	return func(l []element, i int) element {
		if previous := before(l, i); previous >= 0 && l[previous].name() == begin &&
			l[previous].get("objIdRef") == l[i].get("objIdRef") {
			for _, other := range l {
				if id := other.get("objIdRef"); other.name() == "callNotify" && id != l[i].get("objIdRef") &&
					id != "0" {
					return l[i].set("objIdRef", id)
				}
			}
		}
		return ""
	}
}

// orderly returns traces whose objects keep their ids and whose ids are not reused, so that defects can be planted
// anywhere.
func orderly(t *testing.T) (all [][]element) {
	for seed := range uint64(3) {
		var text bytes.Buffer
		if err := synthetic.Generate(&text, 200<<10, seed, synthetic.Style{}); err != nil {
			t.Fatal(err)
		}
		lines := linesOf(text.Bytes())
		end := slices.IndexFunc(lines, func(e element) bool { return e.name() == "traceEnd" })
		all = append(all, slices.Insert(lines, end, collection(lines[end].get("time"))...))
	}
	for seed := range uint64(60) {
		if simulated := enrichtest.Simulate(seed, 300); simulated.Faithful &&
			!bytes.Contains(simulated.XML, []byte("<objMove")) {
			all = append(all, linesOf(simulated.XML))
		}
	}
	return all
}

// collection is a garbage collection at the time, and an object that it frees.
func collection(time string) []element {
	return []element{`<objAlloc objId="999001" size="24"/>`, element(`<gcStart time="` + time + `"/>`),
		element(`<gcFinish time="` + time + `" usedObjects="1" usedObjSpace="24" totalObjSpace="1024"/>`),
		`<objFree objIdRef="999001"/>`}
}

func linesOf(text []byte) (lines []element) {
	for line := range strings.Lines(string(text)) {
		lines = append(lines, element(line))
	}
	return lines
}

func text(lines []element) []byte {
	var b bytes.Buffer
	for _, line := range lines {
		b.WriteString(string(line))
		if !strings.HasSuffix(string(line), "\n") {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// TestPlantedDefects proves that one defect in a clean trace is one finding: under its rule, in its line.
func TestPlantedDefects(t *testing.T) {
	plantings := testtool.Times(30)
	traces := orderly(t)
	unfinished := map[int]int{}
	for i, lines := range traces {
		unfinished[i] = len(judged(t, text(lines)).Findings) // at most trace-unfinished
	}
	for number, d := range defects {
		t.Run(strconv.Itoa(number)+" "+d.rule, func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(number), 7))
			planted := 0
			for range 200_000 {
				which := random.IntN(len(traces))
				lines, line := d.plant(traces[which], random.IntN(len(traces[which])))
				if line < 0 {
					continue
				}
				planted++
				result := judged(t, text(lines))
				got := slices.DeleteFunc(result.Findings, func(f trace.Finding) bool {
					return f.Rule == "trace-unfinished"
				})
				if len(got) != 1 || got[0].Rule != d.rule || got[0].Place.Line != line+1 ||
					got[0].Severity != severity(d.rule) {
					t.Fatalf("want %s in line %d (%s), got %v", d.rule, line+1, lines[line], got)
				}
				if len(result.Findings)-len(got) != unfinished[which] {
					t.Fatalf("the end of the trace was judged otherwise")
				}
				if planted == plantings {
					return
				}
			}
			if planted == 0 {
				t.Error("no place to plant it was found")
			}
		})
	}
}

func severity(rule string) trace.Severity { return validate.Lookup(rule).Severity }

// TestUnfinished proves that a trace without its end says so, once, at its end.
func TestUnfinished(t *testing.T) {
	lines := orderly(t)[0]
	end := len(lines) - 3 // traceEnd, agentDestroy, </TRACE>
	for name, c := range map[string]struct {
		lines []element
		want  string
	}{
		"complete": {lines, ""},
		"no end event": {append(slices.Clone(lines[:end]), lines[end+2:]...),
			"the trace has neither traceEnd nor agentDestroy nor runtimeShutdown: it may have lost its end"},
		"one end event": {append(slices.Clone(lines[:end+1]), lines[end+2:]...), ""},
		"not closed":    {lines[:end+2], "the trace has no </TRACE>: it may have lost its end"},
		"neither": {lines[:end],
			"the trace has no </TRACE>, and neither traceEnd nor agentDestroy nor runtimeShutdown: it may have " +
				"lost its end"},
		"shut down": {append(slices.Clone(lines[:end]), `<runtimeShutdown time="1164203600.000000000"/>`,
			"</TRACE>"), ""},
		"only fragments": {lines[3 : end+2], ""},
	} {
		result := judged(t, text(c.lines))
		message := ""
		for _, finding := range result.Findings {
			message += finding.Message
		}
		if message != c.want || result.Errors > 0 {
			t.Errorf("%s: found %q, want %q", name, message, c.want)
		}
	}
}
