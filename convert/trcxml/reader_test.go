package trcxml

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/dtd"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// small cuts a text into tiny chunks, so that they end everywhere.
var small = cutting{goroutines: 3, solo: 0, chunk: 64}

// read lists everything that Read reports about a text: a line for each element, then the findings.
func read(text string, cut cutting) (string, trace.Ending, error) {
	return readAs(text, Options{cut: cut})
}

// readAs is read with options.
func readAs(text string, options Options) (string, trace.Ending, error) {
	return readObserved(text, options, func(*trace.Event) {})
}

// readObserved is readAs with a function that observes each event.
func readObserved(text string, options Options, observe func(*trace.Event)) (string, trace.Ending, error) {
	var b strings.Builder
	var findings []string
	options.Report = func(f trace.Finding) {
		findings = append(findings, fmt.Sprintf("%s @%d %s", f, f.Place.Offset, f.Element))
	}
	ending, err := Read(context.Background(), strings.NewReader(text), options, func(e *trace.Event) error {
		observe(e)
		fmt.Fprintf(&b, "@%d ", e.Offset)
		if e.Reading != trace.NoTime {
			fmt.Fprintf(&b, "%d/%v ", e.Reading, e.Time)
		}
		if e.Extra != nil && len(e.Extra.Stacks) > 0 {
			fmt.Fprintf(&b, "stacks %q ", e.Extra.Stacks)
		}
		line := emit.Append(nil, e)
		if raw := e.Raw(); len(raw) > 0 && string(raw)+"\n" != string(line) {
			fmt.Fprintf(&b, "RAW %s IS NOT ", raw)
		}
		b.Write(line)
		return nil
	})
	b.WriteString(strings.Join(findings, "\n"))
	return b.String(), ending, err
}

// alone reads with one goroutine.
var alone = cutting{goroutines: 1}

const document = `<?xml version="1.0" encoding="UTF-8"?>
<TRACE>
<node nodeId="n" hostname="h" time="1.5"/>
<threadStart threadId="1" time="2.000000001" threadName="größe &lt;1&gt;"/>
<monWait threadIdRef="1" time="2.5" objIdRef="-1"/>
</TRACE>
`

func TestForms(t *testing.T) {
	want, _, err := read(document, alone)
	if err != nil {
		t.Fatal(err)
	}
	elements := onlyElements(want)
	body := document[strings.Index(document, "<node"):strings.Index(document, "</TRACE>")]
	for name, text := range map[string]string{
		"fragments":           body,
		"without the end tag": strings.Split(document, "</TRACE>")[0],
		"one line":            strings.ReplaceAll(document, "\n", ""),
		"line ends of DOS":    strings.ReplaceAll(document, "\n", "\r\n"),
		"with a DOCTYPE":      strings.Replace(document, "<TRACE>", "<!DOCTYPE TRACE SYSTEM 'trace.dtd'><TRACE>", 1),
		"with comments":       strings.ReplaceAll(document, "\n<", "<!-- <node/> -->\n<?x <node/>?><"),
		"marked":              "\xEF\xBB\xBF" + document,
		"UTF-16":              wide(strings.Replace(document, "UTF-8", "UTF-16", 1)),
		"ISO-8859-1":          strings.NewReplacer("UTF-8", "ISO-8859-1", "ö", "\xf6", "ß", "\xdf").Replace(document),
		"explicit end tags": strings.ReplaceAll(document, `"/>`, `"></x>`)[:0] + strings.NewReplacer(`time="1.5"/>`,
			`time="1.5"></node>`).Replace(document),
		"references":    strings.Replace(document, "größe", "gr&#xF6;&#223;e", 1),
		"single quotes": strings.ReplaceAll(document, `"`, "'"),
		"other order":   strings.Replace(document, `threadIdRef="1" time="2.5"`, `time="2.5"   threadIdRef="1"`, 1),
	} {
		for _, cut := range []cutting{alone, small} {
			got, ending, err := read(text, cut)
			if err != nil || ending.Truncated || onlyElements(got) != elements {
				t.Errorf("%s: %v, %v\n%s\nwant\n%s", name, err, ending, got, elements)
			}
		}
	}
}

