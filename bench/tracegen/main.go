// Tracegen writes traces for benchmarks: of any size, equal for the same seed, and realistic, so that readers do all
// their work.
//
//	go run ./bench/tracegen -size 256MiB -seed 1 -o trace.trcxml
//
// Package synthetic describes their content. The trace has a DOCTYPE, and its DTD, trace.dtd, is written to the same
// folder for validating readers.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/dtd"
)

func main() {
	err := run(os.Args[1:])
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "tracegen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("tracegen", flag.ContinueOnError)
	size := flags.String("size", "64MiB", "the trace's size, roughly; the unit is B, KiB, MiB or GiB")
	seed := flags.Uint64("seed", 1, "the trace is the same for the same seed and size")
	file := flags.String("o", "", "the file to write (required); trace.dtd is written to its folder")
	workload := synthetic.Default
	flags.IntVar(&workload.Threads, "threads", workload.Threads, "number of live threads")
	flags.BoolVar(&workload.Waits, "waits", false,
		"threads do little else but wait for each other: most elements are monitor events")
	flags.BoolVar(&workload.Calls, "calls", false,
		"threads do little else but call methods: most elements are methodEntry and methodExit")
	var s synthetic.Style
	flags.BoolVar(&s.Hostile, "hostile", false, "attributes in random order, some in single quotes")
	flags.BoolVar(&s.OneLine, "oneline", false, "no white space between elements")
	if err := flags.Parse(args); err != nil {
		return err
	}
	bytes, err := parseSize(*size)
	if err != nil {
		return err
	}
	if workload.Threads <= leastThreads {
		return fmt.Errorf("-threads %d: want more than %d, because some must be awake", workload.Threads, leastThreads)
	}
	if workload.Waits && workload.Calls {
		return errors.New("-waits and -calls exclude each other")
	}
	if *file == "" || flags.NArg() > 0 {
		return errors.New("name the file to write with -o, and nothing else")
	}
	return writeFiles(*file, bytes, *seed, workload, s)
}

// leastThreads is the number of threads that must be awake in any workload.
const leastThreads = 16

// parseSize parses a number of bytes, such as 4096, 64MiB or 1GiB.
func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "BKMGi")
	factor, ok := map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[text[len(digits):]]
	number, err := strconv.ParseInt(digits, 10, 32)
	if !ok || err != nil || number <= 0 {
		return 0, fmt.Errorf("-size %s: want a number and B, KiB, MiB or GiB", text)
	}
	return number * factor, nil
}

func writeFiles(file string, size int64, seed uint64, workload synthetic.Workload, s synthetic.Style) error {
	grammar := filepath.Join(filepath.Dir(file), synthetic.DTDName)
	if err := os.WriteFile(grammar, []byte(dtd.TraceText()), 0o666); err != nil {
		return err
	}
	return create(file, func(w io.Writer) error { return synthetic.GenerateWorkload(w, size, seed, workload, s) })
}

func create(file string, write func(io.Writer) error) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
