package testtool

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Programs returns a folder for examples and scripts that record. It has the programs of docs/testdata/java as app.jar,
// server.jar and probe.jar, the agent's library libtrcxagent.so, and jdk, a link to the newest JDK. The folder is
// shared and must not be changed. The test is skipped if it cannot be made; see Need.
func Programs(t testing.TB) string {
	t.Helper()
	Agent(t)
	folder, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// CanRecord is Programs for callers without a test: it returns the missing tool, if any.
func CanRecord() (folder string, missing *Tool, err error) {
	for _, name := range []string{"gcc", "JDK"} {
		if tool := Lookup(name); !found(tool) {
			return "", &tool, nil
		}
	}
	folder, err = programs()
	return folder, nil, err
}

func found(tool Tool) bool {
	_, found := tool.Find()
	return found
}

var programs = sync.OnceValues(func() (string, error) {
	library, err := agent()
	if err != nil {
		return "", err
	}
	all := FindJDKs(Oldest)
	jdk := all[len(all)-1]
	sources, err := filepath.Glob(filepath.Join(root, "docs", "testdata", "java", "*.java"))
	if err != nil {
		return "", err
	}
	classes, err := javac(jdk, []string{"--release", "17"}, sources)
	if err != nil {
		return "", err
	}
	key := sha256.Sum256([]byte(classes + library + jdk.Home))
	return cached(fmt.Sprintf("programs-%x", key), func(folder string) error {
		if err := os.Symlink(jdk.Home, filepath.Join(folder, "jdk")); err != nil {
			return err
		}
		if err := os.Symlink(library, filepath.Join(folder, "libtrcxagent.so")); err != nil {
			return err
		}
		return jars(jdk, classes, folder)
	})
})

// jars makes a jar of each program: a class and its nested classes.
func jars(jdk JDK, classes, folder string) error {
	for _, main := range []string{"App", "Server", "Probe"} {
		names, err := filepath.Glob(filepath.Join(classes, main+"*.class"))
		if err != nil {
			return err
		}
		jar := filepath.Join(folder, strings.ToLower(main)+".jar")
		args := []string{"--create", "--file", jar, "--main-class", main}
		for _, name := range names {
			args = append(args, "-C", classes, filepath.Base(name))
		}
		if err := run(jdk.Tool("jar"), args...); err != nil {
			return err
		}
	}
	return nil
}

// JDK is an installed JDK.
type JDK struct {
	Version int // the feature version, such as 17
	Home    string
}

// String is such as jdk17.
func (j JDK) String() string { return "jdk" + strconv.Itoa(j.Version) }

// Tool is the path of a tool, such as javac.
func (j JDK) Tool(name string) string { return filepath.Join(j.Home, "bin", name) }

// Oldest and Newest are the versions that trcx is tested with. A newer one is added here once its differences are
// examined.
const (
	Oldest = 17
	Newest = 25
)

// Matrix reports whether every set-up of every JVM is tested, which TRCX_JVM_MATRIX asks for. By default fewer are.
func Matrix() bool { return os.Getenv("TRCX_JVM_MATRIX") != "" }

var versionLine = regexp.MustCompile(`(?m)^JAVA_VERSION="(?:1\.)?(\d+)`)

// FindJDKs returns one JDK for each version from first on, the oldest first. It looks in JAVA_HOME and in the folder in
// which Linux distributions install JDKs. A runtime environment does not count, since it has no compiler.
func FindJDKs(first int) []JDK {
	homes, _ := filepath.Glob("/usr/lib/jvm/*") // the pattern is right
	found := map[int]JDK{}
	for _, home := range append([]string{os.Getenv("JAVA_HOME")}, homes...) {
		home, err := filepath.EvalSymlinks(home)
		if err != nil {
			continue
		}
		release, _ := os.ReadFile(filepath.Join(home, "release"))
		match := versionLine.FindSubmatch(release)
		if match == nil {
			continue
		}
		version, _ := strconv.Atoi(string(match[1])) // digits alone
		j := JDK{version, home}
		if _, err := os.Stat(j.Tool("javac")); err == nil && found[version].Home == "" && version >= first &&
			version <= Newest {
			found[version] = j
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b JDK) int { return cmp.Compare(a.Version, b.Version) })
}

// JDKs returns one JDK for each version from first on, the oldest first. The test is skipped under -short and where
// there is no such JDK. In CI it fails if the JDK that is missing is one that make deps installs.
func JDKs(t testing.TB, first int) []JDK {
	t.Helper()
	if Need(t, "JDK"); first > Oldest {
		if len(FindJDKs(first)) == 0 {
			t.Skipf("SKIPPED: there is no JDK of version %d to %d in JAVA_HOME or under /usr/lib/jvm", first, Newest)
		}
	}
	return FindJDKs(first)
}
