package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// Sink consumes the events of one or more recordings, in the order of the input. An error ends the reading.
type Sink interface {
	// Begin begins the recording of the index, from 0.
	Begin(session int) error
	// Put consumes an event of the recording. The event is valid until Put returns; use Clone to keep it.
	Put(*trace.Event) error
	// End ends the recording.
	End(trace.Ending) error
	// Finish comes after the last recording.
	Finish() error
}

// Counter is a Sink that only counts the elements of heap dumps. Count is called with their number instead of Put for
// each, because a dump can have a hundred million.
type Counter interface {
	Sink
	// Count counts n elements of the kind.
	Count(kind trace.Kind, n uint64) error
}

// Tee returns a Sink that puts each event into the first sink and then into the other. The first one counts the
// elements of heap dumps; the other does not get them.
func Tee(first Counter, other Sink) Counter { return &tee{first, other} }

type tee struct {
	Counter
	other Sink
}

func (t *tee) Begin(session int) error {
	return errors.Join(t.Counter.Begin(session), t.other.Begin(session))
}

func (t *tee) Put(e *trace.Event) error {
	if err := t.Counter.Put(e); err != nil {
		return err
	}
	return t.other.Put(e)
}

func (t *tee) End(ending trace.Ending) error {
	return errors.Join(t.Counter.End(ending), t.other.End(ending))
}

func (t *tee) Finish() error { return errors.Join(t.Counter.Finish(), t.other.Finish()) }

// Heap is a Sink that consumes the contents of binary heap dumps by the methods of builder.Heap, instead of Put for
// each object, reference and root. If it is a builder.Contents, it consumes what arrays and containers hold, too.
type Heap interface {
	Sink
	builder.Heap
}

// Options select how inputs are read. The zero value reads every format.
type Options struct {
	// Format is the name of the input format; "" detects it from the content.
	Format string
	Limits dtd.Limits
	// OnFinding, if not nil, is called for each finding, with the name of its document. If it is nil, findings of
	// severity Error become a *DamageError after all has been read, and warnings are dropped.
	OnFinding func(document string, finding trace.Finding)
	// OnUnsupported, if not nil, is called once per document for each kind of information that its format cannot hold.
	OnUnsupported func(document string, lack trace.Lack)
	// OnOpen, if not nil, is called with the name of each document, and of its format, before it is read.
	OnOpen func(document, format string)
	// OnMetadata, if not nil, is called with the cleaned name of each metadata file that is read for a monitor log.
	OnMetadata func(file string)
	// Metadata is the name of the metadata file for the monitor logs (monlog) among the inputs; "" looks for a file
	// next to each log.
	Metadata string
	// Jobs limits the goroutines that read a document at the same time; 0 is GOMAXPROCS.
	Jobs int
	// FlattenUnknown decodes the children of unknown elements as if they were children of TRACE.
	FlattenUnknown bool
	// Validation selects the grammar for checking documents. Run sets its Location to each document's.
	Validation trcxml.Validation
	// Model selects what Model computes; Events and Run ignore it.
	Model enrich.Options
}

// RuleDamaged and RuleNotTrace are the findings about documents as a whole.
const (
	RuleDamaged  = "damaged-input"
	RuleNotTrace = "not-a-trace"
)

// InputError is the error for an input that cannot be read, or whose format is unknown.
type InputError struct {
	Document string
	Err      error
}

func (e *InputError) Error() string { return e.Document + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *InputError) Unwrap() error { return e.Err }

// IsNoTrace reports whether the document could be read, but is not a trace.
func (e *InputError) IsNoTrace() bool {
	var unknown *UnknownFormat
	var other *trcxml.NotTrace
	return errors.As(e.Err, &unknown) || errors.As(e.Err, &other)
}

// Refused has the errors of documents that are not traces. They are skipped if there are others.
type Refused []*InputError

// Take keeps the error of a document that is not a trace, and returns any other error.
func (r *Refused) Take(err error) error {
	var trouble *InputError
	if errors.As(err, &trouble) && trouble.IsNoTrace() {
		*r = append(*r, trouble)
		return nil
	}
	return err
}

