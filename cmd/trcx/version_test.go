package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// TestVersionOfMake: a program built by make reports the version given to make; one built by the release script reports
// the version of its files.
func TestVersionOfMake(t *testing.T) {
	testtool.Long(t)
	plan := exec.Command("make", "-n", "--no-print-directory", "trcx", "VERSION=v9.8.7")
	plan.Dir = "../.."
	commands, err := plan.Output()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "trcx")
	command := exec.Command("sh", "-ec", strings.ReplaceAll(string(commands), "bin/trcx", program))
	command.Dir = "../.."
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	printed, err := exec.Command(program, "version").Output()
	if err != nil || !bytes.HasPrefix(printed, []byte("trcx v9.8.7, commit ")) {
		t.Errorf("trcx version: %s, %v", printed, err)
	}
	script, err := os.ReadFile("../../internal/release/release.sh")
	if err != nil || bytes.Count(script, []byte("go build")) != 2 || bytes.Count(script, []byte("$link\"")) != 2 ||
		!bytes.Contains(script, []byte("-X main.linkedVersion=$version ")) {
		t.Errorf("release.sh builds a program that does not report its version: %v", err)
	}
}
