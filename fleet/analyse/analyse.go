package analyse

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/cmd/optionflag"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/fleet/storage"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// Options say how files are summed up.
type Options struct {
	// By are the names of the labels of rows.
	By []string
	// Label is the pattern by which paths have labels; "" is none.
	Label string
}

// The stages in which a file can fail.
const (
	stageOpen = "open"
	stageRead = "read"
	stageBug  = "panic"
)

// Analyser sums up files.
type Analyser struct {
	Options
	pattern *Pattern
	first   func(name string, attempt int) // of tests: called first for each file, it can panic; nil is none
}

// New returns an Analyser.
func New(o Options) (*Analyser, error) {
	pattern, err := ParsePattern(o.Label)
	return &Analyser{Options: o, pattern: pattern}, err
}

// attempts is how often a file is tried: what storage refuses once, it may give later. So a file is dead because of
// itself, as far as that can be.
const attempts = 2

// File sums up one file. Whatever is wrong with it is in its rows: each file has one of the table rows.Trace, and a
// dead one another of rows.Dead. A file with rows of an earlier run gives these. The error is that of ctx.
func (a *Analyser) File(ctx context.Context, name string) (*rows.Set, error) {
	for attempt := 1; ; attempt++ {
		all, stage, err := a.try(ctx, name, attempt)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil:
			return all, nil
		case attempt == attempts:
			return a.dead(name, stage, err), nil
		}
	}
}

// try sums up a file, or returns the error of a stage.
func (a *Analyser) try(ctx context.Context, name string, attempt int) (all *rows.Set, stage string, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			stage, err = stageBug, fmt.Errorf("an error in trcx-fleet itself, please report it: %v", reason)
		}
	}()
	if a.first != nil {
		a.first(name, attempt)
	}
	return a.file(ctx, name)
}

// dead returns the rows of a file that could not be read.
func (a *Analyser) dead(name, stage string, err error) *rows.Set {
	all := &rows.Set{}
	if input, ok := errors.AsType[*convert.InputError](err); ok && input.Document == name {
		err = input.Err
	}
	reason := optionflag.InError(err, optionflag.OfSave)
	labels := a.labels(name, nil, "")
	all.Add(rows.Key{Table: rows.Dead, Labels: labels, Name: stage, Trace: name}, rows.Value{Traces: 1, Text: reason})
	all.Add(rows.Key{Table: rows.Trace, Labels: labels, Trace: name},
		rows.Value{Traces: 1, Status: rows.StatusOfDead, Text: reason})
	return all
}

// labels returns the values of the labels of a file: from its path, or else from the trace.
func (a *Analyser) labels(name string, known ofTrace, hour string) string {
	ofPath, values := a.pattern.Labels(name), make([]string, len(a.By))
	for i, label := range a.By {
		values[i] = cmp.Or(ofPath[label], known[label])
		if label == HourLabel {
			values[i] = hour
		}
	}
	return rows.JoinLabels(values)
}

// file sums up a file. The error is of the stage.
func (a *Analyser) file(ctx context.Context, name string) (all *rows.Set, stage string, err error) {
	inputs := convert.NewInputs(nil, 0)
	defer inputs.Close()
	size, earlier, err := a.open(ctx, inputs, name)
	if err != nil || earlier != nil {
		return earlier, stageOpen, err
	}
	f := &file{Analyser: a, name: name, rows: &rows.Set{}, documents: inputs.Documents}
	var refused convert.Refused
	for i := range inputs.Documents {
		if err := f.document(ctx, &inputs.Documents[i]); refused.Take(err) != nil {
			var damaged *convert.InputError
			if len(inputs.Documents) == 1 || !errors.As(err, &damaged) {
				return nil, stageRead, err
			}
			f.report(damaged.Document, damaged.Finding())
		}
	}
	if err := refused.Report(len(inputs.Documents), f.metadata, f.report); err != nil {
		return nil, stageRead, err
	}
	f.finish(size)
	return f.rows, "", nil
}

