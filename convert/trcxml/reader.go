package trcxml

import (
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

// Options say how a document is read.
type Options struct {
	Limits dtd.Limits
	// Session is the index that the events bear.
	Session int
	// Live says that the input may be written while it is read, and each element is to be taken as soon as it is there.
	// Else several goroutines may read ahead.
	Live bool
	// Report takes the findings, in the order of the input; nil drops them.
	Report func(trace.Finding)
	// FlattenUnknown decodes the children of unknown elements as if they were children of TRACE. Of the unknown element
	// only the tag is read.
	FlattenUnknown bool
	// Judgement is for those who want to know whether the document is valid.
	Judgement Judgement

	cut         cutting // set by tests
	noTemplates bool    // likewise
}

// NotTrace is the error for an input that is no trace at all.
type NotTrace struct {
	Reason string // in words, such as "its root element is <html>"
}

func (e *NotTrace) Error() string { return "not a TPTP trace: " + e.Reason }

// Read reads a document or a run of fragments and gives each element that is in it (the children of TRACE, and
// TRACE itself where it begins) to take, in the order of the input. The event is good until take returns; an error of
// take ends the reading and is returned, as are errors of r and of ctx. An input that is not well-formed is no error:
// it is reported, and read as far as possible. A *NotTrace is returned for what holds no element of a trace.
func Read(ctx context.Context, r io.Reader, options Options, put func(*trace.Event) error) (trace.Ending, error) {
	if options.cut == (cutting{}) {
		options.cut = cutting{goroutines: runtime.GOMAXPROCS(0), solo: soloSize, chunk: chunkSize}
	}
	reader := &reader{
		decoder: decoder{builders: &builders{}, scanner: xmlscan.New(r, xmlscan.Options{Fragments: true,
			SkipBlank: true, Limits: xmlscan.Limits(options.Limits), NoTemplates: options.noTemplates,
			Open: xmlscan.Open(options.Judgement.Open), Location: options.Judgement.Location})},
		options: options, put: put, event: &trace.Event{Session: options.Session}, in: r, arena: &arena{},
	}
	reader.event.Source = reader
	reader.begun = !options.Judgement.judges()
	err := reader.read(ctx)
	reader.lackEndTags(0)
	if err == nil && !reader.recognised {
		err = reader.unrecognised()
	}
	reader.ending.Place = trace.Place(reader.scanner.Position())
	return reader.ending, err
}

type reader struct {
	decoder
	options Options
	put     func(*trace.Event) error
	ending  trace.Ending
	roots   int  // open TRACE elements
	rooted  bool // there was one
	// open unknown elements that are unwrapped, outside of others: how many elements are around each
	wrappers   []int
	recognised bool            // an element of the table was met
	stray      bool            // stray text was reported
	early      []trace.Finding // before anything was recognised; if nothing is, they say why
	event      *trace.Event
	in         io.Reader
	arena      *arena // for what is inside of elements
	inChunk    bool   // which are read as a chunk
	alone      bool   // the rest is not, or cannot be, read by several goroutines
	other      bool   // the document is none of a trace, and is judged all the same
	begun      bool   // the first start tag was met, or will not be judged
	reported   bool   // of a chunk: there is something to report
	judge      *grammar.Validator
	unclosed   []unclosed       // elements that were left without their end tags
	collect    *[]trace.Finding // takes the findings instead, if not nil
	at         trace.Place      // of the event, where the scanner has moved on
	tag        []byte           // of the event, likewise; empty where the scanner has not
	matches    [maxRun]xmlscan.Match
}

// maxRun is how many elements are matched before they are decoded.
const maxRun = 512

// elementsPerLook is about how many tokens are read before the context is asked again.
const elementsPerLook = 4096

func (r *reader) read(ctx context.Context) error {
	for left := 0; ; left-- {
		if left <= 0 {
			if left = elementsPerLook; ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if r.alone {
			taken, err := r.run()
			if left -= taken; err != nil {
				return err
			}
		}
		token, err := r.scanner.Next()
		if err == nil {
			r.look(token)
		}
		if err == nil && token == xmlscan.StartTag && !r.other {
			if err = r.element(); err == nil && !r.alone {
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
		case r.other:
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
	if r.other || !r.recognised {
		return 0, nil
	}
	for _, match := range r.scanner.MatchRun(r.matches[:0], &r.ready) {
		r.scanner.Select(match)
		if !r.readyElement() {
			r.scanner.Unread(math.MaxInt)
			break
		}
		if err := r.takeEvent(); err != nil {
			return count, err
		}
		count++
	}
	return count, nil
}

// isReady reports whether the pattern of the current element is ready.
func (r *reader) isReady() bool {
	_, pattern := r.scanner.Template()
	return pattern != 0 && *r.ready.At(pattern)
}

// readyElement reads the current element, whose pattern is ready, as element does. It returns false, and has done
// nothing, if element has more to do.
func (r *reader) readyElement() bool {
	if !r.options.Judgement.NamesOnly {
		if r.decode(r.event); r.event.Reading > trace.Exact {
			return false
		}
		r.tag = r.tag[:0]
	}
	if r.judge != nil && !r.judge.Repeated() {
		r.judge.Look(xmlscan.StartTag)
	}
	return true
}

// element reads the element of the current start tag.
func (r *reader) element() error {
	e := r.event
	if r.tag = r.tag[:0]; r.options.Judgement.NamesOnly {
		r.nameOnly(e)
		if _, pattern := r.scanner.Template(); pattern != 0 {
			*r.ready.At(pattern) = e.Kind != trace.Root
		}
	} else {
		r.decode(e)
	}
	if e.Kind != trace.Foreign && !r.recognised {
		r.recognised = true
		r.tellEarly()
	}
	if e.Kind == trace.Root {
		return r.root()
	}
	if r.options.FlattenUnknown && (e.Kind == trace.Foreign || e.Kind == trace.Annotation && r.wrapped()) {
		return r.unwrap(e)
	}
	if !r.recognised && !r.scanner.Empty() {
		return &NotTrace{Reason: fmt.Sprintf("its first element is <%s>, not <TRACE> or an element of a trace",
			e.Name())}
	}
	if !r.options.Judgement.NamesOnly && !(r.sound && e.Reading == trace.Exact) {
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
	return r.takeEvent()
}

// unwrap takes the tag of an unknown element, and of an annotation of one, which means nothing without it. What is
// inside comes next.
func (r *reader) unwrap(e *trace.Event) error {
	if e.Kind == trace.Annotation {
		r.empty(e, &element{kind: trace.Foreign, foreign: e.Name()})
	}
	if !r.scanner.Empty() {
		r.wrappers = append(r.wrappers, r.depth())
		r.alone = true    // chunks are read as if they was in TRACE
		r.reported = true // of a chunk: it may end inside of the element
	}
	return r.takeEvent()
}

// depth returns the number of open elements around the current one.
func (r *reader) depth() int { return r.roots + len(r.wrappers) }

// wrapped reports whether the innermost of the open elements is one that is unwrapped.
func (r *reader) wrapped() bool {
	last := len(r.wrappers) - 1
	return last >= 0 && r.wrappers[last] == r.depth()-1
}

// takeEvent gives the event away, unless only names are looked at.
func (r *reader) takeEvent() error {
	if r.options.Judgement.NamesOnly {
		return nil
	}
	return r.put(r.event)
}

// root begins a document: from here on it is one, and has one root. A TRACE inside of TRACE changes nothing.
func (r *reader) root() error {
	inside := r.roots > 0
	r.reported = true // of a chunk: it is no run of elements that could are anywhere
	if !r.scanner.Empty() {
		r.roots++
	}
	if inside {
		r.report(trace.RuleNestedTrace, trace.Error,
			"a TRACE inside of TRACE; what it holds is read as if it were in the outer one")
		return nil
	}
	r.ending.Closed = r.scanner.Empty()
	if r.rooted && len(r.wrappers) > 0 {
		r.report(trace.RuleNestedTrace, trace.Error,
			"a second TRACE in the same element; what it holds is read as if it were in the first one")
		return nil
	}
	r.rooted = true
	r.scanner.SetFragments(false)
	return r.takeEvent()
}

// text reports character data between elements, which means nothing in a trace, once.
func (r *reader) text() {
	if r.wrapped() || r.scanner.Blank() || r.stray || r.judge != nil || len(trimSpace(r.scanner.Text())) == 0 {
		return // the grammar has something to say about it
	}
	r.stray = true
	r.report(trace.RuleStrayText, trace.Warning, "text between the elements is left out")
}

// skipped reports a reference to an entity whose text is nowhere in the input.
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
	case r.judge == nil || !r.options.Judgement.Own: // or it has been reported
		r.unread(element, fmt.Sprintf("the entity %s is not declared; it is left out",
			sanitize.Clip(reference, maxShown)))
	}
}

// unread reports what is missing of an element.
func (r *reader) unread(element, message string) {
	r.reportAt(trace.Finding{Rule: trace.RuleUnreadEntity, Severity: trace.Warning,
		Place: trace.Place(r.scanner.Position()), Element: element, Message: message, Quote: r.quote("")})
}

// entityName is the name in a reference.
func entityName(reference string) string { return strings.Trim(reference, "&;") }

// recover reports an error of the input and moves on after it. It reports whether the input is over.
func (r *reader) recover(err error) (over bool, _ error) {
	var wrong *xmlscan.SyntaxError
	if !errors.As(err, &wrong) {
		return true, err
	}
	if wrong.Incomplete {
		return true, r.incomplete(wrong)
	}
	if r.closesLate(wrong) {
		if r.scanner.PassEndTag() {
			return false, nil
		}
	} else {
		r.reportAt(trace.Finding{Rule: trace.RuleSyntax, Place: trace.Place(wrong.Position), Message: wrong.Message,
			Quote: r.quoteAt(wrong.Offset)})
	}
	if r.other {
		return true, nil
	}
	if r.roots == 0 {
		r.scanner.SetFragments(true)
	}
	if r.scanner.Resume(r.depth(), known) {
		if r.judge != nil {
			r.judge.Reset(r.depth())
		}
		return false, nil
	}
	if _, err := r.scanner.Next(); err != nil && !errors.As(err, &wrong) {
		return true, err
	}
	return true, nil
}

// known reports whether an element of the name can be in a TRACE: annotations only are inside of others.
func known(name []byte) bool {
	kind := trace.Lookup(name)
	return kind != trace.Foreign && kind != trace.Annotation
}

// incomplete judges an input that ends too early. Without </TRACE> alone it is complete: no Workbench writes it.
func (r *reader) incomplete(wrong *xmlscan.SyntaxError) error {
	if wrong.Open == r.roots && !r.other {
		return nil
	}
	r.ending.Truncated = true
	r.reportAt(trace.Finding{Rule: trace.RuleTruncated, Place: trace.Place(wrong.Position), Message: wrong.Message +
		"; what is complete is used", Quote: r.quoteAt(wrong.Offset)})
	return nil
}

// check reports what is wrong with the element itself.
func (r *reader) check(e *trace.Event) {
	if r.unresolved != "" {
		return // nobody knows the values
	}
	switch e.Reading {
	case trace.Unreadable:
		r.reportAbout(trace.AttrTime.String(), trace.RuleBadTime, trace.Error,
			fmt.Sprintf("the time %q of %s is not decimal seconds up to the year 2262, such as 1164203541.123456789",
				sanitize.Clip(e.Value(trace.AttrTime), maxShown), e.Name()))
	case trace.Truncated:
		r.reportAbout(trace.AttrTime.String(), trace.RuleTimePrecision, trace.Warning,
			fmt.Sprintf("the time %s of %s has more than nine decimals; those beyond nanoseconds are dropped",
				sanitize.Clip(e.Value(trace.AttrTime), maxShown), e.Name()))
	}
	for required := plans[e.Kind].required; required != 0; required &= required - 1 {
		position := bits.TrailingZeros32(required)
		there := e.Positions()>>position&1 != 0
		if !there || len(e.At(position)) == 0 && position != int(plans[e.Kind].time) { // an empty time is a bad one
			r.report(trace.RuleAttributeMissing, trace.Error,
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
	case !r.recognised:
		if len(r.early) < maxEarly {
			r.early = append(r.early, finding)
		}
	case r.options.Report != nil:
		r.options.Report(finding)
	}
}

// maxEarly is how many findings wait for the first element of a trace.
const maxEarly = 20

// maxShown limits the characters that a message shows of a text.
const maxShown = 40

// whyNot says why the input is no trace: because of the first thing that is wrong with it, if there is one.
func (r *reader) whyNot() string {
	if len(r.early) == 0 {
		return "it holds no element of one"
	}
	first := r.early[0]
	return fmt.Sprintf("%d:%d: %s", first.Place.Line, first.Place.Column, first.Message)
}
