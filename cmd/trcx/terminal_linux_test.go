package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTerminal: binary outputs and pages are not written to a terminal; text is.
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

// TestTextFitsTheTerminal: text has the width of the terminal, or of the variable COLUMNS; --width overrides both.
func TestTextFitsTheTerminal(t *testing.T) {
	const input = "../../testdata/recorded/warehouse-jdk17.trcxml"
	t.Setenv("NO_COLOR", "1")
	for _, c := range []struct {
		size          uint16
		columns, flag string
		want          int
	}{{100, "", "", 100}, {100, "60", "", 60}, {60, "no number", "", 60}, {60, "", "--width=90", 90},
		{60, "50", "--width=0", 0}, {20, "", "", 40}, {0, "", "", 0}} {
		t.Setenv("COLUMNS", c.columns)
		screen, shown := shownBy(t, c.size)
		var want, stderr bytes.Buffer
		args := strings.Fields("trcx path " + input + " " + c.flag)
		if status := Main(args, nil, screen, &stderr); status != 0 {
			t.Fatalf("status %d, %s", status, &stderr)
		}
		Main(append(strings.Fields("trcx path "+input), fmt.Sprintf("--width=%d", c.want)), nil, &want, &stderr)
		if got := strings.ReplaceAll(shown(), "\r\n", "\n"); got != want.String() {
			t.Errorf("%+v: got\n%s\nwant\n%s", c, got, &want)
		}
	}
}

// escape finds the sequences that colour a word on a terminal.
var escape = regexp.MustCompile("\x1b\\[[0-9;]+m")

// TestColours: states have colours only on a terminal that can show them. The text is the same.
func TestColours(t *testing.T) {
	folder := t.TempDir()
	input := filepath.Join(folder, "app.trcxml")
	text, err := os.ReadFile("../../testdata/recorded/warehouse-jdk17.trcxml")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte(`"picker-1"`), []byte(`"&#x9b;31mBLOCKED"`))
	if err := os.WriteFile(input, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		noColor, term, flag string
		want                bool
	}{{"", "xterm", "", true}, {"1", "xterm", "", false}, {"", "dumb", "", false},
		{"", "xterm", "--format=csv", false}, {"", "xterm", "--format=markdown", false}, {"", "xterm", "--json", false}} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("TERM", c.term)
		screen, shown := shownBy(t, 0)
		var plain, stderr bytes.Buffer
		args := strings.Fields("trcx stats " + input + " " + c.flag)
		Main(args, nil, &plain, &stderr)
		if status := Main(args, nil, screen, &stderr); status != 0 {
			t.Fatalf("status %d, %s", status, &stderr)
		}
		got := strings.ReplaceAll(shown(), "\r\n", "\n")
		if escape.ReplaceAllString(got, "") != plain.String() || c.want != strings.Contains(got, "\x1b[31mBLOCKED\x1b[0m") {
			t.Errorf("%+v: got\n%q\nwant\n%q", c, got, &plain)
		}
		if strings.Contains(plain.String(), "\x1b") || strings.Contains(got, "\u009b") && c.flag != "--json" {
			t.Errorf("%+v: names control the terminal: %q", c, got)
		}
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	out := filepath.Join(folder, "app.txt")
	if status := Main([]string{"trcx", "stats", input, "-o", out}, nil, terminal(t), io.Discard); status != 0 {
		t.Fatal(status)
	}
	if text, err := os.ReadFile(out); err != nil || bytes.Contains(text, []byte("\x1b")) {
		t.Errorf("a file has colours: %q, %v", text, err)
	}
}

// shownBy returns a pseudo terminal with a number of columns, and a function that closes it and returns its content.
func shownBy(t *testing.T, columns uint16) (screen *os.File, shown func() string) {
	t.Helper()
	manager, screen := openTerminal(t)
	if err := unix.IoctlSetWinsize(int(manager.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	text := make(chan string)
	go func() {
		all, _ := io.ReadAll(manager) // ends with EIO when the terminal is closed
		text <- string(all)
	}()
	return screen, func() string {
		screen.Close()
		defer manager.Close()
		return <-text
	}
}

// terminal returns a pseudo terminal whose output is discarded.
func terminal(t *testing.T) *os.File {
	t.Helper()
	manager, screen := openTerminal(t)
	go io.Copy(io.Discard, manager)
	t.Cleanup(func() {
		screen.Close()
		manager.Close()
	})
	return screen
}

// openTerminal returns the two sides of a pseudo terminal.
func openTerminal(t *testing.T) (manager, screen *os.File) {
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
	screen, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return manager, screen
}
