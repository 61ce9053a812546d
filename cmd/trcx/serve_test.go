package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/internal/testtool"
)

// startServe runs trcx serve with the arguments, and returns the page's address.
func startServe(t *testing.T, arguments ...string) string {
	t.Helper()
	address, _ := startPrinting(t, arguments...)
	return address
}

// startPrinting also returns a function that returns the standard error so far.
func startPrinting(t *testing.T, arguments ...string) (address string, told func() string) {
	t.Helper()
	in, out := io.Pipe()
	said, err := os.Create(filepath.Join(t.TempDir(), "said"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { said.Close() })
	told = func() string {
		text, err := os.ReadFile(said.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	done := make(chan int, 1)
	go func() {
		done <- Main(append([]string{"trcx", "serve", "--duration", "20s"}, arguments...), strings.NewReader(""), out,
			said)
		out.Close()
	}()
	address, err = bufio.NewReader(in).ReadString('\n')
	if err != nil {
		t.Fatalf("%v, exit status %d: %s", err, <-done, told())
	}
	return strings.TrimSpace(address), told
}

// TestServeSkipsFrames: the places of a served page are calls outside of skipped frames, with the calls below them, in
// the whole and in a part of the time. A saved index made with other flags is not used.
func TestServeSkipsFrames(t *testing.T) {
	name := filepath.Join(t.TempDir(), "app.trcxml")
	padding := "<!--" + strings.Repeat("as long as a preamble ", 30) + "-->" // a format is recognised by as much
	document := "<TRACE>" + padding + `<classDef name="shop/Lib" classId="1" time="1"/><classDef name="shop/Own" classId="2" time="1"/>` +
		`<methodDef name="lend" methodId="1" classIdRef="1"/><methodDef name="work" methodId="2" classIdRef="2"/>` +
		`<threadStart threadId="1" time="1.0" threadName="first"/><monWait threadIdRef="1" time="2" objIdRef="9">` +
		`<annotation name="stack" value="1:5 2:7"/></monWait><monWaited threadIdRef="1" time="3" objIdRef="9"/>` +
		"<traceEnd traceIdRef=\"t\" time=\"5.0\"/>\n</TRACE>\n"
	if err := os.WriteFile(name, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	skipped := `"method":"work","line":7,"in":"shop.Lib.lend","monitorClass"`
	for _, c := range []struct {
		arguments []string
		want      string // in statistics
		frame     string // in a window
	}{
		{[]string{name}, `"method":"lend","line":5,"outer":" ← Own.work(line 7)"`,
			`["shop/Lib","lend","",5,""," ← Own.work(line 7)"]`},
		{[]string{name, "--frames", "1"}, `"method":"lend","line":5,"monitorClass"`, `["shop/Lib","lend","",5]`},
		{[]string{name, "--skip-frames", "shop.Lib"}, skipped, `["shop/Own","work","",7,"shop.Lib.lend"]`},
		{[]string{name, "--skip-frames", "shop.Lib", "--follow"}, skipped, `["shop/Own","work","",7,"shop.Lib.lend"]`},
	} {
		address := startServe(t, c.arguments...)
		waitFor(t, address, "the whole trace", func(about aboutTrace) bool { return !about.Live })
		for request, want := range map[string]string{"statistics": c.want, "statistics?from=0&to=1500000000": c.want,
			"window?resolution=0": c.frame} {
			if _, text := get(t, address+request); !strings.Contains(text, want) {
				t.Errorf("%v: %s has no %s: %s", c.arguments[1:], request, want, text)
			}
		}
	}
}

// TestServeDamagedIndex: a request for damaged data gets an error, the terminal says once what to do, and the next
// start makes the index anew.
func TestServeDamagedIndex(t *testing.T) {
	name := filepath.Join(t.TempDir(), "app.trcxml")
	document := "<TRACE>\n<threadStart threadId=\"1\" time=\"1.0\" threadName=\"first\"/>\n<traceEnd " +
		"traceIdRef=\"t\" time=\"5.0\"/>\n</TRACE>\n"
	if err := os.WriteFile(name, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	startServe(t, name)
	damage(t, name+".timeline")
	address, told := startPrinting(t, name)
	for range 2 {
		status, text := get(t, address+"window?resolution=0")
		if status != http.StatusInternalServerError ||
			!strings.Contains(text, "the index of this trace is damaged: end trcx serve and start it again") {
			t.Errorf("the answer is %d %s", status, text)
		}
	}
	want := "trcx: the index " + name +
		".timeline is damaged, and has been removed; end trcx serve and start it again to build it anew\n"
	if told() != want {
		t.Errorf("the terminal says %q, want %q", told(), want)
	}
	if _, err := os.Stat(name + ".timeline"); !os.IsNotExist(err) {
		t.Errorf("the damaged index is still there: %v", err)
	}
	if status, text := get(t, startServe(t, name)+"window?resolution=0"); status != http.StatusOK {
		t.Errorf("when it was started again the answer is %d %s", status, text)
	}
}

// damage changes a byte of the first block of an index.
func damage(t *testing.T, name string) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	content[len("trcx timeline 3\n")+1] ^= 1
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, address string) (status int, text string) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// aboutTrace is what the page learns about the trace.
type aboutTrace struct {
	Live     bool
	Events   int
	Verdicts []struct{ About, Text string }
	Notes    []string
	Threads  struct{ Name []string }
}

func askAbout(t *testing.T, address string) (about aboutTrace) {
	t.Helper()
	response, err := http.Get(address + "about")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&about); err != nil {
		t.Fatal(err)
	}
	return about
}

// waitFor asks until the condition is true.
func waitFor(t *testing.T, address, what string, so func(aboutTrace) bool) aboutTrace {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		about := askAbout(t, address)
		if so(about) {
			return about
		}
		if time.Now().After(end) {
			t.Fatalf("%s: it is still %+v", what, about)
		}
	}
}

// TestServeFollows: a growing trace is shown as far as it has been written, and when it has ended, the page gets the
// verdicts.
func TestServeFollows(t *testing.T) {
	testtool.Long(t)
	name := filepath.Join(t.TempDir(), "growing.trcxml")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	write := func(format string, values ...any) {
		if _, err := fmt.Fprintf(file, format, values...); err != nil {
			t.Fatal(err)
		}
	}
	write("<TRACE>\n<!--%s-->\n", strings.Repeat("as long as a preamble ", 30)) // a format is recognised by as much
	write("<threadStart threadId=\"1\" time=\"1.0\" threadName=\"first\"/>\n")
	address := startServe(t, name, "--follow")
	write("<threadStart threadId=\"2\" time=\"2.0\" threadName=\"second\"/>\n")
	write("<monContendedEnter threadIdRef=\"2\" time=\"3.0\" objIdRef=\"9\" threadOwner=\"1\"/>\n")
	about := waitFor(t, address, "two threads", func(a aboutTrace) bool {
		return len(a.Threads.Name) == 2 &&
			a.Events >= 3
	})
	if !about.Live || !strings.HasPrefix(about.Notes[0], "The trace is still being recorded") || len(about.Verdicts) != 1 {
		t.Errorf("while it is written the trace is %+v", about)
	}
	write(
		"<monContendedEntered threadIdRef=\"2\" time=\"4.0\" objIdRef=\"9\"/>\n<traceEnd traceIdRef=\"t\" " +
			"time=\"5.0\"/>\n</TRACE>\n")
	about = waitFor(t, address, "its end", func(a aboutTrace) bool { return !a.Live })
	if about.Events != 5 || len(about.Verdicts) != 2 || !strings.Contains(about.Verdicts[0].Text,
		"1 thread was BLOCKED for 1.00 s on object 9, which first ") {
		t.Errorf("in the end the trace is %+v", about)
	}
}

// TestServeFollowsWhatIsNoTrace: the page says why it shows nothing. (A text may still get thread dumps.)
func TestServeFollowsWhatIsNoTrace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(name, bytes.Repeat([]byte("this is no trace\x00\n"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	about := waitFor(t, startServe(t, name, "--follow"), "its end", func(a aboutTrace) bool { return !a.Live })
	if !strings.HasPrefix(about.Notes[0], "The trace could not be read to its end: ") {
		t.Errorf("the notes are %q", about.Notes)
	}
}

// TestDiskOfTraceIsFull: a full folder for temporary files is not taken for a full disk of the trace.
func TestDiskOfTraceIsFull(t *testing.T) {
	saved := filepath.Join("traces", "app.trcxml.timeline")
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&os.PathError{Op: "write", Path: saved, Err: syscall.ENOSPC}, true},
		{fmt.Errorf("the index: %w", &tempfile.Error{Folder: "traces", Err: syscall.EDQUOT}), true},
		{&tempfile.Error{Folder: "/tmp", Err: syscall.ENOSPC}, false},
		{&os.PathError{Op: "write", Path: saved, Err: syscall.EIO}, false},
		{nil, false},
	} {
		if got := isDiskFull(c.err, saved); got != c.want {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}
