package testtool

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

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

// Matrix reports whether every set-up of every JVM is tested: the environment has TRCX_JVM_MATRIX. By default fewer
// are.
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
