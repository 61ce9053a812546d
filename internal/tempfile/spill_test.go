package tempfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trcx/trcx/internal/tempfile"
)

// TestSpill proves that blocks are read as they were last written, and that no file is left.
func TestSpill(t *testing.T) {
	folder := t.TempDir()
	spill := tempfile.NewSpill(folder, "spill-*")
	first, _ := spill.Write([]byte("one"), -1)
	second, _ := spill.Write([]byte("two"), -1)
	if at, ok := spill.Write([]byte("ONE"), first); at != first || !ok {
		t.Errorf("it was written at %d, %v", at, ok)
	}
	for at, want := range map[int64]string{first: "ONE", second: "two"} {
		got := make([]byte, 3)
		if spill.Read(got, at); string(got) != want {
			t.Errorf("at %d is %q, want %q", at, got, want)
		}
	}
	if spill.Err() != nil || spill.Close() != nil {
		t.Errorf("the error is %v", spill.Err())
	}
	if left, err := os.ReadDir(folder); len(left) > 0 || err != nil {
		t.Errorf("there are %v, %v", left, err)
	}
}

// TestSpillWithoutFolder keeps the first error, and refuses to write.
func TestSpillWithoutFolder(t *testing.T) {
	spill := tempfile.NewSpill(filepath.Join(t.TempDir(), "missing"), "spill-*")
	if _, ok := spill.Write([]byte("one"), -1); ok || spill.Err() == nil {
		t.Errorf("it was written: %v, %v", ok, spill.Err())
	}
	if err := spill.Close(); err != nil {
		t.Error(err)
	}
}
