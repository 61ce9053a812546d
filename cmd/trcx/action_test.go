package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// TestAction runs what the CI action (action.yml) runs in its last step, on a valid and an invalid trace: annotations,
// status, and the job summary.
func TestAction(t *testing.T) {
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, script, found := strings.Cut(string(text), "      run: |\n")
	if !found {
		t.Fatal("action.yml has no step that runs a script")
	}
	folder := t.TempDir()
	for name, document := range map[string]string{
		"valid.trcxml": string(readFile(t, "../../testdata/recorded/deadlock-jdk17.trcxml")),
		"wrong.trcxml": "<TRACE>\n<threadEnd threadIdRef=\"1\"/>\n</TRACE>\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(document), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const deadlock = "### `valid.trcxml`\n\nDeadlock: transfer-2 (thread 13) holds "
	for _, test := range []struct {
		files, rules        string
		status              int
		annotation, summary string // the summary's begin
	}{
		{"valid.trcxml", "", exitDone, "", deadlock},
		{"*.trcxml", "", exitFindings, "::error file=wrong.trcxml,line=2", deadlock},
		{"wrong.trcxml", "-attribute-missing", exitDone, "::warning file=wrong.trcxml,line=2", ""},
	} {
		summary := filepath.Join(t.TempDir(), "summary")
		step := exec.Command(testtool.Need(t, "bash"), "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
		step.Dir = folder
		step.Env = append(os.Environ(), "FILES="+test.files, "RULES="+test.rules, "WARNINGS=false",
			"TRCX="+testtool.Trcx(t), "GITHUB_STEP_SUMMARY="+summary)
		out, _ := step.CombinedOutput()
		if step.ProcessState.ExitCode() != test.status || !strings.Contains(string(out), test.annotation) {
			t.Errorf("%+v: status %d\n%s", test, step.ProcessState.ExitCode(), out)
		}
		said := string(readFile(t, summary))
		if !strings.HasPrefix(said, test.summary) || (said == "") != (test.summary == "") {
			t.Errorf("%+v: the summary is %q", test, said)
		}
	}
}
