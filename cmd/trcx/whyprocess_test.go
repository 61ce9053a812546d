package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestVirtualIn reads dumps of JDK 25, which tells virtual threads from others, and of JDK 21, which does not.
func TestVirtualIn(t *testing.T) {
	for text, want := range map[string][]string{
		`{"threadDump":{"formatVersion":2,"processId":7,"threadContainers":[
			{"container":"<root>","threads":[{"tid":1,"name":"main"},{"tid":30,"virtual":true,"name":"","state":"WAITING"}]},
			{"container":"pool","threads":[{"tid":"31","virtual":true,"stack":[]},{"tid":32,"virtual":false}]}]}}`: {"30", "31"},
		`{"threadDump":{"processId":"7","threadContainers":[{"container":"<root>","threads":[{"tid":"1"}]}]}}`: nil,
		`{"threadDump":{}}`: nil,
		`no dump`:           nil,
		``:                  nil,
	} {
		name := filepath.Join(t.TempDir(), "threads.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		ids, err := virtualIn(name)
		if got := slices.Sorted(maps.Keys(ids)); err != nil || ids == nil || !slices.Equal(got, want) {
			t.Errorf("the virtual threads are %q, want %q (%v): %s", got, want, err, text)
		}
	}
	if _, err := virtualIn(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("a file that is missing is read")
	}
}
