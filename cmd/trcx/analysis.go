package main

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/trace"
)

// analysis is what the commands have in common that answer a question about traces.
type analysis struct {
	*reading
	// format is the one in which the answer is wanted.
	format string
	out    *outputFile
}

// answer prints what was computed. errFindings is the error for a threshold that is exceeded; what was printed counts
// then.
type answer func(out io.Writer) error

// endings are the formats of answers by the endings of files.
var endings = map[string]string{".json": "json", ".csv": "csv", ".md": "markdown", ".txt": "text", ".trcxml": "trcxml"}

// answerFlags are those of the commands that answer in one of the formats, of which the first one is usual.
func answerFlags(formats ...string) []cli.Flag {
	return []cli.Flag{
		choice(&cli.StringFlag{Name: "format", Usage: "answer as `FORMAT`", DefaultText: formats[0]}, formats),
		outputFlag(),
	}
}

// analyse opens the inputs, has the answer computed, and prints it.
func (env *environment) analyse(c *cli.Context, names []string, from string, formats []string,
	compute func(context.Context, *analysis) (answer, error)) error {
	format, err := answerFormat(c, formats)
	if err != nil {
		return err
	}
	reading, err := env.openReading(c, names, from)
	if err != nil {
		return err
	}
	defer reading.close()
	out, err := env.openOutput(c.String("output"), &outputFormat{}, reading.inputs, false)
	if err != nil {
		return err
	}
	defer env.close(out)
	collectLate()
	progress := env.startProgress(reading.inputs, reading.silent)
	print, err := compute(c.Context, &analysis{reading, format, out})
	progress.stop()
	reading.diagnostics.finish()
	if err != nil {
		return err
	}
	exceeded := print(out)
	if exceeded != nil && !errors.Is(exceeded, errFindings) {
		return exceeded
	}
	if err := env.commit(out); err != nil {
		return err
	}
	return errors.Join(exceeded, reading.verdict())
}

// firstCollection is how much memory an analysis may take, in bytes, before garbage is collected for the first time.
const firstCollection = 64 << 20

// collectLate lets the collection of garbage begin late, and be as usual from then on. Analyses keep little and throw
// away less, so that most end before; each collection costs them some percent of their time.
func collectLate() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstCollection)
	first := new(*int) // garbage, of which the first collection tells
	runtime.AddCleanup(first, func(struct{}) {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
	}, struct{}{})
}

// answerFormat follows --format, or else the ending of the output's name.
func answerFormat(c *cli.Context, formats []string) (string, error) {
	format := c.String("format")
	switch {
	case format == "" && c.IsSet("format"):
		return "", usage("the value of --format is empty")
	case format == "":
		ending := strings.ToLower(filepath.Ext(uncompressedName(c.String("output"))))
		if format = endings[ending]; format == "" {
			return formats[0], nil
		}
		if !slices.Contains(formats, format) {
			return "", usage("it does not answer as %s, as the name %s asks for; it answers as %s", format, c.String("output"),
				strings.Join(formats, ", "))
		}
	case !slices.Contains(formats, format):
		return "", usage("there is no format %q; it answers as %s", format,
			strings.Join(formats, ", "))
	}
	return format, nil
}

// enriched reads the documents, as one model, into the sink.
func (a *analysis) enriched(ctx context.Context, documents []convert.Document, calls enrich.Calls,
	sink trace.Sink) error {
	return a.read(ctx, documents, enrich.New(sink, enrich.Options{Calls: calls}))
}

// oneInput sees to it that a command has the one input that it is about.
func oneInput(c *cli.Context) error {
	if c.NArg() > 1 {
		return usage("it is about one trace; of several, say which (%s and %s were named)", c.Args().First(), c.Args().Get(1))
	}
	return nil
}
