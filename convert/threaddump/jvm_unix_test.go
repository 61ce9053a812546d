//go:build unix

package threaddump_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/threaddump"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// The tests that run Java need a JDK in JAVA_HOME or under /usr/lib/jvm, 17 or later. testdata/Standing.java prints
// what the JVM's management says of each of its threads; dumps of the program are compared with that.

// truth is what the program says of a thread.
type truth struct {
	virtual      bool
	state        string
	lock, owner  string
	way          string
	name         string
	isDeadlocked bool
}

// standing is the program, running.
type standing struct {
	jdk    testtool.JDK
	pid    string
	output *output
	truths map[string]truth
	folder string // of the files that it writes about its threads
}

// output is what a program prints.
type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}

// await waits until something was printed.
func (o *output) await(t *testing.T, what string) string {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if text := o.String(); strings.Contains(text, what) {
			return text
		}
	}
	t.Fatalf("the program does not print %q:\n%s", what, o)
	return ""
}

// start starts the program.
func start(t *testing.T, j testtool.JDK) *standing {
	t.Helper()
	classes := testtool.Javac(t, j, []string{"--release", "17"}, "testdata/Standing.java")
	s := &standing{jdk: j, output: &output{}, truths: map[string]truth{}, folder: t.TempDir()}
	command := exec.CommandContext(t.Context(), j.Tool("java"), "-Xmx64m", "-cp", classes, "Standing", s.folder)
	command.Stdout, command.Stderr = s.output, s.output
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		command.Process.Kill()
		command.Wait()
	})
	s.pid = strconv.Itoa(command.Process.Pid)
	s.note(s.output.await(t, "\nready\n"))
	return s
}

// note notes what the program has printed.
func (s *standing) note(printed string) {
	for line := range strings.Lines(printed) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 7)
		switch {
		case fields[0] == "deadlocked":
			for _, id := range strings.Fields(line)[1:] {
				known := s.truths[id]
				known.isDeadlocked = true
				s.truths[id] = known
			}
		case len(fields) == 7 && (fields[0] == "thread" || fields[0] == "virtual"):
			s.truths[fields[1]] = truth{virtual: fields[0] == "virtual", state: fields[2], lock: fields[3],
				owner: fields[4], way: fields[5], name: fields[6]}
		}
	}
}

func (s *standing) ask(t *testing.T, tool string, args ...string) string {
	t.Helper()
	out, err := exec.Command(s.jdk.Tool(tool), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", tool, err, out)
	}
	return string(out)
}

// file returns what jcmd writes into a file.
func (s *standing) file(t *testing.T, args ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "dump")
	s.ask(t, "jcmd", append([]string{s.pid, "Thread.dump_to_file"}, append(args, name)...)...)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// written returns a file that the program has written.
