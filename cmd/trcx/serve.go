package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/convert/segment"
	"github.com/trcx/trcx/emit/page"
	"github.com/trcx/trcx/emit/page/serve"
	"github.com/trcx/trcx/trace"
)

// serveMemory is about how many bytes a server takes before garbage is collected as often as need be.
const serveMemory = 160 << 20

// indexEnding is what the name of an index has behind that of its trace.
const indexEnding = ".timeline"

func serveCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "serve",
		Usage:     "the page of trcx report, live: for traces too large for a page, and for those still being recorded",
		UsageText: "trcx serve INPUT… [--follow] [--address HOST:PORT]",
		Description: `It prints the address of a page, for a browser on this machine, and serves it until Ctrl-C. Whoever knows the address can see the
trace: it has a random token, and only pages of this server are answered.

Of each trace an index is made, in a file beside it whose name ends in ` + indexEnding + `; as long as the trace does not change it is used again.

With --follow the INPUT may still be written, by trcx record or trcx listen: the page shows what is there and goes on with it.

Examples:
   trcx serve app.trcxml --duration 1s                    ends by itself
   trcx serve monday.trcxml tuesday.trcxml --duration 1s  two traces to choose from
   trcx serve app.trcxml --follow --duration 1s           one that is still being recorded`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "address", Usage: "serve at `HOST:PORT` of loopback; the port 0 is a free one", Value: "127.0.0.1:0"},
			&cli.BoolFlag{Name: "follow", Usage: "go on with traces that are still being written", DisableDefaultText: true},
			&cli.BoolFlag{Name: "no-index", Usage: "keep no index beside the trace", DisableDefaultText: true},
			&cli.DurationFlag{Name: "duration", Usage: "end after the `TIME`, such as 30s or 2h", DefaultText: "no limit"},
			fromFlag(),
		}, readingFlags()),
		Action: func(c *cli.Context) error { return env.serve(c) },
	}
}

func (env *environment) serve(c *cli.Context) error {
	switch {
	case c.NArg() == 0:
		return usage("serve: name a trace to read, or - for the standard input (trcx serve --help says more)")
	case c.IsSet("duration") && c.Duration("duration") <= 0:
		return usage("serve: --duration must be a time above 0, such as 30s")
	}
	if err := noEmptyFlags(c, "address"); err != nil {
		return err
	}
	debug.SetMemoryLimit(serveMemory)
	ctx, stop := context.WithCancel(c.Context)
	defer stop()
	var traces []*serve.Trace
	for _, name := range c.Args().Slice() {
		t, err := env.served(ctx, c, name)
		if err != nil {
			return err
		}
		defer t.Index.Close()
		traces = append(traces, t)
	}
	server, err := serve.New(c.String("address"), traces)
	if err != nil {
		return usage("serve: --address: %v", err)
	}
	return env.answerPages(ctx, c, server, stop)
}

// answerPages serves until it is ended: by Ctrl-C, which is no failure, or because the time is over.
func (env *environment) answerPages(ctx context.Context, c *cli.Context, server *serve.Server, stop func()) error {
	env.takeSignals(func(os.Signal) {
		env.takeSignals(nil)
		stop()
	})
	if limit := c.Duration("duration"); limit > 0 {
		var end func()
		ctx, end = context.WithTimeout(ctx, limit)
		defer end()
	}
	if _, err := fmt.Fprintln(env.stdout, server.URL()); err != nil {
		return err
	}
	return server.Serve(ctx)
}

// served is the trace of the name, ready to be served.
func (env *environment) served(ctx context.Context, c *cli.Context, name string) (*serve.Trace, error) {
	if c.Bool("follow") {
		return env.followed(ctx, c, name)
	}
	identity, saved := "", ""
	if name != convert.Stdin && !c.Bool("no-index") {
		saved = name + indexEnding
		if identity = identityOf(name); identity != "" {
			if t := openIndex(name, saved, identity); t != nil {
				return t, nil
			}
		}
	}
	return env.indexed(c, name, saved, identity)
}

// The facts that are kept with an index.
const (
	identityFact   = "trace"
	pathFact       = "path"
	statisticsFact = "statistics"
	verdictsFact   = "verdicts"
	notesFact      = "notes"
)

