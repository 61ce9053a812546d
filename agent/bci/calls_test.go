package bci

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write java/java/lang/TrcxCalls.class")

const callsSource = "java/java/lang/TrcxCalls.java"

// TestCallsClass compiles the source of the class with the oldest JDK, and compares the class file with the project's.
func TestCallsClass(t *testing.T) {
	j, folder := jdks(t)[0], t.TempDir()
	output, err := j.run(t, "javac", "-J"+quick, "-g:none", "-nowarn", "-d", folder, "--patch-module=java.base=java",
		callsSource)
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	class, err := os.ReadFile(filepath.Join(folder, callsClass+".class"))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(strings.TrimSuffix(callsSource, "java")+"class", class, 0o600); err != nil {
			t.Fatal(err)
		}
	} else if j.Version == 17 && !bytes.Equal(class, Calls()) {
		t.Errorf("%s compiles to another class file than the one that is kept: run the test with -update", callsSource)
	}
}

// TestInstrumentsEveryClass instruments classes of the JDKs, all with TRCX_ALL_CLASSES=1, which the JVM then verifies.
func TestInstrumentsEveryClass(t *testing.T) {
	all := os.Getenv("TRCX_ALL_CLASSES") != ""
	for _, j := range jdks(t) {
		for name, kind := range map[string]CallKind{"coverage": Coverage, "aggregated": Aggregated} {
			t.Run(fmt.Sprintf("JDK %d %s", j.Version, name), func(t *testing.T) {
				outcome := linkInstrumented(t, j, kind, func(count int) bool { return all || count%sample == 0 }, all)
				t.Logf("%d classes and %d methods; %s", outcome.classes, outcome.methods, outcome.verdict)
				for reason, count := range outcome.leftAlone {
					t.Logf("left alone: %d methods: %s", count, reason)
				}
				if outcome.failed || outcome.linked != outcome.classes {
					t.Errorf("%d classes linked, want %d\n%.4000s", outcome.linked, outcome.classes, outcome.output)
				}
			})
		}
	}
}

// linkInstrumented instruments the chosen classes, and links them in a JVM whose TrcxCalls does nothing.
func linkInstrumented(t *testing.T, j jdk, kind CallKind, chosen func(int) bool, all bool) outcome {
	t.Helper()
	result, patched, count, number := outcome{leftAlone: map[string]int{}}, newPatches(t), 0, 32000
	var list strings.Builder
	classes := j.baseClasses
	if all {
		classes = j.allClasses
	}
	classes(t, func(path string, class []byte) {
		if count++; !chosen(count) {
			return
		}
		instrumented, err := Instrument(class, &Selection{Kind: kind, Synthetic: true}, number)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		number += len(instrumented.Methods)
		for _, left := range instrumented.LeftAlone {
			result.leftAlone[digits.ReplaceAllString(left.Reason.Error(), "N")]++
		}
		if instrumented.Class != nil {
			result.classes, result.methods = result.classes+1, result.methods+len(instrumented.Methods)
			patched.add(t, path, instrumented.Class)
			list.WriteString(path + "\n")
		}
	})
	folder := t.TempDir()
	j.compile(t, folder, "--patch-module=java.base=testdata/calls", "testdata/calls/java/lang/TrcxCalls.java")
	class, err := os.ReadFile(filepath.Join(folder, callsClass+".class"))
	if err != nil {
		t.Fatal(err)
	}
	patched.add(t, "java.base/"+callsClass+".class", class)
	result.link(t, j, patched.options(t), list.String())
	return result
}
