package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// sleepingJVM starts a JVM that sleeps until the test ends, and returns the agent for it and its process id.
func sleepingJVM(t *testing.T) (agent, process string) {
	t.Helper()
	source := filepath.Join(t.TempDir(), "Sleeper.java")
	const program = `public class Sleeper {
	public static void main(String[] args) throws Exception {
		System.out.println("sleeps");
		Thread.sleep(600_000);
	}
}`
	if err := os.WriteFile(source, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	agent = testtool.Agent(t)
	command := exec.Command(testtool.JDKs(t, testtool.Oldest)[0].Tool("java"), source)
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait() // it was killed
	})
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return agent, strconv.Itoa(command.Process.Pid)
}

// TestAssistantRecords: only the JVM that the user allows is recorded.
func TestAssistantRecords(t *testing.T) {
	agent, process := sleepingJVM(t)
	folder := t.TempDir()
	ask := assistantOf(t, "--allow-pid", process, "--library", agent, "--folder", folder)
	text, failed := ask("record", map[string]any{"pid": process, "duration": "300ms"})
	traces, err := filepath.Glob(filepath.Join(folder, "trace-"+process+"-*.trcxml"))
	if failed || err != nil || len(traces) != 1 || !strings.Contains(text, "the trace is in "+traces[0]) {
		t.Fatalf("failed: %v: %s; traces: %q", failed, text, traces)
	}
	if text, failed := ask("stats", map[string]any{"file": traces[0]}); failed {
		t.Error(text)
	}
	if text, failed := ask("why", map[string]any{"target": process, "for": "300ms"}); failed {
		t.Error(text)
	}
	for _, duration := range []string{"", "11m", "-1s", "soon"} {
		if text, failed := ask("record", map[string]any{"pid": process, "duration": duration}); !failed {
			t.Errorf("%q: %s", duration, text)
		}
	}
}
