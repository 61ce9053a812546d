package main

import (
	"context"
	"runtime"
	"slices"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// fewCores is the number of cores that --jobs can use on every machine, so that tests do the same everywhere.
const fewCores = 8

// coresFor returns GOMAXPROCS for --jobs: each one takes memory, and more than the machine has gain nothing.
func coresFor(jobs int) int { return min(jobs, max(runtime.NumCPU(), fewCores)) }

// stage returns a sink that puts its records into the given one in a goroutine of its own, until read returns. It
// returns the given one if there are less than three processors, as those are busy reading, and if inputs may still be
// written while they are read, as their records must not wait for later ones.
func (r *reading) stage(sink trace.Sink) trace.Sink {
	if runtime.GOMAXPROCS(0) < 3 || !allFiles(r.inputs.Documents) {
		return sink
	}
	async := enrich.NewAsync(sink)
	r.stages = append(r.stages, async)
	return async
}

// endStages waits until the sinks of all stages have received all records, and returns their first error.
func (r *reading) endStages() (err error) {
	for _, stage := range r.stages {
		if failed := stage.Close(); err == nil {
			err = failed
		}
	}
	r.stages = nil
	return err
}

// allFiles reports whether the documents are whole files.
func allFiles(documents []convert.Document) bool {
	return !slices.ContainsFunc(documents, func(d convert.Document) bool { return !d.IsFile() })
}

// jobsFor returns how many documents are read at the same time: as many as there are processors, but one at a time
// unless all are files.
func jobsFor(documents []convert.Document) int {
	if !allFiles(documents) {
		return 1
	}
	return max(1, min(len(documents), runtime.GOMAXPROCS(0)))
}

// inOrder calls work for the indexes below n, jobs of them at a time, and then done for each, in order. It returns the
// first error of done, after the context has been cancelled and no work is left.
func inOrder(ctx context.Context, n, jobs int, work func(ctx context.Context, i int), done func(i int) error) error {
	if jobs == 1 {
		for i := range n {
			work(ctx, i)
			if err := done(i); err != nil {
				return err
			}
		}
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	const ahead = 4 // results for each job that may wait for done
	begun, running := make(chan chan struct{}, ahead*jobs), make(chan struct{}, jobs)
	go func() {
		defer close(begun)
		for i := 0; i < n && ctx.Err() == nil; i++ {
			finished := make(chan struct{})
			begun <- finished
			running <- struct{}{}
			go func() {
				defer close(finished)
				work(ctx, i)
				<-running
			}()
		}
	}()
	i, err := 0, error(nil)
	for finished := range begun {
		<-finished
		if err == nil {
			if err = done(i); err != nil {
				cancel()
			}
		}
		i++
	}
	if err == nil && i < n {
		err = ctx.Err()
	}
	return err
}

// branches returns a function that returns readings for documents that are read at the same time. Each uses its share
// of the processors.
func (r *reading) branches(jobs int) func() *reading {
	if jobs == 1 {
		return func() *reading { return r }
	}
	shared := *r
	shared.logs, shared.metadata, shared.options.Jobs = false, nil, max(1, runtime.GOMAXPROCS(0)/jobs)
	reported := r.diagnostics
	return func() *reading {
		branch := shared
		branch.diagnostics = &diagnostics{quiet: reported.quiet, brief: reported.brief, heap: reported.heap,
			apart: true}
		branch.options.OnFinding, branch.options.OnUnsupported = branch.diagnostics.report,
			branch.diagnostics.unsupported
		return &branch
	}
}

// merge adds what was reported about the branch's document.
func (r *reading) merge(branch *reading) {
	if branch == r {
		return
	}
	r.logs = r.logs || branch.logs
	for file := range branch.metadata {
		r.usesMetadata(file)
	}
	r.diagnostics.merge(branch.diagnostics)
	if r.diagnostics.unused = branch.diagnostics.unused; r.logs {
		r.diagnostics.unused = ""
	}
}
