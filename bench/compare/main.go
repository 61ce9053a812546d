// Compare runs two commands in turn and prints how much faster the second is than the first, or how much memory they
// need.
//
//	compare -rounds 5 -name 'convert' -want 8 -- xmllint --stream --valid --noout f.xml -- trcx convert … f.xml
//	compare -memory -limit 64 -within 10 -name 'memory' -- trcx convert … small.xml -- trcx convert … large.xml
//
//	compare -most 1.2 -name 'recorded' -- java App -- java -agentpath:… App
//
// Each command runs once to warm up and then once a round, A B A B …, so that other load of the machine affects both.
// Times are of whole processes, from start to exit. The result is one line: the median and the least time of each
// command, their largest peak memory, the ratio of the medians with the least and the largest ratio of a round, and
// whether the wanted ratio is reached. With -memory the peaks are compared: whether the second command's is within the
// limit, and within a percentage of the first's. With -most and -added the result is how much longer the second command
// takes, as the median of the rounds with its 95 % interval, whose upper bound must be within the limit. With -cpu all
// times are the CPU times of the processes, with their system calls.
//
// A missed figure is a result, not a failure. The exit status is 1 only if a command fails; its standard error is then
// printed. The commands' standard output is discarded.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

func main() {
	err := run(os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// expectation is the wanted result. Zero values expect nothing.
type expectation struct {
	want, goal    float64 // ratio of the times
	memory        bool
	limit, within float64       // MiB; percent
	most          float64       // limit of the second command's time, as a multiple of the first's
	added         time.Duration // limit of the difference
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	rounds := flags.Int("rounds", 5, "number of runs of each command")
	name := flags.String("name", "", "name of the comparison in the line that is printed")
	var e expectation
	flags.Float64Var(&e.want, "want", 0, "wanted speed of the second command, as a multiple of the first's")
	flags.Float64Var(&e.goal, "goal", 0, "best speed, likewise")
	flags.BoolVar(&e.memory, "memory", false, "compare peak memory and not time")
	flags.Float64Var(&e.limit, "limit", 0, "with -memory: limit of the second command's peak, in MiB")
	flags.Float64Var(&e.within, "within", 0,
		"with -memory: limit of the second command's peak above the first's, in percent")
	flags.Float64Var(&e.most, "most", 0, "limit of the second command's time, as a multiple of the first's, at 95 %")
	flags.DurationVar(&e.added, "added", 0, "limit of the second command's time minus the first's, at 95 %")
	cpu := flags.Bool("cpu", false, "measure the CPU time of the processes, which other load of the machine affects less")
	if err := flags.Parse(args); err != nil {
		return err
	}
	a, b, err := splitCommands(flags.Args())
	if err != nil {
		return err
	}
	if *rounds < 1 {
		return errors.New("-rounds: want 1 or more")
	}
	runsA, runsB, err := inTurn(a, b, *rounds, *cpu)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, line(*name, runsA, runsB, e))
	return err
}

// splitCommands splits A… -- B… at the first --.
func splitCommands(args []string) (a, b []string, err error) {
	border := slices.Index(args, "--")
	if border < 1 || border == len(args)-1 {
		return nil, nil, errors.New("usage: compare [flags] -- COMMAND A… -- COMMAND B…")
	}
	return args[:border], args[border+1:], nil
}
