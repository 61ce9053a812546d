package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTerminal: nothing binary and no page is written to a terminal; text is.
func TestTerminal(t *testing.T) {
	const input = "../../testdata/recorded/warehouse-jdk17.trcxml"
	for command, want := range map[string]string{
		"convert --to html":  "a terminal cannot show html; name a file with -o, such as NAME.html",
		"convert --to png":   "a terminal cannot show png",
		"convert --to pprof": "a terminal cannot show pprof",
		"report":             "a terminal cannot show html",
		"report --png":       "a terminal cannot show png",
		"report -o -":        "a terminal cannot show html",
		"report --svg":       "",
		"convert":            "",
	} {
		var stderr bytes.Buffer
		status := Main(append([]string{"trcx"}, append(strings.Fields(command), input)...), nil, terminal(t), &stderr)
		if want != "" && (status != exitUsage || !strings.Contains(stderr.String(), want)) || want == "" && status != 0 {
			t.Errorf("%s: status %d, %s", command, status, &stderr)
		}
	}
}

// terminal returns a pseudo terminal whose output is discarded.
func terminal(t *testing.T) *os.File {
	t.Helper()
	manager, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(manager.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(manager.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for buffer := make([]byte, 1<<16); err == nil; {
			_, err = manager.Read(buffer)
		}
	}()
	t.Cleanup(func() {
		file.Close()
		manager.Close()
	})
	return file
}
