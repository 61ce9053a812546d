package bci

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// jdk is an installed JDK.
type jdk struct{ testtool.JDK }

// quick are options that make short runs of a JVM fast.
const quick = "-XX:TieredStopAtLevel=1"

// jdks returns the installed JDKs, one for each version. Without any the test is skipped.
func jdks(t testing.TB) (all []jdk) {
	t.Helper()
	for _, j := range testtool.JDKs(t, testtool.Oldest) {
		all = append(all, jdk{j})
	}
	return all
}

// run runs a tool of the JDK and returns its output and errors.
func (j jdk) run(t testing.TB, tool string, arguments ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), j.Tool(tool), arguments...)
	output, err := command.CombinedOutput()
	return string(output), err
}

// compile compiles Java files into a folder.
func (j jdk) compile(t testing.TB, to string, arguments ...string) {
	t.Helper()
	if output, err := j.run(t, "javac", append([]string{"-J" + quick, "-g", "-nowarn", "-d", to},
		arguments...)...); err != nil {
		t.Fatalf("javac: %v\n%s", err, output)
	}
}

// javaBase are the classes of java.base that were read already, by the JDK's version.
var javaBase = make(map[int][]extracted)

// extracted is a class of a JDK: its path, module first, and its bytes.
type extracted struct {
	path  string
	class []byte
}

// baseClasses calls a function with each class of java.base.
func (j jdk) baseClasses(t testing.TB, each func(path string, class []byte)) {
	t.Helper()
	if javaBase[j.Version] == nil {
		var read []extracted
		j.classes(t, []string{"java.base"}, func(path string, class []byte) {
			read = append(read, extracted{path, class})
		})
		javaBase[j.Version] = read
	}
	for _, e := range javaBase[j.Version] {
		each(e.path, e.class)
	}
}

// allClasses calls a function with each class of all modules.
func (j jdk) allClasses(t testing.TB, each func(path string, class []byte)) {
	t.Helper()
	j.classes(t, nil, each)
}

// classes calls a function with each class of the JDK's modules, of all if none is named.
func (j jdk) classes(t testing.TB, modules []string, each func(path string, class []byte)) {
	t.Helper()
	command := exec.CommandContext(t.Context(), j.Tool("java"), append([]string{quick, "testdata/Extract.java"},
		modules...)...)
	command.Stderr = os.Stderr
	pipe, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReaderSize(pipe, 1<<16)
	for {
		path, class, err := readExtracted(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("reading the classes of JDK %d: %v", j.Version, err)
		}
		each(path, class)
	}
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
}

// readExtracted reads one class that testdata/Extract.java writes.
func readExtracted(in io.Reader) (path string, class []byte, err error) {
	var nameSize uint16
	if err := binary.Read(in, binary.BigEndian, &nameSize); err != nil {
		return "", nil, err
	}
	name := make([]byte, nameSize)
	if _, err := io.ReadFull(in, name); err != nil {
		return "", nil, err
	}
	var size uint32
	if err := binary.Read(in, binary.BigEndian, &size); err != nil {
		return "", nil, err
	}
	class = make([]byte, size)
	_, err = io.ReadFull(in, class)
	return string(name), class, err
}

// patches writes rewritten classes to a file for each module, for --patch-module.
type patches struct {
	folder string
	files  map[string]*zip.Writer
	closed []io.Closer
}

func newPatches(t testing.TB) *patches {
	return &patches{folder: t.TempDir(), files: make(map[string]*zip.Writer)}
}

// add adds a class, by its path with the module first.
func (p *patches) add(t testing.TB, path string, class []byte) {
	t.Helper()
	module, name, _ := strings.Cut(path, "/")
	if p.files[module] == nil {
		file, err := os.Create(filepath.Join(p.folder, module+".jar"))
		if err != nil {
			t.Fatal(err)
		}
		p.files[module] = zip.NewWriter(file)
		p.closed = append(p.closed, p.files[module], file)
	}
	entry, err := p.files[module].CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err == nil {
		_, err = entry.Write(class)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// options closes the files and returns the options by which a JVM uses them.
func (p *patches) options(t testing.TB) []string {
	t.Helper()
	for _, c := range p.closed {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var options []string
	for module := range p.files {
		options = append(options, fmt.Sprintf("--patch-module=%s=%s", module, filepath.Join(p.folder, module+".jar")))
	}
	return options
}
