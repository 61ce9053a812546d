package jvmtest

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// TestJavac compiles a large tree with and without the agent: the classes are equal, and the trace is valid.
func TestJavac(t *testing.T) {
	b := newBench(t)
	sources := sourceTree(t, some(30, 2000))
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			trace := b.traceFile(t)
			// The classes do not depend on the compiler and collector; these two cost less.
			without := compiled(t, j, sources, "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
			with := compiled(t, j, sources, "-J-agentpath:"+b.agent+"=file="+trace)
			for name, class := range without {
				if !bytes.Equal(class, with[name]) {
					t.Errorf("%s is another class with the agent", name)
				}
			}
			if len(without) == 0 || len(with) != len(without) {
				t.Errorf("%d classes with the agent, %d without it", len(with), len(without))
			}
			result, err := Validate(trace)
			if err != nil || !result.Valid() {
				t.Errorf("%v, %d errors, the first are %v", err, result.Errors, result.Findings)
			}
		})
	}
}

// sourceTree writes a number of classes that use each other, and returns the file that lists them.
func sourceTree(t *testing.T, classes int) (list string) {
	t.Helper()
	root := t.TempDir()
	var names strings.Builder
	for c := range classes {
		var text strings.Builder
		fmt.Fprintf(&text, "package p%d;\n/** Generated. */\npublic class C%d<T extends Comparable<T>> {\n", c%20, c)
		for m := range 40 {
			other := (c*31 + m*7) % classes
			fmt.Fprintf(&text,
				"public static int m%d(int n) { String s = \"n\" + n; return n < 2 ? s.length() : p%d.C%d.m%d(n - "+
					"1) * %d; }\n",
				m, other%20, other, (m+1)%40, m)
		}
		text.WriteString("}\n")
		file := filepath.Join(root, fmt.Sprintf("p%d", c%20), fmt.Sprintf("C%d.java", c))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&names, file)
	}
	list = filepath.Join(root, "sources")
	if err := os.WriteFile(list, []byte(names.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return list
}

// compiled compiles the listed sources, and returns the classes by name.
func compiled(t *testing.T, j testtool.JDK, list string, flags ...string) map[string][]byte {
	t.Helper()
	out := t.TempDir()
	if text, err := exec.Command(j.Tool("javac"), append(flags, "-J-Xmx400m", "-d", out, "@"+list)...).
		CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, text)
	}
	classes := map[string][]byte{}
	err := filepath.WalkDir(out, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		classes[strings.TrimPrefix(name, out)], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return classes
}