// onlyElements removes the places of elements, and TRACE itself.
func onlyElements(listing string) string {
	var b strings.Builder
	for line := range strings.Lines(listing) {
		if _, element, ok := strings.Cut(line, " "); ok && !strings.Contains(element, "<TRACE") {
			b.WriteString(element)
		}
	}
	return b.String()
}

func wide(text string) string {
	out := []byte("\xFF\xFE")
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return string(out)
}

func TestWhatIsUnusualIsKept(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"an unknown element", `<TRACE><agMethodEntry time="1.5" x="&lt;"/></TRACE>`, "@0 <TRACE/>\n" +
			`@7 1/1.500000000 <agMethodEntry time="1.5" x="&lt;"/>`},
		{"an unknown attribute", `<threadEnd cpu="7" threadIdRef="1" time="1"/>`,
			`@0 1/1.000000000 <threadEnd threadIdRef="1" time="1" cpu="7"/>`},
		{"the other spelling of a call's thread", `<callStart threadIdRef="1" time="1" objIdRef="2"/>`,
			`@0 1/1.000000000 <callStart threadId="1" time="1" objIdRef="2"/>`},
		{"both spellings", `<callStart threadIdRef="1" threadId="3" time="1" objIdRef="2"/>`,
			`@0 1/1.000000000 <callStart threadId="3" time="1" objIdRef="2" threadIdRef="1"/>`},
		{"true and false", `<callNotify threadId="1" time="1" objIdRef="2" isNotifyAll="true"/>`,
			`@0 1/1.000000000 <callNotify threadId="1" time="1" objIdRef="2" isNotifyAll="1"/>`},
		{"annotations",
			`<threadEnd threadIdRef="1" time="1"><annotation name="a" value="1"/> <x>y &amp; <z/></x></threadEnd>`,
			`@0 1/1.000000000 <threadEnd threadIdRef="1" time="1"><annotation name="a" value="1"/> <x>y &amp; <z/></x></threadEnd>`},
		{"attributes of the root", `<TRACE xmlns:p="urn:p"><p:e/></TRACE>`,
			"@0 <TRACE xmlns:p=\"urn:p\"/>\n@23 <p:e/>"},
		{"white space in a value", "<option key='a' value='1\n2&#10;3'/>", `@0 <option key="a" value="1 2&#10;3"/>`},
	} {
		got, _, err := read(c.in, alone)
		if err != nil || got != c.want+"\n" {
			t.Errorf("%s: %v\n got %s\nwant %s", c.name, err, got, c.want)
		}
	}
}

func TestFindings(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`<TRACE><threadEnd threadIdRef="1" time="never"/></TRACE>`,
			`1:8: error: the time "never" of threadEnd is not decimal seconds up to the year 2262, such as 1164203541.123456789 [bad-time] @7 threadEnd`},
		{`<TRACE><threadEnd threadIdRef="1" time="1.0123456789"/></TRACE>`,
			`1:8: warning: the time 1.0123456789 of threadEnd has more than nine decimals; those beyond nanoseconds are dropped [time-precision] @7 threadEnd`},
		{`<TRACE><monWait time="1" objIdRef="2"/></TRACE>`,
			`1:8: error: monWait has no threadIdRef, without which it means nothing [attribute-missing] @7 monWait`},
		{`<TRACE><monWait threadIdRef="" time="1" objIdRef="2"/></TRACE>`,
			`1:8: error: monWait has no threadIdRef, without which it means nothing [attribute-missing] @7 monWait`},
		{"<TRACE>\nhello\n<gcStart time='1'/></TRACE>",
			`1:8: warning: text between the elements is left out [stray-text] @7 TRACE`},
		{"<TRACE>\n<gcStart time='1/>\n<gcStart time='2'/></TRACE>",
			`3:1: error: '<' is not allowed in the value of an attribute (write &lt;, or close the quotes) [xml-syntax] @27 `},
		{"<TRACE>\n<gcStart time='1'/",
			`2:19: error: the input ends in the middle of a start tag; what is complete is used [truncated] @26 `},
		{"<TRACE>\n<threadEnd threadIdRef='1' time='1'>",
			`2:37: error: the input ends before </threadEnd>; what is complete is used [truncated] @44 `},
		{"<TRACE>\n<threadEnd threadIdRef='1' time='1'>\n<gcStart time='2'/></TRACE>",
			`3:1: error: <gcStart> begins before </threadEnd>; the end tag, or the slash of <threadEnd …/>, is missing [xml-syntax] @45 threadEnd`},
		{"<TRACE>\n<TRACE><gcStart time='2'/></TRACE></TRACE>",
			`2:1: error: a TRACE inside of TRACE; what it holds is read as if it were in the outer one [nested-trace] @8 TRACE`},
		{"<TRACE></TRACE><gcStart time='1'/>",
			`1:16: error: a second element after the end of the document [xml-syntax] @15 `},
	} {
		for _, cut := range []cutting{alone, small} {
			got, _, err := read(c.in, cut)
			lines := strings.Split(got, "\n")
			if last := lines[len(lines)-1]; err != nil || last != c.want {
				t.Errorf("%s: %v\n got %s\nwant %s", c.in, err, last, c.want)
			}
		}
	}
}

