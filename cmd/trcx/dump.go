package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/agent/attach"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/tempfile"
)

func dumpCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "dump",
		Usage:     "write a heap dump of a JVM that is running",
		UsageText: "trcx dump PID [-o FILE] [--all]",
		Description: `The JVM writes the dump itself, and its threads stop meanwhile, as with jcmd PID GC.heap_dump. It collects garbage first, and
writes the objects that are left; with --all it writes all, without a collection.

FILE is heap-PID.hprof by default. If it ends in .gz, .zst or .zip, the dump is compressed once the program runs again. With the
ending .trcxml it becomes a trace, which is about five times as large. FILE is replaced only when the dump is whole.

Examples:
   trcx dump 4711
   trcx heap heap-4711.hprof --dominators
   trcx dump 4711 --all -o everything.hprof.gz`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the dump to `FILE`, which only its owner may read",
				DefaultText: "heap-PID.hprof"},
			&cli.BoolFlag{Name: "all", Usage: "write unreachable objects, too, and collect no garbage"},
			quietFlag("print errors only"),
			&cli.BoolFlag{Name: "no-progress", Usage: "do not draw the progress of a conversion"},
		},
		Action: func(c *cli.Context) error { return env.dump(c) },
	}
}

// dump lets the JVM write a dump into a temporary file, and makes the output from that.
func (env *environment) dump(c *cli.Context) error {
	pid, err := processArgument(c)
	if err != nil {
		return err
	}
	name := c.String("output")
	if name == "" {
		name = fmt.Sprintf("heap-%d%s", pid, dumpEnding)
	}
	if err := checkDumpName(name); err != nil {
		return err
	}
	jvm, err := attach.Inspect(pid)
	if err != nil {
		return err
	}
	file, raw, err := temporaryFile(jvm, name)
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, bare(err))
	}
	defer os.Remove(raw) // also while the JVM is still writing it
	if err := attach.HeapDump(c.Context, pid, file, c.Bool("all")); err != nil {
		if os.Geteuid() != jvm.UID {
			return fmt.Errorf("%w; the JVM's user %d has to be allowed to create files there", err, jvm.UID)
		}
		return err
	}
	quiet := c.Bool("quiet")
	if err := env.deliverDump(c, raw, name); err != nil {
		return err
	}
	if info, err := os.Stat(name); err == nil && !quiet {
		env.print("the heap dump is in %s, %s", name, phrase.Size(uint64(info.Size())))
	}
	return nil
}

// dumpEnding is the ending of a heap dump's name.
const dumpEnding = ".hprof"

// checkDumpName returns the error for a name whose ending is not that of a heap dump.
func checkDumpName(name string) error {
	if isStdout(name) {
		return usage("a heap dump needs a file; name one with -o, such as app%s", dumpEnding)
	}
	if err := needFile(name); err != nil {
		return err
	}
	if ending := filepath.Ext(uncompressedName(name)); ending != dumpEnding && ending != traceEnding {
		return usage("%s: a heap dump has the ending %s, and as a trace %s; .gz, .zst or .zip after it compresses",
			name, dumpEnding, traceEnding)
	}
	return nil
}

// traceEnding is the ending of a trace's name.
const traceEnding = ".trcxml"

// temporaryFile returns the path of a file that does not exist, in the JVM's file system and in this process's. The
// file is in the target's folder if both have the same file system.
func temporaryFile(jvm attach.JVM, name string) (file, raw string, err error) {
	target := followed(name)
	folder, err := filepath.Abs(filepath.Dir(target))
	if err == nil {
		_, err = os.Stat(folder)
	}
	base := tempfile.Name(target)
	if jvm.Elsewhere {
		file = filepath.Join("/tmp", base)
		return file, fmt.Sprintf("/proc/%d/root%s", jvm.PID, file), err
	}
	file = filepath.Join(folder, base)
	return file, file, err
}

// deliverDump makes the named output from a dump that a JVM has written.
func (env *environment) deliverDump(c *cli.Context, raw, name string) error {
	if filepath.Ext(uncompressedName(name)) == traceEnding {
		format, err := chooseFormat("trcxml", name)
		if err != nil {
			return err
		}
		private := *format
		private.private = true
		if err := c.Set("quiet", "true"); err != nil { // a dump says all that it can
			return err
		}
		return env.convertFiles(c, files{[]string{raw}, "hprof", name}, convertOptions{format: &private})
	}
	return env.deliver(raw, name, &outputFormat{name: "a heap dump", ending: dumpEnding, opaque: true, private: true})
}

// deliver moves a file that a JVM has written to the named output, or copies it if it cannot be moved.
func (env *environment) deliver(raw, name string, format *outputFormat) error {
	if strings.HasSuffix(name, format.ending) && isReplaceable(name) && os.Rename(raw, followed(name)) == nil {
		return nil
	}
	in, err := os.Open(raw)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", format.name, bare(err))
	}
	defer in.Close()
	inputs := convert.NewInputs(env.stdin, 0)
	defer inputs.Close()
	out, err := env.openOutput(name, format, inputs, false)
	if err != nil {
		return err
	}
	defer env.close(out)
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return env.commit(out)
}

// isReplaceable reports whether the name is free or names a regular file, rather than a device or a pipe.
func isReplaceable(name string) bool {
	info, err := os.Stat(name)
	return os.IsNotExist(err) || err == nil && info.Mode()&fs.ModeType == 0
}

// requestedDump is a heap dump that a recorded JVM writes later. The zero value requests none.
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

// converted reports whether the JVM's file still has to be converted for the user.
func (d requestedDump) converted() bool {
	return d.name != "" && !strings.HasSuffix(d.name, dumpEnding)
}

// setting is a flag of a JVM with its value.
type setting struct{ name, value string }

// settings returns the flags that make a JVM write the dump when it runs out of memory.
func (d requestedDump) settings() []setting {
	if d.raw == "" {
		return nil
	}
	return []setting{{"HeapDumpPath", d.raw}, {"HeapDumpOnOutOfMemoryError", "1"}}
}

// jvmFlags returns the settings as arguments for starting a JVM.
func (d requestedDump) jvmFlags() []string {
	if d.raw == "" {
		return nil
	}
	return []string{"-XX:+HeapDumpOnOutOfMemoryError", "-XX:HeapDumpPath=" + d.raw}
}

// deliverRequested makes the output from a requested dump, if the JVM has written it.
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
