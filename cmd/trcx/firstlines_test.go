package main

import (
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPartsAgree: the first lines of the commands and of the page are sentences of trcx why, or begin one. Only the
// command says how long threads of each pool waited, what a path is, and that nothing was found.
func TestPartsAgree(t *testing.T) {
	excepted := map[string]*regexp.Regexp{
		"stats":     regexp.MustCompile(`(was|were) [A-Z_/ ]+ for |are deadlocked|waited for each other`),
		"path":      regexp.MustCompile(`^The (run|path|recorded part of the run) (took|takes|is) `),
		"deadlocks": regexp.MustCompile(`^No deadlock`),
		"blame":     regexp.MustCompile(`^(No thread|Threads finished only)`),
	}
	lines := func(arguments ...string) []string {
		var out strings.Builder
		Main(append([]string{"trcx"}, arguments...), strings.NewReader(""), &out, io.Discard)
		return strings.Split(out.String(), "\n")
	}
	begins := func(why []string, line string) bool {
		return slices.ContainsFunc(why, func(s string) bool { return strings.HasPrefix(s, strings.TrimSuffix(line, ".")) })
	}
	found := map[string]int{}
	for _, pattern := range []string{"../../docs/testdata/*.trcxml", "../../testdata/recorded/*.trcxml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			why := lines("why", file)
			for command, exception := range excepted {
				switch first := lines(command, file)[0]; {
				case begins(why, first):
					found[command]++
				case !exception.MatchString(first):
					t.Errorf("%s %s begins with %q, and why says\n%s", command, file, first, strings.Join(why, "\n"))
				}
			}
			checkPage(t, file, why, lines("report", file), begins)
		}
	}
	for command := range excepted {
		if found[command] == 0 {
			t.Errorf("no trace has the diagnosis in the first line of %s", command)
		}
	}
}

// checkPage checks that the page begins with sentences of the diagnosis, and has each only once.
func checkPage(t *testing.T, file string, why, page []string, begins func([]string, string) bool) {
	t.Helper()
	_, text, _ := strings.Cut(strings.Join(page, "\n"), `"verdicts":`)
	var verdicts []struct {
		About, Text string
		Remarks     []string
	}
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&verdicts); err != nil || len(verdicts) == 0 {
		t.Fatalf("the page of %s has %d verdicts, %v", file, len(verdicts), err)
	}
	var said []string
	for i, v := range verdicts {
		if (i == 0 || v.About != "note") && !begins(why, v.Text) {
			t.Errorf("the page of %s says %q, and why\n%s", file, v.Text, strings.Join(why, "\n"))
		}
		said = append(append(said, v.Text), v.Remarks...)
	}
	slices.Sort(said)
	if len(slices.Compact(slices.Clone(said))) != len(said) {
		t.Errorf("the page of %s says something twice: %q", file, said)
	}
}