// TestCallStacks proves which annotations are taken for call stacks: those named stack directly inside an event that
// can have them.
func TestCallStacks(t *testing.T) {
	for name, c := range map[string]struct{ inside, want string }{
		"one": {`<annotation name="stack" value="7:1 8"/>`, `stacks ["7:1 8"]`},
		"several": {
			`<annotation name="stack" value="7"/><annotation name="x" value="8"/><annotation value="9" name="stack"></annotation>`, `stacks ["7" "9"]`},
		"no value": {`<annotation name="stack"/>`, `stacks [""]`},
		"no name":  {`<annotation value="7"/>`, ""},
		"other names": {
			`<annotation name="Stack" value="7"/><annotation name="stack " value="7"/><Annotation name="stack" value="7"/>`, ""},
		"references": {`<annotation name="st&#97;ck" value='&lt;&quot;:1&#32;&#10;'/>`,
			`stacks ["<\":1 \n"]`},
		"white space":    {"\n\t<annotation name='stack'\n value='7\t8'\n/>\n", `stacks ["7 8"]`},
		"inside another": {`<annotation name="x"><annotation name="stack" value="7"/></annotation>`, ""},
		"around another": {
			`<annotation name="stack" value="7"><annotation name="stack" value="8"/>text</annotation>`, `stacks ["7"]`},
		"inside of an unknown": {`<more><annotation name="stack" value="7"/></more>`, ""},
		"an entity":            {`<annotation name="stack" value="&s;"/>`, `stacks ["7:1 8"]`},
	} {
		text := `<!DOCTYPE TRACE [<!ENTITY s "7:1 8">]><TRACE><monWait time="1">` + c.inside + "</monWait></TRACE>"
		for _, cut := range []cutting{alone, small} {
			listing, _, err := read(text, cut)
			_, got, _ := strings.Cut(listing, "1/1.000000000 ")
			got, _, _ = strings.Cut(got, "<monWait")
			if err != nil || strings.TrimSpace(got) != c.want {
				t.Errorf("%s: %v, %s, want %s", name, err, got, c.want)
			}
		}
	}
	for _, element := range []string{"threadEnd", "objFree", "annotation", "unknown"} {
		text := fmt.Sprintf(`<TRACE><%s><annotation name="stack" value="7"/></%s></TRACE>`, element, element)
		if listing, _, err := read(text, alone); err != nil || strings.Contains(listing, "stacks") {
			t.Errorf("%s: %v\n%s", element, err, listing)
		}
	}
}

// TestDeclaredStacks proves that attributes count that the document's declarations add.
func TestDeclaredStacks(t *testing.T) {
	const text = `<!DOCTYPE TRACE [<!ATTLIST annotation name CDATA "stack">]><TRACE><monWait time="1"><annotation value="7"/></monWait></TRACE>`
	if listing, _, err := read(text, alone); err != nil || !strings.Contains(listing, `stacks ["7"]`) {
		t.Errorf("%v\n%s", err, listing)
	}
}

// TestInsidesAskForNoMemory proves that a trace full of annotations is read without memory for each of them.
func TestInsidesAskForNoMemory(t *testing.T) {
	trace := func(events int) string {
		return "<TRACE>" +
			strings.Repeat(
				`<monWait threadIdRef="1" time="1.5" objIdRef="5"><annotation name="stack" value="7:1 8:2 9:3"/></monWait>`, events) + "</TRACE>"
	}
	for name, cut := range map[string]cutting{"alone": alone, "in chunks": {goroutines: 2, chunk: 4096}} {
		cost := func(events int) float64 {
			text := trace(events)
			return testing.AllocsPerRun(5, func() {
				if _, err := Read(context.Background(), strings.NewReader(text), Options{cut: cut},
					ignore); err != nil {
					t.Fatal(err)
				}
			})
		}
		if few, many := cost(2000), cost(12_000); many-few > 5000 {
			t.Errorf("%s: 10000 more events cost %.0f more allocations", name, many-few)
		}
	}
}

