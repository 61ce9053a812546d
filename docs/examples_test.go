package docs

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// Every ```sh example of the documentation and every example of the help texts is executed, one command after the
// other, by sh in a folder that looks like a clone of the project, with trcx in front on the PATH. A command must exit
// with 0, or as a comment after it says: "# exit status 3". Where a ```text block follows, it is what the commands of
// the example print, standard output and standard error together; a line that is … matches any number of lines, and
// … in a line for any text.
//
// Commands on the project itself (go, make agent, .ci/run, bench/convert.sh) are not executed, for they would run this
// test again, reach for the network, or take minutes. See projectCommand for what is checked of them instead.

const (
	root = ".."

	// what app.trcxml and monday.trcxml are in the examples
	recorded           = "testdata/recorded/warehouse-jdk17.trcxml"
	recordedLater      = "testdata/recorded/warehouse-jdk25.trcxml"        // tuesday.trcxml
	recordedWithStacks = "testdata/recorded/warehouse-stacks-jdk25.trcxml" // stall.trcxml
)

// example is a run of commands, and what they print if the documentation shows that.
type example struct {
	place    string // file:line
	commands []string
	output   string
	shown    bool
}

func TestExamples(t *testing.T) {
	tool := buildTool(t)
	for _, file := range documents(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			work := workplace(t, tool)
			if filepath.Base(file) == "fleet.md" {
				work.prepareForFleet(t)
			}
			for _, e := range examplesOf(t, file) {
				if !e.needsJVM() {
					work.run(t, e)
					continue
				}
				t.Run(e.place, func(t *testing.T) {
					work.prepareForJVM(t)
					work.run(t, e)
				})
			}
		})
	}
}

func TestHelpExamples(t *testing.T) {
	tool := buildTool(t)
	help := workplace(t, tool).help(t)
	commands := []string{""}
	_, list, _ := strings.Cut(help, "\nCOMMANDS:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for line := range strings.Lines(list) {
		if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); name != "help," {
			commands = append(commands, name)
		}
	}
	for _, command := range commands {
		t.Run("trcx "+command, func(t *testing.T) {
			t.Parallel()
			work := workplace(t, tool)
			e := helpExample(work.help(t, command))
			if len(e.commands) == 0 {
				t.Error("the help shows no example")
			}
			if e.needsJVM() {
				work.prepareForJVM(t)
			}
			work.run(t, e)
		})
	}
}

// helpExample takes the commands after "Example:" or "Examples:"; what they are for may follow after two spaces.
func helpExample(help string) example {
	e := example{place: "help"}
	inside := false
	for line := range strings.Lines(help) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasSuffix(line, "Examples:") || strings.HasSuffix(line, "Example:"):
			inside = true
		case line == "":
			inside = false
		case inside:
			command, _, _ := strings.Cut(line, "  ")
			e.commands = append(e.commands, command)
		}
	}
	return e
}

// documents are the pages whose examples are executed.
func documents(t *testing.T) []string {
	files := []string{filepath.Join(root, "README.md")}
	for _, pattern := range []string{"*.md", "formats/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

// examplesOf finds the sh blocks of a page, each with the text block right after it.
func examplesOf(t *testing.T, file string) []example {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var examples []example
	kind, begin, previous := "", 0, ""
	var block strings.Builder
	for i, line := range strings.Split(string(text), "\n") {
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && kind == "":
			kind, begin = fence+" ", i+1
			block.Reset()
		case isFence:
			switch strings.TrimSpace(kind) {
			case "sh":
				place := fmt.Sprintf("%s:%d", filepath.Base(file), begin)
				examples = append(examples, example{place: place, commands: commandsOf(block.String())})
			case "text":
				if previous == "sh" {
					last := &examples[len(examples)-1]
					last.output, last.shown = block.String(), true
				}
			}
			kind, previous = "", strings.TrimSpace(kind)
		case kind != "":
			block.WriteString(line + "\n")
		case strings.TrimSpace(line) != "":
			previous = "prose"
		}
	}
	if kind != "" {
		t.Fatalf("%s:%d: the block is not closed", file, begin)
	}
	return examples
}

// commandsOf splits a block into commands: lines, joined where one ends in a backslash.
func commandsOf(block string) []string {
	var commands []string
	for line := range strings.SplitSeq(strings.ReplaceAll(block, "\\\n", ""), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			commands = append(commands, line)
		}
	}
	return commands
}

