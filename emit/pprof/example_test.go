package pprof_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/pprof"
	"github.com/trcx/trcx/trace"
)

// A Writer writes a profile that go tool pprof opens. It is compressed by gzip.
func ExampleNewWriter() {
	file, err := os.Open("../../testdata/recorded/warehouse-stacks-jdk25.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	var profile bytes.Buffer
	writer := pprof.NewWriter(&profile, pprof.Options{States: []string{"blocked", "waited"}})
	if err := trace.Copy(writer, convert.Model(context.Background(), file, convert.Options{})); err != nil {
		log.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		log.Fatal(err)
	}
	unzipped, err := gzip.NewReader(&profile)
	if err != nil {
		log.Fatal(err)
	}
	content, err := io.ReadAll(unzipped)
	fmt.Println(bytes.Contains(content, []byte("contentions")), bytes.Contains(content, []byte("delay")), err)
	// Output: true true <nil>
}
