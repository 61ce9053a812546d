package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"github.com/trcx/trcx/fleet/analyse"
	"github.com/trcx/trcx/fleet/pipeline"
	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/fleet/storage"
	"github.com/trcx/trcx/fleet/tables"
)

const runHelp = `trcx-fleet run INPUT… -o FOLDER [--by LABELS] [--label PATTERN] [-- BEAM FLAGS]

INPUT is a trace that trcx reads, statistics that trcx stats --save wrote, or rows of an earlier run; or a pattern for
their names, in quotes: * and ? match what has no slash, ** any folders. gs:// and s3:// name objects in buckets.

The FOLDER gets rows/, which merge with those of other runs, and from them tables: classes, callers, sites, blame,
deadlocks, outliers, findings, traces/ and dead/, the page fleet.html, and run.json. Each file that was listed is
complete, partial, empty or dead; the exit status is 1 if any is partial or dead.

Labels divide the rows. They are in the path, as service=shop/release=1.5, or as PATTERN says: {service}/{release}/{host}-*;
host, pid and agent are of the trace itself, and hour is the hour in UTC.

Examples:
   trcx-fleet run 'traces/service=*/release=*/*' -o out
   trcx-fleet run 'traces/**/*.trcxml' -o out --label '{host}-*' --by service,release,host,hour
   trcx-fleet run 'monday/rows/*' 'tuesday/rows/*' -o both

On a cluster:
   trcx-fleet run 'gs://bucket/**/*.jfr' -o gs://bucket/out -- --runner=universal --endpoint=host:8099 \
       --environment_type=DOCKER
`

// runFlags are the flags of run.
type runFlags struct {
	*flags
	out, by, label, from, format        string
	shards, parallel, maxKeys, allowBad int
	timeout                             time.Duration
	quiet                               bool
}

func newRunFlags() *runFlags {
	f := &runFlags{flags: newFlags("run", runHelp)}
	f.StringVar(&f.out, "o", "", "write into the `FOLDER`")
	f.StringVar(&f.by, "by", "", "divide rows by the `LABELS`, separated by commas; by default those of paths")
	f.StringVar(&f.label, "label", "", "read labels from the ends of paths by the `PATTERN`")
	f.StringVar(&f.from, "files-from", "", "read further names, one a line, from the `FILE`; - is the standard input")
	f.StringVar(&f.format, "format", strings.Join(tables.Formats, ","), "write tables in the `FORMATS`")
	f.IntVar(&f.shards, "shards", 1, "write `NUMBER` files of rows")
	f.IntVar(&f.parallel, "parallel", 0, "read `NUMBER` files at once in each process; 0 is the number of processors on "+
		"this machine, and 1 on clusters")
	f.IntVar(&f.maxKeys, "max-keys", 2_000_000, "fail before anything is written if there are more than `NUMBER` rows")
	f.DurationVar(&f.timeout, "timeout", 0, "fail if the job takes longer than `TIME`, such as 30m; 0 is no limit")
	f.IntVar(&f.allowBad, "allow-dead", 0, "exit with status 0 if at most `NUMBER` files are dead or partial")
	f.BoolVar(&f.quiet, "quiet", false, "draw no progress, and print errors only")
	return f
}

// check returns an error for flags that are wrong.
func (f *runFlags) check() error {
	for _, label := range list(f.by) {
		if err := rows.CheckLabel(label); err != nil {
			return usage("--by: %v", err)
		}
	}
	for _, format := range list(f.format) {
		if !slices.Contains(tables.Formats, format) {
			return usage("--format: %q is none of %s", format, strings.Join(tables.Formats, ", "))
		}
	}
	if _, err := analyse.ParsePattern(f.label); err != nil {
		return usage("--label: %v", err)
	}
	for _, of := range []struct {
		name         string
		value, least int
	}{{"shards", f.shards, 1}, {"parallel", f.parallel, 0}, {"max-keys", f.maxKeys, 1}, {"allow-dead", f.allowBad, 0}} {
		if of.value < of.least {
			return usage("--%s: %d is less than %d", of.name, of.value, of.least)
		}
	}
	if f.out == "" {
		return usage("name the folder to write into: -o FOLDER")
	}
	return nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := newRunFlags()
	patterns, beamArgs, err := f.parse(args, stdout)
	if err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	runner, err := initBeam(beamArgs)
	if err != nil {
		return err
	}
	files, err := f.list(ctx, patterns)
	if err != nil {
		return err
	}
	by, err := f.labels(ctx, files)
	if err != nil {
		return err
	}
	if err := tables.CheckLabels(by); err != nil {
		return usage("%v, with --by or --label", err)
	}
	if err := f.begin(ctx, args, files); err != nil {
		return err
	}
	o := pipeline.Options{Options: analyse.Options{By: by, Label: f.label}, Folder: storage.Join(f.out, "rows"),
		Shards: f.shards, MaxKeys: f.maxKeys, Parallel: f.parallel}
	here := pipeline.Here(runner)
	if o.Parallel == 0 && here {
		o.Parallel = runtime.NumCPU()
	}
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	done := f.progress(stderr, len(files), here)
	err = pipeline.Run(ctx, files, o, runner)
	done()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && here:
		return fmt.Errorf("the run has not ended in %s", f.timeout)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("the job has not ended in %s, perhaps because no worker has started; %w", f.timeout, err)
	case err != nil:
		return err
	}
	var names []string
	for shard := range o.Shards {
		names = append(names, storage.Join(o.Folder, pipeline.FileName(shard, o.Shards)))
	}
	if err := storage.Keep(ctx, storage.Join(o.Folder, "*.parquet"), names); err != nil {
		return err
	}
	for _, folder := range []string{"rows", "traces", "dead", "."} { // what a run that was killed was writing
		if err := storage.Keep(ctx, storage.Join(f.out, folder+"/.*.tmp"), nil); err != nil {
			return err
		}
	}
	return f.finish(ctx, args, files, stderr)
}

