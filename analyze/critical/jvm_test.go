package critical_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// TestChainInJVM records a program whose time is a single chain of hand-offs, and looks for it: see
// testdata/Chain.java. On a busy machine other threads can delay the chain; then the program is recorded again.
func TestChainInJVM(t *testing.T) {
	var r *critical.Recorder
	var path *critical.Path
	dropped := 0
	for try := 0; try < 5 && (path == nil || isDelayed(path)); try++ {
		document := recordChain(t)
		agree(t, "Chain", document)
		dropped = testtool.Dropped(document)
		r = recorded(t, document)
		path = r.Path(r.Last())
	}
	shares := path.Shares()
	runners, asleep := 0, int64(0)
	for _, s := range shares.Threads {
		if strings.HasPrefix(s.Of.Name, "runner-") {
			runners++
		}
		if strings.HasPrefix(s.Of.Name, "other-") {
			t.Errorf("%s is on the path", s.Of.Name)
		}
	}
	for _, s := range shares.States {
		if s.Of == (critical.State{Type: trace.Sleeping, Name: trace.StateSleeping}) {
			asleep = s.Time
		}
	}
	if runners != 5 || asleep < 290e6 {
		t.Errorf("%d runners are on the path, and sleep %d ns", runners, asleep)
	}
	if lock := waitFor(shares, "Chain$Baton"); lock.Count != 5 || lock.Time < 230e6 {
		t.Errorf("%d waits for the baton take %d ns of the path, instead of 5 about 240 ms", lock.Count, lock.Time)
	}
	if toy := waitFor(shares, "Chain$Toy"); toy.Count != 0 {
		t.Errorf("%d waits for the toy are on the path", toy.Count)
	}
	baton, err := critical.ParseMonitors("Chain$Baton")
	if err != nil {
		t.Fatal(err)
	}
	x := r.WhatIf(r.Last(), []critical.Monitors{baton})
	if x == nil || x.Waits != 5 || x.Saved < 230e6 {
		t.Errorf("without waits for the baton: %+v", x)
	}
	if t.Failed() {
		t.Log(dropped, "records were dropped;", path.Verdict(), strings.Join(told(path, path.From), "\n"))
	}
}

// isDelayed reports whether a thread that does not belong to the chain is on the path.
func isDelayed(path *critical.Path) bool {
	return slices.ContainsFunc(path.Shares().Threads, func(s critical.Share[critical.Thread]) bool {
		return strings.HasPrefix(s.Of.Name, "other-")
	})
}

// waitFor returns the wait to enter a monitor of the class; the zero Wait for none.
func waitFor(shares *critical.Shares, class string) critical.Wait {
	for _, w := range shares.Waits {
		if w.State == trace.WaitingForLock && w.Object.Class == class {
			return w
		}
	}
	return critical.Wait{}
}

// recordChain runs the program under the agent.
func recordChain(t *testing.T) []byte {
	t.Helper()
	jdks := testtool.JDKs(t, testtool.Oldest)
	newest := jdks[len(jdks)-1]
	file := filepath.Join(t.TempDir(), "chain.trcxml")
	command := exec.Command(newest.Tool("java"), "-agentpath:"+testtool.Agent(t)+"=file="+file, "-cp",
		testtool.Javac(t, newest, nil, "testdata/Chain.java"), "Chain")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	document, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return document
}
