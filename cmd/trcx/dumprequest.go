package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
)

// requestedDump is a heap dump that a recorded JVM writes later. Its zero value is that none is requested.
type requestedDump struct {
	name string // the file that the user has named
	raw  string // the file that the JVM writes, an absolute path
}

// requestedDumps returns the heap dumps of --dump-on-exit and --dump-on-oom.
func requestedDumps(c *cli.Context) (onExit, onOutOfMemory requestedDump, err error) {
	if onExit, err = newRequestedDump(c, "dump-on-exit"); err == nil {
		onOutOfMemory, err = newRequestedDump(c, "dump-on-oom")
	}
	if err == nil && onExit.raw != "" && onExit.raw == onOutOfMemory.raw {
		err = usage("--dump-on-exit and --dump-on-oom name the same file; a JVM does not replace files")
	}
	return onExit, onOutOfMemory, err
}

func newRequestedDump(c *cli.Context, flag string) (d requestedDump, err error) {
	if !c.IsSet(flag) {
		return d, nil
	}
	d.name = c.String(flag)
	if err := checkDumpName(d.name); err != nil {
		return d, err
	}
	if d.raw, err = filepath.Abs(d.name); err != nil {
		return d, err
	}
	if !strings.HasSuffix(d.raw, dumpEnding) {
		d.raw += dumpEnding
	}
	if _, err := os.Lstat(d.raw); err == nil {
		return d, usage("--%s: %s exists already, and a JVM does not replace files; name another one", flag, d.raw)
	}
	return d, nil
}

// converted reports whether the JVM's file is not yet what the user wants.
func (d requestedDump) converted() bool {
	return d.name != "" && !strings.HasSuffix(d.name, dumpEnding)
}

// setting is a flag of a JVM with its value.
type setting struct{ name, value string }

// settings are the flags by which a JVM writes the dump when it runs out of memory.
func (d requestedDump) settings() []setting {
	if d.raw == "" {
		return nil
	}
	return []setting{{"HeapDumpPath", d.raw}, {"HeapDumpOnOutOfMemoryError", "1"}}
}

// jvmFlags are the same as arguments of a JVM that starts.
func (d requestedDump) jvmFlags() []string {
	if d.raw == "" {
		return nil
	}
	return []string{"-XX:+HeapDumpOnOutOfMemoryError", "-XX:HeapDumpPath=" + d.raw}
}

// deliverRequested makes the output of a requested dump, if the JVM has written it.
func (env *environment) deliverRequested(c *cli.Context, d requestedDump) error {
	if _, err := os.Stat(d.raw); d.raw == "" || err != nil {
		return nil
	}
	quiet := c.Bool("quiet")
	if d.converted() {
		if err := env.deliverDump(c, d.raw, d.name); err != nil {
			return err
		}
		os.Remove(d.raw)
	}
	if !quiet {
		env.print("the heap dump is in %s", d.name)
	}
	return nil
}
