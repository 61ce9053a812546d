package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// Embedded is the name of the runner in this process: prism.
const Embedded = "prism"

// Runners are the runners by their names.
var Runners = map[string]func(context.Context, *beam.Pipeline) (beam.PipelineResult, error){
	Embedded: prism.Execute, "universal": universal.Execute, "flink": universal.Execute, "spark": universal.Execute,
	"dataflow": dataflow.Execute}

// Here reports whether the files are read in this process, and not by workers of the runner.
func Here(runner string) bool {
	return jobopts.IsLoopback() || runner == Embedded && *jobopts.EnvironmentType == ""
}

// dialTimeout limits how long a job server is waited for.
const dialTimeout = 10 * time.Second

// Run runs the pipeline on the runner of the name. When ctx ends, a job on a job server is cancelled; the error says
// whether it was.
func Run(ctx context.Context, files []string, o Options, runner string) error {
	if runner == Embedded {
		log.SetLogger(silent{})
		slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	} else if *jobopts.Endpoint != "" && runner != "dataflow" {
		server, err := net.DialTimeout("tcp", *jobopts.Endpoint, dialTimeout)
		if err != nil {
			return fmt.Errorf("the job server cannot be reached: %w", err)
		}
		if err := server.Close(); err != nil {
			return err
		}
	}
	if Here(runner) {
		stop, err := loopback(ctx)
		if err != nil {
			return err
		}
		defer stop()
	} else if *jobopts.WorkerBinary == "" { // Beam would compile one
		var err error
		if *jobopts.WorkerBinary, err = os.Executable(); err != nil {
			return err
		}
	}
	own := *jobopts.JobName == ""
	if own {
		*jobopts.JobName = fmt.Sprintf("trcx-fleet-%d-%d", os.Getpid(), time.Now().UnixNano())
		defer func() { *jobopts.JobName = "" }()
	}
	p, s := beam.NewPipelineWithRoot()
	build(s, files, o)
	_, err := Runners[runner](ctx, p)
	if at, limited := ctx.Deadline(); err != nil && limited && time.Until(at) < time.Second {
		<-ctx.Done() // the runner's clock may be ahead
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() == nil || runner == Embedded && *jobopts.Endpoint == "":
		return errors.New(reason(err))
	case !own || runner == "dataflow" || cancelJob(*jobopts.Endpoint, *jobopts.JobName) != nil:
		return fmt.Errorf("the runner may still work on the job %s", *jobopts.JobName)
	}
	return errors.New("the job was cancelled")
}

// cancelJob cancels the job of the name on a job server. The name must be of one job alone.
func cancelJob(endpoint, name string) error {
	ctx, stop := context.WithTimeout(context.Background(), dialTimeout)
	defer stop()
	server, err := grpcx.Dial(ctx, endpoint, dialTimeout)
	if err != nil {
		return err
	}
	defer server.Close()
	client := jobpb.NewJobServiceClient(server)
	jobs, err := client.GetJobs(ctx, &jobpb.GetJobsRequest{})
	if err != nil {
		return err
	}
	for _, job := range jobs.GetJobInfo() {
		if job.GetJobName() == name {
			_, err := client.Cancel(ctx, &jobpb.CancelJobRequest{JobId: job.GetJobId()})
			return err
		}
	}
	return fmt.Errorf("the job server has no job %s", name)
}

// loopback starts workers in this process. Beam's own LOOPBACK leaves a file in the temporary folder each time.
func loopback(ctx context.Context) (stop func(), err error) {
	workers, err := extworker.StartLoopback(ctx, 0)
	if err != nil {
		return nil, err
	}
	kind, config, binary := *jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.WorkerBinary
	*jobopts.EnvironmentType, *jobopts.EnvironmentConfig = "EXTERNAL", workers.EnvironmentConfig(ctx)
	*jobopts.WorkerBinary = os.DevNull // nobody needs one
	return func() {
		*jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.WorkerBinary = kind, config, binary
		_ = workers.Stop(ctx) // it returns no error
	}, nil
}

// silent is a logger that drops all: an error of a job has its reason.
type silent struct{}

// Log does nothing.
func (silent) Log(context.Context, log.Severity, int, string) {}

// reason returns the innermost reason of the error of a job.
func reason(err error) string {
	text := err.Error()
	if at := strings.LastIndex(text, "caused by:\n"); at >= 0 {
		text = text[at+len("caused by:\n"):]
	}
	if strings.HasPrefix(text, "DoFn[") {
		_, text, _ = strings.Cut(text, "failed:\n")
	}
	return strings.TrimSpace(text)
}
