package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// printed returns what a command prints.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := Main(append([]string{"trcx"}, args...), strings.NewReader(""), &stdout, &stderr); status != exitDone {
		t.Fatalf("%v: status %d, %s", args, status, stderr.String())
	}
	return stdout.String()
}

// TestCompletionIsWhole proves that completions and the manual page have all commands and flags.
func TestCompletionIsWhole(t *testing.T) {
	for _, args := range [][]string{{"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"}, {"man"}} {
		text := strings.ReplaceAll(printed(t, args...), `\-`, "-")
		for _, command := range listed(newApp(&environment{})) {
			if !regexp.MustCompile(`\b` + command.Name + `\b`).MatchString(text) {
				t.Errorf("%v has no %s", args, command.Name)
			}
			for _, f := range flagsOf(command) {
				name := strings.TrimPrefix(f.names[0], "--")
				if !strings.Contains(text, "--"+name) && !strings.Contains(text, "-l "+name) {
					t.Errorf("%v has no %s of %s", args, f.names[0], command.Name)
				}
			}
		}
	}
}

// TestCompletionIsAccepted lets the shells parse their completions, and groff the manual page.
func TestCompletionIsAccepted(t *testing.T) {
	for _, test := range []struct {
		print []string
		tool  string
		args  []string
	}{
		{[]string{"completion", "bash"}, "bash", []string{"-n"}},
		{[]string{"completion", "zsh"}, "zsh", []string{"-n"}},
		{[]string{"completion", "fish"}, "fish", []string{"--no-execute"}},
		{[]string{"man"}, "groff", []string{"-man", "-Tutf8", "-ww", "-z"}},
	} {
		t.Run(strings.Join(test.print, " "), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "printed")
			if err := os.WriteFile(file, []byte(printed(t, test.print...)), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(testtool.Need(t, test.tool), append(test.args, file)...).CombinedOutput()
			if err != nil || len(out) > 0 {
				t.Errorf("%v\n%.2000s", err, out)
			}
		})
	}
}

// TestCompletionInBash completes a command and a flag.
func TestCompletionInBash(t *testing.T) {
	const ask = `
COMP_WORDS=(trcx val); COMP_CWORD=1; _trcx; echo "${COMPREPLY[*]}"
COMP_WORDS=(trcx validate --rul); COMP_CWORD=2; _trcx; echo "${COMPREPLY[*]}"
`
	out, err := exec.Command(testtool.Need(t, "bash"), "-c", printed(t, "completion", "bash")+ask).CombinedOutput()
	if want := "validate\n--rules\n"; err != nil || string(out) != want {
		t.Errorf("%v, %q, want %q", err, out, want)
	}
}
