package launch

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Program is a program to run.
type Program struct {
	// Path is its file, as found on the PATH.
	Path string
	// Launcher is the way in which it accepts options for the JVM.
	Launcher Launcher
}

// Launcher is the way in which a program accepts options for its JVM.
type Launcher uint8

// The launchers.
const (
	NoLauncher Launcher = iota // not a program of a JDK
	Java                       // java: options before the class
	Tool                       // another program of the JDK, such as javac: options with -J
)

// Find looks the program up as a shell does, and returns its kind. The error says what is wrong and what to do.
func Find(name string) (Program, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return Program{}, fmt.Errorf("there is no program %s (%w)", name, bare(err))
	}
	program := Program{Path: path}
	real, home := program.real(), program.Home()
	switch base := filepath.Base(real); {
	case base == "java" || filepath.Base(path) == "java" && !isScript(real):
		program.Launcher = Java
	case executable(filepath.Join(filepath.Dir(real), "java")) && isJDK(home) && !isScript(real):
		program.Launcher = Tool
	}
	if program.Launcher == NoLauncher {
		return program, nil
	}
	return program, check(home)
}

// isJDK reports whether the folder has a JDK or a Java runtime.
func isJDK(home string) bool {
	return slices.ContainsFunc([]string{"lib/modules", "lib/jvm.cfg"}, func(file string) bool {
		_, err := os.Stat(filepath.Join(home, file))
		return err == nil
	})
}

// executable reports whether the path is an executable file.
func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// isScript reports whether the file begins with #!.
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

// refusals are lines of a JDK's release file that identify JVMs which cannot be recorded.
var refusals = []struct{ key, value, reason string }{
	{"LIBC", "musl", "it is built for musl, where the agent's library cannot be loaded; use a JDK for glibc"},
	{"JVM_VARIANT", "openj9", "it is OpenJ9, with which trcx is not tested; use a HotSpot JDK, such as Temurin"},
	{"IMPLEMENTOR", "ibm", "it is OpenJ9, with which trcx is not tested; use a HotSpot JDK, such as Temurin"},
	{"IMPLEMENTOR", "graalvm", "it is GraalVM, with which trcx is not tested; use a HotSpot JDK, such as Temurin"},
}

// Home returns the folder of the JDK that the program belongs to.
func (p Program) Home() string { return filepath.Dir(filepath.Dir(p.real())) }

// real returns the path of the program without symbolic links.
func (p Program) real() string {
	real, err := filepath.EvalSymlinks(p.Path)
	if err != nil {
		return p.Path
	}
	return real
}

// CheckSampler returns an error if the release file of the JDK in the folder lacks the module that samples methods.
func CheckSampler(home string) error {
	modules := ""
	eachRelease(home, func(key, value string) {
		if key == "MODULES" {
			modules = value
		}
	})
	if modules != "" && !slices.Contains(strings.Fields(modules), "jdk.jfr") {
		return fmt.Errorf("%s cannot sample methods: it is without the module jdk.jfr, the flight recorder; use another JDK",
			home)
	}
	return nil
}

// check returns an error if the release file shows a JDK that cannot be recorded. A JDK without the file is accepted,
// because the agent checks the JVM, too.
func check(home string) error {
	var err error
	eachRelease(home, func(key, value string) {
		for _, refusal := range refusals {
			if key == refusal.key && strings.Contains(value, refusal.value) && err == nil {
				err = fmt.Errorf("%s cannot be recorded: %s", home, refusal.reason)
			}
		}
	})
	return err
}

// eachRelease calls the function with the lines of a JDK's release file, in lower case and without quotes.
func eachRelease(home string, line func(key, value string)) {
	file, err := os.Open(filepath.Join(home, "release"))
	if err != nil {
		return
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), "=")
		line(key, strings.ToLower(strings.Trim(value, `"`)))
	}
}

// bare returns the error without the program's name.
func bare(err error) error {
	if wrapped, ok := err.(*exec.Error); ok {
		return wrapped.Err
	}
	return err
}