// initBeam parses the flags of Beam, and returns the name of the runner.
func initBeam(args []string) (runner string, err error) {
	set := flag.CommandLine
	set.Init("trcx-fleet", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	if set.Lookup("runner") == nil {
		set.String("runner", pipeline.Embedded, "runner of Beam")
	}
	if err := set.Parse(args); err != nil {
		return "", usage("flags of Beam, after --: %v", err)
	}
	if set.NArg() > 0 {
		return "", usage("after -- there are only flags of Beam: %s is none", set.Arg(0))
	}
	if !beam.Initialized() {
		beam.Init()
	}
	if runner = set.Lookup("runner").Value.String(); pipeline.Runners[runner] == nil {
		return "", usage("--runner: %q is none of %s", runner, strings.Join(slices.Sorted(maps.Keys(pipeline.Runners)), ", "))
	}
	return runner, nil
}

// list returns the names of all inputs, large files first, each once.
func (f *runFlags) list(ctx context.Context, patterns []string) (files []string, err error) {
	if f.from != "" {
		in := os.Stdin
		if f.from != "-" {
			if in, err = os.Open(f.from); err != nil {
				return nil, err
			}
			defer in.Close()
		}
		text, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		files = strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' || r == '\r' })
	}
	if len(patterns) == 0 && f.from == "" {
		return nil, usage("name traces, or a pattern for them: trcx-fleet run 'traces/*' -o out")
	}
	for _, pattern := range patterns {
		matched, err := storage.List(ctx, pattern)
		if err != nil {
			return nil, err
		}
		files = append(files, matched...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: %w", f.from, storage.ErrNoMatch)
	}
	slices.Sort(files)
	files = slices.Compact(files)
	sizes := map[string]int64{}
	for _, name := range files {
		if storage.IsLocal(name) {
			sizes[name], _ = storage.Size(ctx, name) // one that has vanished is a dead file later
		}
	}
	slices.SortStableFunc(files, func(a, b string) int { return int(sizes[b] - sizes[a]) })
	return files, nil
}

// labels returns the names of the labels: those of --by, or of the rows if the first input has some, or of the paths.
func (f *runFlags) labels(ctx context.Context, files []string) ([]string, error) {
	if f.by != "" {
		return list(f.by), nil
	}
	if isRows(ctx, files[0]) {
		labels, _, err := readFile(ctx, files[0])
		return labels, err
	}
	pattern, err := analyse.ParsePattern(f.label)
	return pattern.Names(slices.Sorted(slices.Values(files))), err
}

// isRows reports whether a file has rows. One that cannot be opened is a dead file later.
func isRows(ctx context.Context, name string) bool {
	in, err := storage.Open(ctx, name)
	if err != nil {
		return false
	}
	defer in.Close()
	head := make([]byte, 4)
	n, _ := io.ReadFull(in, head)
	return rows.IsParquet(head[:n])
}

// about is what a run says of itself, in run.json.
type about struct {
	Running   bool           `json:"running,omitempty"` // or it has failed
	Version   string         `json:"version"`
	Arguments []string       `json:"arguments"`
	Labels    []string       `json:"labels"`
	Rows      int            `json:"rows"`
	Earlier   int            `json:"filesOfRows"` // of earlier runs
	Totals    *tables.Totals `json:"traces"`
}

// write writes run.json.
func (a *about) write(ctx context.Context, folder string) error {
	text, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	return storage.Write(ctx, storage.Join(folder, "run.json"), func(out io.Writer) error {
		_, err := out.Write(append(text, '\n'))
		return err
	})
}

// begin says in the folder that a run goes on. So a folder that cannot be written is an error at once.
func (f *runFlags) begin(ctx context.Context, args, files []string) error {
	for _, name := range files {
		if storage.In(storage.Join(f.out, "rows"), name) {
			return usage("%s would be both read and written: write into another folder than %s", name, f.out)
		}
	}
	return (&about{Running: true, Version: version(), Arguments: args}).write(ctx, f.out)
}

// hasEnded returns an error if run.json says that the run has not ended. Rows can also be without that file.
func hasEnded(ctx context.Context, folder string) error {
	in, err := storage.Open(ctx, storage.Join(folder, "run.json"))
	if err != nil {
		return nil // what is wrong with the rows is said later
	}
	defer in.Close()
	var of about
	if err := json.NewDecoder(in).Decode(&of); err == nil && of.Running {
		return fmt.Errorf("%s: its run goes on or has failed: run it again", folder)
	}
	return nil
}

// pageRows is the number of rows of each table of the page.
const pageRows = 100

// finish checks that no file is lost, and writes what follows from the rows.
func (f *runFlags) finish(ctx context.Context, args, files []string, stderr io.Writer) error {
	labels, all, err := readRows(ctx, f.out)
	if err != nil {
		return err
	}
	totals := tables.TotalsOf(all)
	if totals.Twice != "" {
		return fmt.Errorf("%s is counted twice: it is named by two rows, or in rows and by itself", totals.Twice)
	}
	earlier := 0
	for _, name := range files {
		if totals.Has(name) {
			continue
		}
		if !isRows(ctx, name) {
			return fmt.Errorf("%s is lost: it was listed, and the rows do not have it; please report this error", name)
		}
		earlier++
	}
	if err := f.writeAnswers(ctx, all, labels); err != nil {
		return err
	}
	of := &about{Version: version(), Arguments: args, Labels: append([]string{}, labels...), Rows: len(all),
		Earlier: earlier, Totals: totals}
	if err := of.write(ctx, f.out); err != nil {
		return err
	}
	return f.verdict(totals, all, stderr)
}

// writeAnswers writes the page, and the tables in the formats that are wanted, beside each other. It removes tables
// that an earlier run has left.
func (f *runFlags) writeAnswers(ctx context.Context, all []rows.Row, labels []string) error {
	var files errgroup.Group
	files.SetLimit(runtime.NumCPU())
	files.Go(func() error {
		return storage.Write(ctx, storage.Join(f.out, "fleet.html"), func(out io.Writer) error {
			return writePage(out, all, labels, nil, pageRows)
		})
	})
	for _, t := range tables.All(all, labels, labels) {
		for _, format := range tables.Formats {
			files.Go(func() error {
				name := storage.Join(f.out, t.FileName(format))
				if !slices.Contains(list(f.format), format) {
					return storage.Keep(ctx, name, nil)
				}
				return storage.Write(ctx, name, func(out io.Writer) error { return t.Write(out, format) })
			})
		}
	}
	return files.Wait()
}

// verdict says how many files are dead or partial, and names the first ones.
func (f *runFlags) verdict(totals *tables.Totals, all []rows.Row, stderr io.Writer) error {
	bad := totals.Dead + totals.Partial
	if !f.quiet || bad > f.allowBad {
		fmt.Fprintf(stderr, "trcx-fleet: %d files: %d complete, %d partial, %d empty, %d dead\n", totals.Files, totals.Complete,
			totals.Partial, totals.Empty, totals.Dead)
		shown := 0
		for i := range all {
			row := &all[i]
			if row.Table != rows.Trace || row.Status != rows.Partial && row.Status != rows.StatusOfDead {
				continue
			}
			if shown++; shown > 5 {
				fmt.Fprintf(stderr, "   … and %d more: see traces in %s\n", bad-shown+1, f.out)
				break
			}
			fmt.Fprintf(stderr, "   %s: %s: %s\n", row.Trace, row.Status, row.Text)
		}
	}
	if bad > f.allowBad {
		return errFindings
	}
	return nil
}

// readRows returns the rows of a run, merged and sorted, with their labels.
func readRows(ctx context.Context, folder string) (labels []string, all []rows.Row, err error) {
	files, err := storage.List(ctx, storage.Join(folder, "rows/*.parquet"))
	if errors.Is(err, storage.ErrNoMatch) {
		return nil, nil, fmt.Errorf("%s has no rows: name the folder that trcx-fleet run has written", folder)
	}
	if err != nil {
		return nil, nil, err
	}
	var set rows.Set
	for i, name := range files {
		of, part, err := readFile(ctx, name)
		switch {
		case err != nil:
			return nil, nil, err
		case i > 0 && !slices.Equal(of, labels):
			return nil, nil, fmt.Errorf("%s has the labels %q and %s %q", name, of, files[0], labels)
		}
		labels = of
		for _, row := range part {
			set.Add(row.Key, row.Value)
		}
	}
	return labels, set.Sorted(), nil
}

// readFile returns the rows of a file, with their labels.
func readFile(ctx context.Context, name string) (labels []string, all []rows.Row, err error) {
	in, err := storage.Open(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	if labels, all, err = rows.ReadParquet(in); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return labels, all, err
}

// progress draws how many files are finished, on a terminal, until the function that it returns is called. Of workers
// elsewhere it is not known.
func (f *runFlags) progress(stderr io.Writer, files int, here bool) (stop func()) {
	terminal, ok := stderr.(*os.File)
	if f.quiet || !here || !ok || !term.IsTerminal(int(terminal.Fd())) {
		return func() {}
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				fmt.Fprint(stderr, "\r\x1b[K")
				return
			case <-time.After(time.Second):
				fmt.Fprintf(stderr, "\r%d of %d files\x1b[K", pipeline.Files.Load(), files)
			}
		}
	}()
	return func() { close(quit); <-done }
}
