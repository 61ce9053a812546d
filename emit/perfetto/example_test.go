package perfetto_test

import (
	"context"
	"log"
	"os"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/perfetto"
	"github.com/trcx/trcx/trace"
)

// A Writer draws the trace for timeline viewers, here as Trace Event JSON.
func ExampleNewWriter() {
	document := `<TRACE>
<threadStart threadId="1" time="1.0" threadName="main"/>
<threadStart threadId="2" time="1.1" threadName="worker"/>
<monContendedEnter threadIdRef="2" time="1.2" objIdRef="9" threadOwner="1"/>
<monContendedEntered threadIdRef="2" time="1.5" objIdRef="9"/>
</TRACE>`
	writer := perfetto.NewWriter(os.Stdout, perfetto.Options{Format: perfetto.JSON})
	records := convert.Model(context.Background(), strings.NewReader(document), convert.Options{})
	if err := trace.Copy(writer, records); err != nil {
		log.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"traceEvents":[
	// {"ph":"M","pid":1,"name":"process_name","args":{"name":"JVM"}},
	// {"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":0}},
	// {"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}},
	// {"ph":"M","pid":1,"tid":1,"name":"thread_sort_index","args":{"sort_index":1}},
	// {"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"worker"}},
	// {"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":2}},
	// {"ph":"X","pid":1,"tid":1,"ts":0.000,"dur":500000.000,"cat":"state","name":"RUNNABLE","cname":"thread_state_running","args":{"event":1,"open":true}},
	// {"ph":"X","pid":1,"tid":2,"ts":100000.000,"dur":100000.000,"cat":"state","name":"RUNNABLE","cname":"thread_state_running","args":{"event":2}},
	// {"ph":"X","pid":1,"tid":2,"ts":200000.000,"dur":300000.000,"cat":"state","name":"BLOCKED: object 9","cname":"terrible","args":{"event":3,"monitor":"9","owner":"main"}},
	// {"ph":"i","pid":1,"tid":2,"ts":500000.000,"s":"t","cat":"state","name":"RUNNABLE","cname":"thread_state_running","args":{"event":4,"open":true}},
	// {"ph":"i","pid":1,"tid":1,"ts":500000.000,"s":"t","cat":"interaction","name":"hand-off","args":{"event":5,"monitor":"9","receiver":"worker"}},
	// {"ph":"X","pid":1,"tid":1,"ts":500000.000,"dur":0.000,"cat":"interaction","name":"hand-off"},
	// {"ph":"s","pid":1,"tid":1,"ts":500000.000,"id":4,"cat":"interaction","name":"hand-off"},
	// {"ph":"X","pid":1,"tid":2,"ts":500000.000,"dur":0.000,"cat":"interaction","name":"hand-off"},
	// {"ph":"f","pid":1,"tid":2,"ts":500000.000,"bp":"e","id":4,"cat":"interaction","name":"hand-off"}
	// ],"otherData":{"writer":"trcx","startTime":"1.000000000"}}
}
