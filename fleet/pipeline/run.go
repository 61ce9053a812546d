package pipeline

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow" // the runner dataflow
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal" // the runner universal
)

// Embedded is the name of the runner in this process: prism.
const Embedded = "prism"

// Run runs the pipeline on the runner of the name.
func Run(ctx context.Context, files []string, o Options, runner string) error {
	p, s := beam.NewPipelineWithRoot()
	build(s, files, o)
	if runner != Embedded {
		_, err := beam.Run(ctx, runner, p)
		return err
	}
	quiet := &lastError{}
	log.SetLogger(quiet)
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	if _, err := prism.Execute(ctx, p); err != nil {
		return fmt.Errorf("%s", quiet.reason(err))
	}
	return nil
}

// lastError is a logger that keeps the last error, which has the reason why a job failed.
type lastError struct{ text string }

// Log keeps an error.
func (l *lastError) Log(_ context.Context, severity log.Severity, _ int, text string) {
	if severity >= log.SevError {
		l.text = text
	}
}

// reason returns the innermost reason of the error of a job.
func (l *lastError) reason(err error) string {
	text := err.Error()
	if at := strings.LastIndex(text, "caused by:\n"); at >= 0 {
		text = text[at+len("caused by:\n"):]
	}
	return strings.TrimSpace(text)
}