// Without returns the errors, except for those about metadata files, given by their cleaned names.
func (r Refused) Without(metadata map[string]bool) []*InputError {
	return slices.DeleteFunc(r, func(e *InputError) bool { return metadata[filepath.Clean(e.Document)] })
}

// Report reports the errors as findings, except for metadata files; see Without. If no document is a trace, it returns
// the first error instead.
func (r Refused) Report(all int, metadata map[string]bool, report func(document string, f trace.Finding)) error {
	if all > 0 && len(r) == all {
		return r[0]
	}
	for _, document := range r.Without(metadata) {
		report(document.Document, document.Finding())
	}
	return nil
}

// Finding returns the error as a finding about the document.
func (e *InputError) Finding() trace.Finding {
	finding := trace.Finding{Rule: RuleNotTrace, Place: trace.Place{Line: 1, Column: 1}, Message: e.Err.Error()}
	var named interface{ OptionName() string }
	if errors.As(e.Err, &named) {
		finding.Option = named.OptionName()
	}
	return finding
}

// Run reads the documents, each a recording, into the sink. Defects inside a document are findings; see
// Options.OnFinding. The error is an *InputError for a document that cannot be read at all, a *DamageError, or an error
// of the sink or of ctx. If there are several documents, those that are not traces become findings and are skipped.
func Run(ctx context.Context, documents []Document, options Options, sink Sink) error {
	r := newReading(options, sink)
	var refused Refused
	for i, document := range documents {
		if err := refused.Take(r.read(ctx, document, i-len(refused))); err != nil {
			return err
		}
	}
	if err := refused.Report(len(documents), r.metadata, r.report); err != nil {
		return err
	}
	if err := sink.Finish(); err != nil {
		return err
	}
	if r.damage.Count > 0 {
		return &r.damage
	}
	return nil
}

// reading is a call of Run.
type reading struct {
	options  Options
	sink     Sink
	count    func(kind trace.Kind, n uint64) error // of the sink if it is a Counter; else nil
	heap     builder.Heap                          // the sink, if it is one; else nil
	contents builder.Contents                      // the sink, if it is a Heap and Contents; else nil
	metadata map[string]bool                       // the cleaned names of the metadata files that were read
	damage   DamageError                           // the errors that OnFinding did not get
}

func newReading(options Options, sink Sink) *reading {
	r := &reading{options: options, sink: sink, metadata: map[string]bool{}}
	if counter, ok := sink.(Counter); ok {
		r.count = counter.Count
	}
	if heap, ok := sink.(Heap); ok {
		r.heap = heap
		r.contents, _ = sink.(builder.Contents)
	}
	return r
}

// report reports a finding about the document, or keeps it for the error of Run.
func (r *reading) report(document string, finding trace.Finding) {
	if r.options.OnFinding == nil {
		r.damage.add(document, finding)
		return
	}
	r.options.OnFinding(document, finding)
}

// usesMetadata notes that the file is the metadata of a monitor log.
func (r *reading) usesMetadata(file string) {
	file = filepath.Clean(file)
	r.metadata[file] = true
	if r.options.OnMetadata != nil {
		r.options.OnMetadata(file)
	}
}

// read reads one document as the recording of the index.
func (r *reading) read(ctx context.Context, document Document, session int) error {
	head, text, err := document.Open()
	if err != nil {
		return err
	}
	defer text.Close()
	format, err := recognise(head, document.Name, r.options.Format)
	if err != nil {
		return &InputError{document.Name, err}
	}
	if r.options.OnOpen != nil {
		r.options.OnOpen(document.Name, format.name)
	}
	if !format.isGuess {
		if err := r.sink.Begin(session); err != nil {
			return err
		}
	}
	source := &source{in: text}
	ending, err := format.read(ctx, source, session, r, document)
	var other *trcxml.NotTrace
	var unknown *InputError
	switch {
	case errors.As(err, &unknown):
		return err
	case errors.As(err, &other) || err != nil && source.failed:
		return &InputError{document.Name, err}
	case err != nil:
		return err
	}
	if source.damage != nil {
		ending.Truncated = true
		r.report(document.Name, trace.Finding{Rule: RuleDamaged, Place: ending.Place,
			Message: fmt.Sprintf(
				"the compressed data is damaged or cut off after %d bytes of text (%v); what comes before is used",
				source.offset, source.damage)})
	}
	return r.sink.End(ending)
}