func (s *standing) written(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// signalled returns what the program prints when it is asked for a dump, including its other output.
func (s *standing) signalled(t *testing.T) string {
	t.Helper()
	pid, _ := strconv.Atoi(s.pid)
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	return s.output.await(t, "\nHeap\n")
}

// shown is what a trace says of a thread.
type shown struct {
	kind         trace.Kind // of the last event; ThreadStart if it runs
	class, owner string
	object       string
	timeout      string
	park         string
	count        int // of the events with which its waits begin
	ends         int
}

// model is the model of a dump.
type model struct {
	threads  map[string]*shown
	names    map[string]string
	loops    [][]string
	findings []trace.Finding
}

func (m *model) Put(r trace.Record) error {
	d, ok := r.(*trace.DeadlockLoop)
	if !ok {
		return nil
	}
	var loop []string
	for _, t := range d.Threads {
		loop = append(loop, t.ID.String())
	}
	slices.Sort(loop)
	m.loops = append(m.loops, loop)
	return nil
}

var parkAnnotation = regexp.MustCompile(`name="park" value="(\w+)"`)

func readModel(t *testing.T, text string) *model {
	t.Helper()
	m := &model{threads: map[string]*shown{}, names: map[string]string{}}
	classes, classOf := map[string]string{}, map[string]string{}
	enricher := enrich.New(m, enrich.Options{})
	enricher.Begin(0)
	ending, err := threaddump.Read(context.Background(), strings.NewReader(text),
		builder.Options{Report: func(f trace.Finding) { m.findings = append(m.findings, f) }},
		func(e *trace.Event) error {
			id := e.Thread().String()
			switch e.Kind {
			case trace.ClassDef:
				classes[e.Text(trace.AttrClassID)] = strings.ReplaceAll(e.Text(trace.AttrName), "/", ".")
			case trace.ObjAlloc:
				classOf[e.Text(trace.AttrObjID)] = classes[e.Text(trace.AttrClassIDRef)]
			case trace.ThreadStart:
				m.threads[id], m.names[id] = &shown{kind: e.Kind}, e.Text(trace.AttrThreadName)
			case trace.MonWaited, trace.MonContendedEntered:
				m.threads[id].ends++
			case trace.MonWait, trace.MonContendedEnter:
				s := m.threads[id]
				s.kind, s.object, s.owner, s.timeout = e.Kind, e.Text(trace.AttrObjIDRef),
					e.Text(trace.AttrThreadOwner), e.Text(trace.AttrTimeout)
				s.class, s.park = classOf[s.object], ""
				s.count++
				if found := parkAnnotation.FindSubmatch(e.Extra.Inner); found != nil {
					s.park = string(found[1])
				}
			}
			return enricher.Put(e)
		})
	if err == nil {
		err = enricher.End(ending)
	}
	if err != nil || ending.Truncated {
		t.Fatal(err, ending)
	}
	return m
}

// dumpForm is a way to get a dump of the program.
type dumpForm struct {
	name    string
	since   int
	locks   bool // it shows the owners of java.util.concurrent locks
	virtual bool // it has virtual threads
	printed bool // it has the VM's own deadlock sections
	dump    func(*standing, *testing.T) string
}

var dumpForms = []dumpForm{
	{"jstack -l", 0, true, false, true, func(s *standing, t *testing.T) string {
		return s.ask(t, "jstack", "-l", s.pid)
	}},
	{"jstack", 0, false, false, true, func(s *standing, t *testing.T) string { return s.ask(t, "jstack", s.pid) }},
	{"jcmd", 0, false, false, true, func(s *standing, t *testing.T) string {
		return s.ask(t, "jcmd", s.pid, "Thread.print")
	}},
	{"jcmd -l -e", 0, true, false, true, func(s *standing, t *testing.T) string {
		return s.ask(t, "jcmd", s.pid, "Thread.print", "-l", "-e")
	}},
	{"SIGQUIT", 0, false, false, true, func(s *standing, t *testing.T) string { return s.signalled(t) }},
	{"ThreadInfo", 0, true, false, false, func(s *standing, t *testing.T) string { return s.written(t, "info.txt") }},
	{"actuator", 0, true, false, false, func(s *standing, t *testing.T) string {
		return s.written(t, "actuator.json")
	}},
	{"plain", 25, false, true, false, func(s *standing, t *testing.T) string { return s.file(t) }},
	{"json", 25, false, true, false, func(s *standing, t *testing.T) string { return s.file(t, "-format=json") }},
}

// TestJVM compares dumps of a JVM, in every form, with what its management says of its threads: what they do, the class
// of the object, its owner, and who is deadlocked.
func TestJVM(t *testing.T) {
	for _, j := range testtool.JDKs(t, testtool.Oldest) {
		t.Run(j.String(), func(t *testing.T) {
			t.Parallel()
			s := start(t, j)
			for _, f := range dumpForms {
				if j.Version >= f.since {
					t.Run(f.name, func(t *testing.T) { s.compare(t, f, f.dump(s, t)) })
				}
			}
		})
	}
}

// own are threads whose state changes during the test.
var own = regexp.MustCompile(
	`^(Attach Listener|main|Common-Cleaner|ForkJoinPool.*|VirtualThread-unblocker|process reaper|Signal Dispatcher)$`)

func (s *standing) compare(t *testing.T, f dumpForm, text string) {
	m := readModel(t, text)
	for _, finding := range m.findings {
		t.Error(finding)
	}
	compared := 0
	for id, want := range s.truths {
		if own.MatchString(want.name) || want.virtual && !f.virtual {
			continue
		}
		got := m.threads[id]
		if got == nil || strings.ReplaceAll(m.names[id], "\n", "|") != want.name {
			t.Errorf("thread %s %q is %q, or missing", id, want.name, m.names[id])
			continue
		}
		compared++
		if wrong := want.judge(got, f); wrong != "" {
			t.Errorf("%s: %s: %+v, but the JVM says %+v", want.name, wrong, *got, want)
		}
	}
	if least := 27; compared < least {
		t.Errorf("%d threads are compared, of at least %d", compared, least)
	}
	s.compareDeadlocks(t, f, m, text)
}

// judge says what is wrong with a thread of the trace.
func (w truth) judge(got *shown, f dumpForm) string {
	kind := map[string]trace.Kind{"RUNNABLE": trace.ThreadStart, "NEW": trace.ThreadStart,
		"BLOCKED": trace.MonContendedEnter, "WAITING": trace.MonWait, "TIMED_WAITING": trace.MonWait}[w.state]
	// the form does not show the owners of virtual threads' locks
	isLock := strings.HasPrefix(w.lock, "java.util.concurrent.locks.Reentrant") || strings.HasSuffix(w.name, "locker")
	if isLock {
		kind = trace.MonContendedEnter
	}
	switch {
	case got.kind != kind:
		return "another state"
	case kind == trace.ThreadStart:
	case w.way == "sleep" && got.object != "-1":
		return "it sleeps"
	case kind == trace.MonWait && (got.timeout == "0") != (w.state == "WAITING"):
		return "the timeout"
	case w.virtual:
	case w.way == "park" && got.park != map[bool]string{true: "lock", false: "wait"}[isLock], w.way != "park" &&
		got.park != "":
		return "whether it is parked"
	case w.lock == "-" && w.way == "park" && !f.virtual && got.class == "java.util.concurrent.locks.LockSupport":
		return "" // without a blocker it waits for its permit
	case w.lock != "-" && got.class != w.lock, w.lock == "-" && got.class != "":
		return "the class"
	case kind == trace.MonContendedEnter && got.owner != w.owner && (!isLock || f.locks || w.isDeadlocked &&
		f.printed || got.owner != "0"):
		return "the owner"
	}
	return ""
}

var deadlockSection = regexp.MustCompile(`(?s)Found one Java-level deadlock:\n=+\n(.*?)\nJava stack information`)
var deadlockMember = regexp.MustCompile(`(?m)^"(.*)":$`)

// compareDeadlocks compares the loops found in a dump with the deadlocks that the program made, and with those that the
// dump itself reports.
func (s *standing) compareDeadlocks(t *testing.T, f dumpForm, m *model, text string) {
	var loops, reported []string
	var all []string
	for _, loop := range m.loops {
		var names []string
		for _, id := range loop {
			names = append(names, m.names[id])
		}
		slices.Sort(names)
		loops = append(loops, strings.Join(names, " "))
		all = append(all, loop...)
	}
	for _, section := range deadlockSection.FindAllStringSubmatch(text, -1) {
		var names []string
		for _, member := range deadlockMember.FindAllStringSubmatch(section[1], -1) {
			names = append(names, member[1])
		}
		slices.Sort(names)
		reported = append(reported, strings.Join(names, " "))
	}
	slices.Sort(loops)
	slices.Sort(reported)
	want := []string{"locks-1 locks-2", "mixed-1 mixed-2", "monitors-1 monitors-2 monitors-3"}
	if !f.printed && !f.locks {
		want = want[2:]
	}
	if !slices.Equal(loops, want) || f.printed && !slices.Equal(loops, reported) {
		t.Errorf("the loops are %q, and the dump has %q", loops, reported)
	}
	for _, id := range all {
		if !s.truths[id].isDeadlocked {
			t.Errorf("thread %s is not deadlocked", id)
		}
	}
}

// TestJVMSeries: threads that do nothing keep their states from dump to dump, although the garbage collector moves the
// objects that they wait for. An object that moves to the address of another one looks like that one, so a series in
// which this happened is repeated.
func TestJVMSeries(t *testing.T) {
	for _, j := range testtool.JDKs(t, testtool.Oldest) {
		t.Run(j.String(), func(t *testing.T) {
			t.Parallel()
			s := start(t, j)
			var moved []string
			for range 3 {
				if moved = s.seriesOfDumps(t); len(moved) == 0 {
					return
				}
			}
			t.Error(moved)
		})
	}
}

// seriesOfDumps reads three dumps, with collections between them. It returns the threads that seem to have acted.
func (s *standing) seriesOfDumps(t *testing.T) (moved []string) {
	var series strings.Builder
	for range 3 {
		series.WriteString(s.ask(t, "jstack", "-l", s.pid))
		s.ask(t, "jcmd", s.pid, "GC.run")
	}
	m := readModel(t, series.String())
	for _, finding := range m.findings {
		t.Error(finding)
	}
	if addresses := addressesOf(series.String(), "java.lang.StringBuilder"); len(addresses) < 2 {
		t.Logf("nothing has moved: %q", addresses)
	}
	for id, want := range s.truths {
		if got := m.threads[id]; !own.MatchString(want.name) && !want.virtual && (got.count > 1 || got.ends > 0) {
			moved = append(moved, fmt.Sprintf("%s waits %d times and goes on %d times: %+v", want.name, got.count, got.ends, *got))
		}
	}
	if len(m.loops) != 3 {
		t.Errorf("the loops are %q", m.loops)
	}
	return moved
}

// addressesOf returns the addresses of objects of a class on which threads are blocked.
func addressesOf(dumps, class string) []string {
	var addresses []string
	for _, found := range regexp.MustCompile(`waiting to lock <(0x\w+)> \(a `+class+`\)`).FindAllStringSubmatch(dumps,
		-1) {
		addresses = append(addresses, found[1])
	}
	slices.Sort(addresses)
	return slices.Compact(addresses)
}
