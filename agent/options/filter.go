package options

import (
	"fmt"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
)

// Filters say which methods are shown in call stacks. The first that fits a method decides; a method that none fits is
// shown.
type Filters []Filter

// Filter is a line of a filters file, and a filter element of a trace.
type Filter struct {
	// Class fits names of classes, with dots between packages.
	Class Pattern
	// Method fits names of methods. A constructor is -init-, as TPTP writes it, a static initialiser -clinit-.
	Method Pattern
	// Include says whether what fits is shown.
	Include bool
}

// Pattern fits names.
type Pattern struct {
	// Text is the pattern without its *.
	Text     string
	Wildcard Wildcard
}

// Wildcard says where the * of a pattern stands.
type Wildcard uint8

// The places of a *. TPTP calls a * alone a Prefix with an empty Text.
const (
	NoWildcard Wildcard = iota
	Prefix              // at the beginning: the name ends with the Text
	Suffix              // at the end: the name begins with the Text
)

// maxFilters is how many lines with filters a file may have: each method is held against all of them.
const maxFilters = 10_000

// String is the wildcard as genericPattern and methodGenericPattern have it.
func (w Wildcard) String() string { return [...]string{"NONE", "PREFIX", "SUFFIX"}[w] }

// Mode is INCLUDE or EXCLUDE, as mode and methodMode have it.
func (f Filter) Mode() string {
	if f.Include {
		return "INCLUDE"
	}
	return "EXCLUDE"
}

// Match says whether the method of the class is shown. The class's name may have dots or slashes, the method may be
// <init> or -init-.
func (filters Filters) Match(class, method string) bool {
	if len(filters) == 0 {
		return true
	}
	class, method = dotted.Replace(class), dashed.Replace(method)
	for i := range filters {
		if f := &filters[i]; f.Class.fits(class) && f.Method.fits(method) {
			return f.Include
		}
	}
	return true
}

// The spellings in which names are compared.
var (
	dotted = strings.NewReplacer("/", ".")
	dashed = strings.NewReplacer("<", "-", ">", "-")
)

func (p Pattern) fits(name string) bool {
	switch p.Wildcard {
	case Prefix:
		return strings.HasSuffix(name, p.Text)
	case Suffix:
		return strings.HasPrefix(name, p.Text)
	}
	return name == p.Text
}

// ParseFilters reads a filters file: lines CLASS METHOD INCLUDE|EXCLUDE, and comments. The error names file and line.
func ParseFilters(file string, text []byte) (Filters, error) {
	var filters Filters
	for n, line := range lines(text) {
		words := strings.Fields(line)
		if isComment(words) {
			continue
		}
		filter, err := parseFilter(words)
		if err == nil && len(filters) == maxFilters {
			err = fmt.Errorf("there may be %d filters", maxFilters)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		filters = append(filters, filter)
	}
	return filters, nil
}

// isComment says whether a line is empty or a comment. A comment begins with #; or with *, as in TPTP's options files,
// but then it must not look like a filter, even a wrong one, or a slip of the pen in "* * EXCLUDE" would change the
// meaning of the whole file in silence.
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

// parseFilter reads the words of a line.
func parseFilter(words []string) (f Filter, err error) {
	last := words[len(words)-1]
	switch {
	case len(words) == 2 && isMode(last):
		return f, fmt.Errorf("the pattern of the methods is missing: write %s",
			sanitize.Quote(words[0]+" * "+strings.ToUpper(last)))
	case len(words) != 3:
		return f,
			fmt.Errorf("%s: a line is CLASS METHOD INCLUDE, CLASS METHOD EXCLUDE or a comment, which begins with #",
				sanitize.Quote(strings.Join(words, " ")))
	case !isMode(last):
		return f, fmt.Errorf("%s: INCLUDE or EXCLUDE is needed; a comment begins with #", sanitize.Quote(last))
	}
	f.Include = strings.EqualFold(last, "INCLUDE")
	if f.Class, err = parsePattern(dotted.Replace(words[0])); err != nil {
		return f, err
	}
	f.Method, err = parsePattern(dashed.Replace(words[1]))
	return f, err
}

// parsePattern reads a name that may have a * at its beginning or at its end.
func parsePattern(word string) (Pattern, error) {
	p := Pattern{Text: word}
	if text, ok := strings.CutPrefix(word, "*"); ok {
		p = Pattern{text, Prefix}
	} else if text, ok := strings.CutSuffix(word, "*"); ok {
		p = Pattern{text, Suffix}
	}
	if strings.Contains(p.Text, "*") {
		return p, fmt.Errorf("%s: a pattern may have one *, at its beginning or at its end", sanitize.Quote(word))
	}
	return p, nil
}
