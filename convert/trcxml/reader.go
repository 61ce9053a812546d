package trcxml

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"runtime"
	"strings"

	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/grammar"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// Options select how a document is read.
type Options struct {
	Limits dtd.Limits
	// Session is the index of the recording in the events.
	Session int
	// Live is for an input that is written while it is read: each element is put as soon as it is complete. Otherwise
	// several goroutines may read ahead.
	Live bool
	// Jobs limits the goroutines that read the document at the same time; 0 is GOMAXPROCS.
	Jobs int
	// Report, if not nil, is called for each finding, in the order of the input.
	Report func(trace.Finding)
	// FlattenUnknown decodes the children of unknown elements as if they were children of TRACE. Only the tag of the
	// unknown element itself is read.
	FlattenUnknown bool
	// Validation selects whether and how the document is validated.
	Validation Validation

	cut         cutting // set by tests
	noTemplates bool    // likewise
}

// NotTrace is the error for an input that is not a trace.
type NotTrace struct {
	Reason string // in words, such as "its root element is <html>"
}

func (e *NotTrace) Error() string { return "not a TPTP trace: " + e.Reason }

// Read reads a document or a run of fragments and puts each element (TRACE itself where it begins, and its children),
// in the order of the input. An event is valid until put returns; use Clone to keep it. An error of put ends the
// reading and is returned, as are errors of r and of ctx. An input that is not well-formed is not an error: it is
// reported, and read as far as possible. Read returns a *NotTrace for an input without an element of a trace.
func Read(ctx context.Context, r io.Reader, options Options, put func(*trace.Event) error) (trace.Ending, error) {
	if options.cut == (cutting{}) {
		options.cut = cutting{goroutines: cmp.Or(options.Jobs, runtime.GOMAXPROCS(0)), solo: soloSize, chunk: chunkSize}
	}
	reader := &reader{
		decoder: decoder{builders: &builders{}, scanner: xmlscan.New(r, xmlscan.Options{Fragments: true,
			SkipBlank: true, Limits: xmlscan.Limits(options.Limits), NoTemplates: options.noTemplates,
			Open: xmlscan.Open(options.Validation.Open), Location: options.Validation.Location})},
		options: options, put: put, event: &trace.Event{Session: options.Session}, in: r, arena: &arena{},
	}
	reader.event.Source = reader
	if !options.Validation.active() {
		reader.mode = unknown
	}
	err := reader.read(ctx)
	reader.lackEndTags(0)
	if err == nil && reader.mode < isTrace {
		err = reader.unrecognized()
	}
	reader.ending.Place = trace.Place(reader.scanner.Position())
	return reader.ending, err
}

// reader reads a document, or the chunks of one.
type reader struct {
	decoder
	options    Options
	put        func(*trace.Event) error
	in         io.Reader
	mode       mode
	sequential bool // the rest is read by one goroutine
	nesting
	findings
	validator *grammar.Validator // nil without a grammar
	arena     *arena             // of elements' contents
	event     *trace.Event       // the current one
	place     trace.Place        // of the event, if the scanner is already after it
	tag       []byte             // of the event, likewise; else empty
	matches   [maxRun]xmlscan.Match
	pause     int // elements to read one by one before run looks for matches again
	longest   int // the last pause, if no run has found a match since; else 0
}

// mode is what is known about the document.
type mode uint8

const (
	unread  mode = iota // no start tag was read; it chooses the grammar
	unknown             // no element of a trace was read; findings are held
	isTrace             // an element of a trace was read
	anyXML              // validate only: the document is not a trace
)

// nesting is the place of the reader in the document, outside of the children of TRACE.
type nesting struct {
	ending trace.Ending
	roots  int  // open TRACE elements
	rooted bool // a TRACE was read
	// wrappers has, for each open unknown element whose children are read, the number of open elements around it.
	wrappers  []int
	strayText bool // text between elements was reported
}

// findings has the findings that are not reported yet.
type findings struct {
	early    []trace.Finding  // of an unknown document; if it is not a trace, the first one is the reason
	unclosed []unclosed       // elements without end tags
	collect  *[]trace.Finding // if not nil, findings are added to it
	reported bool             // of a chunk: it must be read again in sequence
}

