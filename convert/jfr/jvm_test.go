package jfr

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// TestAgainstJDK records a program with each JDK and compares with the output of its tool jfr: the number of events of
// each type, and the number and sum of each thread's blocks, waits, parks and sleeps by class and other thread.
func TestAgainstJDK(t *testing.T) {
	for _, j := range testtool.JDKs(t, testtool.Oldest) {
		t.Run(j.String(), func(t *testing.T) {
			t.Parallel()
			recording := record(t, j, "Events")
			content, err := os.ReadFile(recording)
			if err != nil {
				t.Fatal(err)
			}
			o := readAll(t, content, limits{})
			for _, f := range o.findings {
				t.Error(f)
			}
			compare(t, "events", eventsOf(o), summary(t, j, recording))
			compare(t, "intervals", tallied(t, content), printed(t, j, recording))
		})
	}
}

func run(t *testing.T, name string, arguments ...string) []byte {
	t.Helper()
	command := exec.Command(name, arguments...)
	var errors bytes.Buffer
	command.Stderr = &errors
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, arguments, err, out, errors.Bytes())
	}
	return out
}

// record runs a program of the folder testdata and returns its recording.
func record(t *testing.T, j testtool.JDK, program string) string {
	t.Helper()
	classes := testtool.Javac(t, j, nil, "testdata/"+program+".java")
	recording := filepath.Join(t.TempDir(), "recorded.jfr")
	run(t, j.Tool("java"), "-XX:StartFlightRecording:filename="+recording+",settings=testdata/threads.jfc", "-cp", classes,
		program)
	return recording
}

func compare(t *testing.T, what string, got, want map[string]int64) {
	t.Helper()
	if len(want) < 5 {
		t.Errorf("only %d kinds of %s are there", len(want), what)
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if got[key] != want[key] {
			t.Errorf("%s: %s is %d, and the JDK says %d", what, key, got[key], want[key])
		}
	}
	for key, n := range got {
		if _, there := want[key]; !there {
			t.Errorf("%s: %s is %d, and the JDK knows nothing of it", what, key, n)
		}
	}
}

var option = regexp.MustCompile(`^<option key="events\.([^"]+)" value="(\d+)"`)

// eventsOf are the counts of events by their types.
func eventsOf(o outcome) map[string]int64 {
	counts := map[string]int64{}
	for _, e := range o.all {
		if found := option.FindStringSubmatch(e); found != nil {
			counts[found[1]], _ = strconv.ParseInt(found[2], 10, 64)
		}
	}
	return counts
}

// summary counts what the JDK's tool counts, apart from metadata and checkpoints, which are not events and whose names
// differ between JDKs.
func summary(t *testing.T, j testtool.JDK, recording string) map[string]int64 {
	counts := map[string]int64{}
	row := regexp.MustCompile(`(?m)^ +(\S+\.\S+) +(\d+) +\d+ *$`)
	for _, found := range row.FindAllSubmatch(run(t, j.Tool("jfr"), "summary", recording), -1) {
		if n, _ := strconv.ParseInt(string(found[2]), 10, 64); n > 0 && !bookkeeping.Match(found[1]) {
			counts[string(found[1])] = n
		}
	}
	return counts
}

var bookkeeping = regexp.MustCompile(`(?i)^jdk\.(metadata|checkpoint)$`)

// tallied sums up elements.
func tallied(t *testing.T, recording []byte) map[string]int64 {
	t.Helper()
	sums, classes, objects := map[string]int64{}, map[string]string{}, map[string]string{}
	began := map[string]trace.Time{}
	kind := map[string]string{}
	take := func(e *trace.Event) error {
		thread := e.Thread().String()
		switch e.Kind {
		case trace.ClassDef:
			classes[string(e.Value(trace.AttrClassID))] = e.Text(trace.AttrName)
		case trace.ObjAlloc:
			class := classes[string(e.Value(trace.AttrClassIDRef))]
			if e.Has(trace.AttrObjID) {
				objects[string(e.Value(trace.AttrObjID))] = class
			} else {
				sums["allocation "+class]++
			}
		case trace.GCStart:
			if _, paused := e.Extra.Annotation(trace.NotePaused); paused {
				sums["collection"]++
			} else {
				sums["pause"]++
			}
		case trace.ThreadEnd:
			sums["end "+thread]++
		case trace.ThreadStart:
			if name, _, unknown := strings.Cut(thread, "-"); unknown {
				thread = name // neither the recording nor the JDK says more of it
			}
			if !e.Inferred() {
				sums["start "+thread]++
			}
		case trace.CallNotify:
			if !e.Inferred() {
				sums["notify "+thread+" "+objects[string(e.Value(trace.AttrObjIDRef))]]++
			}
		case trace.MonContendedEnter, trace.MonWait:
			began[thread] = e.Time
			object := string(e.Value(trace.AttrObjIDRef))
			switch {
			case e.Kind == trace.MonContendedEnter && !e.Park():
				kind[thread] = "enter " + thread + " " + objects[object]
			case object == "-1":
				kind[thread] = "sleep " + thread
			case e.IO() != trace.NoIO:
				kind[thread] = e.IO().String() + " " + thread + " " + objects[object]
			case e.Park():
				kind[thread] = "park " + thread + " " + strings.TrimSuffix(objects[object], javaname.PermitClass)
			default:
				kind[thread] = "wait " + thread + " " + objects[object]
			}
		case trace.MonContendedEntered, trace.MonWaited:
			key := kind[thread]
			if e.Flag(trace.AttrIsTimedOut) {
				key += " timed out"
			}
			if by := e.By(); by.Known() {
				key += " by " + by.String()
			}
			sums[key]++
			sums[key+" µs"] += int64(e.Time-began[thread]+500) / 1000
		}
		return nil
	}
	options := builder.Options{}
	if _, err := Read(t.Context(), bytes.NewReader(recording), options, take); err != nil {
		t.Fatal(err)
	}
	return rounded(sums)
}

