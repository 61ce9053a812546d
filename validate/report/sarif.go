package report

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// sarif prints a log in the Static Analysis Results Interchange Format 2.1.0, as GitHub and others show it. Everything
// is written at the end: services accept a limited number of results, and errors of all documents are to be among them.
type sarif struct {
	out      io.Writer
	options  Options
	index    map[string]int // of a rule in the table
	results  []sarifResult
	warnings int // among the results
	hidden   hiddenFindings
}

// hiddenFindings counts the findings without a result.
type hiddenFindings struct {
	errors, warnings int
	uri              string // of a document that has some
}

// maxResults is the limit of results in a run. GitHub shows no more, and rejects a log with many more.
const maxResults = 5000

// hiddenRule is the rule of the result that states the number of findings without a result.
const hiddenRule = "findings-hidden"

const sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

func newSARIF(out io.Writer, options Options) Printer {
	s := &sarif{out: out, options: options, index: make(map[string]int, len(options.Rules)+1)}
	for i, rule := range options.Rules {
		s.index[rule.ID] = i
	}
	s.index[hiddenRule] = len(options.Rules)
	return s
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	ColumnKind  string            `json:"columnKind"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string             `json:"id"`
	ShortDescription sarifText          `json:"shortDescription"`
	FullDescription  sarifText          `json:"fullDescription"`
	Help             sarifText          `json:"help"`
	Configuration    sarifConfiguration `json:"defaultConfiguration"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool `json:"executionSuccessful"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex *int            `json:"ruleIndex,omitempty"` // nil for a rule that is not in the table
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	Physical sarifPhysicalLocation `json:"physicalLocation"`
}

type sarifPhysicalLocation struct {
	Artifact sarifArtifactLocation `json:"artifactLocation"`
	Region   sarifRegion           `json:"region"`
}

type sarifArtifactLocation struct {
	URI string `json:"uri"`
}

// sarifRegion is the character at a place. GitHub needs all four numbers. It has no offset: ours counts bytes of the
// decompressed document, SARIF's counts bytes of the file.
type sarifRegion struct {
	StartLine   int `json:"startLine,omitzero"`
	StartColumn int `json:"startColumn,omitzero"`
	EndLine     int `json:"endLine,omitzero"`
	EndColumn   int `json:"endColumn,omitzero"`
	// In an input without lines a place is an offset in bytes.
	ByteOffset int64 `json:"byteOffset,omitzero"`
	ByteLength int64 `json:"byteLength,omitzero"`
}

func regionOf(at trace.Place) sarifRegion {
	if at.Line == 0 && at.Offset > 0 {
		return sarifRegion{ByteOffset: at.Offset, ByteLength: 1}
	}
	at.Line, at.Column = max(at.Line, 1), max(at.Column, 1)
	return sarifRegion{StartLine: at.Line, StartColumn: at.Column, EndLine: at.Line, EndColumn: at.Column + 1}
}

func (s *sarif) Print(r *validate.Result) error {
	errors, warnings := r.Errors, r.Warnings
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Severity == trace.Warning {
			warnings--
		} else {
			errors--
		}
		s.add(s.result(uriOf(fileOf(r.Input, f)), f.Rule, f.Severity.String(), f.Message, f.Place))
	}
	s.hidden.add(uriOf(r.Input), max(errors, 0), max(warnings, 0))
	return nil
}

func (h *hiddenFindings) add(uri string, errors, warnings int) {
	if h.uri == "" && errors+warnings > 0 {
		h.uri = uri
	}
	h.errors += errors
	h.warnings += warnings
}

// add keeps a result. Beyond the limit, errors are kept rather than warnings and earlier ones rather than later ones.
func (s *sarif) add(result sarifResult) {
	s.results = append(s.results, result)
	if result.warns() {
		s.warnings++
	}
	if len(s.results) > maxResults {
		s.drop()
	}
}

// drop drops the last warning, or the last error if there is no warning.
func (s *sarif) drop() {
	last := len(s.results) - 1
	if s.warnings == 0 {
		s.hidden.add(s.results[last].uri(), 1, 0)
		s.results = s.results[:last]
		return
	}
	for !s.results[last].warns() {
		last--
	}
	s.warnings--
	s.hidden.add(s.results[last].uri(), 0, 1)
	s.results = slices.Delete(s.results, last, last+1)
}

func (r *sarifResult) warns() bool { return r.Level == trace.Warning.String() }

func (r *sarifResult) uri() string { return r.Locations[0].Physical.Artifact.URI }

func (s *sarif) result(uri, rule, level, message string, at trace.Place) sarifResult {
	result := sarifResult{
		RuleID: presentable(rule, maxName), Level: level, Message: sarifText{Text: plain(message)},
		Locations: []sarifLocation{{sarifPhysicalLocation{
			Artifact: sarifArtifactLocation{uri},
			Region:   regionOf(at),
		}}},
	}
	if i, known := s.index[rule]; known {
		result.RuleIndex = &i
	}
	return result
}

// Close writes the log.
func (s *sarif) Close() error {
	s.summarize()
	run := sarifRun{
		Invocations: []sarifInvocation{{ExecutionSuccessful: true}},
		Results:     s.results,
		ColumnKind:  "unicodeCodePoints",
	}
	if run.Results == nil {
		run.Results = []sarifResult{} // null would mean that nothing was checked
	}
	run.Tool.Driver = sarifDriver{Name: "trcx", Version: strings.TrimPrefix(s.options.Version, "v"), Rules: s.rules()}
	log, err := encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
	if err != nil {
		return err
	}
	_, err = s.out.Write(log)
	return err
}

// summarize adds the result that states the number of findings without a result.
func (s *sarif) summarize() {
	if s.hidden.errors+s.hidden.warnings == 0 {
		return
	}
	if len(s.results) == maxResults {
		s.drop()
	}
	message := "More was found than is shown: " + counted(s.hidden.errors, s.hidden.warnings) + "."
	s.results = append(s.results, s.result(s.hidden.uri, hiddenRule, "note", message, trace.Place{}))
}

func (s *sarif) rules() []sarifRule {
	rules := make([]sarifRule, 0, len(s.options.Rules)+1)
	for _, rule := range s.options.Rules {
		meaning, _, _ := strings.Cut(unwrapped(rule.Explanation), "\n\n")
		rules = append(rules, sarifRule{
			ID: rule.ID, ShortDescription: sarifText{Text: "Found when " + rule.Summary + "."},
			FullDescription: sarifText{Text: meaning},
			Help:            helpOf(rule), Configuration: sarifConfiguration{rule.Severity.String()},
		})
	}
	found := sarifText{Text: "Found when there are more findings than are shown."}
	return append(rules, sarifRule{
		ID: hiddenRule, ShortDescription: found, FullDescription: found, Configuration: sarifConfiguration{"note"},
		Help: sarifText{
			Text: "All findings are counted, but only a limited number of each document, and of all, is shown. " +
				"The answer of trcx validate as JSON counts them by rule."},
	})
}

// helpOf returns the explanation and the example of a rule.
func helpOf(rule *validate.Rule) sarifText {
	explanation := unwrapped(rule.Explanation)
	help := sarifText{Text: explanation, Markdown: markdownEscapes.Replace(explanation)}
	if example := strings.TrimRight(rule.Example, "\n"); example != "" {
		help.Text += "\n\nFor example:\n\n" + example
		help.Markdown += "\n\nFor example:\n\n```xml\n" + example + "\n```"
	}
	return help
}

// unwrapped returns the text with each paragraph in one line, because viewers wrap lines.
func unwrapped(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, paragraph := range paragraphs {
		paragraphs[i] = strings.ReplaceAll(paragraph, "\n", " ")
	}
	return strings.Join(paragraphs, "\n\n")
}

// markdownEscapes escapes markup in plain text: explanations quote tags and entities.
var markdownEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`)

// plain returns a message without links. In SARIF, as in Markdown, [text](address) is one, and the text may be hostile.
func plain(message string) string {
	return strings.ReplaceAll(presentable(message, maxMessage), "](", "] (")
}

// uriOf returns a reference to an input, relative if its name is, so that a service finds the file in its repository.
func uriOf(input string) string {
	name, entry, isEntry := strings.Cut(filepath.ToSlash(sanitize.Short(input, maxName)), entrySeparator)
	file := url.URL{Path: strings.TrimPrefix(name, "./")}
	if filepath.IsAbs(input) {
		file = url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(name, "/")}
	}
	if isEntry {
		return file.String() + "%21" + entryOf(entry)
	}
	return file.String()
}

// entryOf escapes the name of an entry. A name that leads out of the zip becomes a single path element, so that it does
// not resolve to another file.
func entryOf(name string) string {
	if leadsOut(name) {
		return url.PathEscape(name)
	}
	return (&url.URL{Path: name}).EscapedPath()
}
