package main

import (
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert/selection"
)

// windowFlags select a part of the trace's time.
func windowFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "since", Usage: "only from this `TIME` on, counted from the trace's start, such as 1.5s"},
		&cli.StringFlag{Name: "until", Usage: "only before this `TIME`, counted from the trace's start"},
	}
}

// parseWindow returns the window of windowFlags.
func parseWindow(c *cli.Context) (w selection.Window, err error) {
	if w.Since, err = timeFlag(c, "since"); err != nil {
		return w, err
	}
	if w.Until, err = timeFlag(c, "until"); err != nil {
		return w, err
	}
	if c.IsSet("until") && w.Since >= w.Until {
		return w, usage("--since is not before --until, so nothing is left")
	}
	return w, nil
}

// timeFlag returns the value of a flag that is a moment of a trace or a length of time, 0 if it is not set.
func timeFlag(c *cli.Context, name string) (time.Duration, error) {
	if !c.IsSet(name) {
		return 0, nil
	}
	d, err := selection.ParseTime(c.String(name))
	if err != nil {
		return 0, usage("--%s: %v", name, err)
	}
	return d, nil
}

// selectionFlags select a part of a trace.
func selectionFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.StringSliceFlag{Name: "thread",
			Usage: "only threads whose name or id matches the `PATTERN`; may be repeated"},
		&cli.StringSliceFlag{Name: "group", Usage: "only threads of groups that match the `PATTERN`; may be repeated"},
		&cli.StringSliceFlag{Name: "class",
			Usage: "only monitors of classes that match the `PATTERN`; may be repeated"},
	}, windowFlags(), []cli.Flag{
		&cli.StringFlag{Name: "min", Usage: "only what took at least this `TIME`, such as 10ms"},
	})
}

// selectionText returns the flags of selectionFlags on the command line.
func selectionText(c *cli.Context) string {
	var given []string
	for _, flag := range selectionFlags() {
		name := flag.Names()[0]
		values := []string{c.String(name)}
		if _, several := flag.(*cli.StringSliceFlag); several {
			values = c.StringSlice(name)
		}
		for _, value := range values {
			if value != "" {
				given = append(given, "--"+name+" "+value)
			}
		}
	}
	return strings.Join(given, " ")
}

// parseSelection returns the part of the trace that selectionFlags select.
func parseSelection(c *cli.Context) (s selection.Selection, err error) {
	s.Threads, s.Groups, s.Classes = c.StringSlice("thread"), c.StringSlice("group"), c.StringSlice("class")
	if s.Window, err = parseWindow(c); err != nil {
		return s, err
	}
	least, err := timeFlag(c, "min")
	s.Min = int64(least)
	return s, err
}
