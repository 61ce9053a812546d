// Command deps installs what tests need in addition to Go, where it can: packages of Debian as root by apt-get, and
// packages of npm into the user's cache. For everything else it prints what is missing and which tests need it. make
// deps runs it; -all installs the optional tools, too. In CI (CI=true) a missing tool is exit status 1.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/trcx/trcx/internal/testtool"
)

func main() {
	all := flag.Bool("all", false, "install the optional tools, too")
	flag.Parse()
	os.Exit(install(*all))
}

func install(all bool) int {
	if missing := missingTools(all); len(missing) > 0 {
		installDebian(missing)
		installNPM(missingTools(all)) // npm may have been installed just now
	}
	status := 0
	for _, tool := range missingTools(true) {
		fmt.Printf("missing: %v. Not tested without it: %s.\n", tool, tool.Tests)
		if !tool.Optional && testtool.CI() {
			status = 1
		}
	}
	return status
}

func missingTools(optional bool) []testtool.Tool {
	return slices.DeleteFunc(slices.Clone(testtool.Tools), func(tool testtool.Tool) bool {
		_, found := tool.Find()
		return found || tool.Optional && !optional
	})
}

// installDebian installs the packages by one command. It adds a newer JDK than the oldest one if Debian has it.
func installDebian(missing []testtool.Tool) {
	if _, err := exec.LookPath("apt-get"); err != nil || os.Getuid() != 0 {
		return
	}
	run("apt-get", "update", "-q")
	var packages []string
	for _, tool := range missing {
		packages = append(packages, tool.Debian...)
		if tool.Name == "JDK" {
			packages = append(packages, newerJDK()...)
		}
	}
	if len(packages) == 0 {
		return
	}
	run("apt-get", append([]string{"install", "-q", "-y", "--no-install-recommends"}, packages...)...)
}

func newerJDK() []string {
	for version := testtool.Newest; version > testtool.Oldest; version-- {
		name := fmt.Sprintf("openjdk-%d-jdk-headless", version)
		if exec.Command("apt-cache", "show", name).Run() == nil {
			return []string{name}
		}
	}
	return nil
}

func installNPM(missing []testtool.Tool) {
	isNPM := func(tool testtool.Tool) bool { return tool.NPM != "" }
	if _, err := exec.LookPath("npm"); err != nil || !slices.ContainsFunc(missing, isNPM) {
		return
	}
	var packages []string // all of them, as npm removes others
	for _, tool := range testtool.Tools {
		if isNPM(tool) {
			packages = append(packages, tool.NPM)
		}
	}
	folder := testtool.Modules()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	// Without a package.json, npm would install into a folder around this one that has one.
	if err := os.WriteFile(filepath.Join(folder, "package.json"), []byte("{\"private\":true}\n"), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	run("npm", append([]string{"install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts"},
		packages...)...)
}

// run runs a program and shows its output. A failure shows as a tool that is still missing.
func run(name string, arguments ...string) {
	command := exec.Command(name, arguments...)
	command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	}
}
