package bci

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// everywhere are hooks at every place where there can be one: every call, and every method's entry and returns.
var everywhere = []Hook{
	{Before: Interruption, After: Slept},
	{Before: Notified},
	{Before: Sleeps},
	{Site: InBody, Before: Interruption, After: Slept},
	{Site: InBody, Before: Started},
	{Site: InBody, Before: Joins},
	{Site: InBody, Method: Method{"", "", "()V"}, After: Joined},
}

// stub is the Recorder with methods that do nothing, for JVMs without the agent.
var stub = recorder([]byte{opReturn})

// sample is which share of the classes is looked at unless TRCX_ALL_CLASSES is set.
const sample = 23

// TestEveryClassOfTheJDK puts hooks everywhere into the classes of the JDKs, and has the JVM verify them all. A JVM
// whose own classes these are has to start and run, too. With TRCX_ALL_CLASSES=1 it is every class of every module;
// otherwise some of java.base.
func TestEveryClassOfTheJDK(t *testing.T) {
	for _, j := range jdks(t) {
		t.Run(fmt.Sprintf("JDK %d", j.Version), func(t *testing.T) {
			all := os.Getenv("TRCX_ALL_CLASSES") != ""
			outcome := linkEverywhere(t, j, func(count int, _ string) bool { return all || count%sample == 0 }, all)
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

// TestVerifierNotices leaves the stack map frames where they were, to see that the JVM finds that. So it would find it
// above.
func TestVerifierNotices(t *testing.T) {
	right := movers["StackMapTable"]
	defer func() { movers["StackMapTable"] = right }()
	movers["StackMapTable"] = func(_ *layout, body []byte) ([]byte, error) { return body, nil }
	j := jdks(t)[0]
	outcome := linkEverywhere(t, j, func(_ int, path string) bool {
		return strings.HasPrefix(path, "java.base/sun/security/x509/") // which no JVM needs to start
	}, false)
	t.Logf("JDK %d: %s", j.Version, outcome.verdict)
	if !outcome.failed || !strings.Contains(outcome.output, "VerifyError") {
		t.Errorf("the JVM takes %d classes with wrong frames\n%.4000s", outcome.classes, outcome.output)
	}
}

// outcome is what a JVM says about rewritten classes.
type outcome struct {
	classes, methods, linked int
	leftAlone                map[string]int // how many methods, by the reason without its numbers
	failed                   bool
	verdict, output          string
}

var (
	linkedLine = regexp.MustCompile(`(?m)^linked (\d+) absent (\d+) unverified (\d+) other (\d+)$`)
	digits     = regexp.MustCompile(`-?[0-9]+`)
)

// linkEverywhere rewrites the classes that are chosen, by their number and path, and has a JVM link them.
func linkEverywhere(t *testing.T, j jdk, chosen func(int, string) bool, all bool) outcome {
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
			return // as long as Object's finalize is empty, the JVM takes objects for such without a finalizer
		}
		rewritten, err := Rewrite(class, everywhere)
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
	patched.add(t, "java.base/"+RecorderClass+".class", stub)
	result.link(t, j, patched.options(t), list.String())
	return result
}

// link has a JVM link the classes in the list.
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
	o.verdict = fmt.Sprintf("the JVM says: %.1000s", output)
	if line := linkedLine.FindStringSubmatch(output); line != nil {
		o.verdict = line[0]
		o.linked, _ = strconv.Atoi(line[1])
		o.failed = o.failed || line[2]+line[3]+line[4] != "000"
	}
}

// TestRecorderLinks has a JVM take the Recorder as one of its own classes.
func TestRecorderLinks(t *testing.T) {
	j := jdks(t)[0]
	patched, recorderPath := newPatches(t), "java.base/"+RecorderClass+".class"
	patched.add(t, recorderPath, Recorder())
	var result outcome
	result.link(t, j, patched.options(t), recorderPath)
	if result.failed || result.linked != 1 {
		t.Errorf("JDK %d: %s", j.Version, result.verdict)
	}
}
