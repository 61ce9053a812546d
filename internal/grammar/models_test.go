package grammar_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/grammar"
	"github.com/trcx/trcx/internal/xmlscan"
)

// nastyModels are content models that are hard for some algorithm.
var nastyModels = []string{
	"(a)", "((((a))))", "((a?)*)*", "((a*)+)?", "((a*,b*)*)*", "((a+)+)+", "(((a|b)*)*,(a|b)*)*",
	"((a|b)*,a,(a|b))", "((a|b)*,a" + strings.Repeat(",(a|b)", 12) + ")", "((a|b)*,a" + strings.Repeat(",(a|b)", 40) +
		")",
	"(" + strings.Repeat("a?,", 30) + strings.Repeat("a,", 29) + "a)", "(" + strings.Repeat("a*,", 30) + "b)",
	"(" + strings.Repeat("a|", 30) + "b)*",
	"((a,b)|(a,c)|(a,d))*", "((a,b)*,(a,c)*,(a,d)*)", "((a,(b,(c,d)?)?)?)+", "((a|b)?,(b|c)?,(c|d)?,(d|a)?)*",
	"(a,(b|c)*,(c|d)*,a)+",
}

var letters = []string{"a", "b", "c", "d"}

// TestModels compares decisions on sequences of children, by deterministic and other content models, with Go's regexp:
// with names of one letter, a model is nearly a regular expression.
func TestModels(t *testing.T) {
	g := &generator{Rand: rand.New(rand.NewPCG(7, 7))}
	allowed, ambiguous := 0, 0
	check := func(model string, generate func() []string) {
		a, b := checkModel(t, g, model, generate)
		allowed += a
		if b {
			ambiguous++
		}
	}
	for _, model := range nastyModels {
		check(model, func() []string { return g.sequence(100) })
	}
	for range randomModels {
		model := g.model(letters[:1+g.IntN(len(letters))], 3)
		check(plainly(model.String()), func() []string { return g.varied(model.words(g, nil)) })
	}
	models := len(nastyModels) + randomModels
	t.Logf("%d models, %d of them ambiguous; %d of %d sequences are allowed", models, ambiguous, allowed,
		models*sequences)
	if allowed < models*sequences/5 || allowed > models*sequences*4/5 || ambiguous < models/5 ||
		ambiguous > models*4/5 {
		t.Error("that tests little")
	}
}

const (
	randomModels = 400
	sequences    = 30 // for each model
)

// checkModel compares some sequences; half of them are from the generator, the others are short and random. It returns
// how many are allowed, and whether the model is ambiguous.
func checkModel(t *testing.T, g *generator, model string, generate func() []string) (allowed int, ambiguous bool) {
	t.Helper()
	pattern := regexp.MustCompile(`\A` + strings.NewReplacer("(", "(?:", ",", "").Replace(model) + `\z`)
	text := &strings.Builder{}
	fmt.Fprintf(text,
		"<!DOCTYPE r [<!ELEMENT r (m*)><!ELEMENT m %s><!ELEMENT a EMPTY><!ELEMENT b EMPTY><!ELEMENT c "+
			"EMPTY><!ELEMENT d EMPTY>]><r>\n", model)
	var want []int
	for i := range sequences {
		children := generate()
		if i%2 == 1 {
			children = g.sequence(6)
		}
		text.WriteString("<m>")
		for _, child := range children {
			text.WriteString("<" + child + "/>")
		}
		text.WriteString("</m>\n")
		if line := i + 2; !pattern.MatchString(strings.Join(children, "")) {
			want = append(want, line)
		}
	}
	text.WriteString("</r>")
	wrong, ambiguous := wrongLines(t, text.String())
	if !slices.Equal(wrong, want) {
		t.Errorf("the engine finds content that is not allowed in the lines %v, and regexp in the lines %v:\n%s", wrong,
			want, text)
	}
	if want := isAmbiguous(model); ambiguous != want {
		t.Errorf("the engine says that %s is ambiguous: %v; by its derivatives it is: %v", model, ambiguous, want)
	}
	return sequences - len(want), ambiguous
}

