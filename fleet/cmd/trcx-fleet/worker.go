package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// isWorker reports whether a runner of Beam has started this process as a worker. In a container the flag worker is the
// first one; as the command of an environment PROCESS the process only gets an id and the endpoint to ask for the rest.
func isWorker(args []string) bool {
	return len(args) > 0 && (strings.HasPrefix(args[0], "--worker") || strings.HasPrefix(args[0], "--id="))
}

// worker does the work that the runner asks for, until that ends, and returns the exit status.
func worker(args []string, stderr io.Writer) int {
	if strings.HasPrefix(args[0], "--worker") {
		if err := flag.CommandLine.Parse(args); err != nil { // it exits at an error
			return exitUsage
		}
		beam.Init() // it does not return
		return exitDone
	}
	if err := boot(args); err != nil {
		fmt.Fprintf(stderr, "trcx-fleet: as a worker of Beam: %v\n", err)
		return exitIO
	}
	return exitDone
}

// provisionTimeout limits how long the runner is waited for.
const provisionTimeout = time.Minute

// boot asks the runner what the container of Beam's workers asks for, and works in this process.
func boot(args []string) error {
	values := map[string]string{}
	for _, arg := range args {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		values[name] = strings.Trim(value, "'") // prism 2.77.0 quotes the id
	}
	ctx := grpcx.WriteWorkerID(context.Background(), values["id"])
	limited, cancel := context.WithTimeout(ctx, provisionTimeout)
	defer cancel()
	info, err := tools.ProvisionInfo(limited, values["provision_endpoint"])
	if err != nil {
		return err
	}
	text, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return err
	}
	var options runtime.RawOptionsWrapper
	if err := json.Unmarshal([]byte(text), &options); err != nil {
		return err
	}
	runtime.GlobalOptions.Import(options.Options)
	beam.Init()
	return harness.MainWithOptions(ctx, cmp.Or(info.GetLoggingEndpoint().GetUrl(), values["logging_endpoint"]),
		cmp.Or(info.GetControlEndpoint().GetUrl(), values["control_endpoint"]),
		harness.Options{StatusEndpoint: info.GetStatusEndpoint().GetUrl(),
			RunnerCapabilities: info.GetRunnerCapabilities()})
}
