package xmlscan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// TestPatternsChangeNothing changes one place of an element that follows others of its pattern, in every way that a
// pattern could overlook. A scanner that has never seen such an element must read the same tokens.
func TestPatternsChangeNothing(t *testing.T) {
	const element = `<monWaited threadIdRef="12" time="1164203541.123456789" objIdRef="-1" timeout="0" overhead="0.000005583"/>`
	random := rand.New(rand.NewPCG(7, 7))
	rest := "\n" + strings.Repeat(" ", maxPatternSize) + `<next a="1"/></r>`
	matched, others := 0, 0
	check := func(changed string) {
		t.Helper()
		alone := New(strings.NewReader("<r>"+changed+rest), Options{})
		after := New(strings.NewReader("<r>"+strings.Repeat(element, 3)+changed+rest), Options{})
		skip(t, alone, 1)
		skip(t, after, 4)
		want, got := tokenText(alone), tokenText(after)
		if got != want {
			t.Errorf("%s\nis read as   %s\nand alone as %s", changed, got, want)
		}
		if _, pattern := after.Template(); pattern != 0 {
			matched++
		} else {
			others++
		}
	}
	check(element)
	step := 10 / testtool.Times(10) // at each place, or each tenth one under -short
	for i := 0; i < len(element); i += step {
		for _, c := range []byte("0189:/.-+ aZ<>&'\"=\x00\x09\x1f\x7f\x80\xb0\xc3\xf0\xff") {
			check(element[:i] + string([]byte{c}) + element[i+1:])
			check(element[:i] + string([]byte{c}) + element[i:])
		}
		check(element[:i] + element[i+1:])
		check(element[:i] + "é" + element[i+1:])
		check(element[:i] + "&#48;" + element[i+1:])
		check(element[:i])
	}
	for range testtool.Times(2000) { // other digits
		changed := []byte(element)
		for i, c := range changed {
			if c >= '0' && c <= '9' && random.IntN(3) == 0 {
				changed[i] = byte('0' + random.IntN(10))
			}
		}
		check(string(changed))
	}
	if min(matched, others) < testtool.Times(2000) {
		t.Errorf("%d elements matched the pattern and %d did not; that tests little", matched, others)
	}
}

// TestOrderChangesNothing writes the attributes of an element in another order, with quotes of either kind and one
// change. A scanner that knows no order must read the same tokens.
func TestOrderChangesNothing(t *testing.T) {
	attributes := []string{`threadIdRef="12"`, `time="1164203541.123456789"`, `ticket="3"`, `t="4"`, `objIdRef="-1"`,
		`objIdRef2="a>b"`, `aNameOfManyCharacters="5"`, `aNameOfManyCharactersIndeed="6"`}
	before := strings.Repeat("<e "+strings.Join(attributes, " ")+"/>", 2)
	random := rand.New(rand.NewPCG(5, 9))
	unexpected, twice := 0, 0
	for range testtool.Times(20_000) {
		var tag strings.Builder
		tag.WriteString("<e")
		for _, i := range random.Perm(len(attributes))[:1+random.IntN(len(attributes))] {
			attribute := attributes[i]
			if random.IntN(3) == 0 {
				attribute = strings.ReplaceAll(attribute, `"`, "'")
			}
			tag.WriteString(" " + attribute)
		}
		if random.IntN(8) == 0 {
			tag.WriteString(" " + attributes[random.IntN(len(attributes))])
			twice++
		}
		changed := []byte(tag.String() + "/>")
		if random.IntN(2) == 0 {
			changed[3+random.IntN(len(changed)-3)] = "0 ='\"&<>é/aT\x00"[random.IntN(13)]
		}
		rest := "\n" + strings.Repeat(" ", maxPatternSize) + `<next a="1"/></r>`
		alone := New(strings.NewReader("<r>"+string(changed)+rest), Options{NoTemplates: true})
		after := New(strings.NewReader("<r>"+before+string(changed)+rest), Options{})
		skip(t, alone, 1)
		skip(t, after, 3)
		want, got := tokenText(alone), tokenText(after)
		if got != want {
			t.Fatalf("%s\nis read as   %s\nand alone as %s", changed, got, want)
		}
		if got == "error" {
			unexpected++
		}
	}
	if min(unexpected, twice) < testtool.Times(1000) {
		t.Errorf("%d errors, %d attributes twice; that tests little", unexpected, twice)
	}
}

