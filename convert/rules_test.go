package convert_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/trcx/trcx/convert"
)

// TestRulesAreDescribed: the text of each reader describes the rules that its code names, and no others.
func TestRulesAreDescribed(t *testing.T) {
	named := regexp.MustCompile(`(?m)^\s+[rR]ule\w+\s+= "([\w-]+)"`)
	var want, got []string
	for _, reader := range []string{"jfr", "hprof", "threaddump", "monlog", "switchlog"} {
		files, err := filepath.Glob(filepath.Join(reader, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(reader, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range named.FindAllSubmatch(text, -1) {
				want = append(want, string(match[1]))
			}
		}
	}
	for _, rule := range convert.Rules() {
		got = append(got, rule.ID)
		if rule.Summary == "" || rule.Explanation == "" {
			t.Errorf("%s lacks a summary or an explanation", rule.ID)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("described are %q, want %q", got, want)
	}
}
