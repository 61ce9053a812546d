package attach

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/trcx/trcx/internal/testtool"
)

// jdk is an installed JDK.
type jdk struct{ testtool.JDK }

// library is one of the JDK's own native libraries.
func (j jdk) library(name string) string { return filepath.Join(j.Home, "lib", "lib"+name+".so") }

// jdks are the JDKs with the agent's library, one for each version.
var jdks = sync.OnceValue(func() (found []jdk) {
	for _, j := range testtool.FindJDKs(testtool.Oldest) {
		if _, err := os.Stat(jdk{j}.library("instrument")); err == nil {
			found = append(found, jdk{j})
		}
	}
	return found
})

// eachJDK runs a test with every JDK.
func eachJDK(t *testing.T, test func(t *testing.T, j jdk)) {
	testtool.Need(t, "JDK")
	for _, j := range jdks() {
		t.Run(j.String(), func(t *testing.T) { test(t, j) })
	}
}

// sleeper is a program that prints a line when it has started, and agent is an agent that is loaded into it.
const (
	sleeper = `public class Sleeper {
	public static void main(String[] args) throws Exception {
		System.out.println("ready");
		Thread.sleep(600_000);
	}
}`
	agent = `public class Agent {
	public static void agentmain(String options) { System.out.println("agent " + options); }
}`
)

// programs are the folders of compiled programs, by JDK.
var programs = map[jdk]string{}

func TestMain(m *testing.M) {
	status := m.Run()
	for _, folder := range programs {
		os.RemoveAll(folder)
	}
	os.Exit(status)
}

// compile compiles the programs, once, and returns their folder, which every user can read.
func (j jdk) compile(t *testing.T) string {
	t.Helper()
	if folder, ok := programs[j]; ok {
		return folder
	}
	folder, err := os.MkdirTemp("", "attach")
	if err != nil {
		t.Fatal(err)
	}
	programs[j] = folder
	for name, text := range map[string]string{"Sleeper.java": sleeper, "Agent.java": agent,
		"MANIFEST.MF": "Agent-Class: Agent\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	j.run(t, folder, "javac", "Sleeper.java", "Agent.java")
	j.run(t, folder, "jar", "cfm", "agent.jar", "MANIFEST.MF", "Agent.class")
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

func (j jdk) run(t *testing.T, folder, tool string, arguments ...string) {
	t.Helper()
	command := exec.Command(j.Tool(tool), arguments...)
	command.Dir = folder
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", tool, err, out)
	}
}

// process is a process that a test has started.
type process struct {
	*exec.Cmd
	out lockedBuffer
}

// lockedBuffer holds a process's output while a test reads it.
type lockedBuffer struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.text.String()
}

// start starts a process that ends with the test. change can modify the command.
func start(t *testing.T, change func(*exec.Cmd), name string, arguments ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(name, arguments...)}
	p.Stdout, p.Stderr = &p.out, &p.out
	p.SysProcAttr = &syscall.SysProcAttr{}
	if change != nil {
		change(p.Cmd)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Process.Kill()
		p.Wait()
		os.Remove(socket(p.Process.Pid)) // a killed JVM does not remove it
	})
	return p
}

// small makes JVMs use little memory and time.
var small = []string{"-Xmx32m", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"}

// sleep starts a JVM in the folder of classes, and waits until its program runs.
func (j jdk) sleep(t *testing.T, folder string, change func(*exec.Cmd), options ...string) *process {
	t.Helper()
	p := start(t, func(c *exec.Cmd) {
		c.Dir = folder
		if change != nil {
			change(c)
		}
	}, j.Tool("java"), slices.Concat(small, options, []string{"-cp", folder, "Sleeper"})...)
	p.await(t, "ready")
	return p
}

// await waits until the process has printed the text.
func (p *process) await(t *testing.T, text string) {
	t.Helper()
	for range 3000 {
		if strings.Contains(p.out.String(), text) {
			return
		}
		if s, err := readStatus(p.Process.Pid); err != nil || s.ended() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%v has not printed %q, but\n%s", p.Args, text, p.out.String())
}

// checkAlive proves that the process runs, and has not printed its threads.
func (p *process) checkAlive(t *testing.T) {
	t.Helper()
	if s, err := readStatus(p.Process.Pid); err != nil || s.ended() {
		t.Errorf("the process did not survive: %+v, %v", s, err)
	}
	if strings.Contains(p.out.String(), "Full thread dump") {
		t.Errorf("the JVM got a SIGQUIT without .attach_pid and printed its threads")
	}
}

// ask executes a command as Load does, and returns the answer.
func ask(t *testing.T, pid int, command string, arguments ...string) (answer, error) {
	t.Helper()
	target, err := open(pid)
	if err != nil {
		return answer{}, err
	}
	defer target.close()
	return target.execute(t.Context(), command, arguments...)
}

// checkProperties proves that the process's own JVM answers.
func checkProperties(t *testing.T, p *process, j jdk) {
	t.Helper()
	got, err := ask(t, p.Process.Pid, "properties")
	if err != nil || got.code != 0 || !strings.Contains(got.text, "java.home="+j.Home+"\n") {
		t.Errorf("properties: %+v, %v", got, err)
	}
	p.checkAlive(t)
}

// checkError proves that an error contains a text and is one line.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// soon returns a context with a short limit, for tests that expect nothing to happen.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// socket and trigger return the names of a JVM's files in /tmp.
func socket(pid int) string  { return fmt.Sprintf("/tmp/.java_pid%d", pid) }
func trigger(pid int) string { return fmt.Sprintf("/tmp/.attach_pid%d", pid) }
