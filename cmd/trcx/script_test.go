package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/trcx/trcx/internal/testtool"
)

var (
	updateScripts = flag.Bool("update", false, "write what the commands print into the scripts that compare it")
)

// programs are the programs that scripts can run by name.
var programs = map[string]func(){"trcx": main}

func TestMain(m *testing.M) { testscript.Main(m, programs) }

// TestScripts runs the command line as users do. Each script tests one promise, which is its name. It can use the files
// of testdata/scripts/common.
func TestScripts(t *testing.T) { runScripts(t, testscript.Params{Dir: scripts}) }

const scripts = "../../testdata/scripts"

func runScripts(t *testing.T, p testscript.Params) {
	p.Setup, p.Condition, p.Cmds, p.UpdateScripts = setUpScript, scriptCondition, scriptCommands, *updateScripts
	p.RequireExplicitExec, p.RequireUniqueNames = true, true
	testscript.Run(t, p)
}

// TestScriptsOfRealTraces tests round trips of traces that Workbenches saved, if there are any.
func TestScriptsOfRealTraces(t *testing.T) {
	testtool.Long(t)
	folder := os.Getenv("TRCX_SAMPLES")
	if folder == "" {
		t.Skip("SKIPPED: TRCX_SAMPLES names no folder; let it name one whose folder tptp holds traces of a Workbench")
	}
	traces, err := filepath.Glob(filepath.Join(folder, "tptp", "*.trcxml"))
	if err != nil || len(traces) == 0 {
		t.Fatalf("TRCX_SAMPLES: no trace matches %s/tptp/*.trcxml: %v", folder, err)
	}
	for _, trace := range traces {
		t.Run(filepath.Base(trace), func(t *testing.T) { roundTrip(t, trace) })
	}
}

// roundTrip converts a trace to trcxml without a complaint, and checks that both have the same model.
func roundTrip(t *testing.T, trace string) {
	folder := t.TempDir()
	again := filepath.Join(folder, "again.trcxml")
	before, after := filepath.Join(folder, "before.json"), filepath.Join(folder, "after.json")
	for _, args := range [][]string{{trace, "-o", again}, {trace, "-o", before}, {again, "-o", after}} {
		var stdout, stderr bytes.Buffer
		status := Main(append([]string{"trcx", "convert"}, args...), strings.NewReader(""), &stdout, &stderr)
		if status != exitDone || stdout.Len()+stderr.Len() > 0 {
			t.Fatalf("convert %v: status %d, stdout %.200q, stderr %.1000q", args, status, stdout.String(),
				stderr.String())
		}
	}
	if !bytes.Equal(readFile(t, before), readFile(t, after)) {
		t.Errorf("%s: the model of what was written differs from that of the trace", trace)
	}
}

func readFile(t *testing.T, name string) []byte {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// canRecord reports whether scripts can record JVMs, and returns the folder with the files for that. In CI it is an
// error if they cannot, unless -short is set.
var canRecord = sync.OnceValues(func() (folder string, err error) {
	if testing.Short() {
		return "", nil
	}
	folder, missing, err := testtool.CanRecord()
	if missing != nil && testtool.CI() {
		return "", fmt.Errorf("%v is not installed, and CI=true; run make deps", missing)
	}
	return folder, err
})

// setUpScript gives each script the common files. If the condition [jvm] is true, java is on the PATH, the programs are
// in $JAVA, and $AGENT is the agent's library. Recorded traces are in $TRACES, the documentation's traces in $DOCS.
func setUpScript(env *testscript.Env) error {
	java, err := canRecord()
	if err != nil {
		return err
	}
	env.Setenv("PATH", filepath.Join(java, "jdk", "bin")+string(os.PathListSeparator)+env.Getenv("PATH"))
	env.Setenv("JAVA", java)
	env.Setenv("AGENT", filepath.Join(java, "libtrcxagent.so"))
	traces, err := filepath.Abs("../../testdata/recorded")
	if err != nil {
		return err
	}
	env.Setenv("TRACES", traces)
	documented, err := filepath.Abs("../../docs/testdata")
	if err != nil {
		return err
	}
	env.Setenv("DOCS", documented)
	for _, name := range []string{"GOMAXPROCS", "GORACE"} { // as make race sets them
		if value := os.Getenv(name); value != "" {
			env.Setenv(name, value)
		}
	}
	return os.CopyFS(env.WorkDir, os.DirFS("../../testdata/scripts/common"))
}

// scriptCondition defines [root]: the superuser may read and write everything; and [jvm]: JVMs can be recorded.
func scriptCondition(condition string) (bool, error) {
	switch condition {
	case "root":
		return os.Geteuid() == 0, nil
	case "jvm":
		folder, err := canRecord()
		return folder != "", err
	}
	return false, errors.New("unknown condition")
}

type scriptCommand = func(ts *testscript.TestScript, neg bool, args []string)

// scriptCommands are commands of the scripts in addition to those of testscript.
var scriptCommands = map[string]scriptCommand{
	"exits":    exits,
	"gzip":     compressor(func(out io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(out), nil }),
	"zstd":     compressor(func(out io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(out) }),
	"zip":      zipFiles,
	"unzip":    unzipFile,
	"gunzip":   gunzip,
	"unzstd":   unzstd,
	"recode":   recode,
	"replace":  replace,
	"first":    first,
	"repeat":   repeat,
	"insert":   insert,
	"random":   random,
	"await":    await,
	"leftover": leftover,
}

// exits STATUS COMMAND ARGUMENTS… runs a command that must end with the status, and never with a stack trace.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND ARGUMENTS…")
	}
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("the exit status is %d, not %s", got, args[0])
	}
	for _, trouble := range []string{"panic:", "goroutine "} {
		if strings.Contains(ts.ReadFile("stderr"), trouble) {
			ts.Fatalf("a stack trace")
		}
	}
}

