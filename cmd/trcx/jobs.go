package main

import (
	"context"
	"runtime"
	"slices"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// fewCores is how many processor cores --jobs can ask for on every machine, so that tests do the same on all of them.
const fewCores = 8

// coresFor returns GOMAXPROCS for --jobs: each takes memory, and more of them than the machine has cores gain nothing.
func coresFor(jobs int) int { return min(jobs, max(runtime.NumCPU(), fewCores)) }

// stage returns a sink that puts its records into the other one in a goroutine of its own, until read returns. With
// less than three processors, those that read the documents have enough to do, and it is the sink itself; likewise for
// inputs that may be written while they are read, whose records must not wait for others.
func (r *reading) stage(sink trace.Sink) trace.Sink {
	if runtime.GOMAXPROCS(0) < 3 || !allFiles(r.inputs.Documents) {
		return sink
	}
	async := enrich.NewAsync(sink)
	r.stages = append(r.stages, async)
	return async
}

// endStages waits until the sinks of all stages have the records that were put, and returns their first error.
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

// jobsFor returns how many of the documents are read at the same time, at least one: as many as there are processors,
// and one after the other unless all are files.
func jobsFor(documents []convert.Document) int {
	if !allFiles(documents) {
		return 1
	}
	return max(1, min(len(documents), runtime.GOMAXPROCS(0)))
}

// inOrder calls work for the indexes below n, jobs of them at a time, and done for each, in order, after its work. The
// first error of done is returned when no work is left; its context ends with it.
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
	const ahead = 4 // results for each job that wait for done
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

// branches returns a function that returns the reading for one of several documents that are read at the same time,
// each by its part of the processors.
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

// merge adds what was reported about the document of the branch.
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
