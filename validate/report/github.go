package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// github prints workflow commands, which GitHub shows as annotations at the lines of a pull request. It shows ten of
// each severity for a step; the others are in its log. So the numbers of all findings are printed once, at the end.
type github struct {
	out                        *bufio.Writer
	documents, invalid, hidden int
	errors, warnings           int
}

func newGitHub(out io.Writer, _ Options) Printer { return &github{out: bufio.NewWriter(out)} }

func (g *github) Print(r *validate.Result) error {
	for _, f := range r.Findings {
		var properties []property
		if file := fileOf(r.Input, &f); file != "-" {
			properties = append(properties, property{"file", shownFile(file)})
		}
		switch {
		case f.Place.Line > 0:
			properties = append(properties, property{"line", fmt.Sprint(f.Place.Line)},
				property{"col", fmt.Sprint(f.Place.Column)})
		case f.Place.Offset > 0: // GitHub knows lines only
			f.Message += fmt.Sprintf(" (at byte %d)", f.Place.Offset)
		}
		annotate(g.out, f.Severity.String(), presentable(f.Message, maxMessage), append(properties, property{"title", f.Rule}))
	}
	g.count(r)
	return g.out.Flush()
}

// shownFile returns the file that an annotation is shown at. For an entry that leads out of its zip it is the zip,
// because GitHub would resolve the path to another file.
func shownFile(input string) string {
	if file, entry, isEntry := strings.Cut(input, entrySeparator); isEntry && leadsOut(entry) {
		return file
	}
	return input
}

func (g *github) count(r *validate.Result) {
	g.documents++
	if !r.Valid() {
		g.invalid++
	}
	g.hidden += max(r.Hidden(), 0)
	g.errors += r.Errors
	g.warnings += r.Warnings
}

// Close prints the numbers of all documents' findings, if there are any.
func (g *github) Close() error {
	if g.errors+g.warnings > 0 {
		annotate(g.out, "notice", g.summary(), []property{{"title", "trcx validate"}})
	}
	return g.out.Flush()
}

func (g *github) summary() string {
	text := fmt.Sprintf("%s in %s, %d of them invalid", counted(g.errors, g.warnings),
		phrase.Count(g.documents, "document"),
		g.invalid)
	if g.hidden > 0 {
		text += fmt.Sprintf("; %s not shown", phrase.Count(g.hidden, "finding"))
	}
	return text
}

// property is a parameter of a workflow command.
type property struct{ name, value string }

// annotate prints a workflow command for a text of one line.
func annotate(out io.Writer, command, message string, properties []property) {
	parts := make([]string, len(properties))
	for i, p := range properties {
		parts[i] = p.name + "=" + propertyEscapes.Replace(presentable(p.value, maxName))
	}
	fmt.Fprintf(out, "::%s %s::%s\n", command, strings.Join(parts, ","), messageEscapes.Replace(message))
}

// Annotate prints the workflow command with which GitHub shows an error that belongs to no file.
func Annotate(out io.Writer, title, message string) {
	annotate(out, trace.Error.String(), presentable(message, maxName), []property{{"title", title}})
}

// The escapes of the characters that workflow commands reserve. Presentable text has no line ends.
var (
	messageEscapes  = strings.NewReplacer("%", "%25")
	propertyEscapes = strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
)
