package options

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// write creates a file in the folder and returns its path.
func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	name = filepath.Join(folder, name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReadFiles(t *testing.T) {
	folder := t.TempDir()
	o := defaultOptions()
	o.Output = Output{Kind: Unix, Address: "s", TokenFile: write(t, folder, "token", "\uFEFFhush hush \r\n\n")}
	o.FilterFile = write(t, folder, "filters", "com.foo.* * INCLUDE\n* * EXCLUDE\n")
	o.ProfileFile = write(t, folder, "profile",
		"* what to trace\n\nMONITOR_MODE = all\r\nHEAP_INFO_FILE_PREFIX=a = b\n#\nMY_KEY=\n")
	if err := o.ReadFiles(); err != nil {
		t.Fatal(err)
	}
	profile := []Setting{{"MONITOR_MODE", "all"}, {"HEAP_INFO_FILE_PREFIX", "a = b"}, {"MY_KEY", ""}}
	if o.Output.Token != "hush hush" || len(o.Filters) != 2 || !reflect.DeepEqual(o.Profile, profile) {
		t.Errorf("got %#v", o)
	}
	if text := o.String(); strings.Contains(text, "hush") {
		t.Errorf("a file's content is in %q", text)
	}
	before := o
	if err := o.ReadFiles(); err != nil || !reflect.DeepEqual(o, before) {
		t.Errorf("read again: %#v, %v", o, err)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	const filters, profile, token = "filters", "profile", "token-file"
	for _, c := range []struct{ option, name, text, want string }{ // without a text, no file is created
		{filters, "missing.txt", "", "the filters file missing.txt cannot be read in " + folder + ": no such file"},
		{token, folder, "", "the token file " + folder + " cannot be read: it is not a regular file"},
		{profile, "/dev/null", "", "the options file /dev/null cannot be read: it is not a regular file"},
		{filters, "large", strings.Repeat("# a comment that never ends\n", maxFile/20), "cannot be read in " + folder +
			": it has more than 1048576 bytes"},
		{token, "empty", "\n", "the token file empty: its first line must be the token"},
		{token, "many", "a\nb\n", "many: it must have one line, the token"},
		{token, "binary", "a\x01", "binary: it must be one line, without control characters"},
		{profile, "wrong", "\nMONITOR_MODE all", `wrong:2: "MONITOR_MODE all" is neither KEY = VALUE nor a comment`},
		{profile, "value", "MONITOR_MODE=some", `value:1: MONITOR_MODE="some": want all or none`},
		{filters, "bad", "a.* include", `bad:1: the method pattern is missing: write "a.* * INCLUDE"`},
	} {
		if c.text != "" {
			write(t, folder, c.name, c.text)
		}
		t.Chdir(folder)
		o, err := Parse("unix=s," + c.option + "=" + c.name)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.ReadFiles(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %s", err, c.want)
		}
	}
}

// TestFolder proves that relative names are looked up in the given folder, also if the working folder has files of the
// same names.
func TestFolder(t *testing.T) {
	given, other := t.TempDir(), t.TempDir()
	for folder, word := range map[string]string{given: "right", other: "wrong"} {
		write(t, folder, "token", word)
		write(t, folder, "filters", word+" * INCLUDE")
		write(t, folder, "profile", "FOLDER="+word)
	}
	write(t, other, "missing", "wrong * INCLUDE")
	t.Chdir(other)
	o := Options{Output: Output{Kind: Unix, Address: "s", TokenFile: "token"}, FilterFile: "filters",
		ProfileFile: "profile", Folder: given}
	if err := o.ReadFiles(); err != nil {
		t.Fatal(err)
	}
	if o.Output.Token != "right" || o.Filters[0].Class.Text != "right" || o.Profile[0].Value != "right" {
		t.Errorf("got %#v", o)
	}
	o.FilterFile = filepath.Join(other, "filters")
	if err := o.ReadFiles(); err != nil || o.Filters[0].Class.Text != "wrong" {
		t.Errorf("a name that is not relative: %v, %v", o.Filters, err)
	}
	o.FilterFile = "missing"
	want := "the filters file missing cannot be read in " + given + ": no such file or directory"
	if err := o.ReadFiles(); err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	o.Ring = 3
	if err := o.ReadFiles(); err != nil {
		t.Errorf("with a consumer, which reads the files: %v", err)
	}
	o.Exec = Counts
	if err := o.ReadFiles(); err == nil || err.Error() != want {
		t.Errorf("the agent itself needs the filters for calls: the error is %v, want %s", err, want)
	}
}

func TestPath(t *testing.T) {
	const folder = "/there/100%p"
	long := strings.Repeat("x", maxSocketPath-len(folder))
	for _, c := range []struct{ folder, name, path, socket string }{
		{folder, "a", folder + "/a", folder + "/a"},
		{folder, "link/../a/", folder + "/link/../a/", folder + "/link/../a/"},
		{folder, "/a", "/a", "/a"},
		{folder, "", "", ""},
		{"", "a", "a", "a"},
		{folder, long[1:], folder + "/" + long[1:], folder + "/" + long[1:]},
		{folder, long, folder + "/" + long, long},
	} {
		o := Options{Folder: c.folder, Output: Output{Kind: Unix, Address: c.name}}
		if path, socket := o.Path(c.name), o.SocketPath(); path != c.path || socket != c.socket {
			t.Errorf("%q in %q: %q, as a socket %q; want %q, %q", c.name, c.folder, path, socket, c.path, c.socket)
		}
	}
}

func TestEcho(t *testing.T) {
	own := "OPTIONS=true TIMESTAMPS=true MONITOR_MODE=all STACK_INFORMATION=normal TICKET=false TRACE_IDREFS=false " +
		"CPU_TIME=false FILTERS=false " +
		"contanalysis=true owner=true stackDepth=8"
	filters := Filters{{Include: true}}
	for _, c := range []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"default", func(*Options) {}, own},
		{"everything", func(o *Options) {
			o.Contanalysis, o.Owner, o.StackDepth, o.Filters, o.Delay, o.Duration, o.MaxSize = false, false, 0, filters,
				5e9, 9e10, 2<<30
		}, strings.NewReplacer("=normal", "=none", "FILTERS=false", "FILTERS=true", "s=true owner=true stackDepth=8",
			"s=false owner=false stackDepth=0 delay=5s duration=1m30s maxSize=2G").Replace(own)},
		{"options file", func(o *Options) {
			o.Profile = []Setting{{"MONITOR_MODE", "none"}, {"ID_STYLE", "static"}, {"x", "1"}, {"x", "2"},
				{"STACK_INFORMATION", "boundary"}}
		}, own + " ID_STYLE=static x=1 x=2"},
		{"filters off", func(o *Options) { o.Filters, o.Profile = filters, []Setting{{"FILTERS", "false"}} }, own},
	} {
		o := with(c.change)
		var got []string
		for _, setting := range o.Echo() {
			got = append(got, setting.Key+"="+setting.Value)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, strings.Join(got, " "), c.want)
		}
	}
}
