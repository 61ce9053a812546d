package jvmtest

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"
)

// TestStarting attaches to JVMs that have just loaded their library: JDK 17 has no JVMTI for the agent yet, and JDK 25
// refuses agents.
func TestStarting(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for range some(5, 50) {
			cmd, cancel := b.command(j, "-XX:+EnableDynamicAgentLoading", "-cp", b.classes, "Everything", "platform", "again")
			jvm := startProgram(t, cmd)
			maps := fmt.Sprintf("/proc/%d/maps", cmd.Process.Pid)
			for text := []byte{}; !bytes.Contains(text, []byte("/libjvm.so")); text, _ = os.ReadFile(maps) {
				time.Sleep(100 * time.Microsecond)
			}
			trace := b.traceFile(t)
			jvm.load(b.agent, "file="+trace)
			jvm.load(b.agent, "stop")
			if result, err := Validate(trace); err != nil || !result.Valid() {
				t.Errorf("%v: %v: %+v", j, err, result)
			}
			cancel()
			cmd.Wait() // it was killed
		}
	}
}
