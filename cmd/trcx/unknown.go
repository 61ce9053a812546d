package main

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/internal/suggest"
)

// windowOf are the flags of times by the flags of formats.
var windowOf = map[string]string{"from": "since", "to": "until"}

// ofProcesses are the names of other programs' commands for running processes, and of what they show.
var ofProcesses = []string{"top", "ps", "jps", "jstack", "jcmd", "threads", "live", "pid"}

// unknownCommand returns the error for a name of no command.
func unknownCommand(app *cli.App, name string) error {
	switch {
	case isProcess(name):
		return ofProcess(name)
	case slices.Contains(ofProcesses, name):
		return usageHelp("unknown command %q; %s; jps lists them", name, forProcess("PID"))
	}
	names := commandNames(app)
	near := suggest.Nearest(name, append(names[:len(names):len(names)], "help"))
	return usageHelp("unknown command %q%s", name, didYouMean(near, strings.Join(names, ", ")))
}

// unknownFlag returns the error for a flag that the command lacks.
func unknownFlag(command *cli.Command, flag string) error {
	name := strings.TrimLeft(flag, "-")
	if name == "pid" {
		return usageHelp("unknown flag %s: this command reads a trace; %s", flag, forProcess("PID"))
	}
	suggestion := windowOf[name]
	if suggestion == "" || flagNamed(command, suggestion) == nil {
		suggestion = suggest.Nearest(name, longNames(command))
	}
	if suggestion != "" {
		suggestion = "--" + suggestion
	}
	return usageHelp("unknown flag %s%s", flag, didYouMean(suggestion, ""))
}

// longNames returns the names of the command's flags that are longer than a letter.
func longNames(command *cli.Command) (names []string) {
	for _, flag := range command.Flags {
		names = append(names, flag.Names()...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return len(name) == 1 })
}

// didYouMean returns the end of a message: the suggestion, or without one the choices, if there are any.
func didYouMean(suggestion, choices string) string {
	switch {
	case suggestion != "":
		return "; did you mean " + suggestion + "?"
	case choices != "":
		return "; want one of " + choices
	}
	return ""
}

// isProcess reports whether a name is the id of a running process, and of no file.
func isProcess(name string) bool {
	pid, err := strconv.Atoi(name)
	if err != nil || pid < 1 {
		return false
	}
	if _, err := os.Lstat(name); err == nil {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

// ofProcess returns the error for a process id in the place of a trace.
func ofProcess(pid string) error {
	return usageHelp("%s is a process, not a trace; %s", pid, forProcess(pid))
}

// forProcess says which commands are for a process.
func forProcess(pid string) string {
	return "trcx why " + pid + " says what is wrong in a running JVM, and trcx attach " + pid + " records it"
}
