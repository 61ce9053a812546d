package convert

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
)

// severities are said by the names of what reports, where they are not said by an argument.
var severities = map[string]trace.Severity{
	"error": trace.Error, "wrong": trace.Error, "Error": trace.Error,
	"warning": trace.Warning, "warn": trace.Warning, "Warning": trace.Warning,
}

// readerCode is what the code of a reader says of its rules.
type readerCode struct {
	ids      map[string]string                  // by the names of their constants
	uses     map[string]int                     // of a constant, but for its declaration and its description
	literals map[string]string                  // other texts that look like a rule, and where they are
	reported map[string]map[trace.Severity]bool // of a constant, as far as it is said where it is reported
	calls    map[string]int                     // that report it so
}

// readCode reads the code of the reader of a format.
func readCode(t *testing.T, format string) *readerCode {
	t.Helper()
	s := &readerCode{map[string]string{}, map[string]int{}, map[string]string{}, map[string]map[trace.Severity]bool{},
		map[string]int{}}
	names, err := filepath.Glob(filepath.Join(format, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			return s.look(n, format, func() string { return set.Position(n.Pos()).String() })
		})
	}
	return s
}

func (s *readerCode) look(n ast.Node, format string, place func() string) (inside bool) {
	switch n := n.(type) {
	case *ast.ValueSpec:
		if len(n.Names) == 1 && len(n.Values) == 1 {
			if literal, ok := n.Values[0].(*ast.BasicLit); ok && strings.HasPrefix(strings.ToLower(n.Names[0].Name),
				"rule") {
				s.ids[n.Names[0].Name], _ = strconv.Unquote(literal.Value)
				return false
			}
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "ID" {
			return false
		}
	case *ast.Ident:
		s.uses[n.Name]++
	case *ast.CallExpr:
		s.call(n)
	case *ast.BasicLit:
		if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING &&
			regexp.MustCompile(`^`+format+`(-[a-z]+)+$`).MatchString(text) {
			s.literals[text] = place()
		}
	}
	return true
}

// call notes with which severities rules are reported.
func (s *readerCode) call(n *ast.CallExpr) {
	callee, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || len(n.Args) < 2 {
		return
	}
	rule, ok := n.Args[0].(*ast.Ident)
	if !ok {
		return
	}
	said := callee.Sel.Name
	if argument, ok := n.Args[1].(*ast.SelectorExpr); ok {
		said = argument.Sel.Name
	}
	if severity, ok := severities[said]; ok {
		s.calls[rule.Name]++
		if s.reported[rule.Name] == nil {
			s.reported[rule.Name] = map[trace.Severity]bool{}
		}
		s.reported[rule.Name][severity] = true
	}
}

// annotations are the names of annotations that look like those of rules.
var annotations = []string{
	"hprof-heap-info", "hprof-heap-summary", "hprof-control-settings", "hprof-alloc-sites", "hprof-alloc-site",
	"hprof-cpu-samples", "hprof-cpu-sample",
	"hprof-cpu-time", "hprof-monitor-time", "hprof-monitor", "hprof-monitor-owner",
}

// TestRules: what the reader of a log reports is described, and what is described is reported, with a severity that it
// is reported with.
func TestRules(t *testing.T) {
	for _, f := range formats {
		if f.name == Trcxml {
			continue // its rules are in package validate
		}
		code, described := readCode(t, f.name), map[string]trace.Severity{}
		for _, rule := range f.rules {
			if _, twice := described[rule.ID]; twice || !strings.HasPrefix(rule.ID, f.name+"-") {
				t.Errorf("%s is described twice, or does not begin with %s-", rule.ID, f.name)
			}
			described[rule.ID] = rule.Severity
			if rule.Summary == "" || strings.HasSuffix(rule.Summary, ".") || strings.Contains(rule.Summary, "\n") ||
				!strings.HasSuffix(rule.Explanation, ".") {
				t.Errorf("%s: the summary is no part of a sentence, or the explanation no whole ones", rule.ID)
			}
		}
		for name, id := range code.ids {
			usual, known := described[id]
			reported := code.reported[name]
			switch {
			case !known:
				t.Errorf("%s is a rule of %s, and Rules there does not describe it", id, f.name)
			case code.uses[name] == 0:
				t.Errorf("%s is a rule of %s, and nothing reports it", id, f.name)
			case code.uses[name] == code.calls[name] && !reported[usual]:
				t.Errorf("%s is described as one of severity %s, and not reported so", id, usual)
			case len(reported) > 1 && !strings.Contains(summaryOf(f, id), "warning"):
				t.Errorf("%s is an error or a warning, and its summary does not say when", id)
			}
		}
		ids := slices.Collect(maps.Values(code.ids))
		for id := range described {
			if !slices.Contains(ids, id) {
				t.Errorf("%s is described, and is no rule of %s", id, f.name)
			}
		}
		for id, place := range code.literals {
			if !slices.Contains(annotations, id) {
				t.Errorf("%s: %s: rules are constants whose names begin with rule", place, id)
			}
		}
	}
}

func summaryOf(f format, id string) string {
	for _, rule := range f.rules {
		if rule.ID == id {
			return rule.Summary
		}
	}
	return ""
}
