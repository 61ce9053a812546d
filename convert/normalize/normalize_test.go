package normalize

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/convert/enrich/enrichtest"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/model"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

var update = flag.Bool("update", false, "write what is expected anew")

// normal is the document in its normal form, and what was changed.
func normal(t *testing.T, document []byte) (text []byte, changes []string) {
	t.Helper()
	text, changes, err := tryNormal(document)
	check(t, err)
	return text, changes
}

// tryNormal is normal of what may be no trace.
func tryNormal(document []byte) (text []byte, changes []string, err error) {
	var out bytes.Buffer
	n := New(emit.NewWriter(&out), func(_ int, c Change) { changes = append(changes, c.String()) })
	ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{Report: func(trace.Finding) {}}, n.Element)
	if err == nil {
		err = errors.Join(n.End(ending), n.Finish())
	}
	return out.Bytes(), changes, err
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestGolden: a trace with everything that other programs write otherwise. What is normal is not changed again.
func TestGolden(t *testing.T) {
	odd, err := os.ReadFile("testdata/odd.trcxml")
	check(t, err)
	text, changes := normal(t, odd)
	got := strings.Join(changes, "\n") + "\n\n" + string(text)
	if *update {
		check(t, os.WriteFile("testdata/odd.golden", []byte(got), 0o644))
	}
	want, err := os.ReadFile("testdata/odd.golden")
	check(t, err)
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	again, changes := normal(t, text)
	if len(changes) > 0 || !bytes.Equal(again, text) {
		t.Errorf("what is normal is changed again: %q", changes)
	}
}

// TestMeaningStays: of traces without other names the model stays as it was, and what is normal stays as it is.
func TestMeaningStays(t *testing.T) {
	for seed := range uint64(100) {
		for name, document := range map[string][]byte{"simulated": enrichtest.Simulate(seed, 300).XML, "chaotic": enrichtest.Chaos(seed, 300).XML} {
			text, _ := normal(t, document)
			if before, after := events(t, document), events(t, text); !slices.Equal(before, after) {
				t.Fatalf("%s %d: the model has become another one", name, seed)
			}
			again, changes := normal(t, text)
			if len(changes) > 0 || !bytes.Equal(again, text) {
				t.Fatalf("%s %d: what is normal is changed again: %q", name, seed, changes)
			}
		}
	}
}

// events are the lines of the model that are about events.
func events(t *testing.T, document []byte) (lines []string) {
	t.Helper()
	var out bytes.Buffer
	enricher := enrich.New(model.NewLines(&out))
	check(t, enricher.Begin(0))
	ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{}, enricher.Element)
	check(t, err)
	check(t, enricher.End(ending))
	check(t, enricher.Finish())
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, `{"kind":"event"`) || strings.HasPrefix(line, `{"kind":"binding"`) {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestClassName(t *testing.T) {
	for name, want := range map[string]string{
		"java.util.Vector":             "java/util/Vector",
		"java/util/Vector":             "java/util/Vector",
		"Ljava/util/Vector;":           "java/util/Vector",
		"Ljava.util.Vector;":           "java/util/Vector",
		"java.lang.String[]":           "[Ljava/lang/String;",
		"java.lang.String[][]":         "[[Ljava/lang/String;",
		"int[]":                        "[I",
		"int[][]":                      "[[I",
		"[Ljava.lang.String;":          "[Ljava/lang/String;",
		"[[J":                          "[[J",
		"int":                          "int",
		"Main":                         "Main",
		"Loader":                       "Loader",
		"":                             "",
		"[]":                           "[]",
		"app.Main$$Lambda/0x00007f012": "app/Main$$Lambda+0x00007f012",
		"app/Main$$Lambda+0x00007f012": "app/Main$$Lambda+0x00007f012",
	} {
		got := className(name)
		if got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
		if again := className(got); again != got {
			t.Errorf("%q becomes %q, and that %q", name, got, again)
		}
	}
}

// TestNames: the names of a tag's attributes are found in any form, and where it is cut off.
func TestNames(t *testing.T) {
	for tag, want := range map[string]string{
		`<a/>`:                    `[]`,
		`<a b="1" c='2' d = "=">`: `["b" "c" "d"]`,
		`<a b="x>y" c="'" d='"'/`: `["b" "c" "d"]`,
		`<a b="1" c="2`:           `["b" "c"]`,
		`<a b="1" c`:              `["b"]`,
		``:                        `[]`,
		`<a =`:                    `[]`,
	} {
		if got := fmt.Sprintf("%q", names([]byte(tag))); got != want {
			t.Errorf("%s has %s, want %s", tag, got, want)
		}
	}
}
