package docs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/trcx/trcx/internal/testtool"
)

// Examples that record are executed for real: with a JDK, the agent, and the programs of testdata/java. Where one of
// these is missing, each of them is a test of its own that is skipped; see testtool.Programs. In such an example a
// second lasts a hundredth of one, and the process id 4711 is that of a server that runs meanwhile. Of a command that
// goes on in the background (&) the first line is waited for, and its end when the example is over.

// forJVM are the commands that need a JVM.
var forJVM = regexp.MustCompile(`^(?:trcx (?:record|attach|detach|dump|watch|why \d+)|java)\b`)

func (e *example) needsJVM() bool {
	for _, command := range e.commands {
		if forJVM.MatchString(command) {
			return true
		}
	}
	return false
}

// jvmNeeds are the files that examples with a JVM name.
var jvmNeeds = []string{"app.jar", "server.jar", "bin/libtrcxagent.so"}

// prepareForJVM skips the test where no JVM can be recorded, and else makes the workplace one in which one can.
func (w *workshop) prepareForJVM(t *testing.T) {
	t.Helper()
	programs := testtool.Programs(t)
	for _, name := range jvmNeeds {
		link := filepath.Join(w.dir, name)
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(programs, filepath.Base(name)), link); err != nil &&
			!errors.Is(err, os.ErrExist) {
			t.Fatal(err)
		}
	}
	build := []byte("#!/bin/sh\njava -jar app.jar && java -jar app.jar\n")
	if err := os.WriteFile(filepath.Join(w.dir, "build.sh"), build, 0o755); err != nil {
		t.Fatal(err)
	}
}

// server is a JVM that runs while examples name its process id.
type server struct {
	command *exec.Cmd
	stop    sync.Once
}

// serverSeconds is how long the server runs if nobody stops it.
const serverSeconds = "300"

// startServer starts the server, unless it runs, and returns its process id. It is stopped when the workplace is
// closed.
func (w *workshop) startServer(t *testing.T) int {
	t.Helper()
	if w.server == nil {
		command := exec.Command(filepath.Join(testtool.Programs(t), "jdk/bin/java"), "-jar", "server.jar", serverSeconds)
		command.Dir = w.dir
		first := &firstLine{seen: make(chan struct{})}
		command.Stdout = first
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		w.server = &server{command: command}
		first.await(t, "the server")
	}
	return w.server.command.Process.Pid
}

func (s *server) end() {
	s.stop.Do(func() {
		s.command.Process.Kill()
		s.command.Wait()
	})
}

// firstLine collects what is printed, and tells when a line of it is there.
type firstLine struct {
	mutex sync.Mutex
	text  bytes.Buffer
	once  sync.Once
	seen  chan struct{}
}

func (f *firstLine) Write(text []byte) (int, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if bytes.IndexByte(text, '\n') >= 0 {
		f.once.Do(func() { close(f.seen) })
	}
	return f.text.Write(text)
}

func (f *firstLine) String() string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.text.String()
}

// await waits for the first line.
func (f *firstLine) await(t *testing.T, who string) {
	t.Helper()
	select {
	case <-f.seen:
	case <-time.After(30 * time.Second):
		t.Fatalf("%s has printed nothing for 30 seconds", who)
	}
}

var (
	exampleProcess = regexp.MustCompile(`\b4711\b`)
	seconds        = regexp.MustCompile(`\b(\d+)s\b`)
)

// forTest is the command as the test executes it.
func (w *workshop) forTest(t *testing.T, command string) string {
	t.Helper()
	if exampleProcess.MatchString(command) {
		command = exampleProcess.ReplaceAllString(command, fmt.Sprint(w.startServer(t)))
	}
	return seconds.ReplaceAllString(command, "${1}0ms")
}

// background is a command that goes on while the next ones are executed.
type background struct {
	command *exec.Cmd
	output  *firstLine
}

// start starts a command in the background, and waits for its first line.
func (w *workshop) start(t *testing.T, command string) *background {
	t.Helper()
	b := &background{exec.CommandContext(t.Context(), "sh", "-c", "exec "+command),
		&firstLine{seen: make(chan struct{})}}
	b.command.Dir, b.command.Env = w.dir, w.env
	b.command.Stdout, b.command.Stderr = b.output, b.output
	if err := b.command.Start(); err != nil {
		t.Fatal(err)
	}
	b.output.await(t, command)
	return b
}

// end waits for the command, and returns what it has printed.
func (b *background) end(t *testing.T) string {
	t.Helper()
	if err := b.command.Wait(); err != nil {
		t.Errorf("%s: %v\n%s", b.command, err, b.output)
	}
	return b.output.String()
}
