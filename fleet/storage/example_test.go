package storage_test

import (
	"context"
	"fmt"

	"github.com/trcx/trcx/fleet/storage"
)

func ExampleList() {
	names, err := storage.List(context.Background(), "../../testdata/recorded/**/deadlock-*.trcxml")
	fmt.Println(names, err)
	_, err = storage.List(context.Background(), "../../testdata/*.nothing")
	fmt.Println(err)
	// Output:
	// [../../testdata/recorded/deadlock-jdk17.trcxml ../../testdata/recorded/deadlock-jdk25.trcxml] <nil>
	// ../../testdata/*.nothing: no file matches
}
