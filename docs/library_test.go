package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// TestLibrary proves that another module can import the library: it builds the programs of library.md outside of this
// module and runs them on a trace.
func TestLibrary(t *testing.T) {
	testtool.Long(t)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(read(t, "library.md"), -1)
	if len(blocks) < 6 {
		t.Fatalf("library.md has %d programs", len(blocks))
	}
	var program strings.Builder
	program.WriteString("package main\n\nimport (\n\t\"context\"\n\t\"errors\"\n\t\"fmt\"\n\t\"io\"\n\t\"os\"\n\t\"time\"\n\n")
	for _, name := range []string{"analyze/contention", "analyze/critical", "convert", "emit/perfetto", "trace", "validate"} {
		fmt.Fprintf(&program, "\t%q\n", module+name)
	}
	program.WriteString(")\n\nvar programs = []func(context.Context, io.Reader, io.Writer) error{\n")
	for i, block := range blocks {
		body := strings.TrimRight(block[1], "\n")
		if last := body[strings.LastIndexByte(body, '\n')+1:]; !strings.HasPrefix(last, "return ") {
			body += "\nreturn nil"
		}
		fmt.Fprintf(&program, "\tfunc(ctx context.Context, r io.Reader, w io.Writer) error { // %d\n%s\n},\n", i+1, body)
	}
	program.WriteString(`}

func main() {
	for i, program := range programs {
		file, err := os.Open(os.Args[1])
		if err == nil {
			fmt.Println("program", i+1)
			err = program(context.Background(), file, os.Stdout)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

var _ time.Duration
`)
	folder := t.TempDir()
	absolute, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	definition := strings.Replace(read(t, filepath.Join(root, "go.mod")), "module "+strings.TrimSuffix(module, "/"),
		"module example.org/importer", 1)
	definition += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", strings.TrimSuffix(module, "/"), absolute)
	for name, text := range map[string]string{
		"main.go": program.String(), "go.mod": definition, "go.sum": read(t, filepath.Join(root, "go.sum")),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(arguments ...string) string {
		command := exec.Command(arguments[0], arguments[1:]...)
		command.Dir, command.Env = folder, append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOWORK=off")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(arguments, " "), err, out)
		}
		return string(out)
	}
	run("go", "build", "-o", "importer", ".")
	out := run("./importer", filepath.Join(absolute, recorded))
	for _, want := range []string{"is blocked on", "15 -> 14 Warehouse$Shelf", "program 3", "Warehouse$Shelf", "traceEvents",
		"4 intervals in which a thread was blocked"} {
		if !strings.Contains(out, want) {
			t.Errorf("the programs print no %q:\n%.3000s", want, out)
		}
	}
}