// compressor is COMMAND FILE COMPRESSED.
func compressor(open func(io.Writer) (io.WriteCloser, error)) scriptCommand {
	return func(ts *testscript.TestScript, _ bool, args []string) {
		from, to := fromTo(ts, args)
		var out bytes.Buffer
		w, err := open(&out)
		ts.Check(err)
		_, err = w.Write([]byte(from))
		ts.Check(err)
		ts.Check(w.Close())
		write(ts, to, out.String())
	}
}

// gunzip COMPRESSED FILE
func gunzip(ts *testscript.TestScript, _ bool, args []string) {
	from, to := fromTo(ts, args)
	r, err := gzip.NewReader(strings.NewReader(from))
	ts.Check(err)
	text, err := io.ReadAll(r)
	ts.Check(err)
	write(ts, to, string(text))
}

// unzstd COMPRESSED FILE
func unzstd(ts *testscript.TestScript, _ bool, args []string) {
	from, to := fromTo(ts, args)
	r, err := zstd.NewReader(nil)
	ts.Check(err)
	defer r.Close()
	text, err := r.DecodeAll([]byte(from), nil)
	ts.Check(err)
	write(ts, to, string(text))
}

// zip ARCHIVE FILE… puts the files into an archive, in this order.
func zipFiles(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: zip ARCHIVE FILE…")
	}
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range args[1:] {
		w, err := archive.Create(name)
		ts.Check(err)
		_, err = w.Write([]byte(ts.ReadFile(name)))
		ts.Check(err)
	}
	ts.Check(archive.Close())
	write(ts, args[0], out.String())
}

// unzip ARCHIVE FOLDER unpacks an archive and prints the names of its files.
func unzipFile(ts *testscript.TestScript, _ bool, args []string) {
	from, to := fromTo(ts, args)
	archive, err := zip.NewReader(strings.NewReader(from), int64(len(from)))
	ts.Check(err)
	ts.Check(os.MkdirAll(ts.MkAbs(to), 0o777))
	for _, entry := range archive.File {
		_, err := io.WriteString(ts.Stdout(), entry.Name+"\n")
		ts.Check(err)
		in, err := entry.Open()
		ts.Check(err)
		text, err := io.ReadAll(in)
		ts.Check(err)
		write(ts, filepath.Join(to, entry.Name), string(text))
	}
}

// encodings are the encodings of recode, with the mark before the text and the name for the XML declaration.
var encodings = map[string]struct {
	mark, name string
	encode     func(string) []byte
}{
	"utf-8-mark":    {"\xEF\xBB\xBF", "UTF-8", func(text string) []byte { return []byte(text) }},
	"utf-16le":      {"", "UTF-16", littleEndian},
	"utf-16le-mark": {"\xFF\xFE", "UTF-16", littleEndian},
	"utf-16be":      {"", "UTF-16", bigEndian},
	"utf-16be-mark": {"\xFE\xFF", "UTF-16", bigEndian},
	"iso-8859-1":    {"", "ISO-8859-1", latin1},
}

