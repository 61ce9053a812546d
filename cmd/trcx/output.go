package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/term"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/tempfile"
)

// outputFile is the target of a result: the standard output, or a file that appears only when it is complete.
type outputFile struct {
	io.Writer
	name   string // for messages
	stdout bool
	file   *os.File
	target string         // the file's name after commit; "" if it already has that name
	spool  bool           // the file is temporary; finish copies it to stream
	stream io.Writer      // a target that cannot be replaced as a whole; nil without spool
	layers []func() error // close the compression, outermost first
}

// compressions map the endings of compressed outputs to their compressors.
var compressions = map[string]func(name string, out io.Writer) (io.Writer, func() error, error){
	".gz": func(_ string, out io.Writer) (io.Writer, func() error, error) {
		w := gzip.NewWriter(out)
		return w, w.Close, nil
	},
	".zst": func(_ string, out io.Writer) (io.Writer, func() error, error) {
		w, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
		if err != nil {
			return nil, nil, err
		}
		return w, w.Close, nil
	},
	".zip": func(name string, out io.Writer) (io.Writer, func() error, error) {
		archive := zip.NewWriter(out)
		w, err := archive.Create(strings.TrimSuffix(filepath.Base(name), ".zip"))
		return w, archive.Close, err
	},
}

// uncompressedName returns the name without the ending of a compression.
func uncompressedName(name string) string {
	if _, compressed := compressions[filepath.Ext(name)]; compressed {
		return strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

// isJSON reports whether the output is JSON for programs.
func (o *outputFile) isJSON() bool {
	return strings.HasSuffix(uncompressedName(o.name), ".json") || o.stdout
}

// openOutputs opens the files of a format: the named file, or the standard output for "". A format of several tables
// has a file for each, with the table's name before the ending, or one zip of all.
func (env *environment) openOutputs(name string, format *outputFormat, inputs *convert.Inputs,
	spool bool) ([]*outputFile, error) {
	if len(format.tables) == 0 {
		out, err := env.openOutput(name, format, inputs, spool)
		return []*outputFile{out}, err
	}
	if isStdout(name) {
		return nil, usage("%s is %d files; name one with -o, such as NAME%s", format.name,
			len(format.tables), format.ending)
	}
	if err := needFile(name); err != nil {
		return nil, err
	}
	if format.isZipped(name) {
		return env.openZip(name, format, inputs, spool)
	}
	var all []*outputFile
	for _, table := range format.tables {
		out, err := env.openOutput(tableName(name, table, format.ending), format, inputs, spool)
		if err != nil {
			env.close(all...)
			return nil, err
		}
		all = append(all, out)
	}
	return all, nil
}

// openZip opens a zip whose entries are the tables of the format.
func (env *environment) openZip(name string, format *outputFormat, inputs *convert.Inputs,
	spool bool) ([]*outputFile, error) {
	out, err := env.openOutput(name, format, inputs, spool)
	if err != nil {
		return nil, err
	}
	archive := zip.NewWriter(out.Writer)
	out.layers = append(out.layers, archive.Close)
	plain := strings.TrimSuffix(filepath.Base(uncompressedName(name)), format.ending) + format.ending
	all := []*outputFile{out}
	for len(all) < len(format.tables) {
		all = append(all, &outputFile{name: name})
	}
	for i, table := range format.tables {
		all[i].Writer = &entry{archive: archive, name: tableName(plain, table, format.ending)}
	}
	return all, nil
}

// entry is an entry of a zip. Its first Write ends the previous entry.
type entry struct {
	archive *zip.Writer
	name    string
	io.Writer
}

// Write writes a part of the entry.
func (e *entry) Write(p []byte) (n int, err error) {
	if e.Writer == nil {
		if e.Writer, err = e.archive.Create(e.name); err != nil {
			return 0, err
		}
	}
	return e.Writer.Write(p)
}

// tableName returns the name of a table's file: app.events.csv.gz for app.csv.gz.
func tableName(name, table, ending string) string {
	if table == "" {
		return name
	}
	plain := uncompressedName(name)
	return strings.TrimSuffix(plain, ending) + "." + table + ending + strings.TrimPrefix(name, plain)
}

// isStdout reports whether the name means the standard output.
func isStdout(name string) bool { return name == "" || name == convert.Stdin || name == "/dev/stdout" }

// openOutput opens the named file, or the standard output for "". With spool, nothing is written there before the
// result is complete.
func (env *environment) openOutput(name string, format *outputFormat, inputs *convert.Inputs,
	spool bool) (*outputFile, error) {
	if isStdout(name) {
		if format.opaque && isTerminal(env.stdout) {
			return nil, usage("a terminal cannot show %s; name a file with -o, such as NAME%s, or redirect the output",
				format.name, format.ending)
		}
		out := &outputFile{Writer: env.stdout, name: "the standard output", stdout: true}
		if spool {
			return env.spooled(out)
		}
		return out, nil
	}
	archive := format.archives && len(inputs.Documents) > 1
	compress, compressed := compressions[filepath.Ext(name)]
	compressed = compressed && !(format.gzipped && filepath.Ext(name) == ".gz") && !format.isZipped(name)
	if archive && compressed && filepath.Ext(name) != ".zip" {
		return nil, usage("%d recordings become a zip of documents; name it .zip or %s, not %s",
			len(inputs.Documents), format.ending, filepath.Ext(name))
	}
	out := &outputFile{name: name}
	if err := out.create(inputs, format.private); err != nil {
		if _, ok := errors.AsType[*usageError](err); ok {
			return nil, err
		}
		return nil, fmt.Errorf("%s cannot be written: %w", name, bare(err))
	}
	env.mu.Lock()
	env.results = append(env.results, out)
	env.mu.Unlock()
	out.Writer = out.file
	if spool && out.target == "" {
		if _, err := env.spooled(out); err != nil {
			return nil, err
		}
	}
	if compressed && !archive {
		w, closer, err := compress(name, out.Writer)
		if err != nil {
			out.discard()
			return nil, err
		}
		out.Writer, out.layers = w, append(out.layers, closer)
	}
	return out, nil
}

// spooled makes the output write to a temporary file until it is finished.
func (env *environment) spooled(out *outputFile) (*outputFile, error) {
	scratch, err := tempfile.NewScratch("", "trcx-output-*")
	if err != nil {
		return nil, err
	}
	env.mu.Lock()
	defer env.mu.Unlock()
	out.stream, out.file, out.Writer, out.spool = out.Writer, scratch.File(), scratch, true
	env.results = append(env.results, out)
	return out, nil
}

// commit renames the results to their targets. It renames none if one cannot be finished, or an interrupt discarded it.
func (env *environment) commit(outs ...*outputFile) error {
	finished := make([]error, len(outs))
	for i, out := range outs {
		finished[i] = out.finish() // may wait for a reader, and must not delay an interrupt
	}
	env.mu.Lock()
	defer env.mu.Unlock()
	unfinished := errors.Join(finished...)
	for _, out := range outs {
		if err := out.commit(unfinished); err != nil {
			return err
		}
	}
	return nil
}

// close discards the results that were not committed.
func (env *environment) close(outs ...*outputFile) {
	env.mu.Lock()
	defer env.mu.Unlock()
	for _, out := range outs {
		out.discard()
		env.results = slices.DeleteFunc(env.results, func(kept *outputFile) bool { return kept == out })
	}
}

// Write writes to the output. Its errors name the output.
func (o *outputFile) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil {
		err = o.failed(err)
	}
	return n, err
}

// failed returns the error of writing the result. It names the output, or else the folder of the temporary file that
// could not be written.
func (o *outputFile) failed(err error) error {
	if temporary, ok := errors.AsType[*tempfile.Error](err); ok {
		return temporary
	}
	return fmt.Errorf("%s cannot be written: %w", o.name, bare(err))
}

// create opens a temporary file in the target's folder or, for a device or a pipe, the target itself. A new file has
// the permissions left by the umask, a replaced one keeps its own.
func (o *outputFile) create(inputs *convert.Inputs, private bool) error {
	target := followed(o.name)
	// such a name can lead to a file that other processes also write
	if strings.HasPrefix(o.name, "/dev/") || strings.HasPrefix(o.name, "/proc/") {
		file, err := os.OpenFile(o.name, os.O_WRONLY|os.O_APPEND, 0)
		o.file = file
		return err
	}
	if err := needFile(o.name); err != nil {
		return err
	}
	mode := os.FileMode(0o666)
	if private {
		mode = 0o600
	}
	info, err := os.Stat(o.name)
	replaced := err == nil
	if replaced {
		switch {
		case inputs.Same(info):
			return usage("%s is an input; write to another file", o.name)
		case !info.Mode().IsRegular():
			o.file, err = os.OpenFile(o.name, os.O_WRONLY, 0)
			return err
		}
		mode = info.Mode().Perm()
	}
	file, err := tempfile.Create(target, mode)
	if err != nil {
		return err
	}
	o.file, o.target = file, target
	if replaced {
		return file.Chmod(mode)
	}
	return nil
}

// needFile returns the error for a result with the name of a folder.
func needFile(name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() || strings.HasSuffix(name, string(filepath.Separator)) {
		return usage("%s is a directory; name a file in it", name)
	}
	return nil
}

// followed returns the file, existing or not, that symbolic links lead to from the name, so that links are kept.
func followed(name string) string {
	for range maxLinks {
		to, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return name
}

// maxLinks limits the links that are followed.
const maxLinks = 40

// finish flushes the compression, and copies a spooled result to its target.
func (o *outputFile) finish() error {
	var errs []error
	for _, closer := range o.layers {
		errs = append(errs, closer())
	}
	if o.spool {
		errs = append(errs, o.deliver())
	}
	return errors.Join(errs...)
}

// commit renames the result to its target. err is the error of finish, which prevents that.
func (o *outputFile) commit(err error) error {
	if o.file == nil {
		return err
	}
	err = errors.Join(err, o.file.Close())
	if err == nil && o.target != "" {
		err = os.Rename(o.file.Name(), o.target)
	}
	if err != nil {
		o.discard()
		return o.failed(err)
	}
	if o.spool {
		os.Remove(o.file.Name())
	}
	o.file = nil
	return nil
}

// deliver copies the temporary file to the target.
func (o *outputFile) deliver() error {
	if _, err := o.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(o.stream, o.file); err != nil {
		return err
	}
	if file, ok := o.stream.(*os.File); ok && !o.stdout {
		return file.Close()
	}
	return nil
}

// discard deletes a result that was not committed.
func (o *outputFile) discard() {
	if o.file == nil {
		return
	}
	o.file.Close()
	if o.target != "" || o.spool {
		os.Remove(o.file.Name())
	}
	o.file = nil
}

// bare returns the error without the file's name.
func bare(err error) error {
	var at *os.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// colored reports whether the output is a terminal that shows colours, and NO_COLOR is unset or empty.
func (o *outputFile) colored() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(o.Writer)
}

// terminalWidth returns the columns of the terminal: the variable COLUMNS, or else what the terminal reports; 0 if
// unknown.
func terminalWidth(out io.Writer) int {
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		return columns
	}
	file, ok := out.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// isTerminal reports whether the writer is a terminal.
func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
