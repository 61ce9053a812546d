package answers_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/trace"
)

// The critical path of a trace as CSV.
func ExampleWriteCSV() {
	file, err := os.Open("../../docs/testdata/path-cache.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	recorder := critical.NewRecorder()
	defer recorder.Close()
	if err := trace.Copy(recorder, convert.Model(context.Background(), file, convert.Options{})); err != nil {
		log.Fatal(err)
	}
	path := recorder.Path(recorder.Last())
	if err := answers.WriteCSV(os.Stdout, path.Answer(nil, critical.Options{})); err != nil {
		fmt.Println(err)
	}
	// Output:
	// from,to,length,kind,state,threadKey,threadId,threadName,objectId,class,ownerKey,ownerId,ownerName,place,ownerPlace,cause
	// 0,5000000,5000000,segment,Running,1,1,main,,,,,,,,
	// 5000000,10000000,5000000,latency,Running,1,1,main,,,,,,,,2
	// 10000000,915000000,905000000,segment,Running,2,2,worker-1,,,,,,,,2
	// 915000000,1815000000,900000000,segment,Running,3,3,worker-2,,,,,,shop.Cache.get(Cache.java:42),,12
	// 1815000000,2800000000,985000000,segment,Running,4,4,worker-3,,,,,,shop.Cache.get(Cache.java:42),,15
	// 2800000000,2801000000,1000000,latency,Dead,4,4,worker-3,104,,,,,,,19
	// 2801000000,2810000000,9000000,segment,Running,1,1,main,,,,,,shop.Main.main(Main.java:9),,19
}
