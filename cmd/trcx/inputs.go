package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/heap"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// reading reads the inputs of a command.
type reading struct {
	env         *environment
	inputs      *convert.Inputs
	options     convert.Options
	diagnostics *diagnostics
	silent      bool                          // draws no progress
	logs        bool                          // an input was a monitor log
	metadata    map[string]bool               // the metadata files of monitor logs that were read
	skips       func(*trace.ModelMethod) bool // of enrich.Options
	frames      int                           // of enrich.Options
	activities  bool                          // Activity records are wanted; see enriched
	stages      []*enrich.Async               // of the sinks; see stage
	dump        *heap.Collector               // if not nil, enriched puts the heap dumps of the documents into it
	calls       *methods.Collector            // the same for calls and samples of methods
}

// openReading opens the inputs of the names in the format from; "" to detect the format.
func (env *environment) openReading(c *cli.Context, names []string, from string) (*reading, error) {
	r, err := env.newReading(c, from)
	if err != nil {
		return nil, err
	}
	if err := needInput(names); err != nil {
		return nil, err
	}
	return r, r.open(names)
}

// newReading applies the flags for reading inputs. It opens none.
func (env *environment) newReading(c *cli.Context, from string) (*reading, error) {
	limits, maxInput, err := limits(c)
	if err != nil {
		return nil, err
	}
	external, err := openExternal(c.String("allow-external"))
	if err != nil {
		return nil, err
	}
	inputs, metadata := convert.NewInputs(env.stdin, maxInput), c.String("meta")
	if metadata != "" {
		info, err := os.Stat(metadata)
		if err != nil {
			return nil, &convert.InputError{Document: metadata, Err: bare(err)}
		}
		inputs.Protect(info)
	}
	for _, flag := range []string{"base", "filters", "classes", "anonymize-key"} { // what they name is read, too
		if info, err := os.Stat(c.String(flag)); err == nil {
			inputs.Protect(info)
		}
	}
	if jobs := c.Int("jobs"); jobs > 0 {
		runtime.GOMAXPROCS(coresFor(jobs))
	}
	diagnostics := &diagnostics{out: env.stderr, quiet: c.Bool("quiet")}
	return &reading{
		env: env, inputs: inputs, diagnostics: diagnostics, silent: c.Bool("quiet") || c.Bool("no-progress"),
		skips: skips(c),
		options: convert.Options{Format: from, Limits: limits, Metadata: metadata, OnFinding: diagnostics.report,
			OnUnsupported: diagnostics.unsupported, Validation: trcxml.Validation{Open: external}},
	}, nil
}

// needInput returns the error for a command line without an input, or with an empty name.
func needInput(names []string) error {
	if len(names) == 0 {
		return usageHelp("name a trace to read, or - for the standard input")
	}
	if slices.Contains(names, "") {
		return usage("the name of a trace is empty")
	}
	return nil
}

// open opens the inputs of the names.
func (r *reading) open(names []string) error {
	for _, name := range names {
		if err := r.inputs.Add(name); err != nil {
			r.close()
			if isProcess(name) {
				return ofProcess(name)
			}
			return err
		}
	}
	return nil
}

// openExternal opens the folder of external subsets and entities. Without a folder, none can be read.
func openExternal(folder string) (dtd.Opener, error) {
	if folder == "" {
		return nil, nil
	}
	open, err := dtd.Dir(folder)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", folder, bare(err))
	}
	return open, nil
}

// read reads the documents into the sink.
func (r *reading) read(ctx context.Context, documents []convert.Document, sink convert.Sink) error {
	options := r.options
	options.OnOpen = func(document, format string) {
		r.logs = r.logs || format == convert.Monlog
		if r.options.OnOpen != nil {
			r.options.OnOpen(document, format)
		}
	}
	options.OnMetadata = r.usesMetadata
	err := convert.Run(ctx, documents, options, sink)
	if failed := r.endStages(); err == nil {
		err = failed
	}
	if err == nil && !r.logs && options.Metadata != "" {
		r.diagnostics.unused = unusedMetadata(options.Metadata)
	} else {
		r.diagnostics.unused = ""
	}
	return err
}

// usesMetadata notes that the file has the metadata of a monitor log among the inputs.
func (r *reading) usesMetadata(file string) {
	if r.metadata == nil {
		r.metadata = map[string]bool{}
	}
	r.metadata[file] = true
}

// unusedMetadata returns the note on a file of --meta that no input needed.
func unusedMetadata(name string) string {
	return "--meta " + name + " is not used: none of the inputs is a monitor log (monlog)"
}

// warn prints a warning, unless the command is quiet.
func (r *reading) warn(format string, arguments ...any) {
	if !r.diagnostics.quiet {
		r.env.print(format, arguments...)
	}
}

// warnEmpty warns if nothing was selected from the trace of the name.
func (r *reading) warnEmpty(filter *selection.Filter, name string) {
	if empty, length := filter.Empty(); empty {
		r.warn("the flags select nothing of %s, which lasts %s", name, phrase.Duration(length))
	}
}

// close closes the inputs.
func (r *reading) close() { r.inputs.Close() }

// unanswered returns the error for a question that the trace does not answer. If the input has errors, these may be the
// reason, so they decide the exit status.
func (r *reading) unanswered(err error) error {
	if wrong, ok := errors.AsType[*usageError](err); ok && r.diagnostics.errors > 0 {
		r.env.print("%s", wrong.text(r.env.command))
		return r.verdict()
	}
	return err
}

// verdict returns errUnread if an input has no known format, and errFindings if there were other errors.
func (r *reading) verdict() error {
	switch {
	case r.diagnostics.unread > 0:
		return errUnread
	case r.diagnostics.errors > 0:
		return errFindings
	}
	return nil
}

// progress draws, on a terminal, how much of the inputs has been read.
type progress struct {
	quit, done chan struct{}
}

// Short work draws nothing.
const (
	drawAfter = time.Second
	drawEvery = 200 * time.Millisecond
)

// startProgress begins to draw, unless it is off or the standard error is not a terminal.
func (env *environment) startProgress(inputs *convert.Inputs, off bool) *progress {
	if off || inputs.Size == 0 || !isTerminal(env.stderr) {
		return nil
	}
	p := &progress{make(chan struct{}), make(chan struct{})}
	go p.draw(env.stderr, inputs)
	return p
}

func (p *progress) draw(out io.Writer, inputs *convert.Inputs) {
	defer close(p.done)
	began := time.Now()
	next := time.NewTimer(drawAfter)
	for drawn := false; ; drawn = true {
		select {
		case <-p.quit:
			if drawn {
				fmt.Fprint(out, "\r\x1b[K")
			}
			return
		case <-next.C:
			fmt.Fprintf(out, "\r%s\x1b[K", progressLine(inputs.Read(), inputs.Size, time.Since(began)))
			next.Reset(drawEvery)
		}
	}
}

// stop ends the drawing and clears the line.
func (p *progress) stop() {
	if p != nil {
		close(p.quit)
		<-p.done
	}
}

// progressLine returns the percentage, the rate and the time left. Sizes are in bytes.
func progressLine(done, whole int64, elapsed time.Duration) string {
	share := min(float64(done)/float64(whole), 1)
	rate := float64(done) / elapsed.Seconds() / 1e6
	if share == 0 {
		return fmt.Sprintf("%3.0f %%", 0.0)
	}
	left := time.Duration(float64(elapsed) * (1 - share) / share).Round(time.Second)
	return fmt.Sprintf("%3.0f %%, %.0f MB/s, %v left", share*100, rate, left)
}