// TestArranged proves that attributes in any order have their places in the element's template. A tag that repeats an
// attribute, has another one or a reference, or lacks the first one has no places.
func TestArranged(t *testing.T) {
	attributes := []string{`threadIdRef="12"`, `time="1164203541.123456789"`, `threadOwner='4'`, `objIdRef='é"'`}
	random := rand.New(rand.NewPCG(3, 5))
	var text strings.Builder
	text.WriteString("<r>")
	write := func(attributes []string) {
		text.WriteString("<e")
		for _, i := range random.Perm(len(attributes)) {
			text.WriteString(" " + attributes[i])
		}
		text.WriteString("/>")
	}
	const learning, arranged = 500, 300
	for range learning + arranged {
		write(attributes)
	}
	write(append(attributes[:4:4], `other="1"`))
	write([]string{attributes[0], attributes[1], attributes[2], `objIdRef="&lt;"`})
	write(append(attributes[:4:4], attributes[1]))
	s := New(strings.NewReader(text.String()), Options{})
	skip(t, s, 1+learning)
	places := map[uint16]string{}
	for range arranged {
		skip(t, s, 1)
		if s.Arranged() == 0 || len(s.Attributes()) != len(attributes) {
			t.Fatalf("%s has no template", s.Source(100))
		}
		for _, a := range s.Attributes() {
			if name := s.TextOf(a.Name); places[a.Place] == "" {
				places[a.Place] = name
			} else if places[a.Place] != name {
				t.Fatalf("%s and %s have the place %d", places[a.Place], name, a.Place)
			}
		}
	}
	if len(places) != len(attributes) {
		t.Errorf("%d places, want %d", len(places), len(attributes))
	}
	for range 2 {
		if skip(t, s, 1); s.Arranged() != 0 {
			t.Errorf("%s has a template", s.Source(100))
		}
	}
	if _, err := s.Next(); err == nil || !strings.Contains(err.Error(), "occurs twice") {
		t.Errorf("an attribute twice: %v", err)
	}
}

// TestUselessPatternsAreDropped proves that patterns that hardly any tag matches are dropped, and that others are
// learned when tags are alike again.
func TestUselessPatternsAreDropped(t *testing.T) {
	attributes := []string{`threadIdRef="12"`, `time="1164203541.123456789"`, `threadOwner="4"`, `objIdRef="5"`,
		`ticket="6"`, `stackDepth="7"`}
	random := rand.New(rand.NewPCG(7, 2))
	var text strings.Builder
	text.WriteString("<r>")
	const others, alike = 20_000, 60_000
	for range others {
		text.WriteString("<e")
		for _, i := range random.Perm(len(attributes)) {
			text.WriteString(" " + attributes[i])
		}
		text.WriteString("/>")
	}
	s := New(strings.NewReader(text.String()+"</r>"), Options{})
	skip(t, s, 1+others)
	if learned := s.tag.templateOf(); learned.paused == 0 {
		t.Errorf("patterns were not dropped after %d misses and %d matches", learned.misses, learned.matches)
	}
	text.WriteString(strings.Repeat(tagInOrder(s, attributes), alike) + "<f/></r>")
	s = New(strings.NewReader(text.String()), Options{})
	skip(t, s, 1+others+alike)
	if _, pattern := s.Template(); pattern == 0 {
		t.Error("a tag that is like thousands before it matches no pattern")
	}
}

// tagInOrder returns a tag with the attributes in the order of the current tag's template.
func tagInOrder(s *Scanner, attributes []string) string {
	ordered := make([]string, len(attributes))
	for _, a := range s.Attributes() {
		for _, attribute := range attributes {
			if strings.HasPrefix(attribute, s.TextOf(a.Name)+"=") {
				ordered[a.Place] = attribute
			}
		}
	}
	return "<e " + strings.Join(ordered, " ") + "/>"
}

// TestLongNames proves that a scanner that learns nothing reads the same for names of any length: names that are too
// long for a literal have no patterns.
func TestLongNames(t *testing.T) {
	for size := range 2 * maxLiteral {
		name := strings.Repeat("n", size+1)
		number, text := "<"+name+` `+name+`="1"/>`, "<"+name+` `+name+`="x"/>`
		document := "<r>" + strings.Repeat(number, 3) + text + number + text + "</r>" + strings.Repeat(" ", 99)
		s := New(strings.NewReader(document), Options{})
		alone := New(strings.NewReader(document), Options{NoTemplates: true})
		for range 7 {
			if got, want := tokenText(s), tokenText(alone); got != want {
				t.Fatalf("%s is read as\n%s, want\n%s", document, got, want)
			}
		}
	}
}

