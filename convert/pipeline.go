package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

// Sink takes the elements of one or more recordings, in the order of the input. Errors end the conversion.
type Sink interface {
	// Begin begins the recording of the index, counted from 0.
	Begin(session int) error
	// Element takes an element; it is good until the method returns.
	Element(*trace.Event) error
	// End ends the recording.
	End(trace.Ending) error
	// Finish comes after the last recording.
	Finish() error
}

// Counter is a Sink that only counts the elements of heap dumps. It is told how many there are, and not given each:
// there may be a hundred million.
type Counter interface {
	Sink
	// Count counts n elements of the kind.
	Count(kind trace.Kind, n uint64) error
}

// Options say how inputs are read.
type Options struct {
	// From is the name of the input format; "" finds it out by the content.
	From   string
	Limits dtd.Limits
	// Report takes the findings with the name of their document; nil drops them.
	Report func(document string, finding trace.Finding)
	// Lacks takes what documents cannot tell, each kind once for a document; nil drops it.
	Lacks func(document string, lack trace.Lack)
	// Opens, if not nil, is told the name of each document, and of its format, before it is read.
	Opens func(document, format string)
	// Metadata is the name of the metadata file of the monitor logs (monlog) among the inputs; "" takes what lies
	// beside each.
	Metadata string
	// Unwrap reads what stands inside of elements that traces do not have as if these were not there; see
	// trcxml.Options.
	Unwrap bool
	// Judgement says by what the form of documents is judged. Its Location is that of each document.
	Judgement trcxml.Judgement

	used  map[string]bool                       // the metadata files that were taken
	count func(kind trace.Kind, n uint64) error // of a sink that is a Counter; else nil
}

// RuleDamaged and RuleNotTrace are the findings about documents as a whole.
const (
	RuleDamaged  = "damaged-input"
	RuleNotTrace = "not-a-trace"
)

// InputError is the error for an input that cannot be read, or is of no known format.
type InputError struct {
	Document string
	Err      error
}

func (e *InputError) Error() string { return e.Document + ": " + e.Err.Error() }

// Unwrap gives the reason.
func (e *InputError) Unwrap() error { return e.Err }

// Run reads the documents, each a recording of its own, into the sink. What is wrong inside a document is reported; the
// error is an *InputError for a document that cannot be read at all, or an error of the sink or of ctx. Of
// several documents, those that are no traces are reported and left out.
func Run(ctx context.Context, documents []Document, options Options, sink Sink) error {
	if options.Report == nil {
		options.Report = func(string, trace.Finding) {}
	}
	if options.Lacks == nil {
		options.Lacks = func(string, trace.Lack) {}
	}
	options.used = map[string]bool{}
	if counter, ok := sink.(Counter); ok {
		options.count = counter.Count
	}
	taken := 0
	var refused []*InputError
	for _, document := range documents {
		err := read(ctx, document, options, sink, taken)
		var unknown *InputError
		switch {
		case err == nil:
			taken++
		case len(documents) > 1 && errors.As(err, &unknown) && unfit(unknown.Err):
			refused = append(refused, unknown)
		default:
			return err
		}
	}
	if taken == 0 && len(refused) > 0 {
		return refused[0]
	}
	for _, document := range refused {
		if options.used[filepath.Clean(document.Document)] {
			continue
		}
		options.Report(document.Document, trace.Finding{Rule: RuleNotTrace, Place: trace.Place{Line: 1, Column: 1},
			Message: document.Err.Error()})
	}
	return sink.Finish()
}

// unfit says whether a document was read but is no trace.
func unfit(err error) bool {
	var unknown *UnknownFormat
	var other *trcxml.NotTrace
	return errors.As(err, &unknown) || errors.As(err, &other)
}

// read reads one document as the recording of the index.
func read(ctx context.Context, document Document, options Options, sink Sink, session int) error {
	in, err := document.open()
	if err != nil {
		return &InputError{document.Name, err}
	}
	defer in.Close()
	text, format, err := recognise(in, document.Name, options.From)
	if err != nil {
		return &InputError{document.Name, err}
	}
	if options.Opens != nil {
		options.Opens(document.Name, format.name)
	}
	if err := sink.Begin(session); err != nil {
		return err
	}
	source := &source{in: text}
	ending, err := format.read(ctx, source, session, options, document, sink.Element)
	var other *trcxml.NotTrace
	switch {
	case errors.As(err, &other) || err != nil && source.failed:
		return &InputError{document.Name, err}
	case err != nil:
		return err
	}
	if source.damage != nil {
		ending.Truncated = true
		options.Report(document.Name, trace.Finding{Rule: RuleDamaged, Place: ending.Place,
			Message: fmt.Sprintf(
				"the compressed data is damaged or cut off after %d bytes of text (%v); what comes before is used",
				source.offset, source.damage)})
	}
	return sink.End(ending)
}

// source reads a document and tells damage of compressed data, before which all is good, from inputs that cannot be
// read.
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
