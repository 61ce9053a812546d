package model_test

import (
	"context"
	"log"
	"os"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/trace"
)

// A Writer writes the model as one JSON document, or as a stream of lines.
func Example() {
	document := `<TRACE><threadStart threadId="1" time="1.0" threadName="main" objIdRef="10"/></TRACE>`
	writer := model.NewWriter(os.Stdout, model.Options{Format: model.JSONLines})
	records := convert.Model(context.Background(), strings.NewReader(document), convert.Options{})
	if err := trace.Copy(writer, records); err != nil {
		log.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"kind":"trace","format":"trcx-model","version":1,"startTime":"1.000000000","sessions":[{"startTime":"1.000000000"}]}
	// {"kind":"thread","key":1,"threadId":"1","objectId":"10","name":"main","session":0}
	// {"kind":"event","thread":1,"threadId":"1","id":1,"type":"TRCThreadRunningEvent","time":0}
	// {"kind":"end","duration":0,"events":1,"truncated":false,"counts":{"threadStart":1}}
}
