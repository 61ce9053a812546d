package dtd_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/trcx/trcx/dtd"
)

// TestDir proves that Dir opens files in the folder, relative to the file that names them, and nothing outside of it.
func TestDir(t *testing.T) {
	around := t.TempDir()
	folder := filepath.Join(around, "open")
	write := func(name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(around, "secret.dtd"))
	write(filepath.Join(folder, "a.dtd"))
	write(filepath.Join(folder, "sub", "a.dtd"))
	write(filepath.Join(folder, "sub", "with space.dtd"))
	for link, to := range map[string]string{"out.dtd": "../secret.dtd", "absolute.dtd": filepath.Join(around,
		"secret.dtd"), "up": "..", "in.dtd": "sub/a.dtd"} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe.dtd"), 0o600); err != nil {
		t.Fatal(err)
	}
	open, err := dtd.Dir(folder)
	if err != nil {
		t.Fatal(err)
	}
	inFolder, inSub, outside := filepath.Join(folder, "x.xml"), filepath.Join(folder, "sub", "x.xml"),
		filepath.Join(around, "x.xml")
	for _, c := range []struct{ systemID, base, want string }{
		{"a.dtd", inFolder, "a.dtd"},
		{"a.dtd", inSub, "sub/a.dtd"},
		{"../a.dtd", inSub, "a.dtd"},
		{"./sub/../a.dtd", inFolder, "a.dtd"},
		{"a.dtd", outside, "a.dtd"}, // a document elsewhere: relative to the folder
		{"a.dtd", "", "a.dtd"},
		{"sub/with%20space.dtd", inFolder, "sub/with space.dtd"},
		{filepath.Join(folder, "a.dtd"), outside, "a.dtd"},
		{"file://" + filepath.Join(folder, "a.dtd"), outside, "a.dtd"},
		{"in.dtd", inFolder, "sub/a.dtd"},
		{"../secret.dtd", inFolder, ""},
		{"..%2Fsecret.dtd", inFolder, ""},
		{"sub/../../secret.dtd", inFolder, ""},
		{filepath.Join(around, "secret.dtd"), inFolder, ""},
		{"/etc/passwd", inFolder, ""},
		{"file:///etc/passwd", inFolder, ""},
		{"out.dtd", inFolder, ""},
		{"absolute.dtd", inFolder, ""},
		{"up/secret.dtd", inFolder, ""},
		{"sub", inFolder, ""},
		{"", inFolder, ""},
		{"missing.dtd", inFolder, ""},
		{"http://example.org/a.dtd", inFolder, ""},
		{"//example.org/a.dtd", inFolder, ""},
		{"file://example.org" + filepath.Join(folder, "a.dtd"), inFolder, ""},
		{"a.dtd#part", inFolder, ""},
		{"a.dtd?1", inFolder, ""},
		{"pipe.dtd", inFolder, ""},
		{"%zz", inFolder, ""},
		{"a.dtd\x00", inFolder, ""},
	} {
		text := ""
		in, location, err := open(c.systemID, c.base)
		if err == nil {
			content, readErr := io.ReadAll(in)
			in.Close()
			if text = string(content); readErr != nil {
				t.Fatal(readErr)
			}
		}
		want := c.want
		if want != "" {
			want = filepath.Join(folder, want)
		}
		if text != want {
			t.Errorf("%q from %s: read %q, want %q (%v)", c.systemID, c.base, text, want, err)
		}
		if err == nil && filepath.Base(location) != filepath.Base(strings.ReplaceAll(c.systemID, "%20", " ")) {
			t.Errorf("%q from %s: found at %s", c.systemID, c.base, location)
		}
		if err != nil && strings.Contains(err.Error(), around) {
			t.Errorf("%q from %s: the error names a path that is nobody's business: %v", c.systemID, c.base, err)
		}
	}
	if _, err := dtd.Dir(filepath.Join(around, "missing")); err == nil {
		t.Error("a folder that is missing is opened")
	}
}
