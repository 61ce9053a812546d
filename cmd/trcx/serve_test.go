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
	"testing"
	"time"
)

// startServe runs trcx serve with the arguments, and returns the page's address.
func startServe(t *testing.T, arguments ...string) string {
	t.Helper()
	in, out := io.Pipe()
	var said bytes.Buffer
	done := make(chan int, 1)
	go func() {
		done <- Main(append([]string{"trcx", "serve", "--duration", "20s"}, arguments...), strings.NewReader(""), out, &said)
		out.Close()
	}()
	address, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		t.Fatalf("%v, exit status %d: %s", err, <-done, said.String())
	}
	return strings.TrimSpace(address)
}

// aboutTrace is what the page gets to know.
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

// waitFor asks until it is so.
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

// TestServeFollows: a trace that is still being written is shown as far as it is there, and when it has ended the page is told what it comes to.
func TestServeFollows(t *testing.T) {
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
	about := waitFor(t, address, "two threads", func(a aboutTrace) bool { return len(a.Threads.Name) == 2 && a.Events >= 3 })
	if !about.Live || !strings.HasPrefix(about.Notes[0], "This is being recorded") || len(about.Verdicts) != 1 {
		t.Errorf("while it is written the trace is %+v", about)
	}
	write("<monContendedEntered threadIdRef=\"2\" time=\"4.0\" objIdRef=\"9\"/>\n<traceEnd traceIdRef=\"t\" time=\"5.0\"/>\n</TRACE>\n")
	about = waitFor(t, address, "its end", func(a aboutTrace) bool { return !a.Live })
	if about.Events != 5 || len(about.Verdicts) != 2 || !strings.Contains(about.Verdicts[1].Text, "blocked once, for 1.00 s") {
		t.Errorf("in the end the trace is %+v", about)
	}
}

// TestServeFollowsWhatIsNoTrace: the page says why there is nothing to be seen.
func TestServeFollowsWhatIsNoTrace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(name, bytes.Repeat([]byte("this is no trace\n"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	about := waitFor(t, startServe(t, name, "--follow"), "its end", func(a aboutTrace) bool { return !a.Live })
	if !strings.HasPrefix(about.Notes[0], "The trace could not be read to its end: ") {
		t.Errorf("the notes are %q", about.Notes)
	}
}
