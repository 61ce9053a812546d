package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/trcx/trcx/agent/options"
)

// TestAnswers proves that the statuses known here are exactly those that the agent returns when it is attached.
func TestAnswers(t *testing.T) {
	header, err := os.ReadFile("../../agent/native/load.c")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(ATTACH_\w+) = (\d+),`).FindAllStringSubmatch(string(header), -1)
	if len(found) != len(agentCodes) {
		t.Errorf("load.c has %d statuses, and there are words for %d", len(found), len(agentCodes))
	}
	for _, status := range found {
		if code, _ := strconv.Atoi(status[2]); agentCodes[code] == "" {
			t.Errorf("there are no words for %s = %d", status[1], code)
		}
	}
}

// TestMakeAbsolute: a percent sign in the folder's name is not taken for a placeholder of the trace's name.
func TestMakeAbsolute(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "50%off")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	for _, test := range []struct{ options, trace, filters string }{
		{"file=%p.trcxml,filters=f.txt", filepath.Join(filepath.Dir(folder), "50%%off", "%p.trcxml"),
			filepath.Join(folder, "f.txt")},
		{"file=/tmp/%p.trcxml,filters=/tmp/f.txt", "/tmp/%p.trcxml", "/tmp/f.txt"},
		{"unix=socket", filepath.Join(folder, "socket"), ""},
		{"tcp=127.0.0.1:7411", "127.0.0.1:7411", ""},
	} {
		o, err := options.Parse(test.options)
		if err != nil {
			t.Fatal(err)
		}
		if err := makeAbsolute(&o); err != nil {
			t.Fatal(err)
		}
		if o.Output.Address != test.trace || o.FilterFile != test.filters {
			t.Errorf("%s: the trace is %s and the filters are %q", test.options, o.Output.Address, o.FilterFile)
		}
	}
}