// workshop is a folder in which examples are executed.
type workshop struct {
	dir    string
	env    []string
	server *server // nil as long as no example needs it
}

// buildTool returns the folder in which trcx is, and the other tools of the examples.
func buildTool(t *testing.T) string {
	t.Helper()
	testtool.Need(t, "sh")
	testtool.Need(t, "jq")
	return filepath.Dir(testtool.Trcx(t))
}

// workplace makes a folder with the files that the examples name.
func workplace(t *testing.T, tool string) *workshop {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"testdata", "docs/testdata", "analyze/deadlock/testdata"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(root, folder))); err != nil {
			t.Fatal(err)
		}
	}
	trace, another := readRecorded(t, recorded), readRecorded(t, recordedLater)
	for name, content := range map[string][]byte{
		"app.trcxml": trace, "monday.trcxml": trace, "tuesday.trcxml": another, "stall.trcxml": readRecorded(t,
			recordedWithStacks),
		"app.hprof":     readRecorded(t, "docs/testdata/heap.trcxml"),
		"app.trcxml.gz": gzipped(t, trace), "old.zip": zipped(t, trace, trace),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := strings.Join([]string{tool, filepath.Join(tool, "jdk", "bin"), os.Getenv("PATH")},
		string(os.PathListSeparator))
	w := &workshop{dir: dir, env: append(os.Environ(), "PATH="+path, "TRCX_TOOL="+tool)}
	t.Cleanup(func() {
		if w.server != nil {
			w.server.end()
		}
	})
	return w
}

