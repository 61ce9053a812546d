package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// importClause matches an import or a re-export of another source file, also of types only, which the bundler does not
// see.
var importClause = regexp.MustCompile(`(?m)^(?:import|export)\b[^;"]*?(?:from )?"(\.[^"]*)\.js";`)

// checkCycles returns an error if TypeScript files of a folder import each other in a cycle. It names one cycle.
func checkCycles(folder string) error {
	imports, err := importsOf(folder)
	if err != nil {
		return err
	}
	if cycle := findCycle(imports); cycle != nil {
		return fmt.Errorf("files import each other in a cycle: %s", strings.Join(cycle, " -> "))
	}
	return nil
}

// importsOf returns the files that each TypeScript file of a folder imports, by path without .ts.
func importsOf(folder string) (map[string][]string, error) {
	imports := map[string][]string{}
	tree := os.DirFS(folder)
	err := fs.WalkDir(tree, ".", func(name string, _ fs.DirEntry, err error) error {
		file, isSource := strings.CutSuffix(name, ".ts")
		if err != nil || !isSource {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		imports[file] = []string{}
		for _, match := range importClause.FindAllSubmatch(text, -1) {
			imports[file] = append(imports[file], path.Join(path.Dir(file), string(match[1])))
		}
		return nil
	})
	return imports, err
}

// findCycle returns the files of a cycle, with the first one again at the end, or nil.
func findCycle(imports map[string][]string) []string {
	done := map[string]bool{}
	var visit func(file string, chain []string) []string
	visit = func(file string, chain []string) []string {
		if at := slices.Index(chain, file); at >= 0 {
			return append(slices.Clone(chain[at:]), file)
		}
		if done[file] {
			return nil
		}
		for _, imported := range imports[file] {
			if cycle := visit(imported, append(chain, file)); cycle != nil {
				return cycle
			}
		}
		done[file] = true
		return nil
	}
	files := make([]string, 0, len(imports))
	for file := range imports {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		if cycle := visit(file, nil); cycle != nil {
			return cycle
		}
	}
	return nil
}
