package launch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// jdk creates a folder like a JDK's, with these lines in its release file.
func jdk(t *testing.T, release string) (bin string) {
	t.Helper()
	home := t.TempDir()
	bin = filepath.Join(home, "bin")
	for name, content := range map[string]string{
		"bin/java": "\x7fELF", "bin/javac": "\x7fELF", "bin/script": "#!/bin/sh\n", "lib/jvm.cfg": "-server KNOWN\n",
		"release": release,
	} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

func TestFind(t *testing.T) {
	bin := jdk(t, "IMPLEMENTOR=\"Eclipse Adoptium\"\nLIBC=\"gnu\"\n")
	elsewhere := t.TempDir()
	link, renamed := filepath.Join(elsewhere, "java"), filepath.Join(elsewhere, "jre")
	for _, path := range []string{link, renamed} {
		if err := os.Symlink(filepath.Join(bin, "java"), path); err != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(elsewhere, "ls") // a program next to a java that is a link
	if err := os.WriteFile(other, []byte("\x7fELF"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		want Launcher
	}{
		{filepath.Join(bin, "java"), Java}, {link, Java}, {renamed, Java},
		{filepath.Join(bin, "javac"), Tool}, {filepath.Join(bin, "script"), NoLauncher}, {other, NoLauncher},
	} {
		program, err := Find(c.path)
		if err != nil || program.Launcher != c.want || program.Path != c.path {
			t.Errorf("%s: %+v, %v, want launcher %d", c.path, program, err, c.want)
		}
	}
	if _, err := Find(filepath.Join(bin, "nothing")); err == nil ||
		!strings.Contains(err.Error(), "there is no program") {
		t.Errorf("a program that is not there: %v", err)
	}
}

func TestFindRefuses(t *testing.T) {
	for release, want := range map[string]string{
		"LIBC=\"musl\"\n":                                       "musl",
		"IMPLEMENTOR=\"IBM Corporation\"\n":                     "OpenJ9",
		"IMPLEMENTOR=\"Eclipse\"\nJVM_VARIANT=\"Openj9\"\n":     "OpenJ9",
		"IMPLEMENTOR=\"GraalVM Community\"\nLIBC=\"default\"\n": "GraalVM",
	} {
		if _, err := Find(filepath.Join(jdk(t, release), "java")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error about %s", release, err, want)
		}
	}
}

func TestArguments(t *testing.T) {
	given := []string{"-jar", "app.jar"}
	for _, c := range []struct {
		launcher Launcher
		flags    []string
		want     []string
	}{
		{Java, nil, []string{"-agentpath:/lib.so=ring=3"}},
		{Tool, []string{"-Xint"}, []string{"-J-agentpath:/lib.so=ring=3", "-J-Xint"}},
	} {
		got := Program{Launcher: c.launcher}.Arguments("/lib.so", "ring=3", c.flags, given)
		if !slices.Equal(got, append(c.want, given...)) {
			t.Errorf("%d: %q", c.launcher, got)
		}
	}
}

// split splits JAVA_TOOL_OPTIONS as HotSpot does: at blanks outside of quotes, which it removes.
func split(text string) (options []string) {
	var option strings.Builder
	quote, inside := rune(0), false
	for _, c := range text {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, inside = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if inside {
				options = append(options, option.String())
			}
			option.Reset()
			inside = false
		default:
			option.WriteRune(c)
			inside = true
		}
	}
	if inside {
		options = append(options, option.String())
	}
	return options
}

func TestEnvironment(t *testing.T) {
	for _, file := range []string{"app.trcxml", "with blanks.trcxml", `with "quotes".trcxml`, `it's.trcxml`, `"`, `'"'`,
		"end'"} {
		option := "-agentpath:/lib.so=file=" + file
		changed := Environment([]string{"A=1", "JAVA_TOOL_OPTIONS=-Xmx1g  -ea", "B=2"}, "/lib.so", "file="+file)
		if len(changed) != 3 || changed[0] != "A=1" || changed[1] != "B=2" {
			t.Fatalf("the environment becomes %q", changed)
		}
		value, _ := strings.CutPrefix(changed[2], "JAVA_TOOL_OPTIONS=")
		if got := split(value); !slices.Equal(got, []string{"-Xmx1g", "-ea", option}) {
			t.Errorf("%s: the JVM would read %q of %s", file, got, value)
		}
	}
	if got := Environment(nil, "/lib.so", ""); !slices.Equal(got, []string{`JAVA_TOOL_OPTIONS="-agentpath:/lib.so="`}) {
		t.Errorf("without a variable: %q", got)
	}
}

func TestLibrary(t *testing.T) {
	named := filepath.Join(t.TempDir(), "agent.so")
	if _, err := Library(named); err == nil || !strings.Contains(err.Error(), named) {
		t.Errorf("a library that is not there: %v", err)
	}
	if err := os.WriteFile(named, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := Library(named); err != nil || got != named {
		t.Errorf("%s, %v, want %s", got, err, named)
	}
	if _, err := Library(""); err == nil || !strings.Contains(err.Error(), "make") {
		t.Errorf("without a library: %v, want an error that says how to build it", err)
	}
}

func TestUnpack(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	first, err := unpack([]byte("library"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(first, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := unpack([]byte("library"))
	if content, _ := os.ReadFile(again); err != nil || again != first || string(content) != "library" {
		t.Errorf("unpacked again: %s with %q, %v", again, content, err)
	}
	if other, _ := unpack([]byte("another")); other == first {
		t.Error("another library has the same name")
	}
	if info, err := os.Stat(first); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v, want a file for its owner alone", info.Mode(), err)
	}
}
