package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/agent/options"
	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/emit/callgrind"
	"github.com/trcx/trcx/emit/collapsed"
	"github.com/trcx/trcx/emit/pprof"
)

func methodsCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "methods",
		Usage: "where the time goes, method by method",
		UsageText: "trcx methods INPUT… [--by method|class|package|thread] [--tree [--fold]] [--callers METHOD] " +
			"[--callees METHOD] [--flow] [--sort ORDER] [--filters FILE]",
		Description: `INPUT is a trace with calls of methods (methodEntry and methodExit), as Workbenches of TPTP and other
profilers write them, with calls that trcx record --exec has summed up or counted, or with samples.

The base time of a method is while it is the innermost call, the cumulative time from entry to exit; a call inside of
another one of the same method is not counted twice. A call that has no exit of its own is lost, one that the end of the
trace ends is open. Several traces, as those of a zip, are not added up unless --merge is given, which joins methods by
class, name and signature.

--tree shows the calls below those that made them, the longest ones; with --fold a call of a method that is open already
counts with that one. --callers and --callees show by which methods the METHOD was called, or which it called: a pattern
with * and ?, such as app.Order.total. --flow lists the calls in the order of their entries.

--coverage shows which methods were called and which were not: of those that the trace defines, or with --classes of
those in a jar or a folder of class files. Abstract and native methods do not count, nor those that the compiler made, unless
--synthetic is given.

The formats collapsed, pprof and callgrind, which KCachegrind opens, have each call stack, or each caller and callee.

FILE has TPTP's filters: lines of a pattern for classes, a pattern for methods, and INCLUDE or EXCLUDE; the first that
matches counts. The base time of a method that is left out belongs to the method that called it.

--time compensated takes the overhead of the recorder, which the trace has, from the base time of each call.

Examples:
   trcx methods docs/testdata/calls.trcxml
   trcx methods docs/testdata/calls.trcxml --by class --sort cumulative
   trcx methods docs/testdata/calls.trcxml --thread 'worker-*' --since 100ms --until 2s
   trcx methods docs/testdata/calls.trcxml --tree
   trcx methods docs/testdata/calls.trcxml --callers 'app.Order.*'
   trcx methods docs/testdata/calls.trcxml --flow --top 50
   trcx methods docs/testdata/calls.trcxml --coverage
   trcx methods docs/testdata/calls.trcxml -o calls.pb.gz
   trcx methods docs/testdata/calls.trcxml --format callgrind -o callgrind.out
   trcx methods docs/testdata/calls.trcxml --format json`,
		Flags: slices.Concat(methodsFlags(), threadFlags(), windowFlags(), answerFlags(methodsFormats),
			[]cli.Flag{fromFlag()}, readingFlags()),
		Action: func(c *cli.Context) error { return env.methods(c) },
	}
}

// methodsFlags are the flags about calls.
func methodsFlags() []cli.Flag {
	return []cli.Flag{
		choice(&cli.StringFlag{Name: "by", Usage: "sum up calls by `WHAT`", DefaultText: methods.Groupings()[0]},
			methods.Groupings()),
		choice(&cli.StringFlag{Name: "sort", Usage: "sort rows by `ORDER`", DefaultText: methods.Orders()[0]},
			methods.Orders()),
		atLeast(0, &cli.IntFlag{Name: "top", Aliases: []string{"n"}, Usage: "show `NUMBER` rows of each table; 0 for all",
			Value: methodsTop}),
		&cli.StringFlag{Name: "filters", Usage: "show the methods that the filters in the `FILE` include"},
		choice(&cli.StringFlag{Name: "time", Usage: "show base times as `KIND`", DefaultText: rawTime},
			[]string{rawTime, compensatedTime}),
		&cli.BoolFlag{Name: "tree", Usage: "show calls below those that made them"},
		&cli.BoolFlag{Name: "fold", Usage: "count recursive calls in a tree with those of their method that are open"},
		&cli.StringFlag{Name: "callers", Usage: "show by which methods those that match the pattern `METHOD` were called"},
		&cli.StringFlag{Name: "callees", Usage: "show which methods those that match the pattern `METHOD` called"},
		&cli.BoolFlag{Name: "flow", Usage: "list calls in the order of their entries"},
		&cli.BoolFlag{Name: "coverage", Usage: "show which methods were called, and which were not"},
		&cli.StringFlag{Name: "classes",
			Usage: "the methods that could be called are those of the class files in `JAR|DIR`"},
		&cli.BoolFlag{Name: "synthetic", Usage: "count methods of class files that the compiler made, too"},
		&cli.BoolFlag{Name: "merge", Usage: "add up the traces"},
	}
}

