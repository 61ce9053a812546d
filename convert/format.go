package convert

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/hprof"
	"github.com/trcx/trcx/convert/jfr"
	"github.com/trcx/trcx/convert/monlog"
	"github.com/trcx/trcx/convert/switchlog"
	"github.com/trcx/trcx/convert/threaddump"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

// format is an input format.
type format struct {
	name       string
	recognises func(head []byte) bool
	read       readFunc
	isGuess    bool               // the reader begins the recording only when it has found something
	rules      []trace.ReaderRule // that the reader applies; the rules of trcxml are in package validate
}

// readFunc reads a document as the recording of the index.
type readFunc func(ctx context.Context, in *source, session int, r *reading, document Document) (trace.Ending, error)

// Trcxml is the name of TPTP's own format: traces in XML. All other formats are logs, which have no preamble and need
// no end.
const Trcxml = "trcxml"

// formats are all input formats, in the order in which they are tried.
var formats = []format{
	{name: Trcxml, recognises: looksLikeXML, read: readTrcxml},
	{name: "jfr", recognises: jfr.Recognises, read: logs(jfr.Read), rules: jfr.Rules()},
	{name: "hprof", recognises: hprof.Recognises, read: readHprof, rules: hprof.Rules()},
	{name: "threaddump", recognises: threaddump.Recognises, read: logs(threaddump.Read), rules: threaddump.Rules()},
	{name: Monlog, recognises: monlog.Recognises, read: readMonlog, rules: monlog.Rules()},
	{name: "switchlog", recognises: switchlog.Recognises, read: logs(switchlog.Read), rules: switchlog.Rules()},
}

// Formats lists the names of the input formats.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Rules describes the findings of the readers of logs, format by format.
func Rules() (rules []trace.ReaderRule) {
	for _, f := range formats {
		rules = append(rules, f.rules...)
	}
	return rules
}

// FormatOf returns the name of the input format of a text with this beginning, or "" for an unknown format.
func FormatOf(head []byte) string {
	for _, f := range formats {
		if f.recognises(head) {
			return f.name
		}
	}
	return ""
}

// Options as errors and findings name them.
const (
	optionFormat   = "Options.Format"
	optionMetadata = "Options.Metadata"
	optionMaxInput = "the limit of OpenInputs"
)

// UnknownFormat is the error for an input that has none of the formats.
type UnknownFormat struct {
	Reason string
	// Option is the option that may help, as the Reason names it, such as Options.Format; "" if none does.
	Option string
}

func (e *UnknownFormat) Error() string { return e.Reason }

// OptionName returns the Option.
func (e *UnknownFormat) OptionName() string { return e.Option }

const headSize = 512

// readHead reads the first bytes, and returns the whole text again.
func readHead(in io.Reader) (head []byte, text io.Reader, err error) {
	head = make([]byte, headSize)
	n := 0
	for n < headSize && err == nil { // not io.ReadFull, which returns io.ErrUnexpectedEOF itself, as damaged data does
		var more int
		more, err = in.Read(head[n:])
		n += more
	}
	switch {
	case n == 0 && err != io.EOF && isDamage(err):
		return nil, nil, fmt.Errorf("the compressed data is damaged or cut off: %w", err)
	case n == 0 && err != io.EOF:
		return nil, nil, err
	case err != nil:
		in = failing{err}
	}
	return head[:n], io.MultiReader(bytes.NewReader(head[:n]), in), nil
}

// recognise determines the format by the first bytes of a document. from is the name of the format, if given.
func recognise(head []byte, name, from string) (*format, error) {
	if from == Monlog && monlog.RecognisesMetadata(head) {
		reason, _ := explain(head, name)
		return nil, reason
	}
	for i := range formats {
		if f := &formats[i]; from == f.name || from == "" && f.recognises(head) {
			return f, nil
		}
	}
	reason, isKnown := explain(head, name)
	if from == "" && !isKnown && isText(head) {
		return &format{name: "threaddump", read: searchDumps(reason), isGuess: true}, nil
	}
	return nil, reason
}

// isText reports whether a document can be text of 8 bits a character: its only control characters are those of
// terminals.
func isText(head []byte) bool {
	return !slices.ContainsFunc(head, func(c byte) bool {
		return c < ' ' && bytes.IndexByte([]byte("\t\n\v\f\r\b\x1b"), c) < 0
	})
}

// searchDumps returns the reader of a text that begins like none of the formats. A JVM may have printed thread dumps
// anywhere into it; otherwise notFound is the error.
func searchDumps(notFound error) readFunc {
	return func(ctx context.Context, in *source, session int, r *reading, document Document) (trace.Ending, error) {
		options := r.builderOptions(session, document)
		found := true
		options.Report = func(finding trace.Finding) {
			if found = finding.Rule != threaddump.RuleNone; found {
				r.report(document.Name, finding)
			}
		}
		begun := false
		ending, err := threaddump.Read(ctx, in, options, func(e *trace.Event) error {
			if !begun {
				begun = true
				if err := r.sink.Begin(session); err != nil {
					return err
				}
			}
			return r.sink.Put(e)
		})
		if err == nil && !found {
			err = &InputError{document.Name, notFound}
		}
		return ending, err
	}
}

