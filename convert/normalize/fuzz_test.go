package normalize

import (
	"bytes"
	"os"
	"testing"

	"github.com/trcx/trcx/enrich/enrichtest"
)

// FuzzNormalize: a normalized document is not changed again.
func FuzzNormalize(f *testing.F) {
	odd, err := os.ReadFile("testdata/odd.trcxml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(odd)
	for _, text := range []string{
		`<TRACE><monWait threadIdRef="1"><x><annotation name="a"/></x><annotation name="stack" value="1">t</annotation></monWait></TRACE>`,
		`<TRACE><node><b/></node><classDef name="a.b[][]"/><classDef name="[La.b;"/><classDef name="L;"/></TRACE>`,
		`<callNotify isNotifyAll='true' threadIdRef="1" threadId="2"/>`,
	} {
		f.Add([]byte(text))
	}
	f.Add(enrichtest.Chaos(1, 30).XML)
	f.Fuzz(func(t *testing.T, document []byte) {
		text, _, err := tryNormal(document)
		if err != nil {
			return // no trace
		}
		again, changes, err := tryNormal(text)
		if err != nil || len(changes) > 0 || !bytes.Equal(again, text) {
			t.Errorf("%q\nbecomes\n%q\nand that, with %q and the error %v,\n%q", document, text, changes, err, again)
		}
	})
}
