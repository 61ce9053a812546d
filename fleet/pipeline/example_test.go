package pipeline_test

import (
	"context"
	"fmt"
	"os"

	"github.com/trcx/trcx/fleet/analyse"
	"github.com/trcx/trcx/fleet/pipeline"
)

// The runner in this process writes the same files as any other.
func ExampleRun() {
	folder, err := os.MkdirTemp("", "rows-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	err = pipeline.Run(context.Background(), []string{"../../testdata/recorded/orders-jdk17.trcxml"}, pipeline.Options{
		Options: analyse.Options{By: []string{"host"}}, Folder: folder, Shards: 1, Parallel: 1, MaxKeys: 1000}, pipeline.Embedded)
	if err != nil {
		fmt.Println(err)
		return
	}
	files, err := os.ReadDir(folder)
	fmt.Println(files[0].Name(), err)
	// Output: part-00000-of-00001.parquet <nil>
}