// failing is a reader that returns an earlier error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// agentHeap begins the temporary file of the agent hprof: the root of thread 200000, which has no object, at trace
// 300000. These are its first numbers.
const agentHeap = "\x08\x00\x00\x00\x00\x00\x03\x0d\x40\x00\x04\x93\xe0"

// explain returns the error for an input that no format reads. isKnown reports that the error says what the input is.
func explain(head []byte, name string) (reason *UnknownFormat, isKnown bool) {
	extension := strings.ToLower(path.Ext(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")))
	switch {
	case len(head) == 0:
		return &UnknownFormat{Reason: "the input is empty"}, true
	case extension == ".trcbin":
		return &UnknownFormat{Reason: "this is a TPTP binary trace (.trcbin), which cannot be read: its message format " +
			"was never published; record the trace again with format=xml"}, true
	case extension == ".jfr":
		return &UnknownFormat{fmt.Sprintf(
			"a flight recording begins with FLR, but this begins with %q: its beginning is missing, or it is another file; "+
				optionFormat+" jfr reads what is whole", head[:min(16, len(head))]), optionFormat}, true
	case bytes.HasPrefix(head, []byte(agentHeap)):
		return &UnknownFormat{Reason: "this is the file (.TMP) in which the agent hprof of JDK 8 and before collects the " +
			"objects of a heap before they go into its log; it has no names of classes; read the log"}, true
	case bytes.HasPrefix(head, []byte("\x7FELF")), bytes.HasPrefix(head, []byte("MDMP")):
		return &UnknownFormat{Reason: "this is a program, or an image of a process that the operating system wrote (a core " +
			"dump); jhsdb jstack makes a thread dump of one"}, true
	case bytes.Contains(head, []byte("# A fatal error has been detected by the Java Runtime Environment")):
		return &UnknownFormat{Reason: "this is what a JVM writes when it crashes (hs_err_pid*.log); it has the calls of one " +
			"thread, and is no thread dump"}, true
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return &UnknownFormat{Reason: "a zip inside of compressed data is not opened; unpack the outer one first"}, true
	case bytes.HasPrefix(head, []byte("\x1F\x8B")), isZstd(head), len(head) >= bzip2Head && isBzip2(head):
		return &UnknownFormat{Reason: "the input is compressed twice; unpack the outer one first"}, true
	case monlog.RecognisesMetadata(head):
		return &UnknownFormat{"this is the metadata file of a monitor log (classes and methods), and no log: name the " +
			"log, and this file with " + optionMetadata, optionMetadata}, true
	}
	return &UnknownFormat{fmt.Sprintf("no known format: it begins with %q; trcx reads %s (use "+optionFormat+
		" to override)", head[:min(16, len(head))], strings.Join(Formats(), ", ")), optionFormat}, false
}

// looksLikeXML reports whether the text begins with markup, in any encoding that the tokenizer reads.
func looksLikeXML(head []byte) bool {
	for _, mark := range []string{"\xEF\xBB\xBF", "\xFE\xFF", "\xFF\xFE"} {
		head = bytes.TrimPrefix(head, []byte(mark))
	}
	head = bytes.TrimLeft(head, " \t\r\n\x00")
	return len(head) > 0 && head[0] == '<'
}

// builderOptions returns the options of a reader of logs.
func (r *reading) builderOptions(session int, document Document) builder.Options {
	options := builder.Options{
		Session: session,
		Report:  func(finding trace.Finding) { r.report(document.Name, finding) },
	}
	if r.options.OnUnsupported != nil {
		options.OnUnsupported = func(lack trace.Lack) { r.options.OnUnsupported(document.Name, lack) }
	}
	return options
}

// logs returns the reader of a format that uses the Read function of its package.
func logs(read func(context.Context, io.Reader, builder.Options, func(*trace.Event) error) (trace.Ending, error)) readFunc {
	return func(ctx context.Context, in *source, session int, r *reading, document Document) (trace.Ending, error) {
		return read(ctx, in, r.builderOptions(session, document), r.sink.Put)
	}
}

func readHprof(ctx context.Context, in *source, session int, r *reading, document Document) (trace.Ending, error) {
	options := r.builderOptions(session, document)
	options.Count, options.Heap, options.Contents = r.count, r.heap, r.contents
	options.Whole = func(is bool) { allowDump(in.in, is) }
	if document.again != nil {
		options.Again = func() (io.ReadCloser, func(bool), error) {
			text, err := document.again()
			return text, func(is bool) { allowDump(text, is) }, err
		}
	}
	return hprof.Read(ctx, in, options, r.sink.Put)
}

func readTrcxml(ctx context.Context, in *source, session int, r *reading, document Document) (trace.Ending, error) {
	validation := r.options.Validation
	if document.Name != Stdin {
		validation.Location = document.Name
	}
	return trcxml.Read(ctx, in, trcxml.Options{
		Limits: r.options.Limits, Session: session, Live: document.live, Jobs: r.options.Jobs,
		FlattenUnknown: r.options.FlattenUnknown, Validation: validation,
		Report: func(finding trace.Finding) { r.report(document.Name, finding) },
	}, r.sink.Put)
}
