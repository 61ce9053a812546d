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

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/model"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

var update = flag.Bool("update", false, "write what is expected anew")

// normal returns the document in its normal form, and the changes.
func normal(t *testing.T, document []byte) (text []byte, changes []string) {
	t.Helper()
	text, changes, err := tryNormal(document)
	check(t, err)
	return text, changes
}

// tryNormal is normal for a document that may not be a trace.
func tryNormal(document []byte) (text []byte, changes []string, err error) {
	var out bytes.Buffer
	n := New(emit.NewWriter(&out, emit.Options{}), func(_ int, c Change) { changes = append(changes, c.String()) })
	if err := n.Begin(0); err != nil {
		return nil, nil, err
	}
	ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{FlattenUnknown: true,
		Report: func(trace.Finding) {}}, n.Put)
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

// TestGolden normalizes a trace with everything that other programs write differently. The result is not changed again.
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

// TestNothingGoodIsLost: elements of a trace are kept, whatever foreign elements are around them, and these are
// reported.
func TestNothingGoodIsLost(t *testing.T) {
	for name, document := range map[string]string{
		"as it should be":             `<TRACE><gcStart time="1"/><monWait threadIdRef="1" time="2"/><gcStart time="3"/></TRACE>`,
		"a batch":                     `<TRACE><gcStart time="1"/><v:batch n="1"><monWait threadIdRef="1" time="2"/></v:batch><gcStart time="3"/></TRACE>`,
		"batches in each other":       `<TRACE><v:a><gcStart time="1"/>text<v:b><monWait threadIdRef="1" time="2"/><c/></v:b></v:a><gcStart time="3"/></TRACE>`,
		"around everything":           `<w><TRACE><gcStart time="1"/><monWait threadIdRef="1" time="2"/><gcStart time="3"/></TRACE></w>`,
		"around each":                 `<w><TRACE><gcStart time="1"/></TRACE><TRACE><monWait threadIdRef="1" time="2"/><gcStart time="3"/></TRACE></w>`,
		"around everything, no TRACE": `<w><x/><gcStart time="1"/><monWait threadIdRef="1" time="2"/><gcStart time="3"/></w>`,
		"not closed":                  `<w><TRACE><gcStart time="1"/><v:b><monWait threadIdRef="1" time="2"/><gcStart time="3"/>`,
		"a slash is missing":          `<TRACE><v:b><gcStart time="1"><monWait threadIdRef="1" time="2"/></v:b><gcStart time="3"/></TRACE>`,
		"after a syntax error":        `<TRACE><v:b><gcStart time="1"/><monWait threadIdRef="1" time="2"/><&/></v:b><gcStart time="3"/></TRACE>`,
		"inside of one of a trace":    `<TRACE><gcStart time="1"/><monWait threadIdRef="1" time="2"><v:b><v:c><gcStart time="3"/></v:c></v:b></monWait></TRACE>`,
		"inside of an empty one":      `<TRACE><gcStart time="1"><v:b><monWait threadIdRef="1" time="2"/><gcStart time="3"/></v:b></gcStart></TRACE>`,
		"annotated":                   `<TRACE><v:b><annotation name="a"><x/></annotation><gcStart time="1"/></v:b><monWait threadIdRef="1" time="2"/><gcStart time="3"/></TRACE>`,
	} {
		text, changes, err := tryNormal([]byte(document))
		check(t, err)
		_, body, _ := strings.Cut(string(text), "<gcStart")
		if want := ` time="1"/>
<monWait threadIdRef="1" time="2"/>
<gcStart time="3"/>
</TRACE>
`; body != want {
			t.Errorf("%s: %s\nbecomes\n%s", name, document, text)
		}
		said := strings.Join(changes, "\n")
		for _, foreign := range []string{"v:batch", "v:a", "v:b", "w", "c", "x"} {
			if strings.Contains(document, "<"+foreign+">") && !strings.Contains(said, "<"+foreign+">") {
				t.Errorf("%s: that <%s> is left out is not said:\n%s", name, foreign, said)
			}
		}
	}
}

// TestOtherSpellings: each id of each element is found under its name with Ref and without, and is written under TPTP's
// name.
func TestOtherSpellings(t *testing.T) {
	for kind := trace.Root + 1; kind < trace.Annotation; kind++ {
		for _, a := range kind.Element().Attributes {
			if a.Alias == "" {
				continue
			}
			text, changes := normal(t, fmt.Appendf(nil, `<TRACE><%v %s="77"/></TRACE>`, kind, a.Alias))
			if want := fmt.Sprintf("%s of %v is %s", a.Alias, kind, a.Name); !strings.Contains(strings.Join(changes,
				"\n"), want) {
				t.Errorf("%q is not said: %q", want, changes)
			}
			if want := fmt.Sprintf(`<%v %s="77"`, kind, a.Name); !strings.Contains(string(text), want) {
				t.Errorf("there is no %s in\n%s", want, text)
			}
		}
	}
}

// TestManyChanges: each change is reported once, with its number; if there are too many, the number of further ones;
// always in the same order.
func TestManyChanges(t *testing.T) {
	document := []byte("<TRACE>\n")
	for i := range 1000 {
		document = fmt.Appendf(document, "<gcStart time=\"1\" a%d=\"\" b%d=\"\"/>\n", i%150, i%2)
	}
	_, changes := normal(t, append(document, "</TRACE>"...))
	for at, want := range map[int]string{
		0:   "7 attributes that TPTP does not know, which are left out: a0 of gcStart, first at 2:1",
		1:   "500 attributes that TPTP does not know, which are left out: b0 of gcStart, first at 2:1",
		2:   "7 attributes that TPTP does not know, which are left out: a1 of gcStart, first at 3:1",
		99:  "7 attributes that TPTP does not know, which are left out: a97 of gcStart, first at 99:1",
		100: "an element of the preamble that is missing, and is added: node, at 1002:9",
		104: "52 other kinds of change, first at 100:1",
	} {
		if at >= len(changes) || changes[at] != want {
			t.Errorf("change %d of %d is not %q:\n%s", at, len(changes), want, strings.Join(changes, "\n"))
		}
	}
}

// TestMeaningStays: normalizing does not change the model of traces without foreign names, nor a normal trace.
func TestMeaningStays(t *testing.T) {
	for seed := range testtool.Times(uint64(100)) {
		for name, document := range map[string][]byte{"simulated": enrichtest.Simulate(seed, 300).XML,
			"chaotic": enrichtest.Chaos(seed, 300).XML} {
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

// events returns the lines of the model about events.
func events(t *testing.T, document []byte) (lines []string) {
	t.Helper()
	var out bytes.Buffer
	enricher := enrich.New(model.NewWriter(&out, model.Options{Format: model.JSONLines}), enrich.Options{})
	check(t, enricher.Begin(0))
	ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{}, enricher.Put)
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
		"app.Main$$Lambda/0x00007f012": "app/Main$$Lambda.0x00007f012",
		"app/Main$$Lambda+0x00007f012": "app/Main$$Lambda.0x00007f012",
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

// TestNames: the names of a tag's attributes are found in any form, also if the tag is cut off.
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
