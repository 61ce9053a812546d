package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const root = "../../.." // of the project; trcx is built there

// scratch is the directory for the program and the reports that tests share. TestMain makes and removes it.
var scratch string

// trcx returns the path of the program, built once. TRCX_BINARY names another program to test.
var trcx = sync.OnceValues(func() (string, error) {
	if named := os.Getenv("TRCX_BINARY"); named != "" {
		return named, nil
	}
	path := filepath.Join(scratch, "trcx")
	build := exec.Command("go", "build", "-o", path, "./cmd/trcx")
	build.Dir = root
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	return path, build.Run()
})

// run runs trcx and returns its output. A failure is an error.
func run(arguments ...string) (string, error) {
	program, err := trcx()
	if err != nil {
		return "", err
	}
	out, err := exec.Command(program, arguments...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("trcx %q: %w\n%s", arguments, err, out)
	}
	return string(out), nil
}

// reports are the addresses of reports by trace: functions that write the report on their first call.
var reports sync.Map

// report returns the address of a trace's report. Tests share the report, as they only read it.
func report(t *testing.T, trace string) string {
	t.Helper()
	write, _ := reports.LoadOrStore(trace, sync.OnceValues(func() (string, error) {
		folder, err := os.MkdirTemp(scratch, "report")
		if err != nil {
			return "", err
		}
		path := filepath.Join(folder, strings.TrimSuffix(filepath.Base(trace), ".trcxml")+".html")
		_, err = run("report", trace, "-o", path)
		return fileURL(path), err
	}))
	address, err := write.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// recorded returns the path of a recorded trace.
func recorded(name string) string {
	return filepath.Join(root, "testdata", "recorded", name+".trcxml")
}

// written returns the path of a new trace with the text.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "written.trcxml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