// maxRun limits the elements that are matched before they are decoded.
const maxRun = 512

// maxPause is the longest pause of run. If tags match no patterns, looking for matches costs a tenth of the time.
const maxPause = 31

// elementsPerCheck is about the number of tokens between checks of the context.
const elementsPerCheck = 4096

func (r *reader) read(ctx context.Context) error {
	for left := 0; ; left-- {
		if left <= 0 {
			if left = elementsPerCheck; ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if r.sequential {
			count, err := r.run()
			if left -= count; err != nil {
				return err
			}
		}
		token, err := r.scanner.Next()
		if err == nil {
			r.validate(token)
		}
		if err == nil && token == xmlscan.StartTag && r.mode != anyXML {
			if err = r.element(); err == nil && !r.sequential {
				err = r.together(ctx)
			}
		}
		switch {
		case err == errPause || err == errDone:
			return nil
		case err != nil:
			if over, err := r.recover(err); over || err != nil {
				return err
			}
		case token == xmlscan.End:
			return nil
		case r.mode == anyXML:
		case token == xmlscan.EndTag && r.wrapped():
			r.wrappers = r.wrappers[:len(r.wrappers)-1]
		case token == xmlscan.EndTag:
			r.roots--
			r.ending.Closed = r.roots == 0
		case token == xmlscan.Text:
			r.text()
		case token == xmlscan.Skipped:
			r.skipped(string(r.scanner.Text()), "")
		}
	}
}

// run reads the next elements, as far as they are in the scanner's buffer and match patterns that are ready, and
// returns their number.
func (r *reader) run() (count int, _ error) {
	if r.mode != isTrace {
		return 0, nil
	}
	if r.pause > 0 {
		r.pause--
		return 0, nil
	}
	found := r.scanner.MatchRun(r.matches[:0], &r.ready)
	if len(found) > 0 {
		r.longest = 0
	} else {
		r.longest = min(2*r.longest+1, maxPause)
		r.pause = r.longest
	}
	for _, match := range found {
		r.scanner.Select(match)
		if !r.readyElement() {
			r.scanner.Unread(math.MaxInt)
			break
		}
		if err := r.putEvent(); err != nil {
			return count, err
		}
		count++
	}
	return count, nil
}

// readyElement reads the current element, whose pattern is ready, like element. It returns false, without effect, if
// element has more to do.
func (r *reader) readyElement() bool {
	if !r.options.Validation.NamesOnly {
		if r.decode(r.event); r.event.Reading > trace.Exact {
			return false
		}
		r.tag = r.tag[:0]
	}
	if r.validator != nil && !r.validator.Repeated() {
		r.validator.Look(xmlscan.StartTag)
	}
	return true
}

// element reads the element of the current start tag.
func (r *reader) element() error {
	e := r.event
	if r.tag = r.tag[:0]; r.options.Validation.NamesOnly {
		r.nameOnly(e)
		if _, pattern := r.scanner.Template(); pattern != 0 {
			*r.ready.At(pattern) = e.Kind != trace.Root
		}
	} else {
		r.decode(e)
	}
	if e.Kind != trace.Foreign && r.mode < isTrace {
		r.mode = isTrace
		r.reportEarly()
	}
	if e.Kind == trace.Root {
		return r.root()
	}
	if r.options.FlattenUnknown && (e.Kind == trace.Foreign || e.Kind == trace.Annotation && r.wrapped()) {
		return r.unwrap(e)
	}
	if r.mode < isTrace && !r.scanner.Empty() {
		return &NotTrace{Reason: fmt.Sprintf("its first element is <%s>, not <TRACE> or an element of a trace",
			e.Name())}
	}
	if !r.options.Validation.NamesOnly && !(r.sound && e.Reading == trace.Exact) {
		r.check(e)
	}
	if r.unresolved != "" {
		r.skipped(r.unresolved, e.Name())
		r.unresolved = ""
	}
	if !r.scanner.Empty() {
		if err := r.children(e); err != nil {
			return err
		}
	}
	return r.putEvent()
}

// unwrap puts the tag of an unknown element, or of an annotation in one, which then counts as unknown, too. Its
// children are read next.
func (r *reader) unwrap(e *trace.Event) error {
	if e.Kind == trace.Annotation {
		r.empty(e, &element{kind: trace.Foreign, foreign: e.Name()})
	}
	if !r.scanner.Empty() {
		r.wrappers = append(r.wrappers, r.depth())
		r.sequential = true // chunks are read as children of TRACE
		r.reported = true   // of a chunk: it may end in the element
	}
	return r.putEvent()
}

// depth returns the number of open elements around the current one.
func (r *reader) depth() int { return r.roots + len(r.wrappers) }

// wrapped reports whether the innermost open element is unwrapped.
func (r *reader) wrapped() bool {
	last := len(r.wrappers) - 1
	return last >= 0 && r.wrappers[last] == r.depth()-1
}

// putEvent puts the event, unless only names are read.
func (r *reader) putEvent() error {
	if r.options.Validation.NamesOnly {
		return nil
	}
	return r.put(r.event)
}

// root begins a document with one root. A TRACE inside TRACE changes nothing.
func (r *reader) root() error {
	inside := r.roots > 0
	r.reported = true // of a chunk: its elements are not all children of TRACE
	if !r.scanner.Empty() {
		r.roots++
	}
	if inside {
		r.report(RuleNestedTrace, trace.Error,
			"a TRACE inside of TRACE; what it holds is read as if it were in the outer one")
		return nil
	}
	r.ending.Closed = r.scanner.Empty()
	if r.rooted && len(r.wrappers) > 0 {
		r.report(RuleNestedTrace, trace.Error,
			"a second TRACE in the same element; what it holds is read as if it were in the first one")
		return nil
	}
	r.rooted = true
	r.scanner.SetFragments(false)
	return r.putEvent()
}

// text reports character data between elements, which means nothing in a trace, once.
func (r *reader) text() {
	if r.wrapped() || r.scanner.Blank() || r.strayText || r.validator != nil || len(trimSpace(r.scanner.Text())) == 0 {
		return // the grammar reports it
	}
	r.strayText = true
	r.report(RuleStrayText, trace.Warning, "text between the elements is left out")
}

// skipped reports a reference to an entity whose text is not in the input.
func (r *reader) skipped(reference, element string) {
	var entity *xmlscan.Entity
	doctype := r.scanner.Doctype()
	if doctype != nil {
		entity = doctype.Entity(entityName(reference))
	}
	switch {
	case entity != nil && entity.Trouble() != nil:
		r.unread(element, fmt.Sprintf("the entity %s lies outside of the input (%v); it is left out",
			sanitize.Clip(reference, maxShown), entity.Trouble()))
	case doctype != nil && len(doctype.Unread) > 0:
		first := doctype.Unread[0]
		r.unread(element, fmt.Sprintf("the entity %s may be declared in %s, which was not read (%v); it is left out",
			sanitize.Clip(reference, maxShown), sanitize.Clip(first.SystemID, maxShown), first.Reason))
	case r.validator == nil || !r.options.Validation.Own: // otherwise it has been reported
		r.unread(element, fmt.Sprintf("the entity %s is not declared; it is left out",
			sanitize.Clip(reference, maxShown)))
	}
}

// unread reports that a part of an element is missing.
func (r *reader) unread(element, message string) {
	r.reportAt(trace.Finding{Rule: RuleUnreadEntity, Severity: trace.Warning,
		Place: trace.Place(r.scanner.Position()), Element: element, Message: message, Quote: r.quote("")})
}

// entityName returns the name in a reference.
func entityName(reference string) string { return strings.Trim(reference, "&;") }

// recover reports an error of the input and moves on after it. It reports whether the input is over.
func (r *reader) recover(err error) (over bool, _ error) {
	var wrong *xmlscan.SyntaxError
	if !errors.As(err, &wrong) {
		return true, err
	}
	if wrong.Incomplete {
		r.incomplete(wrong)
		return true, nil
	}
	if r.closesLate(wrong) {
		if r.scanner.PassEndTag() {
			return false, nil
		}
	} else {
		r.reportAt(trace.Finding{Rule: RuleSyntax, Place: trace.Place(wrong.Position), Message: wrong.Message,
			Option: wrong.Option, Quote: r.quoteAt(wrong.Offset)})
	}
	if r.mode == anyXML {
		return true, nil
	}
	if r.roots == 0 {
		r.scanner.SetFragments(true)
	}
	if r.scanner.Resume(r.depth(), known) {
		if r.validator != nil {
			r.validator.Reset(r.depth())
		}
		return false, nil
	}
	if _, err := r.scanner.Next(); err != nil && !errors.As(err, &wrong) {
		return true, err
	}
	return true, nil
}

// known reports whether an element of the name can be a child of TRACE. Annotations are only inside other elements.
func known(name []byte) bool {
	kind := trace.Lookup(name)
	return kind != trace.Foreign && kind != trace.Annotation
}

// incomplete handles an input that ends too early. An input that lacks only </TRACE> is complete.
func (r *reader) incomplete(wrong *xmlscan.SyntaxError) {
	if wrong.Open == r.roots && r.mode != anyXML {
		return
	}
	r.ending.Truncated = true
	r.reportAt(trace.Finding{Rule: RuleTruncated, Place: trace.Place(wrong.Position), Message: wrong.Message +
		"; what is complete is used", Quote: r.quoteAt(wrong.Offset)})
}

// check reports defects of the element itself.
func (r *reader) check(e *trace.Event) {
	if r.unresolved != "" {
		return // the values are unknown
	}
	switch e.Reading {
	case trace.Unreadable:
		r.reportAbout(trace.AttrTime.String(), RuleBadTime, trace.Error,
			fmt.Sprintf("the time %q of %s is not decimal seconds up to the year 2262, such as 1164203541.123456789",
				sanitize.Clip(e.Value(trace.AttrTime), maxShown), e.Name()))
	case trace.Truncated:
		r.reportAbout(trace.AttrTime.String(), RuleTimePrecision, trace.Warning,
			fmt.Sprintf("the time %s of %s has more than nine decimals; those beyond nanoseconds are dropped",
				sanitize.Clip(e.Value(trace.AttrTime), maxShown), e.Name()))
	}
	for required := plans[e.Kind].required; required != 0; required &= required - 1 {
		position := bits.TrailingZeros32(required)
		there := e.Positions()>>position&1 != 0
		if !there || len(e.At(position)) == 0 && position != int(plans[e.Kind].time) { // an empty time is a bad time
			r.report(RuleAttributeMissing, trace.Error,
				fmt.Sprintf("%s has no %s, without which it means nothing", e.Name(),
					e.Kind.Element().Attributes[position].Name))
		}
	}
}

// report reports a finding about the current token.
func (r *reader) report(rule string, severity trace.Severity, message string) {
	r.reportAbout("", rule, severity, message)
}

// reportAbout reports a finding about an attribute of the current token.
func (r *reader) reportAbout(attribute, rule string, severity trace.Severity, message string) {
	r.reportAt(trace.Finding{Rule: rule, Severity: severity, Place: trace.Place(r.scanner.Position()),
		Element: r.event.Name(), Message: message, Quote: r.quote(attribute)})
}

func (r *reader) reportAt(finding trace.Finding) {
	switch {
	case r.collect != nil:
		*r.collect = append(*r.collect, finding)
	case r.mode < isTrace:
		if len(r.early) < maxEarly {
			r.early = append(r.early, finding)
		}
	case r.options.Report != nil:
		r.options.Report(finding)
	}
}

// maxEarly limits the findings that wait for the first element of a trace.
const maxEarly = 20

// maxShown limits the characters that a message shows of a text.
const maxShown = 40

// whyNot returns why the input is not a trace: its first finding, if any.
func (r *reader) whyNot() string {
	if len(r.early) == 0 {
		return "it holds no element of one"
	}
	first := r.early[0]
	return fmt.Sprintf("%d:%d: %s", first.Place.Line, first.Place.Column, first.Message)
}
