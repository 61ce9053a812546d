package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/trcx/trcx/"

// TestLayers proves that packages import only packages of their own top-level folder or of a lower layer, as the table
// in HACKING.md orders them. Tests may import anything.
func TestLayers(t *testing.T) {
	layers := layersOf(t)
	files := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && skippedFolder(entry.Name()) && path != root:
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		folder, _, _ := strings.Cut(folderOf(path), "/")
		layer, ok := layers[folder]
		if !ok || strings.HasSuffix(folderOf(path), "test") {
			return nil
		}
		files++
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			imported, ours := strings.CutPrefix(name, module)
			if err != nil || !ours {
				continue
			}
			top, _, _ := strings.Cut(imported, "/")
			lower := layers[top] < layer || imported == "internal/digits" // which imports nothing
			known := folder == "internal" && (top == "trace" || top == "threads")
			if top != folder && !lower && !known {
				t.Errorf("%s (layer %d) imports %s (layer %d)", path, layer, imported, layers[top])
			}
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files are checked: %v", files, err)
	}
}

// layersOf reads HACKING.md's table of layers: top-level folder to layer.
func layersOf(t *testing.T) map[string]int {
	t.Helper()
	layers := map[string]int{}
	row := regexp.MustCompile("(?m)^\\| ([1-9]) \\| `([a-z]+)` \\|")
	for _, found := range row.FindAllStringSubmatch(read(t, "HACKING.md"), -1) {
		layers[found[2]], _ = strconv.Atoi(found[1])
	}
	if len(layers) < 9 {
		t.Fatalf("HACKING.md has only these layers: %v", layers)
	}
	return layers
}
