//go:build race

package main

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// raceDetector reports whether the tests run under the race detector.
const raceDetector = true

// scriptOfCommand is, for each command, a script in which its goroutines work.
var scriptOfCommand = map[string]string{
	"record": "record_heap", "attach": "attach_detach", "detach": "attach_detach", "listen": "listen_receives",
	"convert": "csv_tables", "validate": "validate_several_inputs", "stats": "stats_combine", "path": "path_sessions",
	"blame": "blame", "why": "why", "deadlocks": "deadlocks_several_inputs", "diff": "diff_blame", "heap": "heap_allocations",
	"dump": "dump", "query": "query_formats", "mcp": "mcp", "watch": "watch", "report": "report_page", "serve": "serve_follow",
	"methods": "methods",
}

// withoutScript are the commands that print fixed output, and read no trace.
var withoutScript = []string{"dtd", "schema", "version", "completion", "man", "help"}

// TestScriptOfEachCommand runs one script of each command, since the race detector makes all of them too slow.
func TestScriptOfEachCommand(t *testing.T) {
	files := map[string]bool{}
	for _, command := range newApp(&environment{}).Commands {
		script := scriptOfCommand[command.Name]
		if script == "" && !slices.Contains(withoutScript, command.Name) {
			t.Errorf("scriptOfCommand lacks %s", command.Name)
			continue
		}
		if script != "" {
			files[filepath.Join(scripts, script+".txtar")] = true
		}
	}
	runScripts(t, testscript.Params{Files: slices.Sorted(maps.Keys(files))})
}