// identityOf is what tells a file from one that it was before: size, time, and what its ends hold; "" if it cannot be read.
func identityOf(name string) string {
	file, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	hash := sha256.New()
	fmt.Fprintln(hash, info.Size(), info.ModTime().UnixNano())
	for _, offset := range []int64{0, max(info.Size()-identityPart, 0)} {
		if _, err := io.Copy(hash, io.NewSectionReader(file, offset, identityPart)); err != nil {
			return ""
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// identityPart is how many bytes of each end of a file count.
const identityPart = 64 << 10

// openIndex opens a saved index that is of the trace as it is now, or returns nil.
func openIndex(name, saved, identity string) *serve.Trace {
	index, facts, err := timeline.Open(saved)
	if err != nil {
		return nil
	}
	t, err := servedTrace(name, index, facts)
	if err != nil || string(facts[identityFact]) != identity {
		index.Close()
		return nil
	}
	return t
}

// servedTrace is a complete trace with the facts.
func servedTrace(name string, index *timeline.Index, facts map[string][]byte) (*serve.Trace, error) {
	var verdicts []page.Verdict
	var notes []string
	if err := errors.Join(json.Unmarshal(facts[verdictsFact], &verdicts), json.Unmarshal(facts[notesFact], &notes)); err != nil {
		return nil, err
	}
	return &serve.Trace{
		Name: filepath.Base(name), Index: index, Statistics: facts[statisticsFact],
		Path:     func() ([]byte, error) { return facts[pathFact], nil },
		Verdicts: func() []page.Verdict { return verdicts }, Notes: func() []string { return notes },
	}, nil
}

// indexed reads the trace and makes an index of it, which is saved if that has a name and can be written.
func (env *environment) indexed(c *cli.Context, name, saved, identity string) (*serve.Trace, error) {
	reading, err := env.openReading(c, []string{name}, c.String("from"))
	if err != nil {
		return nil, err
	}
	defer reading.close()
	folder := ""
	if saved != "" {
		folder = filepath.Dir(saved)
	}
	shown, err := newShownTrace(name, folder, false)
	if err != nil && folder != "" { // the trace may lie where nothing can be written
		saved = ""
		shown, err = newShownTrace(name, "", false)
	}
	if err != nil {
		return nil, err
	}
	var facts map[string][]byte
	shown.complete = func() (err error) {
		facts, err = shown.facts(identity, reading.diagnostics.errors)
		return err
	}
	progress := env.startProgress(reading.inputs, reading.silent)
	err = reading.read(c.Context, reading.inputs.Documents, shown.sink())
	progress.stop()
	reading.diagnostics.finish()
	if err != nil {
		shown.index().Close()
		return nil, err
	}
	if saved != "" {
		if err := shown.index().Save(saved, facts); err != nil {
			reading.warn("the index is not kept: %v", err)
		}
	}
	return servedTrace(name, shown.index(), facts)
}

// sink is what a trace is to be read into.
func (s *shownTrace) sink() convert.Sink {
	enricher := enrich.New(enrich.Tee(s.path, segment.NewCutter(s)))
	enricher.FollowCalls(enrich.CallersOnly) // whole stacks, where the trace has none itself, would take half as long again
	return &losses{enricher, s}
}

// facts are what a server has to know beside the index. The trace had so many errors.
func (s *shownTrace) facts(identity string, errs int) (map[string][]byte, error) {
	path, failed := s.pathJSON()
	statistics, alsoFailed := s.statisticsJSON()
	verdicts, err := json.Marshal(s.verdicts())
	notes := s.notes()
	if errs > 0 {
		notes = append(notes, fmt.Sprintf("The trace has %s; what could be read is shown. trcx validate says more.", describe(errs, "error")))
	}
	told, err2 := json.Marshal(notes)
	return map[string][]byte{
		identityFact: []byte(identity), pathFact: path, statisticsFact: statistics, verdictsFact: verdicts, notesFact: told,
	}, errors.Join(failed, alsoFailed, err, err2)
}

// followed is a trace that is read while it is served.
func (env *environment) followed(ctx context.Context, c *cli.Context, name string) (*serve.Trace, error) {
	var over, done atomic.Bool
	follow := func(inputs *convert.Inputs) { inputs.Follow(ctx, over.Load) }
	reading, err := env.openReadingAs(c, []string{name}, c.String("from"), follow)
	if err != nil {
		return nil, err
	}
	shown, err := newShownTrace(name, "", true)
	if err != nil {
		reading.close()
		return nil, err
	}
	shown.complete = func() error { return nil }
	guard := &sync.Mutex{}
	go func() {
		defer reading.close()
		err := reading.read(ctx, reading.inputs.Documents, &live{shown.sink(), guard, &over})
		done.Store(true)
		if err != nil && ctx.Err() == nil {
			reading.warn("%v", err)
		}
	}()
	return &serve.Trace{
		Name: shown.name, Index: shown.index(), Guard: guard, Live: func() bool { return !done.Load() }, Path: shown.pathJSON,
		Verdicts: func() []page.Verdict {
			if done.Load() {
				return shown.verdicts()
			}
			return []page.Verdict{shown.pathVerdict()}
		},
		Notes: func() []string {
			notes := shown.notes()
			if !done.Load() {
				notes = append([]string{"This is being recorded: the critical path is drawn, and deadlocks are told, when it has ended."}, notes...)
			}
			return notes
		},
	}, nil
}

// live is the sink of a trace that is read while others look at it.
type live struct {
	convert.Sink
	guard *sync.Mutex
	over  *atomic.Bool
}

// Begin keeps the others out.
func (l *live) Begin(session int) error {
	l.guard.Lock()
	defer l.guard.Unlock()
	return l.Sink.Begin(session)
}

// Element keeps the others out, and notes that the recording is over.
func (l *live) Element(e *trace.Event) error {
	l.guard.Lock()
	defer l.guard.Unlock()
	if e.Kind == trace.TraceEnd || e.Kind == trace.AgentDestroy {
		l.over.Store(true)
	}
	return l.Sink.Element(e)
}

// End keeps the others out.
func (l *live) End(ending trace.Ending) error {
	l.guard.Lock()
	defer l.guard.Unlock()
	return l.Sink.End(ending)
}

// Finish keeps the others out.
func (l *live) Finish() error {
	l.guard.Lock()
	defer l.guard.Unlock()
	return l.Sink.Finish()
}
