package tempfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// TestScratch: nothing of the file is left when it is closed.
func TestScratch(t *testing.T) {
	folder := t.TempDir()
	file, err := NewScratch(folder, "trcx-*")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write([]byte("some text")); err != nil {
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

// TestScratchWithoutFolder: the error names the missing folder and how to choose another one.
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

// TestScratchCannotBeWritten: errors of all ways to write blame the folder and say how to choose another one, if that
// is possible. A reader's error is passed on as it is.
func TestScratchCannotBeWritten(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	for named, advice := range map[string]string{"": "; the variable TMPDIR can name another folder", folder: ""} {
		file, err := NewScratch(named, "trcx-*")
		if err != nil {
			t.Fatal(err)
		}
		failing := errors.New("the disk of the input")
		if _, err := io.Copy(file, iotest.ErrReader(failing)); err != failing {
			t.Errorf("the reader's error is %v", err)
		}
		if err := file.File().Close(); err != nil {
			t.Fatal(err)
		}
		_, written := file.Write([]byte("text"))
		_, writtenAt := file.WriteAt([]byte("text"), 3)
		_, copied := io.Copy(file, strings.NewReader("text"))
		for _, err := range []error{written, writtenAt, copied} {
			var failed *Error
			want := "a temporary file in " + folder + " cannot be written: file already closed" + advice
			if !errors.As(err, &failed) || failed.Folder != folder || !errors.Is(err, os.ErrClosed) || err.Error() != want {
				t.Errorf("the error is %v, want %s", err, want)
			}
		}
	}
}
