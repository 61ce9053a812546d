// Compare runs two commands in turn and says how much faster the second is than the first, or how much memory they
// need.
//
//	compare -rounds 5 -name 'convert --to jsonl' -want 8 -- xmllint --stream --valid --noout f.xml -- trcx convert … f.xml
//	compare -memory -limit 64 -within 10 -name 'memory' -- trcx convert … small.xml -- trcx convert … large.xml
//
//	compare -most 1.2 -name 'recorded' -- java App -- java -agentpath:… App
//
// Each command runs once to warm up and then once a round, A B A B …, so that whatever else the machine does meets both
// of them. Times are those of whole processes, from start to exit. The result is one line: the median and the least
// time of each command, their largest peak memory, the ratio of the medians with the least and the largest ratio of a
// round, and whether that is what was wanted. With -memory it is the peaks that count: whether the second command's is
// within the limit, and not more than so many percent above the first's. With -most and -added it is how much longer
// the second command takes, as the median of the rounds; what is wanted has to hold for the upper bound of its 95 %
// interval.
//
// Missing a wanted figure is a result and no failure. The exit status is 1 only if a command fails; its standard error
// is shown then. The commands' standard output is discarded.
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

// expectation is what the result is held against. Zero values expect nothing.
type expectation struct {
	want, goal    float64 // ratio of the times
	memory        bool
	limit, within float64       // MiB; percent
	most          float64       // how many times as long as the first command the second may take
	added         time.Duration // how much longer
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	rounds := flags.Int("rounds", 5, "how often each command runs")
	name := flags.String("name", "", "what is compared, for the line that is printed")
	var e expectation
	flags.Float64Var(&e.want, "want", 0, "how many times faster the second command has to be")
	flags.Float64Var(&e.goal, "goal", 0, "how many times faster it would be at best")
	flags.BoolVar(&e.memory, "memory", false, "compare peak memory and not time")
	flags.Float64Var(&e.limit, "limit", 0, "with -memory: the most MiB that the second command may need")
	flags.Float64Var(&e.within, "within", 0, "with -memory: by how many percent it may need more than the first")
	flags.Float64Var(&e.most, "most", 0, "how many times as long as the first command the second may take, at 95 %")
	flags.DurationVar(&e.added, "added", 0, "how much longer than the first command the second may take, at 95 %")
	if err := flags.Parse(args); err != nil {
		return err
	}
	a, b, err := splitCommands(flags.Args())
	if err != nil {
		return err
	}
	if *rounds < 1 {
		return errors.New("-rounds: at least one")
	}
	runsA, runsB, err := inTurn(a, b, *rounds)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, line(*name, runsA, runsB, e))
	return err
}

// splitCommands parts A… -- B… at the first --.
func splitCommands(args []string) (a, b []string, err error) {
	border := slices.Index(args, "--")
	if border < 1 || border == len(args)-1 {
		return nil, nil, errors.New("usage: compare [flags] -- COMMAND A… -- COMMAND B…")
	}
	return args[:border], args[border+1:], nil
}
