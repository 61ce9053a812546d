package record

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/trcx/trcx/agent/drain"
	"github.com/trcx/trcx/agent/flight"
	"github.com/trcx/trcx/agent/options"
	"github.com/trcx/trcx/agent/output"
	"github.com/trcx/trcx/agent/ring"
)

// Recording is a trace that is being written.
type Recording struct {
	// Name is the output's name in messages, such as the file.
	Name string

	stop    context.CancelFunc
	first   chan struct{} // closed when the output has accepted the first text
	done    chan struct{}
	samples string // the folder for the JVM's samples; "" if it takes none
	summary *drain.Summary
	failure error
}

// Start opens the output and begins to drain the segment's ring buffers into it. pid replaces %p in file names.
func Start(segment *ring.Segment, o *options.Options, pid int, stdout io.Writer) (*Recording, error) {
	host, _ := os.Hostname()
	description := describe(o, pid, host, stdout)
	folder, err := makeSampleFolder(o)
	if err != nil {
		return nil, err
	}
	out, err := output.Open(description)
	if err != nil {
		os.RemoveAll(folder)
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &Recording{Name: description.String(), stop: stop, first: make(chan struct{}), done: make(chan struct{}),
		samples: folder}
	watched := &firstText{Writer: out, written: r.first}
	drainer := drain.New(segment, watched, preamble(o, host), o.ActiveFilters().Match)
	if o.Exec == options.SampledMethods {
		drainer.Samples = readSamples(o)
	}
	go r.run(ctx, drainer, segment)
	return r, nil
}

// makeSampleFolder makes the folder for the file of samples; "" if the JVM takes none.
func makeSampleFolder(o *options.Options) (folder string, err error) {
	if o.Exec == options.SampledMethods {
		folder, err = os.MkdirTemp("", "trcx-samples-")
		o.SampleFile = filepath.Join(folder, "samples.jfr")
	}
	return folder, err
}

// readSamples returns the function that reads the JVM's samples.
func readSamples(o *options.Options) func(java int) (*flight.Samples, error) {
	file, limit, shows := o.SampleFile, o.MaxNodes, o.ActiveFilters().Match
	return func(java int) (*flight.Samples, error) {
		event, _ := flight.Event(java)
		return flight.Read(context.Background(), file, event, limit, shows)
	}
}

// run writes the trace. A failure ends the recording and never the recorded program.
func (r *Recording) run(ctx context.Context, drainer *drain.Drainer, segment *ring.Segment) {
	defer close(r.done)
	defer func() {
		if problem := recover(); problem != nil {
			segment.Stop()
			r.failure = fmt.Errorf("the recording failed and was ended (please report this): %v\n%s", problem,
				debug.Stack())
		}
	}()
	r.summary = drainer.Run(ctx)
}

// firstText is a Writer that closes a channel after its first successful Write.
type firstText struct {
	output.Writer
	written chan struct{}
	once    sync.Once
}

func (w *firstText) Write(lines []byte) error {
	err := w.Writer.Write(lines)
	if err == nil {
		w.once.Do(func() { close(w.written) })
	}
	return err
}

// Replaced returns the lines that the ending has replaced.
func (w *firstText) Replaced() []byte {
	if out, ok := w.Writer.(output.Replacer); ok {
		return out.Replaced()
	}
	return nil
}

// AwaitFirst waits until the output has the beginning of the trace, or the time is over. A slow output is not an error.
// The error is the reason why the output has accepted nothing.
func (r *Recording) AwaitFirst(limit time.Duration) error {
	select {
	case <-r.first:
	case <-time.After(limit):
	case <-r.done:
		if summary, err := r.Wait(); err != nil {
			return err
		} else if summary.Stopped != nil {
			return summary.Stopped
		}
	}
	return nil
}

// Done returns a channel that is closed when the trace is written.
func (r *Recording) Done() <-chan struct{} { return r.done }

// Finish ends the recording when everything published so far is written, and returns its summary. The error is a defect
// of trcx.
func (r *Recording) Finish() (*drain.Summary, error) {
	r.stop()
	<-r.done
	if r.samples != "" { // also samples that came too late
		os.RemoveAll(r.samples)
	}
	return r.summary, r.failure
}

// Wait waits until the recording has ended by itself, and returns what Finish returns.
func (r *Recording) Wait() (*drain.Summary, error) {
	<-r.done
	return r.Finish()
}

// describe returns the destination that the options name.
func describe(o *options.Options, pid int, host string, stdout io.Writer) output.Description {
	d := output.Description{Token: cmp.Or(o.Output.Token, os.Getenv(output.TokenVariable)), PID: pid, Host: host,
		MaxSize: o.MaxSize, Stdout: stdout}
	switch o.Output.Kind {
	case options.File:
		d.Name = o.Output.FileName(pid, time.Now(), host)
		d.File = o.Path(d.Name)
	case options.Stdout:
		d.File = output.Standard
	case options.TCP:
		d.TCP = o.Output.Address
	case options.Unix:
		d.Name, d.Unix = o.Output.Address, o.SocketPath()
	}
	return d
}