// source reads a document. It distinguishes damaged compressed data, whose beginning is valid, from inputs that cannot
// be read.
type source struct {
	in     io.Reader
	offset int64
	damage error
	failed bool
}

func (s *source) Read(p []byte) (int, error) {
	if s.damage != nil {
		return 0, io.EOF
	}
	n, err := s.in.Read(p)
	s.offset += int64(n)
	switch {
	case err == nil || err == io.EOF:
	case s.offset > 0 && isDamage(err):
		s.damage, err = err, nil
	default:
		s.failed = true
	}
	return n, err
}

// ErrDamaged matches each *DamageError.
var ErrDamaged = errors.New("the input is damaged or cut off")

// DamageError is the error for input that has errors. Everything that could be read has been returned before.
type DamageError struct {
	// Findings are the first 20 of severity Error. The File of a finding about an entry of a zip names the entry.
	Findings []trace.Finding
	// Count is the number of findings of severity Error.
	Count int
}

// maxDamage is the limit of DamageError.Findings.
const maxDamage = 20

// Error returns a text with the first finding.
func (e *DamageError) Error() string {
	first := e.Findings[0]
	text := first.String()
	if first.File != "" {
		text = first.In("")
	}
	if e.Count > 1 {
		text += fmt.Sprintf(" (the first of %d errors)", e.Count)
	}
	return ErrDamaged.Error() + ": " + text
}

// Unwrap returns ErrDamaged.
func (e *DamageError) Unwrap() error { return ErrDamaged }

// add counts a finding about the document, and keeps it if it is one of the first.
func (e *DamageError) add(document string, finding trace.Finding) {
	if finding.Severity != trace.Error {
		return
	}
	if e.Count++; e.Count > maxDamage {
		return
	}
	if finding.File == "" && document != Stdin {
		finding.File = document
	}
	e.Findings = append(e.Findings, finding)
}

// Events iterates over the events of a reader, in the order of the input. The reader may be compressed, and may be a
// zip of documents. An event is valid until the next one; use Clone to keep it.
//
// The last pair has the error, if any: a *DamageError, which matches ErrDamaged, after all events that could be read
// from a damaged input; an *InputError if nothing can be read; or the error of ctx. With OnFinding, errors of the input
// are findings instead. A trace that ends between two elements is not damaged, because a fragment may end so.
func Events(ctx context.Context, r io.Reader, o Options) iter.Seq2[*trace.Event, error] {
	return func(yield func(*trace.Event, error) bool) {
		put, finish := pushed(yield)
		finish(readAll(ctx, r, o, events(put)))
	}
}

// Model iterates over the records of the model that is computed from the events of a reader. A record is valid until
// the next one. Options.Model selects what it has; errors are as for Events.
func Model(ctx context.Context, r io.Reader, o Options) iter.Seq2[trace.Record, error] {
	return func(yield func(trace.Record, error) bool) {
		put, finish := pushed(yield)
		finish(readAll(ctx, r, o, enrich.New(trace.SinkFunc(put), o.Model)))
	}
}

func readAll(ctx context.Context, r io.Reader, o Options, dst Sink) error {
	inputs, err := OpenInputs([]string{Stdin}, r, 0)
	if err != nil {
		return err
	}
	defer inputs.Close()
	return Run(ctx, inputs.Documents, o, dst)
}

// errStop ends the reading when the consumer of an iterator has stopped.
var errStop = errors.New("the iteration has stopped")

// pushed returns put, which yields a value unless the consumer has stopped, and finish, which yields the error.
func pushed[T any](yield func(T, error) bool) (put func(T) error, finish func(error)) {
	stopped := false
	put = func(value T) error {
		if stopped || !yield(value, nil) {
			stopped = true
			return errStop
		}
		return nil
	}
	finish = func(err error) {
		if err != nil && !stopped {
			var none T
			yield(none, err)
		}
	}
	return put, finish
}

// events is a Sink that consumes only events.
type events func(*trace.Event) error

func (put events) Put(e *trace.Event) error { return put(e) }
func (put events) Begin(int) error          { return nil }
func (put events) End(trace.Ending) error   { return nil }
func (put events) Finish() error            { return nil }
