package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// frame is a place of an answer of trcx.
type frame struct{ Class, Method string }

func (f frame) String() string {
	return strings.TrimPrefix(strings.ReplaceAll(f.Class, "/", ".")+"."+strings.ReplaceAll(f.Method, "-init-", "<init>"), ".")
}

// TestFindings compares the tables of findings and deadlocks with what trcx why and trcx deadlocks say of each file,
// one by one.
func TestFindings(t *testing.T) {
	trcx, folder, out := testtool.Trcx(t), generated(t, 30, 150), t.TempDir()
	must(t, exitDone, "run", folder+"/*/*/*", "../../../docs/testdata/*.trcxml", "../../../analyze/deadlock/testdata/*.trcxml",
		"-o", out, "--format", "json", "--allow-dead", "100")
	ask := func(command, file string, into any) {
		t.Helper()
		text, err := exec.Command(trcx, command, "--format", "json", file).Output()
		var exited *exec.ExitError
		if err != nil && (!errors.As(err, &exited) || exited.ExitCode() > exitFindings) {
			t.Fatalf("trcx %s %s: %v", command, file, err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatalf("trcx %s %s: %v", command, file, err)
		}
	}
	type row struct{ Kind, Pool, Class, Place, Signature, Example, Trace, Status string }
	type sums struct{ Count, Total, Traces uint64 }
	read := func(table string) map[row]sums {
		t.Helper()
		stdout, _ := must(t, exitDone, "stats", out, "--format", "json", "--table", table)
		var all []struct {
			row
			sums
		}
		if err := json.Unmarshal([]byte(stdout), &all); err != nil {
			t.Fatal(err)
		}
		found := map[row]sums{}
		for _, r := range all {
			found[r.row] = r.sums
		}
		return found
	}
	want := map[string]map[row]sums{"findings": {}, "deadlocks": {}}
	examples := map[row]string{}
	count := func(table, file string, of row, total uint64) {
		sum := want[table][of]
		sum.Count, sum.Total = sum.Count+1, sum.Total+total
		if examples[of] != file {
			sum.Traces++
		}
		examples[of], want[table][of] = file, sum
	}
	var files []string
	for of := range read("traces") {
		if of.Status != "dead" {
			files = append(files, of.Trace)
		}
	}
	slices.Sort(files)
	first := map[row]string{}
	for _, file := range files {
		var why struct {
			Findings []struct {
				Kind    string
				Threads []struct{ Pool string }
				Total   *uint64
				Object  struct{ Class string }
				Places  [][]frame
			}
		}
		ask("why", file, &why)
		for _, f := range why.Findings {
			of, total := row{Kind: f.Kind, Class: f.Object.Class}, uint64(0)
			if len(f.Threads) > 0 {
				of.Pool = f.Threads[0].Pool
			}
			if len(f.Places) > 0 && len(f.Places[0]) > 0 {
				of.Place = f.Places[0][0].String()
			}
			if f.Total != nil {
				total = *f.Total
			}
			if first[of] == "" {
				first[of] = file
			}
			count("findings", file, of, total)
		}
		var locked struct {
			Deadlocks []struct {
				Threads []struct {
					Wants  struct{ Class string }
					Caller *frame
				}
			}
		}
		ask("deadlocks", file, &locked)
		for _, d := range locked.Deadlocks {
			var ring []string
			for _, member := range d.Threads {
				text := strings.ReplaceAll(member.Wants.Class, "/", ".")
				if text == "" {
					text = "(unknown class)"
				}
				if member.Caller != nil && member.Caller.String() != "" {
					text += " at " + member.Caller.String()
				}
				ring = append(ring, text)
			}
			var rotations [][]string
			for i := range ring {
				rotations = append(rotations, slices.Concat(ring[i:], ring[:i]))
			}
			of := row{Signature: strings.Join(slices.MinFunc(rotations, slices.Compare), " > ")}
			if first[of] == "" {
				first[of] = file
			}
			count("deadlocks", file, of, 0)
		}
	}
	for table, expected := range want {
		got := read(table)
		for of, sum := range got {
			example := of.Example
			of.Example = ""
			if expected[of] != sum || first[of] != example {
				t.Errorf("%s: %+v is %+v with the example %s, want %+v and %s", table, of, sum, example, expected[of], first[of])
			}
		}
		if len(got) != len(expected) || len(got) < 3 {
			t.Errorf("%s: %d rows, want %d: %v", table, len(got), len(expected), slices.Collect(maps.Keys(expected)))
		}
	}
	if len(files) < 35 {
		t.Errorf("there are %d files only", len(files))
	}
}
