package xmlscan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestShapes changes an element behind others of its shape in one place, in every way that a shape could overlook, and
// compares what is read with what a scanner reads that has never seen such an element.
func TestShapes(t *testing.T) {
	const element = `<monWaited threadIdRef="12" time="1164203541.123456789" objIdRef="-1" timeout="0" overhead="0.000005583"/>`
	random := rand.New(rand.NewPCG(7, 7))
	behind := "\n" + strings.Repeat(" ", longestShape) + `<next a="1"/></r>`
	known, unknown := 0, 0
	check := func(changed string) {
		t.Helper()
		alone := New(strings.NewReader("<r>"+changed+behind), Options{})
		after := New(strings.NewReader("<r>"+strings.Repeat(element, 3)+changed+behind), Options{})
		skip(t, alone, 1)
		skip(t, after, 4)
		want, got := told(alone), told(after)
		if got != want {
			t.Errorf("%s\nis read as   %s\nand alone as %s", changed, got, want)
		}
		if after.Shape() != nil {
			known++
		} else {
			unknown++
		}
	}
	check(element)
	for i := range element {
		for _, c := range []byte("0189:/.-+ aZ<>&'\"=\x00\x09\x1f\x7f\x80\xb0\xc3\xf0\xff") {
			check(element[:i] + string([]byte{c}) + element[i+1:])
			check(element[:i] + string([]byte{c}) + element[i:])
		}
		check(element[:i] + element[i+1:])
		check(element[:i] + "é" + element[i+1:])
		check(element[:i] + "&#48;" + element[i+1:])
		check(element[:i])
	}
	for range 2000 { // other digits
		changed := []byte(element)
		for i, c := range changed {
			if c >= '0' && c <= '9' && random.IntN(3) == 0 {
				changed[i] = byte('0' + random.IntN(10))
			}
		}
		check(string(changed))
	}
	if known < 2000 || unknown < 2000 {
		t.Errorf("%d elements had the shape and %d had not; that tests little", known, unknown)
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

// told is everything that the scanner tells about its next token.
func told(s *Scanner) string {
	token, err := s.Next()
	if err != nil {
		return "error" // known names are compared by words, so the words for what is wrong with them differ
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

// TestShapesAreForgotten: when elements of a name come to have other attributes, their old shapes say nothing about
// them any more.
func TestShapesAreForgotten(t *testing.T) {
	s := New(strings.NewReader(`<r>`+strings.Repeat(`<element a="1" b="22"/>`, 3)+`<element a="1" b="22" c="3"/>`+
		strings.Repeat(`<element a="1" b="22"/>`, 3)+strings.Repeat(" ", longestShape)+`</r>`), Options{})
	skip(t, s, 4)
	shape, habit := s.Shape(), s.Habit()
	if shape == nil {
		t.Fatal("the third element of its shape is not recognised")
	}
	skip(t, s, 3)
	if s.Shape() == shape || s.Habit() == habit {
		t.Error("the shape, or the habit, is that of before")
	}
}

// TestShapesAreBounded: elements of ever other shapes do not fill the memory, and those of a name that is common are
// learnt anew.
func TestShapesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("<r>")
	for i := range 3000 {
		for range 3 {
			fmt.Fprintf(&b, `<element%d attribute="1"/>`, i)
		}
	}
	b.WriteString("</r>")
	s := New(strings.NewReader(b.String()), Options{})
	skip(t, s, 9001)
	if s.names.shapes > mostShapes {
		t.Errorf("%d shapes", s.names.shapes)
	}
}
