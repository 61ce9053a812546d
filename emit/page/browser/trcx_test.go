package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

const root = "../../.." // of the project, where trcx is built

// built is the folder in which trcx was built, "" if none was.
var built string

// trcx is the program, built once. TRCX_BINARY names another one to be tried.
var trcx = sync.OnceValues(func() (string, error) {
	if named := os.Getenv("TRCX_BINARY"); named != "" {
		return named, nil
	}
	folder, err := os.MkdirTemp("", "trcx-browser")
	if err != nil {
		return "", err
	}
	built = folder
	path := filepath.Join(folder, "trcx")
	build := exec.Command("go", "build", "-o", path, "./cmd/trcx")
	build.Dir = root
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	return path, build.Run()
})

// run runs trcx, which must succeed.
func run(t *testing.T, arguments ...string) string {
	t.Helper()
	program, err := trcx()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("trcx %q: %v\n%s", arguments, err, out)
	}
	return string(out)
}

// report is the address of the report of a trace.
func report(t *testing.T, trace string, flags ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	run(t, append([]string{"report", trace, "-o", path}, flags...)...)
	return fileURL(path)
}

// recorded is the path of a recorded trace.
func recorded(name string) string {
	return filepath.Join(root, "testdata", "recorded", name+".trcxml")
}

// written is the path of a trace with the given text.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "written.trcxml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
