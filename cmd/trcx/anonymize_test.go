package main

import (
	"bytes"
	"compress/gzip"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// anonymized are traces of every input format.
var anonymized = []string{
	"../../testdata/recorded/*.trcxml", "../../testdata/recorded/*.jfr", "../../testdata/scripts/common/*",
	"../../docs/testdata/*.trcxml", "../../docs/testdata/*.txt", "../../docs/testdata/pool.monlog",
	"../../docs/testdata/*.switchlog", "../../convert/*/testdata/*.trcxml", "../../convert/*/testdata/*.txt",
	"../../convert/jfr/testdata/recordings/*.jfr.gz", "../../convert/threaddump/testdata/dumps/*",
}

// TestAnonymize: no output of any format, for any sample, has a name of the program or its machine.
func TestAnonymize(t *testing.T) {
	testtool.Long(t)
	// a trace without names of a program, whose outputs have only the words of their formats
	empty := temporary(t, "empty.trcxml", `<TRACE><threadStart threadId="1" time="1.0" threadName="main"/>`+
		`<monWait threadIdRef="1" time="1.1" objIdRef="-1" timeout="9"/></TRACE>`)
	// With a key by chance, the code of one name has another short name, such as buyer, in one of some 20 runs.
	key := temporary(t, "key", "secret")
	found := map[string]int{} // the number of names in the outputs without --anonymize
	for _, pattern := range anonymized {
		inputs, err := filepath.Glob(pattern)
		if err != nil || len(inputs) == 0 {
			t.Errorf("no sample is at %s", pattern)
		}
		for _, input := range inputs {
			original, kept := namesOf(converted(t, input, ".trcxml"))
			for _, ending := range []string{".trcxml", ".json", ".jsonl", ".trace.json", ".pftrace", ".pb.gz", ".collapsed",
				".dot", ".csv", ".html", ".svg", ".monlog", ".switchlog"} {
				output := converted(t, input, ending, "--anonymize", "--anonymize-key", key)
				plain := converted(t, input, ending)
				others := kept + converted(t, empty, ending)
				for _, name := range original {
					if strings.Contains(others, name) {
						continue
					}
					if strings.Contains(plain, name) {
						found[ending]++
					}
					if strings.Contains(output, name) {
						t.Errorf("%s as %s has the name %q", input, ending, name)
					}
				}
			}
		}
	}
	for _, ending := range []string{".trcxml", ".json", ".jsonl", ".trace.json", ".pftrace", ".pb.gz", ".collapsed",
		".dot", ".csv", ".html", ".svg", ".monlog", ".switchlog"} {
		if found[ending] == 0 {
			t.Errorf("no name was found in %s without --anonymize either", ending)
		}
	}
}

// TestAnonymizeKey: equal names have equal replacements within a run, and in several runs only with the same key.
func TestAnonymizeKey(t *testing.T) {
	const input = "../../testdata/recorded/warehouse-stacks-jdk25.trcxml"
	key := temporary(t, "key", "secret")
	first := converted(t, input, ".collapsed", "--anonymize", "--anonymize-key", key)
	if again := converted(t, input, ".collapsed", "--anonymize", "--anonymize-key", key); again != first {
		t.Errorf("with one key the results are\n%s\n%s", first, again)
	}
	if other := converted(t, input, ".collapsed", "--anonymize"); other == first {
		t.Errorf("without a key the result is the same:\n%s", other)
	}
	if pool := regexp.MustCompile(`thread-[a-zA-F]{10}-[123]`).FindAllString(first, -1); len(pool) == 0 {
		t.Errorf("the threads of a pool are not known any more:\n%s", first)
	}
}

// temporary writes a file and returns its name.
func temporary(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// converted returns the text of all files of a conversion, decompressed; "" if the input has none of this format.
func converted(t *testing.T, input, ending string, flags ...string) string {
	t.Helper()
	folder := t.TempDir()
	arguments := append([]string{"trcx", "convert", "--quiet", input, "-o", filepath.Join(folder, "out"+ending)}, flags...)
	if status := Main(arguments, nil, io.Discard, io.Discard); status > exitFindings && status != exitUsage {
		t.Fatalf("%v: exit status %d", arguments, status)
	}
	var text strings.Builder
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	for _, file := range files {
		content, failed := os.ReadFile(file)
		if err = failed; err != nil {
			break
		}
		if unzipped, err := gzip.NewReader(bytes.NewReader(content)); err == nil {
			content, _ = io.ReadAll(unzipped)
		}
		text.Write(content)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// inTrace matches the attributes of a trace that can have names of its program or its machine.
var inTrace = regexp.MustCompile(
	`<(\w+) |\b(hostname|ipaddress|threadName|groupName|parentName|name|sourceName|value|key|pattern|methodPattern|` +
		`agentParameters|classIdRef|classId)="([^"]*)"`)

// ofJVM matches the definition of one of the JVM's own threads.
var ofJVM = regexp.MustCompile(`groupName="(system|InnocuousThreadGroup|CarrierThreads)"|threadName="JFR `)

// namesOf returns the names of a trace, and the text of the names that --anonymize keeps.
func namesOf(trace string) (names []string, kept string) {
	var keep strings.Builder
	ofJDK := map[string]bool{}
	element := ""
	var last string
	for line := range strings.Lines(trace) {
		jdk := false
		for _, match := range inTrace.FindAllStringSubmatch(line, -1) {
			attribute, value := match[2], html.UnescapeString(match[3])
			if match[1] != "" {
				element = match[1]
				continue
			}
			switch {
			case element == "annotation" || element == "option" && attribute == "key":
				continue
			case attribute == "classId":
				ofJDK[value] = jdk
				continue
			case attribute == "classIdRef":
				if element == "methodDef" && ofJDK[value] {
					keep.WriteString(last + "\n")
					names = slices.DeleteFunc(names, func(name string) bool { return name == last })
				}
				continue
			case element == "classDef" && attribute == "name":
				jdk = regexp.MustCompile(`^\[*L?(java|javax|jdk|sun)[./]`).MatchString(value)
			}
			if jdk || ofJVM.MatchString(line) || len(value) < 5 || slices.Contains(keptNames, value) {
				keep.WriteString(value + "\n")
				continue
			}
			if last = value; element != "option" || strings.ContainsAny(value, "/-_") {
				names = append(names, value, strings.ReplaceAll(value, "/", "."))
			}
		}
	}
	return names, keep.String()
}

// keptNames are names and words that are in the traces of all programs.
var keptNames = []string{"unknown", "system", "CarrierThreads", "VirtualThreads", "InnocuousThreadGroup", "-init-", "-clinit-",
	"Reference Handler", "Finalizer", "Signal Dispatcher", "Common-Cleaner", "Notification Thread", "DestroyJavaVM",
	"Service Thread", "Attach Listener", "boolean", "double", "float", "short",
	"total"} // a word of an HPROF log's tables
