package trcxml_test

import (
	"context"
	"log"
	"os"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/trcxml"
)

// A Writer writes a trace in the form of TPTP's agents.
func Example() {
	inputs, err := convert.OpenInputs([]string{convert.Stdin}, strings.NewReader(`<TRACE>
<threadStart   time='1.0' threadId='1' threadName='main' objIdRef='10' ></threadStart>
</TRACE>`), 0)
	if err != nil {
		log.Fatal(err)
	}
	defer inputs.Close()
	writer := trcxml.NewWriter(os.Stdout, trcxml.Options{})
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, writer); err != nil {
		log.Fatal(err)
	}
	// Output: <?xml version="1.0" encoding="UTF-8"?> <TRACE> <node nodeId="unknown-node" hostname="unknown"
	// ipaddress="0.0.0.0" timezone="0" time="1.000000000"/> <processCreate processId="unknown-process" pid="-1"
	// nodeIdRef="unknown-node" time="1.000000000"/> <agentCreate agentId="unknown-agent" version="2.000"
	// processIdRef="unknown-process" agentName="unknown" agentType="Profiler" agentParameters="" time="1.000000000"/>
	// <traceStart traceId="unknown-trace" agentIdRef="unknown-agent" time="1.000000000"/> <threadStart threadId="1"
	// time="1.0" threadName="main" objIdRef="10"/> </TRACE>
}
