package grammar_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/grammar"
	"github.com/trcx/trcx/internal/xmlscan"
)

// verdict is the judgment of an implementation about a document.
type verdict struct {
	wellFormed, valid bool
	undecided         bool // it gave up for other reasons
	complaints        []string
}

func (v verdict) String() string {
	said := "valid"
	switch {
	case v.undecided:
		said = "undecided"
	case !v.wellFormed:
		said = "not well-formed"
	case !v.valid:
		said = "invalid"
	}
	if len(v.complaints) > 0 {
		said += ": " + strings.Join(v.complaints, "; ")
	}
	return said
}

func (v verdict) agrees(other verdict) bool {
	return v.wellFormed == other.wellFormed && v.valid == other.valid
}

// judge validates the file by its own DOCTYPE with the engine. Only files of the folder are opened. Input is read
// through wrap.
func judge(t *testing.T, folder, file string, wrap func(io.Reader) io.Reader, limits xmlscan.Limits) verdict {
	t.Helper()
	open, err := dtd.Dir(folder)
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer document.Close()
	v := verdict{wellFormed: true, valid: true}
	options := xmlscan.Options{Open: xmlscan.Open(open), Location: file, BufferSize: 4 << 10, Limits: limits}
	err = grammar.Check(wrap(document), options,
		func(f grammar.Finding) {
			if f.Warning {
				return
			}
			v.valid = false
			v.complaints = append(v.complaints, fmt.Sprintf("%s %d:%d %s", f.Rule, f.Line, f.Column, f.Message))
		})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	v.wellFormed = !slices.ContainsFunc(v.complaints, isOfForm)
	return v
}

// isOfForm reports whether the engine's complaint is that the document is not well-formed.
func isOfForm(complaint string) bool {
	return strings.HasPrefix(complaint, "xml-syntax") || strings.HasPrefix(complaint, "truncated")
}

// oracle is another implementation of XML 1.0.
type oracle struct {
	name string
	tool string // of testtool
	// command is how the tool is called.
	command func(path string) []string
	// judge returns the command's verdicts on documents, by file name.
	judge func(t *testing.T, command, files []string) map[string]verdict
}

var (
	xmllint = oracle{"xmllint --valid", "xmllint", callXmllint, judgeByXmllint}
	jdk     = oracle{"the JDK's validating parser", "JDK", callJava, judgeByJDK}
)

func callXmllint(path string) []string {
	return []string{path, "--valid", "--noout", "--noent", "--nonet"}
}

// judgeByXmllint runs xmllint on all files in a few processes. xmllint names the file of an error, but not the document
// that made it read the file. So a missing file follows each document: the error about it ends the output about the
// document.
func judgeByXmllint(t *testing.T, command, files []string) map[string]verdict {
	t.Helper()
	verdicts := map[string]verdict{}
	for begin := 0; begin < len(files); begin += 500 {
		some := files[begin:min(begin+500, len(files))]
		arguments := command[1:]
		for _, file := range some {
			arguments = append(arguments[:len(arguments):len(arguments)], file, end(file))
		}
		out, err := exec.Command(command[0], arguments...).CombinedOutput()
		var status *exec.ExitError
		if err != nil && !errors.As(err, &status) {
			t.Fatal(err)
		}
		rest := string(out)
		for _, file := range some {
			said, after, found := strings.Cut(rest, `"`+end(file)+`"`)
			if !found {
				t.Fatalf("xmllint did not finish %s: %v", file, err)
			}
			verdicts[file], rest = verdictOfXmllint(said), after
		}
	}
	return verdicts
}

func end(file string) string { return "end-of-" + file }

var xmllintError = regexp.MustCompile(`(?m)^.*?: ((?:parser |validity |encoding |)error :.*)$`)

const notDeterministic = "is not determinist"

// verdictOfXmllint ignores errors about namespaces. Nor do complaints about content models that are not deterministic
// count, because they are not about the document.
func verdictOfXmllint(said string) verdict {
	v := verdict{wellFormed: true, valid: true}
	for _, found := range xmllintError.FindAllStringSubmatch(said, -1) {
		complaint := found[1]
		if !slices.Contains(v.complaints, complaint) {
			v.complaints = append(v.complaints, complaint)
		}
		v.valid = v.valid && strings.Contains(complaint, notDeterministic)
		v.wellFormed = v.wellFormed && strings.HasPrefix(complaint, "validity ")
	}
	return v
}

// unlimited removes the limits of newer JDKs.
var unlimited = []string{"-Djavax.xml.accessExternalDTD=all", "-Djdk.xml.entityExpansionLimit=0",
	"-Djdk.xml.entityReplacementLimit=0",
	"-Djdk.xml.totalEntitySizeLimit=0", "-Djdk.xml.maxGeneralEntitySizeLimit=0",
	"-Djdk.xml.maxParameterEntitySizeLimit=0",
	"-Djdk.xml.maxXMLNameLimit=0", "-Djdk.xml.elementAttributeLimit=0", "-Djdk.xml.maxElementDepth=0"}

func callJava(home string) []string {
	return append([]string{filepath.Join(home, "bin", "java")}, unlimited...)
}

// judgeByJDK runs testdata/oracle/Judge.java on a list of the files.
func judgeByJDK(t *testing.T, command, files []string) map[string]verdict {
	t.Helper()
	list := filepath.Join(t.TempDir(), "documents")
	if err := os.WriteFile(list, []byte(strings.Join(files, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	java := exec.Command(command[0], append(command[1:len(command):len(command)], filepath.Join("testdata", "oracle",
		"Judge.java"), list)...)
	var complaint strings.Builder
	java.Stderr = &complaint
	out, err := java.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", java, err, complaint.String())
	}
	verdicts := map[string]verdict{}
	for line := range strings.Lines(string(out)) {
		said := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 4)
		if len(said) != 4 {
			t.Fatalf("Judge.java wrote %q", line)
		}
		v := verdict{wellFormed: said[1] == "well-formed", valid: said[2] == "valid", undecided: said[1] == "undecided"}
		if said[3] != "" {
			v.complaints = []string{said[3]}
		}
		verdicts[said[0]] = v
	}
	if len(verdicts) != len(files) {
		t.Fatalf("Judge.java judged %d of %d documents", len(verdicts), len(files))
	}
	return verdicts
}