// open opens a file as an input, or reads its rows.
func (a *Analyser) open(ctx context.Context, inputs *convert.Inputs, name string) (size uint64, earlier *rows.Set, err error) {
	stored, err := storage.Size(ctx, name)
	if err != nil {
		return 0, nil, plain(err)
	}
	in, err := storage.Open(ctx, name)
	if err != nil {
		return 0, nil, plain(err)
	}
	head := make([]byte, 4)
	n, _ := io.ReadFull(in, head)
	whole := struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head[:n]), in), in}
	switch {
	case rows.IsParquet(head[:n]):
		earlier, err = a.load(whole, uint64(stored))
		return uint64(stored), earlier, errors.Join(err, in.Close())
	case storage.IsLocal(name):
		return uint64(stored), nil, errors.Join(in.Close(), inputs.Add(name))
	}
	return uint64(stored), nil, inputs.AddReader(name, whole)
}

// maxRows limits the size of a file with rows, which is read into memory.
const maxRows = 4 << 30

// load reads the rows of an earlier run, whose labels must be those of this one.
func (a *Analyser) load(in io.Reader, size uint64) (*rows.Set, error) {
	if size > maxRows {
		return nil, fmt.Errorf("the file has %d bytes; at most %d are read", size, maxRows)
	}
	labels, all, err := rows.ReadParquet(in)
	if err != nil {
		return nil, plain(err)
	}
	if !slices.Equal(labels, a.By) {
		return nil, fmt.Errorf("its rows have the labels %q and this run has %q: group by %s, or give it the traces instead",
			labels, a.By, strings.Join(labels, ","))
	}
	set := &rows.Set{}
	for _, row := range all {
		set.Add(row.Key, row.Value)
	}
	return set, nil
}

// plain is an error of a file without the name, which is said elsewhere.
func plain(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}

// file is a file while it is summed up.
type file struct {
	*Analyser
	name      string
	documents []convert.Document
	rows      *rows.Set
	metadata  map[string]bool
	reason    string // the first error
	errors    int
	whole     rows.Value // of the row of the file
	labelled  string     // the labels of the file, without the hour
	began     bool
}

// report counts a finding, and keeps the first error.
func (f *file) report(document string, finding trace.Finding) {
	if finding.Severity != trace.Error {
		return
	}
	if f.errors++; f.errors == 1 {
		f.reason = optionflag.InFinding(finding, optionflag.OfSave).Message
		if entry := strings.TrimPrefix(document, f.name); entry != document && entry != "" {
			f.reason = strings.TrimPrefix(entry, "!") + ": " + f.reason
		}
	}
}

// document sums up one recording.
func (f *file) document(ctx context.Context, d *convert.Document) error {
	head, text, err := d.Open()
	if err != nil {
		return err
	}
	if contention.IsSaved(head) {
		defer text.Close()
		return f.saved(text)
	}
	known, hours := ofTrace{}, newHours(slices.Contains(f.By, HourLabel))
	collector := diagnosis.NewCollector(f.name, selection.Window{})
	defer collector.Close() // nothing to lose
	sink := trace.SinkFunc(func(r trace.Record) error {
		if session, ok := r.(*trace.Session); ok {
			known.put(session)
		}
		if err := hours.put(r); err != nil {
			return err
		}
		return collector.Put(r)
	})
	enricher := enrich.New(sink, enrich.Options{Calls: enrich.CallersOnly})
	options := convert.Options{Jobs: 1, OnFinding: f.report, OnMetadata: func(file string) {
		if f.metadata == nil {
			f.metadata = map[string]bool{}
		}
		f.metadata[file] = true
	}}
	both := convert.Tee(enricher, collector.Calls)
	if err := convert.Run(ctx, []convert.Document{d.Of(text)}, options, both); err != nil {
		return err
	}
	facts := &diagnosis.Facts{Target: f.name}
	if err := collector.Complete(facts); err != nil {
		return err
	}
	if err := f.count(facts, collector, known, hours); err != nil {
		return err
	}
	return collector.Failed()
}

// finish adds the row of the file.
func (f *file) finish(size uint64) {
	v := &f.whole
	v.Traces, v.Bytes, v.Status = 1, size, rows.Complete
	switch {
	case f.errors > 0:
		v.Status, v.Text = rows.Partial, f.reason
		if f.errors > 1 {
			v.Text += " (and " + phrase.Count(f.errors-1, "more error") + ")"
		}
	case v.Events == 0:
		v.Status = rows.Empty
	}
	if !f.began {
		f.labelled = f.labels(f.name, nil, "")
	}
	f.rows.Add(rows.Key{Table: rows.Trace, Labels: f.labelled, Trace: f.name}, *v)
}