func ignore(*trace.Event) error { return nil }

func TestReadingGoesOn(t *testing.T) {
	const broken = "<TRACE>\n<gcStart time='1'/>\n<gcStart time=2/>\n<gcFinish time='3'>\n<gcStart " +
		"time='4'/>\n</gcFinish>\x00\n<gcStart time='5'/>\n</TRACE>"
	got, ending, err := read(broken, alone)
	if err != nil || !ending.Closed || ending.Truncated {
		t.Errorf("%v %v", err, ending)
	}
	for _, want := range []string{`<gcStart time="1"/>`, `<gcFinish time="3"/>`, `<gcStart time="4"/>`,
		`<gcStart time="5"/>`, "3:15: error", "5:1: warning: <gcStart> is nested in <gcFinish>", "6:12: error"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
}

func TestNotATrace(t *testing.T) {
	for _, text := range []string{"<html><body/></html>", "<a/>", "", "<!-- -->"} {
		_, _, err := read(text, alone)
		var other *NotTrace
		if !errors.As(err, &other) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestChunksAgreeWithOneReader(t *testing.T) {
	testtool.Long(t)
	for seed := range testtool.Times(uint64(40)) {
		text := string(enrichtest.Simulate(seed, 200).XML)
		for name, text := range map[string]string{
			"simulated": text, "one line": strings.ReplaceAll(text, "\n", ""),
			"with misleading comments": strings.ReplaceAll(text, "\n<mon",
				"<!-- >\n<threadEnd threadIdRef='1' time='1'/> --><mon"),
			"with a broken element": strings.Replace(text, "<monWait ", "<monWait x=1 ", 1),
			"with CDATA": strings.Replace(text, "<monWait ",
				"<value><![CDATA[>\n<node/>]]></value><monWait ", 1),
			"with a broken annotation": strings.Replace(text, "<annotation ", "<annotation x=1 ", 1),
			"cut off":                  text[:len(text)*2/3],
			"wrapped here and there":   wrapping.Replace(text),
			"wrapped": strings.Replace(strings.Replace(text, "<TRACE>", "<w><TRACE>", 1), "</TRACE>",
				"</TRACE></w>", 1),
		} {
			options := Options{cut: alone, FlattenUnknown: strings.HasPrefix(name, "wrapped")}
			want, ending, err := readAs(text, options)
			for _, chunk := range []int{32, 64, 333, 4096} {
				options.cut = cutting{goroutines: 3, solo: int64(seed * 100), chunk: chunk}
				got, together, failure := readAs(text, options)
				if got != want || ending != together || (err == nil) != (failure == nil) {
					t.Fatalf("seed %d %s, chunks of %d: %v, %v and %v, %v\n%s", seed, name, chunk, ending, err,
						together, failure, firstDifference(got, want))
				}
			}
		}
	}
}

// wrapping puts foreign elements around some elements of a trace.
var wrapping = strings.NewReplacer("\n<monWait ", "\n<v:w a='1'>\n<v/><monWait ", "\n<monWaited ",
	"\n</v:w>\n<monWaited ", "\n<callNotify ", "<x>text</x><callNotify ")

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines and %d", len(g), len(w))
}

func TestErrorsOfTheInputAreReturned(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, cut := range []cutting{alone, small} {
		for _, size := range []int{0, 10, 100, 5000} {
			text := string(enrichtest.Simulate(1, 300).XML)[:size]
			_, err := Read(context.Background(), io.MultiReader(strings.NewReader(text), failing{broken}),
				Options{cut: cut}, func(*trace.Event) error { return nil })
			if !errors.Is(err, broken) {
				t.Errorf("after %d bytes: %v", size, err)
			}
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestErrorsOfTheTakerEndTheReading(t *testing.T) {
	full := errors.New("the disk is full")
	for _, cut := range []cutting{alone, small} {
		n := 0
		_, err := Read(context.Background(), bytes.NewReader(enrichtest.Simulate(1, 300).XML), Options{cut: cut},
			func(*trace.Event) error {
				if n++; n == 50 {
					return full
				}
				return nil
			})
		if !errors.Is(err, full) || n != 50 {
			t.Errorf("%v after %d elements", err, n)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Read(ctx, strings.NewReader(document), Options{}, func(*trace.Event) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzRead checks that no input makes the reader panic, that chunks and templates change nothing, and that a written
// trace reads the same again.
func FuzzRead(f *testing.F) {
	f.Add(document)
	f.Add(string(enrichtest.Chaos(1, 20).XML))
	for _, path := range []string{"../../testdata/bad/messy.trcxml"} {
		if text, err := os.ReadFile(path); err == nil {
			f.Add(string(text))
		}
	}
	f.Add("<monWait threadIdRef='1' isTimedOut='true'><annotation name='\\u0000'/></monWait><x>\n<node/></x>")
	f.Fuzz(func(t *testing.T, text string) {
		once, ending, err := read(text, alone)
		together, endingTogether, errTogether := read(text, small)
		if once != together || ending != endingTogether || (err == nil) != (errTogether == nil) {
			t.Fatalf("%q: %v, %v and %v, %v: %s", text, ending, err, endingTogether, errTogether,
				firstDifference(together, once))
		}
		compareWithoutTemplates(t, text)
		compareWithoutTemplates(t, strings.Repeat(text, 5))
		if strings.Contains(once, "RAW") && strings.Contains(once, " IS NOT ") && !strings.Contains(text, "RAW") {
			t.Fatalf("%q: %s", text, once)
		}
		written := written(t, text)
		if again := writtenFrom(t, written); written != again {
			t.Fatalf("%q is written as\n%s\nand then as\n%s", text, written, again)
		}
	})
}

// compareWithoutTemplates compares the events of a text, and its findings with and without a grammar, with the results
// of a reader that learns no templates.
func compareWithoutTemplates(t *testing.T, text string) {
	t.Helper()
	for name, validation := range map[string]Validation{
		"read": {}, "judged": {Grammar: dtd.Trace()}, "judged by its own DTD": {Own: true, Any: true},
		"judged alone": {Grammar: dtd.Trace(), Any: true, NamesOnly: true},
	} {
		with, ending, err := readAs(text, Options{cut: alone, Validation: validation})
		without, endingWithout, errWithout := readAs(text, Options{cut: alone, Validation: validation, noTemplates: true})
		if with != without || ending != endingWithout || (err == nil) != (errWithout == nil) {
			t.Fatalf("%q is %s: %v, %v and without templates %v, %v: %s", text, name, ending, err, endingWithout,
				errWithout, firstDifference(with, without))
		}
	}
}

// TestTemplatesChangeNothing changes a generated trace at random and compares the results with and without templates.
func TestTemplatesChangeNothing(t *testing.T) {
	for seed := range uint64(8) {
		var clean bytes.Buffer
		if err := synthetic.Generate(&clean, 100<<10, 3, synthetic.Style{Hostile: seed%4 == 3}); err != nil {
			t.Fatal(err)
		}
		document := clean.Bytes()
		random := rand.New(rand.NewPCG(seed, 11))
		for i := 2000; i < len(document); i++ {
			if c := document[i]; c >= '0' && c <= '9' && random.IntN(700) == 0 {
				document[i] = "0123456789-.x&<"[random.IntN(15)]
			}
		}
		compareWithoutTemplates(t, string(document))
	}
}

// written returns the text as a writer writes it, or "" if it is not a trace.
func written(t *testing.T, text string) string {
	var out bytes.Buffer
	w := emit.NewWriter(&out, emit.Options{})
	w.Begin(0)
	_, err := Read(context.Background(), strings.NewReader(text), Options{cut: alone}, w.Put)
	var other *NotTrace
	if errors.As(err, &other) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	w.End(trace.Ending{})
	return out.String()
}

// writtenFrom is written for a text that is well-formed.
func writtenFrom(t *testing.T, text string) string {
	if text == "" {
		return ""
	}
	if listing, _, err := read(text, alone); err != nil || strings.Contains(listing, "[xml-syntax]") {
		t.Fatalf("what was written is not well-formed: %v\n%s\n%s", err, listing, text)
	}
	return written(t, text)
}