// TestMaxAttributesInAnotherOrder proves that the limit of attributes does not depend on their order.
func TestMaxAttributesInAnotherOrder(t *testing.T) {
	s := New(strings.NewReader(`<r><e a="1" b="2" c="3"/><e c="1" b="2" a="3" d="4"/></r>`),
		Options{Limits: Limits{Attributes: 3}})
	skip(t, s, 2)
	if _, err := s.Next(); err == nil || !strings.Contains(err.Error(), "Options.Limits.Attributes") {
		t.Error(err)
	}
}

// skip reads start tags.
func skip(t *testing.T, s *Scanner, tags int) {
	for range tags {
		if token, err := s.Next(); token != StartTag || err != nil {
			t.Fatal(token, err)
		}
	}
}

// tokenText returns everything that the scanner reports of its next token.
func tokenText(s *Scanner) string {
	token, err := s.Next()
	if err != nil {
		return "error" // known names are compared by words, so messages about errors in them differ
	}
	if token != StartTag {
		return fmt.Sprintf("token %d", token)
	}
	begin, end := s.Bounds()
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %q empty %v plain %v", s.TextOf(s.Name()), s.Spans()[begin:end], s.Empty(), s.Plain())
	for i := range s.Attributes() {
		a := &s.Attributes()[i]
		fmt.Fprintf(&b, " %s=%q form %d", s.TextOf(a.Name), s.Value(a), a.Form)
		if from, to, ok := s.Span(a); ok && string(s.Spans()[from:to]) != string(s.Value(a)) {
			fmt.Fprintf(&b, " but %q", s.Spans()[from:to])
		}
	}
	return b.String()
}

// TestPatternsAreDropped proves that patterns of an element name are dropped when its template changes, and that a new
// id in the same row of a column has its own value.
func TestPatternsAreDropped(t *testing.T) {
	s := New(strings.NewReader(`<r>`+strings.Repeat(`<element a="1" b="22"/>`, 3)+`<element a="1" b="22" c="3"/>`+
		strings.Repeat(`<element a="1" b="22"/>`, 3)+strings.Repeat(" ", maxPatternSize)+`</r>`), Options{})
	skip(t, s, 4)
	template, pattern := s.Template()
	if pattern == 0 {
		t.Fatal("the third element does not match the pattern of the second")
	}
	var column Column[PatternID, int]
	*column.At(pattern) = 7
	skip(t, s, 4)
	newTemplate, newPattern := s.Template()
	if newPattern == 0 || newPattern == pattern || newTemplate == template {
		t.Errorf("template %d, pattern %d after %d, %d", newTemplate, newPattern, template, pattern)
	}
	if newPattern%(1<<rowBits) != pattern%(1<<rowBits) {
		t.Error("the row of the dropped pattern is not used again")
	}
	if value := *column.At(newPattern); value != 0 {
		t.Errorf("the value of a new pattern is %d", value)
	}
}

// TestTemplatesAreBounded proves that ever new names, orders and digits do not fill the memory.
func TestTemplatesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("<r>")
	for i := range 6000 {
		for range 3 {
			fmt.Fprintf(&b, `<element%d attribute="1"/>`, i)
		}
	}
	b.WriteString("</r>")
	s := New(strings.NewReader(b.String()), Options{})
	skip(t, s, 18001)
	if s.templates.patterns > maxPatterns || s.templates.count > maxTemplates {
		t.Errorf("%d patterns, %d templates", s.templates.patterns, s.templates.count)
	}
}

// TestPatternIDsEnd proves that an id is never given to two patterns.
func TestPatternIDsEnd(t *testing.T) {
	id := PatternID(5)
	for count := range 1 << 21 {
		next := nextID(id)
		if next == 0 {
			if count < 1<<19 {
				t.Errorf("the ids of a row end after %d", count)
			}
			return
		}
		if next <= id || next%(1<<rowBits) != 5 {
			t.Fatalf("%d follows %d", next, id)
		}
		id = next
	}
	t.Error("the ids of a row do not end")
}
