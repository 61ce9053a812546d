package docs

import (
	"go/ast"
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
			if top != folder && layers[top] >= layer {
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
	row := regexp.MustCompile("(?m)^\\| ([0-9]+) \\| `([a-z]+)` \\|")
	for _, found := range row.FindAllStringSubmatch(read(t, "HACKING.md"), -1) {
		layers[found[2]], _ = strconv.Atoi(found[1])
	}
	if len(layers) < 9 {
		t.Fatalf("HACKING.md has only these layers: %v", layers)
	}
	return layers
}

// TestFlagNames proves that no package but those of commands names a flag. Errors and findings of the library name an
// option, for which cmd/optionflag has the flag. Commands tell analyses how a reader sees more.
func TestFlagNames(t *testing.T) {
	flag := regexp.MustCompile(`(^|[^-\w!])--[a-z]`)
	var found []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch folder := folderOf(path); {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (skippedFolder(entry.Name()) || entry.Name() == "testtool"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(folder, "cmd/") ||
			strings.HasPrefix(folder, "fleet/cmd/"):
			return nil
		default:
			parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && flag.MatchString(text.Value) {
					found = append(found, folder+": "+text.Value)
				}
				return true
			})
			return nil
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range found {
		t.Errorf("%s: name the option, and let cmd name the flag", text)
	}
}

// TestNoBeam proves that only the module of trcx-fleet requires Apache Beam.
func TestNoBeam(t *testing.T) {
	for name, want := range map[string]bool{"../go.mod": false, "../go.sum": false, "../fleet/go.mod": true} {
		if found := strings.Contains(read(t, name), "github.com/apache/beam"); found != want {
			t.Errorf("%s has Apache Beam: %v, want %v", name, found, want)
		}
	}
}
