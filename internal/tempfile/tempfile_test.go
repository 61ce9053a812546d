package tempfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestStaleFilesAreRemoved: old files that no process has open are removed. Files of other targets, of running
// processes and of the user stay.
func TestStaleFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	target := filepath.Join(folder, "page.html")
	old := time.Now().Add(-2 * leastAge)
	for _, name := range []string{".page.html.1.tmp", ".page.html.2.tmp", ".page.html.new.tmp", ".page.html.my.own.tmp",
		".other.html.1.tmp", "page.html.1.tmp"} {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(name, "new") {
			if err := os.Chtimes(name, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	open, err := os.Open(filepath.Join(folder, ".page.html.2.tmp"))
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if !lock(open) {
		t.Skip("SKIPPED: this file system has no locks; set TMPDIR to a folder of one that has")
	}
	created, err := Create(target, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer created.Close()
	var left []string
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	want := []string{".page.html.2.tmp", ".page.html.new.tmp", ".page.html.my.own.tmp", ".other.html.1.tmp",
		"page.html.1.tmp", filepath.Base(created.Name())}
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("the folder has %q, want %q", left, want)
	}
}

// TestCreatedFileIsLocked: another process does not remove a file that is being written, however old it is.
func TestCreatedFileIsLocked(t *testing.T) {
	target := filepath.Join(t.TempDir(), strings.Repeat("long", 50))
	first, err := Create(target, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	old := time.Now().Add(-2 * leastAge)
	if err := os.Chtimes(first.Name(), old, old); err != nil {
		t.Fatal(err)
	}
	second, err := Create(target, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if _, err := os.Stat(first.Name()); err != nil {
		t.Errorf("the first file is gone: %v", err)
	}
}
