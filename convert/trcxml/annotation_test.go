package trcxml_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

// examples are values of annotations in each form except NoteWord.
var examples = map[trace.NoteValue]string{trace.NoteText: "a line", trace.NoteCount: "17", trace.NoteThreadIDs: "12",
	trace.NoteObjectID: "4711", trace.NoteFrames: "520 500:33", trace.NoteClasses: "app.Main 7", trace.NoteJVMText: "G1 New (Allocation Failure)"}

// TestAnnotationsOfTheTable proves that the reader decodes exactly the annotations that the table marks as decoded, in
// each element that can have them.
func TestAnnotationsOfTheTable(t *testing.T) {
	for _, row := range trace.Annotations() {
		value, ok := examples[row.Value]
		if row.Value == trace.NoteWord {
			value, ok = row.Words[0], true
		}
		if !ok && !row.IsAmongEvents() {
			t.Errorf("%s: no example of its form", row.Name)
		}
		for _, kind := range row.Elements {
			document := fmt.Sprintf(`<TRACE><%[1]s><annotation name=%[2]q value=%[3]q/></%[1]s></TRACE>`, kind, row.Name, value)
			decoded := false
			_, err := trcxml.Read(context.Background(), strings.NewReader(document), trcxml.Options{}, func(e *trace.Event) error {
				if e.Kind == kind {
					decoded = !reflect.ValueOf(e.Extra.Known).IsZero() || len(e.Extra.Stacks) > 0
					if got, _ := e.Extra.Annotation(row.Name); got != value {
						t.Errorf("%s in %s is %q, want %q", row.Name, kind, got, value)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if decoded != row.Known {
				t.Errorf("%s in %s: decoded %v, the table says %v", row.Name, kind, decoded, row.Known)
			}
		}
	}
}
