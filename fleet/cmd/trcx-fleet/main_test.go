package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

func TestMain(m *testing.M) {
	if worker() {
		return
	}
	os.Exit(m.Run())
}

// command runs a command line, and returns its outputs and exit status.
func command(args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	status = Main(context.Background(), args, &out, &errs)
	return out.String(), errs.String(), status
}

// must runs a command line whose exit status is known.
func must(t *testing.T, status int, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, got := command(args...)
	if got != status {
		t.Fatalf("%q: exit status %d, want %d\n%s%s", args, got, status, stdout, stderr)
	}
	return stdout, stderr
}

// traces copies recorded traces into folders with labels.
func traces(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"orders", "warehouse", "deadlock"} {
		for _, release := range []string{"17", "25"} {
			text, err := os.ReadFile("../../../testdata/recorded/" + name + "-jdk" + release + ".trcxml")
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(folder, "service="+name, "release="+release)
			if err := os.MkdirAll(to, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(to, "trace"), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	return folder
}

// TestEqualsStats compares the tables of a run with the JSON of trcx stats over the same files.
func TestEqualsStats(t *testing.T) {
	folder, out, trcx := traces(t), t.TempDir(), testtool.Trcx(t)
	files, err := filepath.Glob(folder + "/*/*/*")
	if err != nil {
		t.Fatal(err)
	}
	saved := filepath.Join(folder, "service=saved.json")
	if text, err := exec.Command(trcx, "stats", files[0], "--save", saved, "-o", os.DevNull).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	files = append(files, saved)
	text, err := exec.Command(trcx, append([]string{"stats", "--format", "json"}, files...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	must(t, exitDone, append([]string{"run", "-o", out}, files...)...)
	for table, names := range map[string][]string{"classes": {"class"}, "callers": {"class", "method"},
		"sites": {"class", "method", "line", "monitorClass", "in"}} {
		stdout, _ := must(t, exitDone, "stats", out, "--format", "json", "--table", table)
		var got []map[string]any
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatal(err)
		}
		byName := map[string]map[string]any{}
		key := func(row map[string]any) (key string) {
			for _, name := range names {
				if value, ok := row[name]; ok && value != 0.0 {
					key += "/" + strings.TrimSpace(reflect.ValueOf(value).String()+" ")
					if number, ok := value.(float64); ok {
						key += string(rune(int(number)))
					}
				} else {
					key += "/"
				}
			}
			return key
		}
		for _, row := range got {
			byName[key(row)] = row
		}
		expected := want[table].([]any)
		if len(expected) != len(got) || len(got) == 0 {
			t.Errorf("%s: %d rows, want %d", table, len(got), len(expected))
		}
		for _, row := range expected {
			row := row.(map[string]any)
			same := byName[key(row)]
			for name, value := range row {
				if _, figures := value.(map[string]any); (figures || name == "monitors" || name == "threads") &&
					!reflect.DeepEqual(same[name], value) {
					t.Errorf("%s %s: %s is %v, want %v", table, key(row), name, same[name], value)
				}
			}
		}
	}
	var runs []map[string]any
	stdout, _ := must(t, exitDone, "stats", out, "--format", "json", "--table", "blame")
	if err := json.Unmarshal([]byte(stdout), &runs); err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, row := range runs {
		total += row["total"].(float64)
	}
	if blame := want["blame"].(map[string]any); total != blame["total"] {
		t.Errorf("the blame sums to %v, that of trcx stats to %v", total, blame["total"])
	}
}

// TestAgain: a run over the same files writes the same bytes, also over what a run with other options has left.
func TestAgain(t *testing.T) {
	pattern, out := traces(t)+"/*/*/*", t.TempDir()
	read := func() map[string]string {
		all := map[string]string{}
		err := filepath.WalkDir(out, func(path string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				text, err := os.ReadFile(path)
				all[path] = string(text)
				return err
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	must(t, exitDone, "run", pattern, "-o", out)
	first := read()
	must(t, exitDone, "run", pattern, "-o", out, "--shards", "3", "--format", "json")
	for name := range read() {
		if ending := filepath.Ext(name); ending == ".csv" || ending == ".parquet" && filepath.Dir(name) != filepath.Join(out, "rows") {
			t.Errorf("%s is of the run before", name)
		}
	}
	must(t, exitDone, "run", pattern, "-o", out)
	if !reflect.DeepEqual(read(), first) {
		t.Error("the files differ")
	}
	if len(first) < 20 || !strings.Contains(first[filepath.Join(out, "fleet.html")], "Warehouse$Shelf") {
		t.Errorf("there are %d files", len(first))
	}
}

// TestAnswers looks into the answers of a run.
func TestAnswers(t *testing.T) {
	out := t.TempDir()
	must(t, exitDone, "run", traces(t)+"/*/*/*", "-o", out)
	for _, of := range []struct {
		status int
		args   []string
		want   string
	}{
		{exitDone, []string{"stats", out}, "6 files: 6 complete\nIn traces of"},
		{exitDone, []string{"stats", out}, "threads were BLOCKED for"},
		{exitDone, []string{"stats", out}, "2 deadlocks in 2 traces.\n\nDeadlocks\n"},
		{exitDone, []string{"stats", out}, "\nBy release\n"},
		{exitDone, []string{"schema"}, `"title": "A row of trcx-fleet"`},
		{exitDone, []string{"stats", out}, "Deadlock$Account > Deadlock$Account"},
		{exitDone, []string{"stats", out, "--by", "service", "--format", "csv"}, "warehouse"},
		{exitDone, []string{"stats", out, "--format", "markdown"}, "| Warehouse$Shelf |"},
		{exitDone, []string{"report", out}, "<td>Warehouse$Shelf</td>"},
		{exitDone, []string{"diff", out, "--base", "release=17", "--head", "release=25"}, "Who kept threads waiting, by pool"},
		{exitDone, []string{"diff", out, "--base", "release=17", "--head", "release=25"},
			"The base (release=17) has 3 traces of 1.73 s in all, the head (release=25) has 3 traces"},
		{exitFindings, []string{"diff", out, "--base", "service=deadlock", "--head", "service=warehouse", "--fail-on",
			"blocked>10%"}, "EXCEEDED"},
		{exitDone, []string{"diff", out, "--base", "release=17,service=orders", "--head", "release=25,service=orders",
			"--format", "json"}, `"classes"`},
		{exitDone, []string{"run", "--help"}, "--max-keys NUMBER"},
		{exitDone, []string{"--help"}, "trcx-fleet report FOLDER"},
		{exitDone, []string{"version"}, "trcx-fleet"},
	} {
		if stdout, _ := must(t, of.status, of.args...); !strings.Contains(stdout, of.want) {
			t.Errorf("%q lacks %q:\n%s", of.args, of.want, stdout)
		}
	}
}

// TestErrors: each error says what is wrong, and what would be right.
func TestErrors(t *testing.T) {
	folder, out, empty := traces(t), t.TempDir(), t.TempDir()
	must(t, exitDone, "run", folder+"/*/*/*", "-o", out)
	broken := filepath.Join(empty, "broken")
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put(broken, "no trace")
	put(filepath.Join(empty, "release=17", "a"), "no trace")
	put(filepath.Join(empty, "release=25", "a"), "<TRACE></TRACE>")
	must(t, exitFindings, "run", empty+"/*/a", "-o", filepath.Join(empty, "dead"))
	for _, of := range []struct {
		status int
		args   []string
		want   string
	}{
		{exitUsage, nil, "name a command: run, stats, diff, report, schema or version"},
		{exitUsage, []string{"rnu"}, `unknown command "rnu"`},
		{exitUsage, []string{"run"}, "name the folder to write into: -o FOLDER"},
		{exitUsage, []string{"run", "-o", empty}, "name traces"},
		{exitUsage, []string{"run", "-o", empty, "--shards", "0", broken}, "--shards: 0 is less than 1"},
		{exitUsage, []string{"run", "-o", empty, "--by", "Ser vice", broken}, `label "Ser vice"`},
		{exitUsage, []string{"run", "-o", empty, "--label", "{service", broken}, "lacks a }"},
		{exitUsage, []string{"run", "-o", empty, "--format", "xml", broken}, `"xml" is none of json, csv, parquet`},
		{exitUsage, []string{"run", "-o", empty, "--wrong", broken}, "--help shows the flags"},
		{exitUsage, []string{"run", "-o", empty, broken, "--", "--wrong"}, "flags of Beam"},
		{exitIO, []string{"run", "-o", empty, folder + "/nothing/*"}, "no file matches"},
		{exitIO, []string{"run", "-o", empty, folder}, "is a folder; name the files in it"},
		{exitIO, []string{"run", "-o", empty, "ftp://host/a"}, "unknown scheme ftp://"},
		{exitIO, []string{"run", "-o", empty, "s3://bucket/**/a"}, "cannot have **"},
		{exitFindings, []string{"run", "-o", filepath.Join(empty, "o"), broken}, "monlog, switchlog (use trcx stats --save with --from to override)"},
		{exitIO, []string{"run", "-o", filepath.Join(empty, "twice"), folder + "/*/*/*", out + "/rows/*", "--by",
			"service,release"}, "is counted twice"},
		{exitIO, []string{"stats", empty}, "has no rows"},
		{exitUsage, []string{"stats", out, "--by", "host"}, "they have service, release"},
		{exitUsage, []string{"stats", out, "--format", "json", "--table", "x"}, `"x" is none of classes, callers`},
		{exitUsage, []string{"diff", out, "--base", "release=17"}, "--head: name the traces by their labels"},
		{exitUsage, []string{"diff", out, "--base", "release=17", "--head", "release=9"}, `release has the values "17", "25"`},
		{exitUsage, []string{"diff", out, "--base", "release=17", "--head", "service=orders"}, "have none in common"},
		{exitIO, []string{"diff", filepath.Join(empty, "dead"), "--base", "release=17", "--head", "release=25"},
			"the files with release=17 are all dead"},
		{exitUsage, []string{"run", "-o", empty, "--by", "signature", broken}, "the table deadlocks has a column of this name"},
		{exitUsage, []string{"run", "-o", empty, "--by", "blocked_max", broken}, "the table classes has a column of this name"},
		{exitUsage, []string{"diff", out, "--base", "release=17", "--head", "release=25", "--fail-on", "x"}, "--fail-on"},
	} {
		stdout, stderr, status := command(of.args...)
		if status != of.status || !strings.Contains(stderr, of.want) || strings.Contains(stdout+stderr, "goroutine") {
			t.Errorf("%q: exit status %d, want %d with %q:\n%s%s", of.args, status, of.status, of.want, stdout, stderr)
		}
	}
	must(t, exitDone, "run", "-o", filepath.Join(empty, "o"), broken, "--allow-dead", "1", "--quiet")
}
