package bci

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// everywhere are hooks at every possible place: every method's entry and returns.
var everywhere = []Hook{
	{Before: reportSlept, After: reportSlept},
	{Before: reportStarted},
	{Before: reportSleepsNanos},
	{Before: reportJoins},
	{Method: Method{"", "", "()V"}, After: reportJoined},
	{Before: reportSignals, After: reportAcquired},
	{Before: reportSignalled},
}

// stub is the Recorder with empty methods, for JVMs without the agent.
var stub = recorder([]byte{opReturn})

// sample selects the classes to test unless TRCX_ALL_CLASSES is set.
const sample = 23

// TestEveryClassOfTheJDK inserts hooks everywhere into the classes of the JDKs, which the JVM then verifies. A JVM with
// these classes as its own must start and run, too. With TRCX_ALL_CLASSES=1 it uses every class of every module,
// otherwise some of java.base.
func TestEveryClassOfTheJDK(t *testing.T) {
	for _, j := range jdks(t) {
		t.Run(fmt.Sprintf("JDK %d", j.Version), func(t *testing.T) {
			all := os.Getenv("TRCX_ALL_CLASSES") != ""
			outcome := linkEverywhere(t, j, func(count int, _ string) bool { return all || count%sample == 0 }, all, movers)
			t.Logf("%d classes and %d methods rewritten; %s", outcome.classes, outcome.methods, outcome.verdict)
			for reason, count := range outcome.leftAlone {
				t.Logf("left alone: %d methods: %s", count, reason)
			}
			if outcome.failed || outcome.linked != outcome.classes {
				t.Errorf("%d classes linked, want %d\n%.4000s", outcome.linked, outcome.classes, outcome.output)
			}
		})
	}
}

// TestVerifierNotices proves that the JVM rejects stack map frames that were not moved, so that the test above would
// detect it.
func TestVerifierNotices(t *testing.T) {
	wrong := maps.Clone(movers)
	wrong["StackMapTable"] = func(_ *layout, body []byte) ([]byte, error) { return body, nil }
	j := jdks(t)[0]
	outcome := linkEverywhere(t, j, func(_ int, path string) bool {
		return strings.HasPrefix(path, "java.base/sun/security/x509/") // not needed to start a JVM
	}, false, wrong)
	t.Logf("JDK %d: %s", j.Version, outcome.verdict)
	if !outcome.failed || !strings.Contains(outcome.output, "VerifyError") {
		t.Errorf("the JVM takes %d classes with wrong frames\n%.4000s", outcome.classes, outcome.output)
	}
}

// outcome is the JVM's result for rewritten classes.
type outcome struct {
	classes, methods, linked int
	leftAlone                map[string]int // number of methods by reason, without the reason's numbers
	failed                   bool
	verdict, output          string
}

var (
	linkedLine = regexp.MustCompile(`(?m)^linked (\d+) absent (\d+) unverified (\d+) other (\d+)$`)
	digits     = regexp.MustCompile(`-?[0-9]+`)
)

// linkEverywhere rewrites the classes that choose selects by number and path, and links them in a JVM.
func linkEverywhere(t *testing.T, j jdk, chosen func(int, string) bool, all bool, movers map[string]mover) outcome {
	t.Helper()
	result := outcome{leftAlone: make(map[string]int)}
	patched, count := newPatches(t), 0
	var list strings.Builder
	classes := j.baseClasses
	if all {
		classes = j.allClasses
	}
	classes(t, func(path string, class []byte) {
		if count++; !chosen(count, path) || path == "java.base/java/lang/Object.class" {
			return // the JVM treats objects as without a finalizer only while Object's finalize is empty
		}
		rewritten, err := rewriteWith(class, everywhere, movers)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, left := range rewritten.LeftAlone {
			result.leftAlone[digits.ReplaceAllString(left.Reason.Error(), "N")]++
		}
		if rewritten.Class != nil {
			result.classes, result.methods = result.classes+1, result.methods+rewritten.Methods
			patched.add(t, path, rewritten.Class)
			list.WriteString(path + "\n")
		}
	})
	patched.add(t, "java.base/"+recorderClass+".class", stub)
	result.link(t, j, patched.options(t), list.String())
	return result
}

// link links the classes in the list in a JVM.
func (o *outcome) link(t *testing.T, j jdk, options []string, list string) {
	t.Helper()
	folder := t.TempDir()
	j.compile(t, folder, "testdata/Link.java")
	listFile := filepath.Join(folder, "list")
	if err := os.WriteFile(listFile, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	options = append(options, quick, "-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal",
		"-XX:+BytecodeVerificationRemote",
		"-XX:ErrorFile=/dev/null", "-Xshare:off", "-Xlog:disable", "-Xlog:all=off:stderr", "--add-modules=ALL-SYSTEM",
		"-cp", folder, "Link", listFile)
	output, err := j.run(t, "java", options...)
	o.output, o.failed = output, err != nil
	o.verdict = fmt.Sprintf("the JVM writes: %.1000s", output)
	if line := linkedLine.FindStringSubmatch(output); line != nil {
		o.verdict = line[0]
		o.linked, _ = strconv.Atoi(line[1])
		o.failed = o.failed || line[2]+line[3]+line[4] != "000"
	}
}

// TestRecorderLinks proves that a JVM accepts the Recorder as one of its own classes.
func TestRecorderLinks(t *testing.T) {
	j := jdks(t)[0]
	patched, recorderPath := newPatches(t), "java.base/"+recorderClass+".class"
	patched.add(t, recorderPath, Recorder())
	var result outcome
	result.link(t, j, patched.options(t), recorderPath)
	if result.failed || result.linked != 1 {
		t.Errorf("JDK %d: %s", j.Version, result.verdict)
	}
}
