package schema_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate/schema"
)

// check returns the findings in a document.
func check(t testing.TB, name string, document []byte) []trace.Finding {
	t.Helper()
	var findings []trace.Finding
	err := schema.Check(context.Background(), bytes.NewReader(document), name, func(f trace.Finding) {
		findings = append(findings, f)
	})
	must(t, err)
	return findings
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write puts the model of the traces, each a session, into the sink.
func write(t testing.TB, sink trace.Sink, traces ...[]byte) {
	t.Helper()
	enricher := enrich.New(sink, enrich.Options{})
	for session, text := range traces {
		must(t, enricher.Begin(session))
		ending, err := trcxml.Read(context.Background(), bytes.NewReader(text), trcxml.Options{Session: session},
			enricher.Put)
		must(t, err)
		must(t, enricher.End(ending))
	}
	must(t, enricher.Finish())
}

// written returns the model of the traces as trcx writes it: as a document and as a stream of lines.
func written(t testing.TB, traces ...[]byte) map[string][]byte {
	t.Helper()
	var document, lines bytes.Buffer
	grouped := model.NewWriter(&document, model.Options{TempDir: t.TempDir()})
	write(t, grouped, traces...)
	must(t, grouped.Close())
	write(t, model.NewWriter(&lines, model.Options{Format: model.JSONLines}), traces...)
	return map[string][]byte{schema.Model: document.Bytes(), schema.Lines: lines.Bytes()}
}

// traces returns simulated, chaotic, recorded and hostile traces.
func traces(t testing.TB) map[string][][]byte {
	all := map[string][][]byte{
		"empty":     {[]byte("<TRACE/>")},
		"fragments": {[]byte(`<threadStart threadId="a" time="1" threadName="x" objIdRef="0x1"/>`)},
		"hostile": {
			[]byte(
				`<TRACE><threadStart threadId="&quot;\u0000" time="1" threadName="&lt;/script&gt;\uD800 &#x202E;&#13;" groupName="\u005Cu0000"/>` +
					`<monWait threadIdRef="&quot;\u0000" time="0.5" objIdRef="&lt;" timeout="99999999999999999999"/></TRACE>`)},
		"deadlock": {
			[]byte(
				`<TRACE><monContendedEnter threadIdRef="1" time="1" objIdRef="8" threadOwner="2"/><monContendedEnter threadIdRef="2" time="2" objIdRef="9" threadOwner="1"/></TRACE>`)},
		// the second interrupt, which is proven, replaces the end of the joined thread as the cause
		"proven interrupt of a join": {[]byte(`<TRACE>
<threadStart threadId="1" time="1.000" objIdRef="101"/>
<threadStart threadId="2" time="1.001" objIdRef="102"/>
<threadStart threadId="3" time="1.002" objIdRef="103"/>
<monWait threadIdRef="2" time="1.003" objIdRef="900" timeout="0"/>
<callInterrupt threadId="1" time="1.004" objIdRef="102"/>
<monWaited threadIdRef="2" time="1.005" objIdRef="900" isTimedOut="0"/>
<threadInterrupted threadId="2" time="1.006"/>
<monWait threadIdRef="2" time="1.010" objIdRef="103" timeout="0"/>
<callInterrupt threadId="1" time="1.020" objIdRef="102"/>
<threadEnd threadIdRef="3" time="1.02001"/>
<monWaited threadIdRef="2" time="1.0201" objIdRef="103" isTimedOut="0"/>
<threadInterrupted threadId="2" time="1.0202"/>
</TRACE>`)},
	}
	for seed := range testtool.Times(uint64(40)) {
		simulated, chaotic := enrichtest.Simulate(seed, 150).XML, enrichtest.Chaos(seed, 150).XML
		all[fmt.Sprint("simulated ", seed)] = [][]byte{simulated}
		all[fmt.Sprint("chaotic ", seed)] = [][]byte{chaotic}
		all[fmt.Sprint("two sessions ", seed)] = [][]byte{simulated, chaotic}
	}
	paths, err := filepath.Glob("../../testdata/recorded/*.trcxml")
	must(t, err)
	if len(paths) == 0 {
		t.Fatal("there are no recorded traces")
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(t, err)
		all[path] = [][]byte{text}
	}
	return all
}

func TestWhatIsWrittenIsValid(t *testing.T) {
	for name, sessions := range traces(t) {
		for kind, document := range written(t, sessions...) {
			if got, ok := schema.Recognise(document[:min(512, len(document))]); got != kind || !ok {
				t.Errorf("%s: %s is recognised as %q", name, kind, got)
			}
			for _, finding := range check(t, kind, document) {
				t.Errorf("%s: %s: %v", name, kind, finding)
			}
		}
	}
}
