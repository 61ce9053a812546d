//go:build unix

package jvmtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// chdirAgent is an agent that changes the JVM's working folder, as HotSpot does for a moment when it starts.
const chdirAgent = `#include <unistd.h>
int Agent_OnLoad(void *vm, char *folder, void *reserved) { return chdir(folder); }
`

// TestWorkingFolder proves that relative names are looked up in the folder in which the JVM was started, though it
// changes the folder as soon as the agent is loaded, while Go still starts.
func TestWorkingFolder(t *testing.T) {
	b := newBench(t)
	source, library := filepath.Join(t.TempDir(), "chdirAgent.c"), filepath.Join(t.TempDir(), "libwanderer.so")
	if err := os.WriteFile(source, []byte(chdirAgent), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, j := range b.jdks {
		here, there := t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(here, "filters"), []byte("* * INCLUDE"), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd, cancel := b.command(j, "-agentpath:"+b.agent+"=filters=filters", "-agentpath:"+library+"="+there,
			"-version")
		defer cancel()
		cmd.Dir = here
		out := outcome{trace: filepath.Join(here, "trace.trcxml")}
		b.finish(t, cmd, &out)
		if doc, err := ReadTrace(out.trace); err != nil || doc.Trace.Truncated {
			t.Errorf("%v: there is no whole trace where the JVM was started (%v)\n%s", j, err, out.stderr)
		}
	}
}
