//go:build unix

package listen

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSocketFile proves that the socket is accessible to its owner alone, whatever the umask permits, and is removed at
// the end.
func TestSocketFile(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	path := filepath.Join(t.TempDir(), "s")
	b := serve(t, Options{Unix: path})
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v", info.Mode())
	}
	if _, err := New(Options{Unix: path, MaxConnections: 1}); err == nil ||
		!strings.Contains(err.Error(), "is in use, perhaps by another trcx listen") {
		t.Errorf("a second one: %v", err)
	}
	if err := b.end(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket at the end: %v", err)
	}
}

// TestStaleSocketReplaced proves that a socket without a listener is replaced, and a file, a folder or a link is not.
func TestStaleSocketReplaced(t *testing.T) {
	folder := t.TempDir()
	left := filepath.Join(folder, "left")
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: left, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	if err := serve(t, Options{Unix: left}).end(); err != nil {
		t.Error(err)
	}
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, []byte("years of work"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(folder, "link")
	if err := os.Symlink(left, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, folder, link} {
		if _, err := New(Options{Unix: path, MaxConnections: 1}); err == nil ||
			!strings.Contains(err.Error(), "exists and is not a socket; name another path") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if content, err := os.ReadFile(file); string(content) != "years of work" {
		t.Errorf("the file is %q, %v", content, err)
	}
	if _, err := New(Options{Unix: filepath.Join(folder, strings.Repeat("x", 120)), MaxConnections: 1}); err == nil ||
		!strings.Contains(err.Error(), "too long for a socket's path") {
		t.Errorf("a long path: %v", err)
	}
	if _, err := New(Options{Unix: filepath.Join(folder, "none", "s"), MaxConnections: 1}); err == nil ||
		!strings.Contains(err.Error(), "cannot listen on") {
		t.Errorf("a folder that is missing: %v", err)
	}
}

// TestSocketReplaced proves that Close does not remove a socket of another process.
func TestSocketReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	b := serve(t, Options{Unix: path})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.end()
	if content, err := os.ReadFile(path); string(content) != "other" {
		t.Errorf("what is there is %q, %v", content, err)
	}
}

// TestSocketLooksAbstract proves that a path that begins with @ is a path in the file system.
func TestSocketLooksAbstract(t *testing.T) {
	t.Chdir(t.TempDir())
	b := serve(t, Options{Unix: "@s"})
	if info, err := os.Stat("@s"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	b.end()
}
