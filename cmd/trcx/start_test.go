package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPackagesInitializeLittle: no package of this module allocates much before main begins. Regular expressions,
// grammars and large tables are made at their first use, so that no command waits for what it does not need.
func TestPackagesInitializeLittle(t *testing.T) {
	const maxBytes, maxAllocations = 24 << 10, 128
	program := exec.Command(os.Args[0], "-test.run=^$")
	program.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	report, err := program.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, report)
	}
	line := regexp.MustCompile(`(?m)^init (\S+) @.* ms clock, (\d+) bytes, (\d+) allocs$`)
	own := 0
	for _, m := range line.FindAllStringSubmatch(string(report), -1) {
		if !strings.HasPrefix(m[1], "github.com/trcx/trcx/") || m[1] == "github.com/trcx/trcx/cmd/trcx" {
			continue // the command's own package includes the variables of these tests
		}
		own++
		bytes, _ := strconv.Atoi(m[2])
		allocations, _ := strconv.Atoi(m[3])
		if bytes > maxBytes || allocations > maxAllocations {
			t.Errorf("%s allocates %d bytes in %d pieces when it is initialized; want at most %d in %d", m[1], bytes,
				allocations, maxBytes, maxAllocations)
		}
	}
	if own == 0 {
		t.Errorf("no package is listed in\n%s", report)
	}
}
