package analyse

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/trcx/trcx/fleet/rows"
)

// TestUnreadable: a file that may not be read, one that is no more there, a folder, and one that fails while it is read
// are dead.
func TestUnreadable(t *testing.T) {
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret")
	for _, of := range []string{folder, filepath.Dir(folder)} {
		if err := os.Chmod(of, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(secret, []byte("<TRACE/>"), 0); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{secret: "permission denied", filepath.Join(folder, "vanished"): "no such file",
		folder: "is a directory", "/proc/self/mem": "input/output error"} {
		a, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan *rows.Set)
		go func() {
			if name == secret && os.Geteuid() == 0 { // root may read all, unless its thread is nobody's for files
				runtime.LockOSThread() // the thread ends with the goroutine
				if err := syscall.Setfsuid(65534); err != nil {
					t.Error(err)
				}
			}
			all, err := a.File(context.Background(), name)
			if err != nil {
				t.Error(name, err)
			}
			done <- all
		}()
		all := <-done
		row, stage := fileRow(t, all)
		if row.Status != rows.StatusOfDead || stage == "" || stage == stageBug || !strings.Contains(row.Text, want) {
			t.Errorf("%s is %s in stage %q: %q, want %q", name, row.Status, stage, row.Text, want)
		}
	}
}
