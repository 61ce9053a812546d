package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
)

// someCall finds the method and the line of a call.
var someCall = regexp.MustCompile(`([^\s().…]+)\([^\s():]*:(\d+)\)`)

// TestTextFits: no line of an answer exceeds the width, and a shortened call keeps its method and line. Only lines with
// a command may be longer.
func TestTextFits(t *testing.T) {
	var inputs []string
	for _, pattern := range []string{"../../testdata/recorded/*.trcxml", "../../testdata/recorded/*.jfr",
		"../../docs/testdata/*.trcxml", "../../analyze/deadlock/testdata/*.trcxml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		inputs = append(inputs, found...)
	}
	tables := 0
	for _, input := range inputs {
		for _, command := range []string{"stats", "stats contention-by-site --top 0", "path --all", "blame --by place --all",
			"blame --idle", "deadlocks --all", "diff --all " + inputs[0], "heap --by site --callers", "heap --dominators"} {
			args := append(strings.Fields("trcx "+command), input, "--quiet")
			whole := textOf(args)
			for _, width := range []int{40, 60, 80, 100} {
				text := textOf(append(args, fmt.Sprintf("--width=%d", width)))
				for line := range strings.Lines(text) {
					line = strings.TrimSuffix(line, "\n")
					if columns := runewidth.StringWidth(line); columns > width && !strings.Contains(line, ": trcx ") {
						t.Errorf("%s %s: %d columns instead of %d: %s", command, input, columns, width, line)
					}
					for _, call := range someCall.FindAllStringSubmatch(line, -1) {
						if !hasCall(whole, call[1], call[2]) {
							t.Errorf("%s %s: %s is no call with a method and a line", command, input, call[0])
						}
					}
				}
				tables += strings.Count(text, "\n\n")
			}
		}
	}
	if tables < 1000 {
		t.Errorf("the answers have %d parts", tables)
	}
}

// hasCall reports whether the text has a call of the method at the line.
func hasCall(text, method, line string) bool {
	for _, call := range someCall.FindAllStringSubmatch(text, -1) {
		if call[1] == method && call[2] == line {
			return true
		}
	}
	return false
}

// textOf returns the answer of a command; "" if the input has none.
func textOf(args []string) string {
	var out, errors bytes.Buffer
	Main(args, nil, &out, &errors)
	return out.String()
}
