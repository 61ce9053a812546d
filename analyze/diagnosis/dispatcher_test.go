package diagnosis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/diagnosis"
)

// TestDispatchers: a thread of the JDK that runs the program's code for all, one after the other, is a fault if that
// code waits for long; in a trace, and in several dumps.
func TestDispatchers(t *testing.T) {
	const evidence = "It serves all requests of its HTTP server, so none of them is served meanwhile."
	read := ""
	for second := 2; second < 5; second++ {
		read += fmt.Sprintf(`<annotation name="cpu" value="9 %d 1000000 %[1]d000000000"/><annotation name="sample" value="9 %[1]d RUNNABLE 1 0 60 70:5"/>`, second)
	}
	const dumps = `<classDef name="java/io/FileInputStream" classId="8"/><methodDef name="read0" methodId="60" classIdRef="8"/>`
	for _, c := range []struct {
		name, document string
		fault          bool
	}{
		{"HTTP-Dispatcher", at(9, "io", "910", "70:5") + `<gcStart time="9"/>`, true},
		{"HTTP-Dispatcher", at(9, "io", "910", "70:5") + `<gcStart time="2.5"/>`, false},
		{"reader", at(9, "io", "910", "70:5") + `<gcStart time="9"/>`, false},
		{"HTTP-Dispatcher", dumps + read + `<gcStart time="4.5"/>`, true},
		{"reader", dumps + read + `<gcStart time="4.5"/>`, false},
	} {
		thread := fmt.Sprintf(`<threadStart threadId="9" time="1" threadName="%s" groupName="main" objIdRef="109"/>`, c.name)
		document := threadsOf + poolOf + thread + c.document + `</TRACE>`
		if strings.HasPrefix(c.document, dumps) {
			document = strings.Replace(document, "<TRACE>", `<TRACE><agentCreate agentId="1" agentName="thread dump" agentType="Profiler" time="1"/>`, 1)
		}
		found := diagnosis.Of(factsOf(t, document))
		if len(found.Findings) == 0 || found.Healthy() == c.fault || slices.Contains(found.Findings[0].Evidence, evidence) != c.fault {
			t.Errorf("%s: healthy %v, want fault %v: %+v", c.name, found.Healthy(), c.fault, found.Findings)
		}
	}
}