// rounded drops the last digit of sums of time, since the JDK computes with floats.
func rounded(sums map[string]int64) map[string]int64 {
	for key, n := range sums {
		if strings.HasSuffix(key, "µs") {
			sums[key] = (n + 50) / 100
		}
	}
	return sums
}

// printed sums up the output of the JDK's tool. JDK 21 reports each end of a thread twice, and also the park within the
// sleep of a pinned virtual thread.
func printed(t *testing.T, j testtool.JDK, recording string) map[string]int64 {
	type thread struct {
		ID int64 `json:"javaThreadId"`
	}
	type class struct{ Name string }
	var document struct {
		Recording struct {
			Events []struct {
				Type   string
				Values struct {
					StartTime                                    time.Time
					Duration                                     string
					EventThread, Thread, PreviousOwner, Notifier *thread
					MonitorClass, ParkedClass, ObjectClass       *class
					TimedOut                                     bool
				}
			}
		}
	}
	if err := json.Unmarshal(run(t, j.Tool("jfr"), "print", "--json", recording), &document); err != nil {
		t.Fatal(err)
	}
	sums := map[string]int64{}
	name := func(c *class) string {
		if c == nil {
			return ""
		}
		own, _ := javaname.HiddenClass(c.Name)
		return own
	}
	type span struct{ begin, end time.Time }
	spanOf := func(begin time.Time, duration string) span {
		return span{begin, begin.Add(time.Duration(microsOf(t, duration)+1) * time.Microsecond)}
	}
	sleeps := map[int64][]span{} // and waits for input or output
	for _, e := range document.Recording.Events {
		if e.Type == "jdk.ThreadSleep" || operations[e.Type] != "" {
			id := e.Values.EventThread.ID
			sleeps[id] = append(sleeps[id], spanOf(e.Values.StartTime, e.Values.Duration))
		}
	}
	for _, e := range document.Recording.Events {
		v := e.Values
		lasting := func(key string, by *thread) {
			if by != nil {
				key += fmt.Sprint(" by ", by.ID)
			}
			sums[key]++
			sums[key+" µs"] += microsOf(t, v.Duration)
		}
		switch e.Type {
		case "jdk.JavaMonitorEnter":
			lasting(fmt.Sprint("enter ", v.EventThread.ID, " ", name(v.MonitorClass)), v.PreviousOwner)
		case "jdk.JavaMonitorWait":
			key := fmt.Sprint("wait ", v.EventThread.ID, " ", name(v.MonitorClass))
			if v.TimedOut {
				key += " timed out"
			}
			lasting(key, v.Notifier)
		case "jdk.ThreadSleep":
			lasting(fmt.Sprint("sleep ", v.EventThread.ID), nil)
		case "jdk.SocketRead", "jdk.SocketWrite", "jdk.FileRead", "jdk.FileWrite":
			operation, class, _ := strings.Cut(operations[e.Type], " ")
			lasting(fmt.Sprint(operation, " ", v.EventThread.ID, " ", class), nil)
		case "jdk.ThreadPark":
			park := spanOf(v.StartTime, v.Duration)
			sleeping := func(s span) bool { return !s.begin.After(park.begin) && !park.end.After(s.end) }
			if !slices.ContainsFunc(sleeps[v.EventThread.ID], sleeping) {
				lasting(fmt.Sprint("park ", v.EventThread.ID, " ", name(v.ParkedClass)), nil)
			}
		case "jdk.JavaMonitorNotify":
			sums[fmt.Sprint("notify ", v.EventThread.ID, " ", name(v.MonitorClass))]++
		case "jdk.ThreadStart":
			if v.Thread != nil { // else the thread is unknown
				sums[fmt.Sprint("start ", v.Thread.ID)]++
			}
		case "jdk.VirtualThreadStart":
			sums[fmt.Sprint("start ", v.EventThread.ID)]++
		case "jdk.ThreadEnd":
			sums[fmt.Sprint("end ", v.Thread.ID)] = 1
		case "jdk.VirtualThreadEnd":
			sums[fmt.Sprint("end ", v.EventThread.ID)]++
		case "jdk.GarbageCollection":
			sums["collection"]++
		case "jdk.GCPhasePause":
			sums["pause"]++
		case "jdk.ObjectAllocationSample":
			sums["allocation "+name(v.ObjectClass)]++
		}
	}
	return rounded(sums)
}

// operations are, by type of input and output, the operation and the class of the object.
var operations = map[string]string{"jdk.SocketRead": "read " + socketClass, "jdk.SocketWrite": "write " + socketClass,
	"jdk.FileRead": "read " + fileClass, "jdk.FileWrite": "write " + fileClass}

var spoken = regexp.MustCompile(`^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?$`)

// microsOf reads a duration such as PT1M0.5S.
func microsOf(t *testing.T, text string) int64 {
	found := spoken.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("%q is no duration", text)
	}
	number := func(s string) int64 { n, _ := strconv.ParseInt(s, 10, 64); return n }
	nanos := number((found[4] + "000000000")[:9])
	return ((number(found[1])*60+number(found[2]))*60+number(found[3]))*1_000_000 + (nanos+500)/1000
}
