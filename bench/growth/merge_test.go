package growth

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// TestGrowthOfSavedStatistics proves that the work of stats is in proportion to the number of saved statistics that it
// combines, if each has names of its own.
func TestGrowthOfSavedStatistics(t *testing.T) {
	testtool.Long(t)
	counted, folder := testtool.NewCounted(t), t.TempDir()
	const few = 200
	names := savedStatistics(t, counted, folder, 10*few)
	counted.Grow(t, folder, few, func(n int) []string { return append([]string{"stats", "-q"}, names[:n]...) })
}

// savedStatistics saves the statistics of n traces, and returns the files. All threads were blocked in the same place,
// while the owner was in another place in each trace.
func savedStatistics(t *testing.T, counted *testtool.Counted, folder string, n int) (names []string) {
	const mark = "TRACE0000000"
	source, saved := filepath.Join(folder, "trace.trcxml"), filepath.Join(folder, "trace.stats.json")
	write(t, source, func(w *bufio.Writer) {
		trace(func(w io.Writer, _ int) {
			fmt.Fprintf(w, `<classDef classId="1" name="p/Same" time="0.0"/>`+
				`<classDef classId="2" name="p/%s" time="0.0"/>`, mark)
			for i := range 2 {
				fmt.Fprintf(w, `<methodDef methodId="%d" name="m" signature="()V" classIdRef="%[1]d"/>`+
					`<threadStart threadId="%[1]d" time="0.0" threadName="%s-%[1]d" objIdRef="%[1]d"/>`, i+1, mark)
			}
			fmt.Fprint(w, `<monWait threadIdRef="2" time="1.0" objIdRef="8" timeout="1">`+
				`<annotation name="stack" value="2:1"/></monWait>`+
				`<monWaited threadIdRef="2" time="1.1" objIdRef="8" isTimedOut="1"/>`+
				`<monContendedEnter threadIdRef="1" time="2.0" objIdRef="9" threadOwner="2">`+
				`<annotation name="stack" value="1:1"/></monContendedEnter>`+
				`<monContendedEntered threadIdRef="1" time="3.0" objIdRef="9"/>`)
		})(w, 1)
	})
	counted.Run(t, folder, "stats", "-q", source, "--save", saved)
	text, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), mark) < 4 {
		t.Fatalf("the names are not in the statistics: %s", text)
	}
	for i := range n {
		name := filepath.Join(folder, fmt.Sprint(i, ".stats.json"))
		own := strings.ReplaceAll(string(text), mark, fmt.Sprintf("TRACE%07d", i))
		if err := os.WriteFile(name, []byte(own), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}
