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
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/page"
	"github.com/trcx/trcx/emit/page/serve"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/trace"
)

// indexEnding is appended to a trace's name for the name of its index.
const indexEnding = ".timeline"

func serveCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "serve",
		Usage:     "the page of trcx report, live: for traces too large for a page, and for those still being recorded",
		UsageText: "trcx serve INPUT… [--follow] [--address HOST:PORT]",
		Description: `It prints the address of a page, for a browser on this machine, and serves it until Ctrl-C. The address has a random token,
without which the trace cannot be seen; only requests of its own pages are answered.

Each trace gets an index, a file next to it whose name ends in ` + indexEnding + `. It is used again as long as the trace
does not change.

With --follow the INPUT may still be written, by trcx record or trcx listen: the page grows with it.

Examples:
   trcx serve app.trcxml --duration 1s                    ends by itself
   trcx serve monday.trcxml tuesday.trcxml --duration 1s  two traces to choose from
   trcx serve app.trcxml --follow --duration 1s           one that is still being recorded`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "address", Usage: "serve at `HOST:PORT` of loopback; the port 0 is a free one",
				Value: "127.0.0.1:0"},
			&cli.BoolFlag{Name: "follow", Usage: "follow traces that are still being written"},
			&cli.BoolFlag{Name: "no-index", Usage: "keep no index next to the trace"},
			durationFlag(),
			fromFlag(), skipFlag(), framesFlag(),
		}, readingFlags()),
		Action: func(c *cli.Context) error { return env.serve(c) },
	}
}

func (env *environment) serve(c *cli.Context) error {
	if err := needInput(c.Args().Slice()); err != nil {
		return err
	}
	// report a wrong address before reading a large trace
	listener, err := serve.Listen(c.String("address"))
	var unsafe *serve.Unsafe
	switch {
	case errors.As(err, &unsafe):
		return usage("--address: %v", err)
	case err != nil:
		return err
	}
	defer listener.Close()
	ctx, stop := context.WithCancel(c.Context)
	s := &serving{environment: env, flags: c}
	defer s.close()
	defer stop()
	if err := s.addAll(ctx, c.Args().Slice()); err != nil {
		return err
	}
	err = env.answerPages(ctx, c, serve.New(listener, s.traces, s.failed), stop)
	if err == nil && s.unread.Load() {
		return errUnread
	}
	return err
}

// serving holds the traces of a server.
type serving struct {
	*environment
	flags    *cli.Context
	traces   []*serve.Trace
	unread   atomic.Bool    // an input, or an entry of one, could not be read or has no known format
	followed sync.WaitGroup // traces that are still being read
	damaged  sync.Map       // the names of indexes that were found damaged
}

// failed prints why a request failed. A damaged index is reported once, as all requests that reach the damage fail. The
// next start creates it anew.
func (s *serving) failed(err error) {
	if damaged, ok := errors.AsType[*timeline.Damaged](err); ok {
		if _, reported := s.damaged.LoadOrStore(damaged.Name, true); reported {
			return
		}
		if damaged.Name != "" {
			gone := "has been removed"
			if damaged.Remove() != nil {
				gone = "must be deleted"
			}
			err = fmt.Errorf("the index %s is damaged, and %s; end trcx serve and start it again to build it anew",
				damaged.Name, gone)
		}
	}
	s.print("%v", err)
}

// close waits for the readers, whose context is cancelled, but not longer than maxEnding, and closes the indexes.
func (s *serving) close() {
	ended := make(chan struct{})
	go func() {
		s.followed.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(maxEnding):
	}
	for _, t := range s.traces {
		t.Index.Close()
	}
}

// answerPages serves until Ctrl-C, which is a success, or the end of --duration.
func (env *environment) answerPages(ctx context.Context, c *cli.Context, server *serve.Server, stop func()) error {
	env.passSignals(func(os.Signal) {
		env.passSignals(nil)
		stop()
	})
	if limit := durationOf(c); limit > 0 {
		var end func()
		ctx, end = context.WithTimeout(ctx, limit)
		defer end()
	}
	if _, err := fmt.Fprintln(env.stdout, server.URL()); err != nil {
		return err
	}
	return server.Serve(ctx)
}

// addAll adds the traces of the names. It reports inputs of no known format; if there are no others, that is an error.
func (s *serving) addAll(ctx context.Context, names []string) error {
	var refused convert.Refused
	for _, name := range names {
		if err := refused.Take(s.add(ctx, name)); err != nil {
			return err
		}
	}
	if len(refused) > 0 {
		s.unread.Store(true)
	}
	return refused.Report(len(names), nil, (&diagnostics{out: s.stderr}).report)
}