var methodsFormats = append(slices.Clone(answerFormats), "collapsed", "pprof", "callgrind")

// methodsTop is the default limit of the rows of a table in the text.
const methodsTop = 20

// The kinds of base times.
const rawTime, compensatedTime = "raw", "compensated"

func (env *environment) methods(c *cli.Context) error {
	views := slices.DeleteFunc([]string{"tree", "flow", "coverage", "callers", "callees"},
		func(flag string) bool { return !c.IsSet(flag) })
	if len(views) > 1 && !slices.Equal(views, []string{"callers", "callees"}) {
		return usage("--%s and --%s are two questions; ask them one after the other", views[0], views[1])
	}
	o, err := methodsOptions(c)
	if err != nil {
		return err
	}
	if c.Bool("fold") && !c.Bool("tree") {
		return usage("--fold is for --tree")
	}
	if c.IsSet("classes") && !c.Bool("coverage") {
		return usage("--classes is for --coverage")
	}
	o.Flow = c.Bool("flow")
	part := selection.Selection{Threads: c.StringSlice("thread"), Groups: c.StringSlice("group")}
	view := methods.View{Tree: c.Bool("tree"), Fold: c.Bool("fold"), Flow: o.Flow, Callers: c.String("callers"),
		Callees: c.String("callees"), By: c.String("by"), Sort: c.String("sort"), Top: c.Int("top"),
		Compensated: c.String("time") == compensatedTime, Threads: part.SelectThreads()}
	if view.Coverage = c.Bool("coverage"); c.IsSet("classes") {
		var bad []string
		if view.Declared, bad, err = declaredMethods(c.String("classes"), c.Bool("synthetic")); err != nil {
			return fmt.Errorf("%s cannot be read: %w", c.String("classes"), err)
		}
		for _, class := range bad {
			env.print("%s!%s", c.String("classes"), class)
		}
	}
	return env.analyse(c, c.Args().Slice(), c.String("from"), methodsFormats,
		func(ctx context.Context, a *analysis) (*answer.Answer, error) { return a.methods(ctx, o, view) })
}

// methodsOptions returns the calls that the command line selects.
func methodsOptions(c *cli.Context) (o methods.Options, err error) {
	if o.Window, err = parseWindow(c); err != nil {
		return o, err
	}
	o.Merge = c.Bool("merge")
	if name := c.String("filters"); name != "" {
		read := options.Options{FilterFile: name}
		if err := read.ReadFiles(); err != nil {
			return o, usage("--filters: %v", err)
		}
		o.Filter = read.Filters.Match
	}
	return o, nil
}

// methods reads the inputs and answers the question of the view.
func (a *analysis) methods(ctx context.Context, o methods.Options, view methods.View) (*answer.Answer, error) {
	collector := methods.NewCollector(o)
	a.options.OnOpen = func(document, _ string) { collector.Name = document }
	if err := a.read(ctx, a.inputs.Documents, collector); err != nil {
		return nil, err
	}
	a.done = collector.Close
	for _, pattern := range []string{view.Callers, view.Callees} {
		if pattern != "" && !collector.HasMethod(pattern) {
			return nil, usage("no method of the trace matches %s; want a name such as app.Order.total, or a pattern with *",
				pattern)
		}
	}
	if view.Compensated {
		if err := collector.CheckCompensated(); err != nil {
			return nil, usage("--time compensated: %v", err)
		}
	}
	profile := collector.Profile(view)
	if profile == nil && slices.Contains(methodsFormats[len(answerFormats):], a.format) {
		return nil, usage("%s has one trace; name one, or add them up with --merge", a.format)
	}
	a.others = map[string]func(io.Writer) error{
		"collapsed": func(out io.Writer) error { return collapsed.WriteMethods(out, profile) },
		"pprof":     func(out io.Writer) error { return pprof.WriteMethods(out, profile) },
		"callgrind": func(out io.Writer) error { return callgrind.Write(out, profile) },
	}
	return collector.Answer(view), nil
}
