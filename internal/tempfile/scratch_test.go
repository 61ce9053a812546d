package tempfile

import (
	"os"
	"path/filepath"
	"testing"
)

// TestScratch: nothing of the file is left when it is closed.
func TestScratch(t *testing.T) {
	folder := t.TempDir()
	file, err := NewScratch(folder, "trcx-*")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("some text"); err != nil {
		t.Fatal(err)
	}
	var text [4]byte
	if _, err := file.ReadAt(text[:], 5); err != nil || string(text[:]) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// TestScratchWithoutFolder: the error says which folder is missing, and how another one is chosen.
func TestScratchWithoutFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", folder)
	_, err := NewScratch("", "trcx-*")
	want := "no temporary file can be made in " + folder + ": no such file or directory; " +
		"the variable TMPDIR can name another folder"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