// add adds the trace of the name, ready to be served.
func (s *serving) add(ctx context.Context, name string) (err error) {
	var t *serve.Trace
	if s.flags.Bool("follow") {
		t, err = s.follow(ctx, name)
	} else {
		t, err = s.indexed(name)
	}
	if err == nil {
		s.traces = append(s.traces, t)
	}
	return err
}

// indexed returns the trace with its saved index, or with a new one, which is saved if it can be used again.
func (s *serving) indexed(name string) (*serve.Trace, error) {
	if s.flags.Bool("no-index") {
		return s.index(name, "", "")
	}
	identity := s.identityOf(name)
	if identity == "" { // it is unknown whether the trace changes
		return s.index(name, "", "")
	}
	saved := name + indexEnding
	if t := openIndex(name, saved, identity); t != nil {
		return t, nil
	}
	if _, err := os.Lstat(saved); err == nil && !timeline.IsSaved(saved) {
		s.warn("the index is not kept: %s exists and is not an index", saved)
		return s.index(name, "", "")
	}
	t, err := s.index(name, saved, identity)
	if isDiskFull(err, saved) {
		s.warn("the index is not kept: the disk of the trace is full")
		return s.index(name, "", "")
	}
	return t, err
}

// isDiskFull reports whether the disk with the file is full, and not the disk with other temporary files.
func isDiskFull(err error, file string) bool {
	if temporary, ok := errors.AsType[*tempfile.Error](err); ok && temporary.Folder != filepath.Dir(file) {
		return false
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// warn prints a warning, unless the command is quiet.
func (s *serving) warn(format string, arguments ...any) {
	if !s.flags.Bool("quiet") {
		s.print(format, arguments...)
	}
}

// The names of the facts in an index.
const (
	identityFact   = "trace"
	pathFact       = "path"
	blameFact      = "blame"
	statisticsFact = "statistics"
	verdictsFact   = "verdicts"
	notesFact      = "notes"
	heapFact       = "heap"
	methodsFact    = "methods"
)

// identityOf returns a hash of the file's size, time and ends, of the flags for reading it, and of trcx's version. An
// index with another hash is out of date. It is "" if the name is not a regular file or cannot be read.
func (s *serving) identityOf(name string) string {
	if name == convert.Stdin {
		return ""
	}
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
	version, commit := builtVersion()
	fmt.Fprintln(hash, info.Size(), info.ModTime().UnixNano(), version, commit)
	for _, metadata := range convert.MetadataFiles(name, s.flags.String("meta")) {
		if info, err := os.Stat(metadata); err == nil {
			fmt.Fprintln(hash, metadata, info.Size(), info.ModTime().UnixNano())
		}
	}
	for _, flag := range append([]cli.Flag{externalFlag(), fromFlag(), skipFlag(), framesFlag()}, limitFlags()...) {
		fmt.Fprintf(hash, "%v ", s.flags.Value(flag.Names()[0]))
	}
	for _, offset := range []int64{0, max(info.Size()-identityPart, 0)} {
		if _, err := io.Copy(hash, io.NewSectionReader(file, offset, identityPart)); err != nil {
			return ""
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// identityPart is the number of bytes of each end of a file that are hashed.
const identityPart = 64 << 10

// leastIndex limits the bytes of an index in memory for an empty trace. The limit rises with the trace, so that an
// index from an untrusted source cannot need more memory than the trace itself could.
const leastIndex = 32 << 20

// openIndex opens a saved index. It returns nil unless the index has the trace's identity.
func openIndex(name, saved, identity string) *serve.Trace {
	info, err := os.Stat(name)
	if err != nil {
		return nil
	}
	index, facts, err := timeline.Open(saved, leastIndex+2*info.Size())
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

// servedTrace returns a complete trace with the facts.
func servedTrace(name string, index *timeline.Index, facts map[string][]byte) (*serve.Trace, error) {
	var verdicts []page.Verdict
	var notes []string
	if err := errors.Join(json.Unmarshal(facts[verdictsFact], &verdicts), json.Unmarshal(facts[notesFact],
		&notes)); err != nil {
		return nil, err
	}
	return &serve.Trace{
		Name: filepath.Base(name), Index: index, Statistics: facts[statisticsFact],
		Path:       func() ([]byte, error) { return facts[pathFact], nil },
		Blame:      func() ([]byte, error) { return facts[blameFact], nil },
		Heap:       func() ([]byte, error) { return facts[heapFact], nil },
		HasHeap:    func() bool { return len(facts[heapFact]) > 0 },
		Methods:    func() ([]byte, error) { return facts[methodsFact], nil },
		HasMethods: func() bool { return len(facts[methodsFact]) > 0 },
		Verdicts:   func() []page.Verdict { return verdicts }, Notes: func() []string { return notes },
	}, nil
}

// index reads the trace and creates its index. It saves it unless saved is "" or cannot be written.
func (s *serving) index(name, saved, identity string) (*serve.Trace, error) {
	reading, err := s.openReading(s.flags, []string{name}, s.flags.String("from"))
	if err != nil {
		return nil, err
	}
	defer reading.close()
	shown, err := newShownTrace(name, saved, false)
	if err != nil && saved != "" { // the trace's folder may be read-only
		reading.warn("the index is not kept: %v", bare(err))
		saved = ""
		shown, err = newShownTrace(name, "", false)
	}
	if err != nil {
		return nil, err
	}
	shown.skips, shown.frames = skips(s.flags), s.flags.Int("frames")
	defer shown.path.Close()
	var facts map[string][]byte
	shown.complete = func() (err error) {
		facts, err = shown.facts(identity, reading.diagnostics.errors)
		return err
	}
	progress := s.startProgress(reading.inputs, reading.silent)
	async := enrich.NewAsync(shown)
	err = reading.read(s.flags.Context, reading.inputs.Documents, shown.sink(async))
	if failed := async.Close(); err == nil {
		err = failed
	}
	progress.stop()
	reading.diagnostics.finish()
	if err != nil {
		shown.index().Close()
		return nil, err
	}
	switch {
	case reading.diagnostics.unread > 0: // the next start has to report this, too
		s.unread.Store(true)
	case saved != "":
		if err := shown.index().Save(saved, facts); err != nil {
			reading.warn("the index is not kept: %v", err)
		}
	}
	return servedTrace(name, shown.index(), facts)
}

// sink returns the sink for a trace's elements. Its records go to next, which passes them to the shownTrace.
func (s *shownTrace) sink(next trace.Sink) convert.Sink {
	// if the trace has no stacks, building whole ones would take half as much time again
	return s.elements(next, enrich.Options{Calls: enrich.CallersOnly, Skips: s.skips, Frames: s.frames})
}

// facts returns the parts of the page that are stored with the index. errs is the number of the trace's errors.
func (s *shownTrace) facts(identity string, errs int) (map[string][]byte, error) {
	r, diagnosed, err := s.results()
	verdicts, err1 := json.Marshal(diagnosed)
	notes, err2 := json.Marshal(append(s.notes(), errorNotes(errs)...))
	return map[string][]byte{
		identityFact: []byte(identity), pathFact: r.Path, blameFact: r.Blame, statisticsFact: r.Statistics,
		verdictsFact: verdicts, notesFact: notes, heapFact: r.Heap, methodsFact: r.Methods,
	}, errors.Join(err, err1, err2)
}

// follow returns a trace that is being read while it is served.
func (s *serving) follow(ctx context.Context, name string) (*serve.Trace, error) {
	if err := convert.Followable(name); err != nil {
		return nil, err
	}
	shown, err := newShownTrace(name, "", true)
	if err != nil {
		return nil, err
	}
	shown.skips, shown.frames = skips(s.flags), s.flags.Int("frames")
	shown.complete = func() error { return nil }
	l := &live{Sink: shown.sink(shown), shown: shown, warn: s.warn}
	s.followed.Go(func() {
		err := s.read(ctx, name, l)
		if err != nil && ctx.Err() == nil {
			s.unread.Store(true)
		}
		l.ended(ctx, err)
	})
	return &serve.Trace{
		Name: shown.name, Index: shown.index(), Guard: &l.guard, Live: func() bool { return !l.done.Load() },
		Path:       shown.pathJSON,
		Blame:      shown.blameJSON,
		Heap:       shown.heapJSON,
		HasHeap:    func() bool { return !l.done.Load() || shown.heap.has() }, // it may still come
		Methods:    shown.methodsJSON,
		HasMethods: func() bool { return l.why == nil && shown.hasMethods() },
		Verdicts:   l.verdicts, Notes: l.notes,
	}, nil
}

// read reads a growing trace into the sink. It blocks until there are bytes.
func (s *serving) read(ctx context.Context, name string, l *live) error {
	reading, err := s.newReading(s.flags, s.flags.String("from"))
	if err != nil {
		return err
	}
	reading.inputs.Follow(ctx, l.over.Load)
	if err := reading.open([]string{name}); err != nil {
		return err
	}
	defer reading.close()
	l.diagnostics = reading.diagnostics
	return reading.read(ctx, reading.inputs.Documents, l)
}

// errorNotes returns the note on n errors of the trace; none for 0.
func errorNotes(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("The trace has %s; what could be read is shown. trcx validate says more.",
		phrase.Count(n, "error"))}
}
