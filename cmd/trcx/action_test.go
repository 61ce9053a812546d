package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// TestAction runs the commands of the CI action (action.yml): it validates a valid and an invalid trace, with the job
// summary, and watches a command.
func TestAction(t *testing.T) {
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	scripts := map[string]string{}
	for step := range strings.SplitSeq(string(text), "    - name: ") {
		name, _, _ := strings.Cut(step, "\n")
		_, scripts[name], _ = strings.Cut(step, "      run: |\n")
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
		step, input, rules string
		status             int
		output, summary    string // the beginning of the summary
	}{
		{"Validate", "valid.trcxml", "", exitDone, "", deadlock},
		{"Validate", "*.trcxml", "", exitFindings, "::error file=wrong.trcxml,line=2", deadlock},
		{"Validate", "wrong.trcxml", "-attribute-missing", exitDone, "::warning file=wrong.trcxml,line=2", ""},
		{"Validate", "", "", exitUsage, "::error::name the traces by files", ""},
		{"Watch", "echo runs && exit 3", "", 3, "runs", ""},
		{"Watch", "", "", exitUsage, "::error::name the command by command", ""},
		{"Watch", "sleep 60", "", killedStatus, "::error title=trcx watch::The command has no JVM that trcx can look into.", ""},
	} {
		summary := filepath.Join(folder, "summary")
		if err := os.WriteFile(summary, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		step := exec.Command(testtool.Need(t, "bash"), "--noprofile", "--norc", "-eo", "pipefail", "-c", scripts[test.step])
		step.Dir = folder
		step.Env = append(os.Environ(), "FILES="+test.input, "RULES="+test.rules, "WARNINGS=false", "COMMAND="+test.input,
			"NO_PROGRESS=1s", "KILL=true", "GITHUB_ACTIONS=true", "TRCX="+testtool.Trcx(t), "GITHUB_STEP_SUMMARY="+summary)
		out, _ := step.CombinedOutput()
		if step.ProcessState.ExitCode() != test.status || !strings.Contains(string(out), test.output) {
			t.Errorf("%+v: status %d\n%s", test, step.ProcessState.ExitCode(), out)
		}
		said := string(readFile(t, summary))
		if test.step == "Validate" && (!strings.HasPrefix(said, test.summary) || (said == "") != (test.summary == "")) {
			t.Errorf("%+v: the summary is %q", test, said)
		}
	}
}
