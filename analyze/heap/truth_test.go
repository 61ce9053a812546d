package heap

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
)

// TestJmapAgrees compares dumps with what jmap -histo printed for the same JVMs, slightly earlier. The sizes of objects
// are equal; the numbers of objects are equal for most classes.
func TestJmapAgrees(t *testing.T) {
	folder := os.Getenv("TRCX_SAMPLES")
	if _, err := os.Stat(filepath.Join(folder, "truth")); folder == "" || err != nil {
		t.Skip("SKIPPED: TRCX_SAMPLES names no folder; let it name one with the folders hprof (heap dumps) and truth (tables of jmap)")
	}
	for dump, table := range map[string]string{
		"sun_jdk5_13_x32": "histogram_sun_jdk5_13_x32.txt", "sun_jdk6_30_x64_compressedOops": "",
		"sun_jdk6_30_x64_nocompressedOops": "",
	} {
		if table == "" {
			table = dump + ".notes.txt"
		}
		truth, err := os.ReadFile(filepath.Join(folder, "truth", "eclipse-mat+mat__"+table))
		if err != nil {
			t.Fatal(err)
		}
		ours := classesOf(t, filepath.Join(folder, "hprof", "eclipse-mat+mat__"+dump+".hprof"))
		equal, all := 0, 0
		for line := range strings.Lines(string(truth)) {
			words := strings.Fields(line)
			if len(words) == 4 {
				words = words[1:] // after the rank
			}
			var count, bytes uint64
			if len(words) != 3 || strings.HasPrefix(words[2], "<") {
				continue
			}
			if _, err := fmt.Sscan(words[0]+" "+words[1], &count, &bytes); err != nil {
				continue
			}
			row, known := ours[words[2]]
			all++
			if known && row[0] == count && row[1] == bytes {
				equal++
			}
			isArray := strings.HasPrefix(words[2], "[")
			if known && !isArray && row[0]*bytes != row[1]*count {
				t.Errorf("%s: %d objects of %s have %d bytes, by jmap %d have %d", dump, row[0], words[2], row[1], count, bytes)
			}
		}
		if all < 100 || equal*10 < all*9 {
			t.Errorf("%s: %d of %d classes are equal", dump, equal, all)
		}
	}
	slurped := classesOf(t, filepath.Join(folder, "hprof", "agourlay+hprof-slurp__hprof-32.bin"))
	for name, want := range map[string][2]uint64{ // from its truth, where bytes are exact
		"java.net.URL": {13, 728}, "java.util.Locale": {19, 608}, "java.util.HashMap": {14, 560},
		"[Ljava.util.HashMap$Entry;": {17, 704}, "[S": {2, 544}, "java.util.LinkedHashMap$Entry": {14, 448},
		"java.util.concurrent.ConcurrentHashMap$Segment":       {16, 512},
		"java.util.concurrent.locks.ReentrantLock$NonfairSync": {16, 384}, "java.lang.StringBuilder": {29, 464},
		"java.lang.String": {765, 765 * 24}, "java.util.Hashtable$Entry": {58, 58 * 24}, "java.lang.Thread": {11, 11 * 104},
	} {
		if slurped[name] != want {
			t.Errorf("%s has %d objects and bytes, by hprof-slurp %d", name, slurped[name], want)
		}
	}
}

// classesOf returns the objects and bytes of each class of a dump.
func classesOf(t *testing.T, file string) map[string][2]uint64 {
	t.Helper()
	inputs, err := convert.OpenInputs([]string{file}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer inputs.Close()
	c := &Collector{}
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, c); err != nil {
		t.Fatal(err)
	}
	g, err := c.Graph(false)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][2]uint64{}
	for _, row := range g.Classes(nil) {
		found[row.Class.ClassName()] = [2]uint64{row.Count, row.Bytes}
	}
	return found
}
