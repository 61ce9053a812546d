package jvmtest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestDumpOnExit proves that a JVM writes a whole heap dump when it ends, whatever its collector, and then ends.
func TestDumpOnExit(t *testing.T) {
	b := newBench(t)
	p := program{name: "Starts", args: []string{"platform"}, prints: "no thread starts twice\nstarted 10\n"}
	for _, j := range b.jdks {
		for _, s := range setups[:4] {
			t.Run(j.String()+"/"+s.name, func(t *testing.T) {
				dump, trace := filepath.Join(t.TempDir(), "end.hprof"), b.traceFile(t)
				agent := "-agentpath:" + b.agent + "=dump-on-exit=" + dump + ",file=" + trace
				out := b.run(t, j, setup{s.name, append(s.flags[:len(s.flags):len(s.flags)], agent)}, false, p)
				p.check(t, out)
				text, err := os.ReadFile(dump)
				if err != nil {
					t.Fatalf("%v\n%s", err, out.stderr)
				}
				const end = 0x2C // the tag of the last record, HEAP DUMP END, which has a time and no content
				if last := len(text) - 9; !bytes.Contains(text, []byte("Starts")) || text[last] != end {
					t.Errorf("the dump of %d bytes ends with %x, or lacks the program", len(text), text[last:])
				}
			})
		}
	}
}
