package launch

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program is what is to be run.
type Program struct {
	// Path is its file, with all links followed.
	Path string
	// Launcher says how it takes options for the JVM.
	Launcher Launcher
}

// Launcher is how a program takes options for its JVM.
type Launcher uint8

// The launchers.
const (
	NoLauncher Launcher = iota // it is no program of a JDK
	Java                       // java itself: options stand before the class
	Tool                       // another program of the JDK, such as javac: options stand behind -J
)

// Find looks for the program as a shell would, and finds out what it is. The error says what is wrong and what to do.
func Find(name string) (Program, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return Program{}, fmt.Errorf("there is no program %s (%w)", name, bare(err))
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	program := Program{Path: path}
	switch base := filepath.Base(real); {
	case base == "java" || filepath.Base(path) == "java" && !isScript(real):
		program.Launcher = Java
	case executable(filepath.Join(filepath.Dir(real), "java")) && isJDK(filepath.Dir(filepath.Dir(real))) &&
		!isScript(real):
		program.Launcher = Tool
	}
	if program.Launcher == NoLauncher {
		return program, nil
	}
	return program, check(filepath.Dir(filepath.Dir(real)))
}

// isJDK says whether a JDK or a runtime lies in the folder.
func isJDK(home string) bool {
	for _, file := range []string{"lib/modules", "lib/jvm.cfg"} {
		if _, err := os.Stat(filepath.Join(home, file)); err == nil {
			return true
		}
	}
	return false
}

// executable says whether there is such a program.
func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// isScript says whether the file begins as scripts do.
func isScript(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	var head [2]byte
	n, _ := file.Read(head[:])
	return n == len(head) && string(head[:]) == "#!"
}

// refusals are lines of a JDK's release file by which JVMs are known that cannot be recorded.
var refusals = []struct{ key, value, reason string }{
	{"LIBC", "musl",
		"it is made for musl, on which the agent's library cannot be loaded; use a JDK that is made for glibc"},
	{"JVM_VARIANT", "openj9", "it is OpenJ9, on which trcx was never tried; use a HotSpot JDK, such as Temurin"},
	{"IMPLEMENTOR", "ibm", "it is OpenJ9, on which trcx was never tried; use a HotSpot JDK, such as Temurin"},
	{"IMPLEMENTOR", "graalvm", "it is GraalVM, on which trcx was never tried; use a HotSpot JDK, such as Temurin"},
}

// check refuses a JDK that is known not to work, by the release file in its folder. A JDK without one is let through:
// the agent looks itself.
func check(home string) error {
	file, err := os.Open(filepath.Join(home, "release"))
	if err != nil {
		return nil
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), "=")
		value = strings.ToLower(strings.Trim(value, `"`))
		for _, refusal := range refusals {
			if key == refusal.key && strings.Contains(value, refusal.value) {
				return fmt.Errorf("%s cannot be recorded: %s", home, refusal.reason)
			}
		}
	}
	return nil
}

// bare is the error without the name that was looked for.
func bare(err error) error {
	if wrapped, ok := err.(*exec.Error); ok {
		return wrapped.Err
	}
	return err
}
