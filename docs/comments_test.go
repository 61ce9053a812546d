package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPackageCommentsNameFiles proves that the files which package comments name exist: in the package's folder, or
// under the root if the name has a slash.
func TestPackageCommentsNameFiles(t *testing.T) {
	names := regexp.MustCompile(`[\w*/]+\.(?:go|c|h)\b`)
	named := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && skippedFolder(entry.Name()) && path != root:
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		for _, name := range names.FindAllString(parsed.Doc.Text(), -1) {
			named++
			pattern := filepath.Join(filepath.Dir(path), name)
			if strings.Contains(name, "/") {
				pattern = filepath.Join(root, name)
			}
			if found, err := filepath.Glob(pattern); err != nil || len(found) == 0 {
				t.Errorf("%s names %s, which does not exist", path, name)
			}
		}
		return nil
	})
	if err != nil || named < 100 {
		t.Fatalf("%d files are named: %v", named, err)
	}
}