// wrongLines returns the lines with children that are not allowed; ambiguous reports a warning.
func wrongLines(t *testing.T, text string) (lines []int, ambiguous bool) {
	t.Helper()
	err := grammar.Check(strings.NewReader(text), xmlscan.Options{BufferSize: 4 << 10}, func(f grammar.Finding) {
		switch {
		case f.Rule == grammar.RuleAmbiguous:
			ambiguous = true
		case f.Rule != grammar.RuleContent:
			t.Errorf("%+v\n%s", f, text)
		case !slices.Contains(lines, f.Line):
			lines = append(lines, f.Line)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, ambiguous
}

// sequence makes names at random, mostly of the first.
func (g *generator) sequence(most int) (names []string) {
	for range g.IntN(most + 1) {
		names = append(names, letters[min(g.IntN(4), g.IntN(4))])
	}
	return names
}

// varied changes a sequence in one place, or not at all.
func (g *generator) varied(names []string) []string {
	at := g.IntN(len(names) + 1)
	switch {
	case g.chance(2):
		return slices.Insert(names, at, pick(g, letters))
	case g.chance(2) && at < len(names):
		return slices.Delete(names, at, at+1)
	}
	return names
}

// expression is a content model with numbered names, or what may follow some of them. Nil allows nothing.
type expression struct {
	kind        byte // '1' the empty sequence, 'n' a name, ',' a sequence, '|' a choice, '*' and '+' repetitions
	name        string
	number      int
	left, right *expression
}

var nothing = &expression{kind: '1'}

func sequence(left, right *expression) *expression {
	switch {
	case left == nil || right == nil:
		return nil
	case left == nothing:
		return right
	}
	return &expression{kind: ',', left: left, right: right}
}

func choice(left, right *expression) *expression {
	switch {
	case left == nil:
		return right
	case right == nil:
		return left
	}
	return &expression{kind: '|', left: left, right: right}
}

// mayEnd reports whether nothing needs to follow.
func (e *expression) mayEnd() bool {
	switch e.kind {
	case '1', '*':
		return true
	case ',':
		return e.left.mayEnd() && e.right.mayEnd()
	case '|':
		return e.left.mayEnd() || e.right.mayEnd()
	case '+':
		return e.left.mayEnd()
	}
	return false
}

// first collects the names that may come next, by number.
func (e *expression) first(found map[int]string) {
	switch e.kind {
	case 'n':
		found[e.number] = e.name
	case '*', '+':
		e.left.first(found)
	case '|':
		e.left.first(found)
		e.right.first(found)
	case ',':
		e.left.first(found)
		if e.left.mayEnd() {
			e.right.first(found)
		}
	}
}

// after is Brzozowski's derivative: what may follow the name of the number.
func (e *expression) after(number int) *expression {
	switch e.kind {
	case 'n':
		if e.number == number {
			return nothing
		}
	case '*', '+':
		return sequence(e.left.after(number), &expression{kind: '*', left: e.left})
	case '|':
		return choice(e.left.after(number), e.right.after(number))
	case ',':
		d := sequence(e.left.after(number), e.right)
		if e.left.mayEnd() {
			d = choice(d, e.right.after(number))
		}
		return d
	}
	return nil
}

// isAmbiguous reports whether somewhere two equal names of the model may come next. What may follow a numbered name
// does not depend on what came before, so each number is examined only once.
func isAmbiguous(model string) bool {
	reader := modelReader{rest: model}
	all := []*expression{reader.particle()}
	seen := map[int]bool{}
	for len(all) > 0 {
		e := all[0]
		all = all[1:]
		next := map[int]string{}
		e.first(next)
		names := map[string]bool{}
		for number, name := range next {
			if names[name] {
				return true
			}
			if names[name] = true; !seen[number] {
				seen[number] = true
				all = append(all, e.after(number))
			}
		}
	}
	return false
}

// modelReader reads a model whose names are letters.
type modelReader struct {
	rest  string
	names int
}

func (r *modelReader) take() byte {
	c := r.rest[0]
	r.rest = r.rest[1:]
	return c
}

func (r *modelReader) particle() *expression {
	var e *expression
	if c := r.take(); c == '(' {
		e = r.particle()
		for separator := r.take(); separator != ')'; separator = r.take() {
			e = &expression{kind: separator, left: e, right: r.particle()}
		}
	} else {
		r.names++
		e = &expression{kind: 'n', name: string(c), number: r.names}
	}
	switch {
	case r.rest == "":
	case r.rest[0] == '*' || r.rest[0] == '+':
		e = &expression{kind: r.take(), left: e}
	case r.rest[0] == '?':
		r.take()
		e = choice(nothing, e)
	}
	return e
}
