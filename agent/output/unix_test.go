//go:build unix

package output

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func init() {
	fars = append(fars, far{"pipe", func(t *testing.T) (*stream, io.ReadCloser) {
		name := pipe(t)
		opened := make(chan *os.File, 1)
		go func() {
			time.Sleep(30 * time.Millisecond) // Open waits for a reader
			file, err := os.Open(name)
			if err != nil {
				close(opened)
				return
			}
			opened <- file
		}()
		near := shortly(open(t, Description{File: name}).(*stream))
		near.gone = "its reader is gone"
		return near, <-opened
	}})
}

func pipe(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestPermissions proves that a new file is accessible to its owner alone, whatever the umask permits.
func TestPermissions(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	name := filepath.Join(t.TempDir(), "app.trcxml")
	if err := open(t, Description{File: name}).Close(nil); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o600 {
		t.Errorf("the mode is %v", info.Mode())
	}
}

// TestFullDevice proves that a full device is an error, as a file and as the standard output.
func TestFullDevice(t *testing.T) {
	const device = "/dev/full"
	stdout, err := os.OpenFile(device, os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("SKIPPED: there is no %s; Linux has it", device)
	}
	defer stdout.Close()
	for _, d := range []Description{{File: device}, {File: Standard, Stdout: stdout}} {
		out := open(t, d)
		if err, want := out.Write(lines(0, 1)), d.String()+": the disk is full"; err == nil || err.Error() != want ||
			!errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: the error is %v", &d, err)
		}
		if err := out.Close([]byte(tail)); err != nil {
			t.Errorf("%s: Close: %v", &d, err)
		}
	}
}

// TestSizeOfFilesLimited proves that a file at the process's limit of file sizes (ulimit -f) is whole, plain and
// compressed.
func TestSizeOfFilesLimited(t *testing.T) {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	for _, form := range forms {
		name := filepath.Join(t.TempDir(), "app.trcxml"+form.ending)
		out := open(t, Description{File: name})
		written := []byte(head)
		limit := before
		limit.Cur = 10_000
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		err := out.Write(written)
		for i := 0; err == nil; i += 30 {
			written = append(written, lines(i, i+30)...)
			err = out.Write(lines(i, i+30))
		}
		closing := out.Close([]byte(tail))
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			t.Fatal(err)
		}
		if want := name + ": the file must not become larger (ulimit -f)"; err.Error() != want || closing != nil {
			t.Errorf("%s: %v, and then %v", form.ending, err, closing)
		}
		text, err := form.undo(t, read(t, name))
		if err != nil {
			t.Fatal(err)
		}
		whole(t, text, written, 9000)
	}
}

// TestDiskReallyFull fills the disk that has the folder in TRCX_SMALL_DISK.
func TestDiskReallyFull(t *testing.T) {
	folder := os.Getenv("TRCX_SMALL_DISK")
	if folder == "" {
		t.Skip(
			"SKIPPED: TRCX_SMALL_DISK names no folder on a disk to be filled; such as one by: mount -t tmpfs -o " +
				"size=1M none FOLDER")
	}
	for _, form := range forms {
		name := filepath.Join(folder, "app.trcxml"+form.ending)
		out := open(t, Description{File: name})
		written := []byte(head)
		err := out.Write(written)
		for i := 0; err == nil; i += 1000 {
			written = append(written, lines(i, i+1000)...)
			err = out.Write(lines(i, i+1000))
		}
		if closing := out.Close([]byte(tail)); err.Error() != name+": the disk is full" || closing != nil {
			t.Errorf("%s: %v, and then %v", form.ending, err, closing)
		}
		text, err := form.undo(t, read(t, name))
		if err != nil {
			t.Fatal(err)
		}
		whole(t, text, written, 100_000)
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBrokenStandardOutput proves that a process continues if its standard output is a broken pipe.
func TestBrokenStandardOutput(t *testing.T) {
	if os.Getenv("TRCX_WRITE_TO_STDOUT") != "" {
		out := open(t, Description{File: Standard, Stdout: os.Stdout})
		err := out.Write(lines(0, 10))
		out.Close([]byte(tail))
		os.Stderr.WriteString("alive: " + err.Error())
		os.Exit(7)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	var said bytes.Buffer
	child := exec.Command(os.Args[0], "-test.run", "^TestBrokenStandardOutput$")
	child.Env, child.Stdout, child.Stderr = append(os.Environ(), "TRCX_WRITE_TO_STDOUT=1"), w, &said
	err = child.Run()
	w.Close()
	if child.ProcessState.ExitCode() != 7 || said.String() != "alive: the standard output: its reader is gone" {
		t.Errorf("%v: %s", err, &said)
	}
}

// TestSocketAsFile proves that the error for a socket named as a file suggests unix=.
func TestSocketAsFile(t *testing.T) {
	address, _ := listener(t, "unix")
	if _, err := Open(Description{File: address}); err == nil ||
		!strings.Contains(err.Error(), "this is a socket; write unix="+address) {
		t.Errorf("the error is %v", err)
	}
}

// TestStandardOutputToFile proves that the trace is appended after earlier writes to the standard output and before
// later ones.
func TestStandardOutputToFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	file.WriteString("before\n")
	out := open(t, Description{File: "/dev/stdout", Stdout: file})
	if err := out.Write(lines(0, 1000)); err != nil {
		t.Fatal(err)
	}
	if err := out.Close([]byte(tail)); err != nil {
		t.Fatal(err)
	}
	file.WriteString("after\n")
	if want := "before\n" + string(lines(0, 1000)) + tail + "after\n"; string(read(t, name)) != want {
		t.Error("the file is not what was written one after the other")
	}
}
