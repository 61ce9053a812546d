package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFileLists proves that a package comment that lists files lists those that exist, and all of them.
func TestFileLists(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "*", "doc.go"))
	for _, deeper := range []string{"*/*/doc.go", "*/*/*/doc.go"} {
		more, deeperErr := filepath.Glob(filepath.Join(root, deeper))
		if pages = append(pages, more...); err == nil {
			err = deeperErr
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	line, name := regexp.MustCompile(`(?m)^//\t[a-z].*$`), regexp.MustCompile(`[a-z0-9_]+\.(go|c)\b`)
	lists := 0
	for _, page := range pages {
		folder, comment := filepath.Dir(page), read(t, page)
		if !name.MatchString(strings.Join(line.FindAllString(comment, -1), "\n")) {
			continue
		}
		lists++
		listed := name.FindAllString(comment, -1)
		for _, file := range listed {
			if _, err := os.Stat(filepath.Join(folder, file)); err != nil {
				t.Errorf("%s lists %s, which does not exist", page, file)
			}
		}
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			base := filepath.Base(file)
			if base != "doc.go" && !strings.HasSuffix(base, "_test.go") && !slices.Contains(listed, base) {
				t.Errorf("%s does not list %s", page, base)
			}
		}
	}
	if lists < 20 {
		t.Errorf("%d package comments list files, want 20 or more", lists)
	}
}

// folderOf returns a file's folder, relative to the root, with slashes.
func folderOf(path string) string {
	folder, _ := filepath.Rel(root, filepath.Dir(path))
	return filepath.ToSlash(folder)
}

// skippedFolder reports whether a folder's files are not the project's own text.
func skippedFolder(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains([]string{"bin", "assets", "node_modules", "fuzz", "recorded"}, name)
}
