package record

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/trcx/trcx/agent/drain"
	"github.com/trcx/trcx/agent/options"
	"github.com/trcx/trcx/agent/output"
	"github.com/trcx/trcx/agent/ring"
)

// Recording is a trace that is being written.
type Recording struct {
	// Name is the file that is written, or another name of the outlet.
	Name string

	stop    context.CancelFunc
	done    chan struct{}
	summary *drain.Summary
	failure error
}

// Start opens the outlet and begins to write what is published in the segment. pid is the process that file names with
// %p are named after.
func Start(segment *ring.Segment, o *options.Options, pid int, stdout io.Writer) (*Recording, error) {
	host, _ := os.Hostname()
	description := describe(o, pid, host, stdout)
	out, err := output.Open(description)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &Recording{Name: description.String(), stop: stop, done: make(chan struct{})}
	drainer := drain.New(segment, out, preamble(o, host), o.ActiveFilters().Match)
	go r.run(ctx, drainer, segment)
	return r, nil
}

// run writes the trace. Whatever goes wrong in it, the recorded program goes on.
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

// Done is closed when the trace is written.
func (r *Recording) Done() <-chan struct{} { return r.done }

// Finish says that nothing more will be published, waits until the trace is written, and returns what came of it. The
// error is a defect of trcx.
func (r *Recording) Finish() (*drain.Summary, error) {
	r.stop()
	<-r.done
	return r.summary, r.failure
}

// Wait waits until the recording has ended by itself, and returns what Finish does.
func (r *Recording) Wait() (*drain.Summary, error) {
	<-r.done
	return r.Finish()
}

// describe is the outlet that the options name.
func describe(o *options.Options, pid int, host string, stdout io.Writer) output.Description {
	d := output.Description{Token: cmp.Or(o.Outlet.Token, os.Getenv(output.TokenVariable)), PID: pid, Host: host,
		MaxSize: o.MaxSize, Stdout: stdout}
	switch o.Outlet.Kind {
	case options.File:
		d.Name = o.Outlet.FileName(pid, time.Now(), host)
		d.File = o.Path(d.Name)
	case options.Stdout:
		d.File = output.Standard
	case options.TCP:
		d.TCP = o.Outlet.Address
	case options.Unix:
		d.Name, d.Unix = o.Outlet.Address, o.SocketPath()
	}
	return d
}

// preamble is what the trace says of the machine and of the options.
func preamble(o *options.Options, host string) drain.Preamble {
	_, east := time.Now().Zone()
	p := drain.Preamble{Hostname: host, Address: addresses(), Timezone: -east / 60, Parameters: o.Text}
	for _, filter := range o.ActiveFilters() {
		p.Filters = append(p.Filters, drain.Filter{
			Pattern: filter.Class.Text, Mode: filter.Mode(), GenericPattern: filter.Class.Wildcard.String(),
			MethodPattern: filter.Method.Text, MethodMode: filter.Mode(),
			MethodGenericPattern: filter.Method.Wildcard.String(),
		})
	}
	for _, setting := range o.Echo() {
		p.Options = append(p.Options, drain.Option{Key: setting.Key, Value: setting.Value})
	}
	return p
}
