package options

import (
	"fmt"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
)

// Filters select the methods shown in stack traces. The first that matches a method decides; a method without a match
// is shown.
type Filters []Filter

// Filter is a line of a filters file, and a filter element of a trace.
type Filter struct {
	// Class matches class names, with dots between packages.
	Class Pattern
	// Method matches method names. A constructor is -init-, as TPTP writes it, a static initializer -clinit-.
	Method Pattern
	// Include reports whether a match is shown.
	Include bool
}

// Pattern matches names.
type Pattern struct {
	// Text is the pattern without its *.
	Text     string
	Wildcard Wildcard
}

// Wildcard is the place of a pattern's *.
type Wildcard uint8

// The wildcards. As in TPTP, a * alone is a Prefix with an empty Text.
const (
	NoWildcard Wildcard = iota
	Prefix              // * at the beginning: the name ends with Text
	Suffix              // * at the end: the name begins with Text
)

// maxFilters is the limit of filters in a file. Each method is compared with all of them.
const maxFilters = 10_000

// String returns the wildcard as the attributes genericPattern and methodGenericPattern have it.
func (w Wildcard) String() string { return [...]string{"NONE", "PREFIX", "SUFFIX"}[w] }

// Mode returns INCLUDE or EXCLUDE, as the attributes mode and methodMode have it.
func (f Filter) Mode() string {
	if f.Include {
		return "INCLUDE"
	}
	return "EXCLUDE"
}

// Match reports whether the class's method is shown. The class name may have dots or slashes, the method may be <init>
// or -init-.
func (filters Filters) Match(class, method string) bool {
	include, _ := filters.Decide(class, method)
	return include
}

// Decide returns the result of Match, and whether a filter has matched.
func (filters Filters) Decide(class, method string) (include, matched bool) {
	if len(filters) == 0 {
		return true, false
	}
	class, method = dotted.Replace(class), dashed.Replace(method)
	for i := range filters {
		if f := &filters[i]; f.Class.matches(class) && f.Method.matches(method) {
			return f.Include, true
		}
	}
	return true, false
}

// Replacers for the spelling in which names are compared.
var (
	dotted = strings.NewReplacer("/", ".")
	dashed = strings.NewReplacer("<", "-", ">", "-")
)

func (p Pattern) matches(name string) bool {
	switch p.Wildcard {
	case Prefix:
		return strings.HasSuffix(name, p.Text)
	case Suffix:
		return strings.HasPrefix(name, p.Text)
	}
	return name == p.Text
}

// parseFilters parses a filters file: lines CLASS METHOD INCLUDE|EXCLUDE, and comments. The error names file and line.
func parseFilters(file string, text []byte) (Filters, error) {
	var filters Filters
	for n, line := range lines(text) {
		words := strings.Fields(line)
		if isComment(words) {
			continue
		}
		filter, err := parseFilter(words)
		if err == nil && len(filters) == maxFilters {
			err = fmt.Errorf("the limit is %d filters", maxFilters)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		filters = append(filters, filter)
	}
	return filters, nil
}

// isComment reports whether a line is empty or a comment. A comment begins with #; or with *, as in TPTP's options
// files. A line with * that looks like a filter, even an invalid one, is no comment: a typing error in "* * EXCLUDE"
// must not change the meaning of the file.
func isComment(words []string) bool {
	switch {
	case len(words) == 0 || words[0][0] == '#':
		return true
	case words[0] != "*" || len(words) == 3:
		return false
	}
	return len(words) == 1 || words[1] != "*" && !isMode(words[1])
}

func isMode(word string) bool {
	return strings.EqualFold(word, "INCLUDE") || strings.EqualFold(word, "EXCLUDE")
}

// parseFilter parses the words of a line.
func parseFilter(words []string) (f Filter, err error) {
	last := words[len(words)-1]
	switch {
	case len(words) == 2 && isMode(last):
		return f, fmt.Errorf("the method pattern is missing: write %s",
			sanitize.Quote(words[0]+" * "+strings.ToUpper(last)))
	case len(words) != 3:
		return f, fmt.Errorf("%s: want CLASS METHOD INCLUDE, CLASS METHOD EXCLUDE or a comment, which begins with #",
			sanitize.Quote(strings.Join(words, " ")))
	case !isMode(last):
		return f, fmt.Errorf("%s: want INCLUDE or EXCLUDE; a comment begins with #", sanitize.Quote(last))
	}
	f.Include = strings.EqualFold(last, "INCLUDE")
	if f.Class, err = parsePattern(dotted.Replace(words[0])); err != nil {
		return f, err
	}
	f.Method, err = parsePattern(dashed.Replace(words[1]))
	return f, err
}

// parsePattern parses a name that may have a * at its beginning or at its end.
func parsePattern(word string) (Pattern, error) {
	p := Pattern{Text: word}
	if text, ok := strings.CutPrefix(word, "*"); ok {
		p = Pattern{text, Prefix}
	} else if text, ok := strings.CutSuffix(word, "*"); ok {
		p = Pattern{text, Suffix}
	}
	if strings.Contains(p.Text, "*") {
		return p, fmt.Errorf("%s: want a pattern with at most one *, at its beginning or its end", sanitize.Quote(word))
	}
	return p, nil
}
