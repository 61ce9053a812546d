package flight

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// recording unpacks a recording of JDK 25 that has both types of samples. Its program runs spin, called by hot, in main
// and in another thread; jfr view shows 177 samples by CPU time, all in spin, and 276 others, 275 in spin.
func recording(t *testing.T) string {
	t.Helper()
	packed, err := os.Open("testdata/sampled.jfr.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(in)
	file := filepath.Join(t.TempDir(), "sampled.jfr")
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// sums returns the samples of the methods by their names, and the number of threads. The sums over the nodes must be
// the sums over all samples, and each node must agree with the nodes below it.
func sums(t *testing.T, s *Samples) (samples map[string]uint64, threads int) {
	t.Helper()
	samples, below := map[string]uint64{}, map[int]int64{}
	all, level, roots, last := uint64(0), 0, int64(0), int64(-1)
	s.Walk(func(n *Node) {
		if level++; level == 1 {
			roots += n.Cumulative
			if n.Thread != last {
				threads, last = threads+1, n.Thread
			}
		}
		below[level-1] += n.Cumulative
		below[level] = 0
		samples[s.Methods[n.Method].Name] += n.Count
		all += n.Count
	}, func(n *Node) {
		if n.Cumulative != n.Base+below[level] {
			t.Errorf("%+v: %d ns are below it", n, below[level])
		}
		level--
	})
	if all+s.Shortened < s.Count || s.Shortened == 0 && all != s.Count {
		t.Errorf("the nodes have %d of %d samples, and %d are shortened", all, s.Count, s.Shortened)
	}
	return samples, threads
}

func TestRead(t *testing.T) {
	file := recording(t)
	everything := func(string, string) bool { return true }
	for event, want := range map[string][2]uint64{"jdk.CPUTimeSample": {177, 177}, "jdk.ExecutionSample": {276, 275}} {
		for name, limit := range map[string]int{"all": 1000, "three": 3, "one": 1} {
			t.Run(event+" "+name, func(t *testing.T) {
				s, err := Read(context.Background(), file, event, limit, everything)
				if err != nil {
					t.Fatal(err)
				}
				samples, threads := sums(t, s)
				switch {
				case s.Event != event || s.Count != want[0] || s.Stackless != 0 || len(s.Nodes) > limit:
					t.Errorf("%s: %d samples, %d without a stack, %d nodes", s.Event, s.Count, s.Stackless, len(s.Nodes))
				case limit == 1000 && (samples["spin"] != want[1] || threads != 2 || s.Shortened > 0):
					t.Errorf("%v of %d threads, %d shortened", samples, threads, s.Shortened)
				case limit < 1000 && s.Shortened == 0:
					t.Error("no sample is shortened")
				}
			})
		}
	}
}

// TestHidden proves that a sample in a hidden method counts at the nearest method around it that is shown.
func TestHidden(t *testing.T) {
	s, err := Read(context.Background(), recording(t), "jdk.CPUTimeSample", 1000, func(class, method string) bool {
		return class == "Burn" && method != "spin"
	})
	if err != nil {
		t.Fatal(err)
	}
	if samples, _ := sums(t, s); samples["hot"] != 177 {
		t.Errorf("%v", samples)
	}
}

// TestUnwritten proves that a JVM which has not written its samples, or only made the file, is an error.
func TestUnwritten(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.jfr")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{empty, empty + ".none"} {
		if _, err := Read(context.Background(), file, "jdk.ExecutionSample", 1, nil); err == nil {
			t.Errorf("%s: no error", file)
		}
	}
}

// TestLosses proves that samples tell of a recording in which something is missing.
func TestLosses(t *testing.T) {
	file := recording(t)
	info, err := os.Stat(file)
	if err == nil {
		err = os.Truncate(file, info.Size()-100)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(context.Background(), file, "jdk.CPUTimeSample", 1000, nil)
	if err != nil || s.Losses == 0 || s.Loss == "" {
		t.Errorf("%v, %d losses: %q", err, s.Losses, s.Loss)
	}
}