// recode ENCODING FILE RECODED rewrites a file from UTF-8, and adapts its XML declaration.
func recode(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: recode ENCODING FILE RECODED")
	}
	encoding, ok := encodings[args[0]]
	if !ok {
		ts.Fatalf("unknown encoding %s", args[0])
	}
	text := strings.Replace(ts.ReadFile(args[1]), `encoding="UTF-8"`, `encoding="`+encoding.name+`"`, 1)
	write(ts, args[2], encoding.mark+string(encoding.encode(text)))
}

func littleEndian(text string) (encoded []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		encoded = append(encoded, byte(unit), byte(unit>>8))
	}
	return encoded
}

func bigEndian(text string) (encoded []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		encoded = append(encoded, byte(unit>>8), byte(unit))
	}
	return encoded
}

func latin1(text string) (encoded []byte) {
	for _, r := range text {
		encoded = append(encoded, byte(r))
	}
	return encoded
}

// replace FILE RESULT OLD NEW replaces all occurrences of a text in a file. Go's escapes express what a script cannot
// contain.
func replace(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: replace FILE RESULT OLD NEW")
	}
	text, old := ts.ReadFile(args[0]), unescape(ts, args[2])
	if !strings.Contains(text, old) {
		ts.Fatalf("%s does not contain %q", args[0], old)
	}
	write(ts, args[1], strings.ReplaceAll(text, old, unescape(ts, args[3])))
}

func unescape(ts *testscript.TestScript, text string) string {
	plain, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	ts.Check(err)
	return plain
}

// first N FILE RESULT keeps the first N bytes of a file; with a negative N, all but the last.
func first(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: first N FILE RESULT")
	}
	text := ts.ReadFile(args[1])
	n := number(ts, args[0])
	if n < 0 {
		n += len(text)
	}
	write(ts, args[2], text[:n])
}

// repeat N TEXT FILE writes a file that has the text N times; @ in it becomes the number, from 1.
func repeat(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: repeat N TEXT FILE")
	}
	text := unescape(ts, args[1])
	n := number(ts, args[0])
	if !strings.Contains(text, "@") {
		write(ts, args[2], strings.Repeat(text, n))
		return
	}
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "@", strconv.Itoa(i+1)))
	}
	write(ts, args[2], b.String())
}

// insert FILE TEMPLATE RESULT replaces the first … in another file by the content of a file.
func insert(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: insert FILE TEMPLATE RESULT")
	}
	before, after, found := strings.Cut(ts.ReadFile(args[1]), "…")
	if !found {
		ts.Fatalf("%s has no … in it", args[1])
	}
	write(ts, args[2], before+ts.ReadFile(args[0])+after)
}

// random N SEED FILE writes N random bytes, the same ones for the same seed.
func random(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: random N SEED FILE")
	}
	source := rand.New(rand.NewPCG(uint64(number(ts, args[1])), 0))
	bytes := make([]byte, number(ts, args[0]))
	for i := range bytes {
		bytes[i] = byte(source.Uint32())
	}
	write(ts, args[2], string(bytes))
}

// await PATTERN [TEXT] waits until a file with a matching name exists and has the text in it.
func await(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: await PATTERN [TEXT]")
	}
	text := []byte(strings.Join(args[1:], ""))
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(10 * time.Millisecond) {
		found, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		for _, name := range found {
			if content, err := os.ReadFile(name); len(text) == 0 || err == nil && bytes.Contains(content, text) {
				return
			}
		}
	}
	ts.Fatalf("there is no %s after 20 seconds", strings.Join(args, " with "))
}

// ! leftover FOLDER… makes sure that there are no temporary files in the folders and in the system's own.
func leftover(ts *testscript.TestScript, neg bool, args []string) {
	if !neg {
		ts.Fatalf("usage: ! leftover FOLDER…")
	}
	var found []string
	for _, folder := range append(args, ts.Getenv("TMPDIR")) {
		for _, pattern := range []string{".*.tmp", "trcx-*"} {
			names, err := filepath.Glob(filepath.Join(ts.MkAbs(folder), pattern))
			ts.Check(err)
			found = append(found, names...)
		}
	}
	if len(found) > 0 {
		ts.Fatalf("left over: %s", strings.Join(found, ", "))
	}
}

// fromTo reads the arguments of commands that make one file from another.
func fromTo(ts *testscript.TestScript, args []string) (text, to string) {
	if len(args) != 2 {
		ts.Fatalf("this command takes two names")
	}
	return ts.ReadFile(args[0]), args[1]
}

func write(ts *testscript.TestScript, name, text string) {
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o666))
}

func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}
