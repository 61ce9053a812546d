// Package jdktest finds the JDKs that tests compare with.
package jdktest

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

// Oldest and newest are the versions that trcx is tested with. What a newer one does otherwise is to be looked at
// before it is let in here.
const (
	Oldest = 17
	newest = 25
)

// Matrix says whether everything is to be tested: the environment has TRCX_JVM_MATRIX. Usually less is, for JVMs take
// their time.
func Matrix() bool { return os.Getenv("TRCX_JVM_MATRIX") != "" }

var versionLine = regexp.MustCompile(`(?m)^JAVA_VERSION="(?:1\.)?(\d+)`)

// Find finds one JDK for each version from first on, the oldest first: in JAVA_HOME, and where Linux distributions put
// them. A runtime environment, which has no compiler, is none.
func Find(first int) []JDK {
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
			version <= newest {
			found[version] = j
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b JDK) int { return cmp.Compare(a.Version, b.Version) })
}

// Need is Find, but skips the test where there is none.
func Need(t testing.TB, first int) []JDK {
	t.Helper()
	found := Find(first)
	if len(found) == 0 {
		t.Skipf(
			"SKIPPED: there is no JDK of version %d to %d in JAVA_HOME or under /usr/lib/jvm; "+
				"agent/jvmtest/install.sh installs one", first, newest)
	}
	return found
}
