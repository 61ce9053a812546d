package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestIncludesHaveNoCycles proves that no C module includes itself through others. A module is a header and the C file
// of the same name; it can only call functions of modules that it includes.
func TestIncludesHaveNoCycles(t *testing.T) {
	includes := map[string][]string{}
	files, err := filepath.Glob("*.[ch]")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d C files are found: %v", len(files), err)
	}
	include := regexp.MustCompile(`(?m)^#include "(\w+)\.h"$`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		module := strings.TrimSuffix(file, filepath.Ext(file))
		for _, found := range include.FindAllStringSubmatch(string(text), -1) {
			if found[1] != module {
				includes[module] = append(includes[module], found[1])
			}
		}
	}
	var visit func(module string, path []string)
	visit = func(module string, path []string) {
		if slices.Contains(path, module) {
			t.Errorf("a cycle of includes: %s", strings.Join(append(path, module), " -> "))
			return
		}
		for _, next := range includes[module] {
			visit(next, append(path[:len(path):len(path)], module))
		}
	}
	for module := range includes {
		visit(module, nil)
	}
}
