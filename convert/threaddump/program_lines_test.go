package threaddump_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestLinesOfTheProgram puts lines that a program may print after lines of dumps: each is skipped, and no thread loses
// anything.
func TestLinesOfTheProgram(t *testing.T) {
	said := []string{
		"some log line", `"log line in quotes"`, `"log line in quotes": 17,`, `"a": {`, `{"json": "log"}`, "[", "<a>",
		"&quot;x&quot;", `#12 "x"`, "- tick", "- locked the door", "- waiting for Godot",
		"at the end of the day", "at last (finally)", "at 10:30", "JNI global references are many",
		"JNI global refs: none", "Found 3 items", "Found one Java-level problem", "Full thread dump of nothing",
	}
	for _, name := range []string{"jdk8_deadlock.txt", "series.txt", "carriers.txt"} {
		lines := slices.Collect(bytes.Lines(dumps(t)[name]))
		whole := readValid(t, bytes.Join(lines, nil))
		begun := false
		for i, line := range lines {
			if begun = (begun || bytes.HasPrefix(line, []byte("Full thread dump"))) &&
				!bytes.HasPrefix(line, []byte("20")); !begun {
				continue // a time is looked for in the line before the head
			}
			for j, words := range said {
				if (i+j)%4 != 0 {
					continue // to save time
				}
				text := slices.Concat(bytes.Join(lines[:i+1], nil), []byte(words+"\n"), bytes.Join(lines[i+1:], nil))
				got := readValid(t, text)
				if !slices.Equal(got.elements, whole.elements) || len(got.findings) != len(whole.findings) {
					t.Errorf("%s: with %q after line %d, %q, the findings are %q and the elements\n%s", name, words,
						i+1, bytes.TrimSpace(line), got.findings, strings.Join(got.elements, ""))
				}
			}
		}
	}
}