func readRecorded(t *testing.T, name string) []byte {
	t.Helper()
	trace, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func gzipped(t *testing.T, content []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(content) // a buffer takes everything
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipped(t *testing.T, contents ...[]byte) []byte {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for i, content := range contents {
		w, err := archive.Create(fmt.Sprintf("entry-%d.xml", i+1))
		if err != nil {
			t.Fatal(err)
		}
		w.Write(content) // a buffer takes everything
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var exitStatus = regexp.MustCompile(`#\s*exit status (\d+)$`)

// run executes an example and compares what it prints.
func (w *workshop) run(t *testing.T, e example) {
	t.Helper()
	var printed strings.Builder
	var running []*background
	for _, command := range e.commands {
		executable, err := projectCommand(command)
		if err != nil {
			t.Errorf("%s: %s\n%v", e.place, command, err)
		}
		if err != nil || executable == "" {
			continue
		}
		want := 0
		if found := exitStatus.FindStringSubmatch(command); found != nil {
			want, _ = strconv.Atoi(found[1]) // digits alone
		}
		if e.needsJVM() {
			executable = w.forTest(t, executable)
		}
		if further, ok := strings.CutSuffix(executable, " &"); ok {
			running = append(running, w.start(t, further))
			continue
		}
		output, status := w.execute(t, executable)
		if status != want {
			t.Errorf("%s: %s\nexit status %d, want %d\n%s", e.place, command, status, want, output)
		}
		printed.WriteString(output)
	}
	for _, b := range running {
		printed.WriteString(b.end(t))
	}
	if e.shown && !matches(printed.String(), e.output) {
		t.Errorf("%s: the documentation shows\n%s\nbut the commands print\n%s", e.place, e.output, printed.String())
	}
}

func (w *workshop) execute(t *testing.T, command string) (output string, status int) {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "sh", "-c", command)
	shell.Dir, shell.Env = w.dir, w.env
	out, err := shell.CombinedOutput()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	return string(out), shell.ProcessState.ExitCode()
}

func (w *workshop) help(t *testing.T, command ...string) string {
	t.Helper()
	output, status := w.execute(t, "trcx "+strings.Join(command, " ")+" --help")
	if status != 0 {
		t.Fatalf("trcx %s --help: exit status %d\n%s", strings.Join(command, " "), status, output)
	}
	return output
}

// matches compares an output with what the documentation shows of it.
func matches(output, shown string) bool {
	var pattern strings.Builder
	pattern.WriteString(`^`)
	for line := range strings.Lines(shown) {
		if line == "…\n" {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		pattern.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*"))
	}
	pattern.WriteString(`$`)
	return regexp.MustCompile(pattern.String()).MatchString(output)
}

var (
	goRun     = regexp.MustCompile(`^go run \./cmd/trcx `)
	build     = regexp.MustCompile(`^CGO_ENABLED=0 go build -o bin/trcx \./cmd/trcx$|^make$`)
	target    = regexp.MustCompile(`^make (\w+)$`)
	goCommand = regexp.MustCompile(`^(?:\w+=\S+ )*go (build|test|run|vet) (.*)$`)
	script    = regexp.MustCompile(`^((?:\.ci|bench|agent|emit)/\S+)`)
)

// projectCommand turns a command on the project itself into what the test executes instead: go run ./cmd/trcx into
// trcx, and the build into a copy of the trcx that the test has built in the same way. Of the others it checks what
// they name, and returns "": packages and scripts exist, flags and test functions are declared.
func projectCommand(command string) (executable string, err error) {
	command, _, _ = strings.Cut(command, "  #")
	command = strings.TrimSpace(command)
	switch {
	case goRun.MatchString(command):
		return goRun.ReplaceAllString(command, "trcx "), nil
	case build.MatchString(command):
		return `mkdir -p bin && cp "$TRCX_TOOL/trcx" bin/trcx`, nil
	case target.MatchString(command):
		return "", checkTarget(target.FindStringSubmatch(command)[1])
	case goCommand.MatchString(command):
		return "", checkGo(strings.Fields(goCommand.FindStringSubmatch(command)[2]))
	case strings.HasPrefix(command, "gofmt "):
		return "", nil
	case script.MatchString(command):
		info, err := os.Stat(filepath.Join(root, script.FindStringSubmatch(command)[1]))
		if err == nil && info.Mode()&0o111 == 0 {
			err = errors.New("the script cannot be executed")
		}
		return "", err
	}
	return command, nil
}

// checkTarget checks that the Makefile has the target.
func checkTarget(name string) error {
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err == nil && !bytes.Contains(text, []byte("\n"+name+":")) {
		err = fmt.Errorf("the Makefile has no target %s", name)
	}
	return err
}

// checkGo checks the arguments of a go command.
func checkGo(arguments []string) error {
	var sources []byte
	for i, argument := range arguments {
		argument = strings.Trim(argument, `'"`)
		switch {
		case argument == "./...":
		case strings.HasPrefix(argument, "./"):
			folder, below := strings.CutSuffix(filepath.Join(root, argument), "/...")
			files, err := filepath.Glob(filepath.Join(folder, "*.go"))
			if below && len(files) == 0 {
				files, err = filepath.Glob(filepath.Join(folder, "*", "*.go"))
			}
			if err != nil || len(files) == 0 {
				return fmt.Errorf("%s is no package", argument)
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					return err
				}
				sources = append(sources, text...)
			}
		case argument == "-update" && !bytes.Contains(sources, []byte(`flag.Bool("update"`)):
			return errors.New("the package has no flag -update")
		case i > 0 && (arguments[i-1] == "-fuzz" || arguments[i-1] == "-run"):
			name := strings.Trim(argument, "^$")
			if name != "" && !bytes.Contains(sources, []byte("func "+name)) {
				return fmt.Errorf("the package has no %s", name)
			}
		}
	}
	return nil
}
